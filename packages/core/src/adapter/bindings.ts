import type { DomOSClient } from '../client.ts'
import type { ToolContext, ToolDefinition, ToolParameters } from '../tools/definition.ts'
import { isStandardSchema } from '../tools/standard-schema.ts'

/** A tool as a component declares it. */
export type ToolOptions<P extends ToolParameters | undefined = ToolParameters | undefined> = ToolDefinition<P> & {
  /** Whether the tool is offered now. @default true */
  readonly enabled?: boolean | undefined
}

/** What a component tells the client for as long as it lives. */
export interface Binding<T> {
  /** Puts this in the place of what was told before. Equal declarations tell the server nothing. */
  update(value: T): void
  /** The component is gone. It may come back with the next {@link update}. */
  remove(): void
}

interface Declared {
  readonly key: string
  tool: ToolOptions
  remove(): void
}

/**
 * Keeps the tools of a component registered. Handlers and validators are replaced without a registration; only what the
 * model or a person would read differently is declared anew. A `global` tool stays when its component goes.
 */
export function bindTools(client: DomOSClient): Binding<readonly ToolOptions[]> {
  let declared = new Map<string, Declared>()
  const update = (tools: readonly ToolOptions[], leaving = false) => {
    const before = declared
    declared = new Map()
    for (const tool of tools) {
      if (tool.enabled === false) continue
      const known = before.get(tool.name)
      if (known?.key === keyOf(tool)) declared.set(tool.name, Object.assign(known, { tool }))
      else declared.set(tool.name, declare(client, tool))
    }
    for (const [name, { tool, remove }] of before) {
      if (!declared.has(name) && !(leaving && tool.global)) remove()
    }
  }
  return { update, remove: () => update([], true) }
}

function declare(client: DomOSClient, tool: ToolOptions): Declared {
  const declared: Declared = { key: keyOf(tool), tool, remove: () => {} }
  const { parameters } = tool
  const definition: ToolDefinition = {
    ...tool,
    ...(parameters && { parameters: latestOf(parameters, () => declared.tool.parameters) }),
    handler: (args: never, context: ToolContext) => declared.tool.handler(args, context),
  }
  declared.remove = client.registerTool(definition)
  return declared
}

/** The schema, with whatever validator the component declared last. */
function latestOf(parameters: ToolParameters, latest: () => ToolParameters | undefined): ToolParameters {
  if (!isStandardSchema(parameters)) return parameters
  const { version, vendor, jsonSchema } = parameters['~standard']
  if (!jsonSchema) return parameters
  const validate = (value: unknown) => {
    const now = latest()
    return (isStandardSchema(now) ? now : parameters)['~standard'].validate(value)
  }
  return { '~standard': { version, vendor, jsonSchema, validate } }
}

function keyOf({
  name,
  description,
  risk,
  approvalText,
  navigates,
  global,
  componentId,
  ...tool
}: ToolOptions): string {
  const { parameters, jsonSchema } = tool
  return JSON.stringify([
    ...[name, description, risk, approvalText, navigates, global, componentId, jsonSchema],
    parameters && schemaKey(parameters),
  ])
}

const keys = new WeakMap<object, unknown>()
let counted = 0

/** Equal for schemas that describe themselves equally; a schema that cannot is only equal to itself. */
function schemaKey(parameters: ToolParameters): unknown {
  if (!isStandardSchema(parameters)) return parameters
  let key = keys.get(parameters)
  if (key === undefined) keys.set(parameters, (key = describeSchema(parameters['~standard'].jsonSchema) ?? ++counted))
  return key
}

function describeSchema(schema: { input(options: { target: string }): unknown } | undefined): unknown {
  try {
    return schema?.input({ target: 'draft-2020-12' })
  } catch {
    return undefined
  }
}

/** Keeps a component's piece of the page's context. Equal data is told once; undefined takes it back. */
export function bindContext(client: DomOSClient): Binding<object | undefined> {
  const owner = `component-${++counted}`
  let told: string | undefined
  let take = () => {}
  return {
    update(data) {
      const text = data && JSON.stringify(data)
      if (text === told) return
      told = text
      if (data) take = client.setContext(data, owner)
      else this.remove()
    },
    remove() {
      told = undefined
      take()
      take = () => {}
    },
  }
}

/**
 * Gives a literal of a tool its type, for lists of tools.
 * @example const tools = [defineTool({ name: 'add', … })]
 */
export function defineTool<const P extends ToolParameters | undefined = undefined>(
  tool: ToolOptions<P>,
): ToolOptions<P> {
  return tool
}
