import type { JsonSchema, Tool, ToolDeclaration, ToolRegistry, ToolSurface } from '@domos/spec'
import { parseRisk } from '@domos/spec'
import type { AgentLimits } from './limits.ts'
import { normalizeSchema } from './schema-normalize.ts'

/** The owner whose tools win every name collision; further server owners are spelled `server:<name>`. */
export const SERVER_OWNER = 'server'

/** Whether an owner is the server itself and not a page. */
export function isServerOwner(owner: string): boolean {
  return owner === SERVER_OWNER || owner.startsWith(`${SERVER_OWNER}:`)
}

/** A tool in force. */
export interface RegisteredTool {
  readonly owner: string
  readonly tool: Tool
  /** The normalized schema of its arguments. */
  readonly schema: JsonSchema
  /** Equal for equal declarations, whatever object carries them. */
  readonly fingerprint: string
}

/** What the registry of one session offers the gate and the turn loop, beyond {@link ToolRegistry}. */
export interface SessionTools extends ToolRegistry {
  /** The tool in force under this name. */
  find(name: string): RegisteredTool | undefined
  /** All tools in force, the server's first, then in the order of their owners and declarations. */
  list(): readonly RegisteredTool[]
  /** Takes a tool out of force until its owner declares it anew in another form. */
  reject(tool: RegisteredTool, reason: string): void
  /** Called after every change of what is in force; gives a function that ends it. */
  onChange(listener: () => void): () => void
}

const NAME_MAX_CHARS = 256
const REPORTED_MAX = 200

interface Ignored {
  readonly owner: string
  readonly name: string
  readonly reason: string
}

/** Makes the registry of one session. */
export function createToolRegistry(limits: AgentLimits): SessionTools {
  const byOwner = new Map<string, { readonly tools: readonly RegisteredTool[]; readonly ignored: readonly Ignored[] }>()
  const rejected = new Map<string, string>()
  const listeners = new Set<() => void>()
  let effective = new Map<string, RegisteredTool>()
  let ignored: readonly Ignored[] = []

  function take(owner: string, tools: readonly Tool[]): void {
    const kept: RegisteredTool[] = []
    const left: Ignored[] = []
    const names = new Set<string>()
    for (const tool of tools) {
      const refuse = (reason: string): number =>
        left.push({ owner, name: String(tool.name).slice(0, NAME_MAX_CHARS), reason })
      if (typeof tool.name !== 'string' || tool.name.trim() === '') refuse('The name is empty.')
      else if (tool.name.length > NAME_MAX_CHARS) refuse(`The name has more than ${NAME_MAX_CHARS} characters.`)
      else if (names.has(tool.name)) refuse('The same name is declared twice; the first counts.')
      else if (kept.length >= limits.toolsPerOwnerMax) refuse(`At most ${limits.toolsPerOwnerMax} tools are accepted.`)
      else {
        const schema = normalizeSchema(tool.parameters, limits)
        if (!schema.ok) refuse(schema.reason)
        else {
          names.add(tool.name)
          const fingerprint = JSON.stringify([
            tool.name,
            tool.description,
            schema.schema,
            parseRisk(tool.risk),
            tool.scope ?? null,
            tool.approval ?? 'gate',
          ])
          kept.push({ owner, tool, schema: schema.schema, fingerprint })
        }
      }
    }
    if (tools.length === 0) byOwner.delete(owner)
    else byOwner.set(owner, { tools: kept, ignored: left })
  }

  function rebuild(): void {
    const before = fingerprint(effective)
    const next = new Map<string, RegisteredTool>()
    const lost: Ignored[] = []
    const owners = [...byOwner.entries()].sort(([a], [b]) => Number(isServerOwner(b)) - Number(isServerOwner(a)))
    for (const [owner, entry] of owners) {
      lost.push(...entry.ignored)
      for (const tool of entry.tools) {
        const name = tool.tool.name
        const bad = rejected.get(`${owner}\n${tool.fingerprint}`)
        const other = next.get(name)
        if (bad !== undefined) lost.push({ owner, name, reason: bad })
        else if (other !== undefined) {
          lost.push({
            owner,
            name,
            reason: isServerOwner(other.owner)
              ? 'The server has a tool of this name.'
              : 'Another page has a tool of this name.',
          })
        } else next.set(name, tool)
      }
    }
    effective = next
    ignored = lost.slice(0, REPORTED_MAX)
    if (fingerprint(effective) !== before) for (const listener of [...listeners]) listener()
  }

  const surface = (): ToolSurface => ({
    effective: [...effective.values()].map((tool) => declarationOf(tool.tool)),
    ignored,
  })

  return {
    replace(owner, tools) {
      take(owner, tools)
      rebuild()
      return surface()
    },
    surface,
    get: (name) => effective.get(name)?.tool,
    find: (name) => effective.get(name),
    list: () => [...effective.values()],
    reject(tool, reason) {
      rejected.set(`${tool.owner}\n${tool.fingerprint}`, reason)
      const oldest = rejected.keys().next().value
      if (rejected.size > REPORTED_MAX && oldest !== undefined) rejected.delete(oldest)
      rebuild()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function declarationOf(tool: Tool): ToolDeclaration {
  return {
    name: tool.name,
    description: tool.description,
    ...(tool.parameters === undefined ? {} : { parameters: tool.parameters }),
    risk: parseRisk(tool.risk),
    ...(tool.scope === undefined ? {} : { scope: tool.scope }),
  }
}

function fingerprint(tools: ReadonlyMap<string, RegisteredTool>): string {
  return [...tools.values()].map((tool) => `${tool.owner}\n${tool.fingerprint}`).join('\n')
}
