import type { JsonObject } from '@domos/spec'
import { bindTools, type ToolOptions } from '../adapter/bindings.ts'
import type { DomOSClient } from '../client.ts'
import type { ToolDescription } from '../tools/definition.ts'

/** The part of WebMCP that is used, as browsers have it. */
interface ModelContext extends EventTarget {
  registerTool(tool: object, options: { readonly signal: AbortSignal }): Promise<unknown>
  getTools?(): Promise<readonly PageTool[]>
  executeTool?(tool: PageTool, input: object): Promise<string | null>
}

/** A tool that the page offers to the browser's own agent. */
export interface PageTool {
  readonly name: string
  readonly description: string
  readonly inputSchema?: JsonObject | null
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly consequentialHint?: boolean } | null
  readonly source?: unknown
  readonly window?: unknown
}

type Risk = NonNullable<ToolOptions['risk']>

/** How the two registries meet. */
export interface WebMcpOptions {
  /**
   * The risk of a page's tool that does not say that it only reads (`none`) or that it has consequences (`high`).
   * @default 'low'
   */
  readonly risk?: Risk | ((tool: PageTool) => Risk)
  /** Hears, once each, why a tool cannot be offered on the other side. @default a warning on the console */
  readonly onProblem?: (sentence: string) => void
}

const NAME = /^[A-Za-z0-9_.-]{1,128}$/

/**
 * Offers the client's tools on `document.modelContext`, and the tools a page registers there to the client. Calls from the
 * browser pass the same checks and approvals. A tool never comes back to the side that it is from. Does nothing where the
 * browser has no WebMCP. The returned function ends it.
 */
export function bridgeWebMcp(client: DomOSClient, options: WebMcpOptions = {}): () => void {
  const context = globalThis.document && (document as { modelContext?: ModelContext }).modelContext
  if (!context) return () => {}
  const { onProblem = console.warn, risk = 'low' } = options
  const told = new Set<string>()
  const problem = (sentence: string) => {
    if (!told.has(sentence)) onProblem(sentence)
    told.add(sentence)
  }
  const offered = new Map<string, { readonly key: string; readonly end: AbortController }>()
  const taken = bindTools(client)
  let takenNames: readonly string[] = []
  let ended = false

  const offer = () => {
    const own = client.registeredTools.filter(({ name }) => !takenNames.includes(name))
    const keys = new Map(own.map((tool) => [tool.name, JSON.stringify(tool)]))
    for (const [name, { key, end }] of offered) {
      if (keys.get(name) === key) continue
      end.abort()
      offered.delete(name)
    }
    for (const tool of own) {
      if (offered.has(tool.name)) continue
      if (!NAME.test(tool.name)) problem(`Tool "${tool.name}" has a name that WebMCP does not allow.`)
      else {
        const end = new AbortController()
        offered.set(tool.name, { key: keys.get(tool.name) ?? '', end })
        // The page may have one of that name there already, or its permissions may forbid tools.
        register(context, client, tool, end.signal).catch((error: Error) => {
          if (end.signal.aborted) return
          offered.delete(tool.name)
          problem(`Tool "${tool.name}" is not offered to the browser: ${error.message}`)
        })
      }
    }
  }

  const take = async () => {
    const all = (await context.getTools?.().catch(() => [])) ?? []
    if (ended) return
    const foreign = all.filter(
      ({ name, source, window: from }) => !offered.has(name) && (source ?? from ?? window) === window,
    )
    const mine = foreign.filter(({ name }) => takenNames.includes(name) || !client.hasTool(name))
    takenNames = mine.map(({ name }) => name)
    taken.update(mine.map((tool) => toTool(context, tool, typeof risk === 'function' ? risk(tool) : risk)))
  }

  let scheduled = false
  const changed = () => {
    if (scheduled || ended) return
    scheduled = true
    queueMicrotask(() => {
      scheduled = false
      if (ended) return
      offer()
      void take()
    })
  }
  const listen = () => void take()
  context.addEventListener('toolchange', listen)
  const unsubscribe = client.on('tool.registry.changed', changed)
  offer()
  void take()
  return () => {
    ended = true
    context.removeEventListener('toolchange', listen)
    unsubscribe()
    taken.update([])
    for (const { end } of offered.values()) end.abort()
  }
}

async function register(context: ModelContext, client: DomOSClient, tool: ToolDescription, signal: AbortSignal) {
  const { name, description, parameters, risk } = tool
  await context.registerTool(
    {
      name,
      description,
      inputSchema: parameters ?? { type: 'object', properties: {} },
      annotations: { readOnlyHint: risk === 'none', consequentialHint: risk === 'high' || risk === 'critical' },
      execute: (args: JsonObject) => client.callTool(name, args),
    },
    { signal },
  )
}

function toTool(context: ModelContext, tool: PageTool, otherwise: Risk): ToolOptions {
  const { name, description, inputSchema, annotations } = tool
  const risk = annotations?.consequentialHint ? 'high' : annotations?.readOnlyHint ? 'none' : otherwise
  return {
    name,
    description,
    ...(inputSchema && { parameters: inputSchema }),
    risk,
    handler: async (args: never) => {
      const text = await context.executeTool?.(tool, args)
      try {
        return JSON.parse(text ?? 'null')
      } catch {
        return text
      }
    },
  }
}
