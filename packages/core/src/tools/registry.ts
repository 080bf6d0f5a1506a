import { type Clock, DomosError, parseRisk } from '@domos/spec'
import { canonicalJson } from '@domos/wire'
import type { RegisteredTool, ToolDefinition, ToolDescription, ToolParameters } from './definition.ts'
import { type SchemaConverter, toJsonSchema } from './parameters.ts'

/** What the registry tells its owner. */
export interface RegistryListener {
  /** The set of tools, or what one says about itself, is another than before. */
  changed(added?: string): void
  /** This very registration is gone, unless `replacement` took its name. */
  removed(tool: RegisteredTool, replacement: RegisteredTool | undefined): void
}

/** The tools the page offers now, in order of registration (Core Concepts, "Dynamic Tools Registry"). */
export class ToolRegistry {
  readonly #tools = new Map<string, RegisteredTool>()
  readonly #listener: RegistryListener
  readonly #clock: Clock
  readonly #convert: SchemaConverter | undefined
  #lastChangedAt = 0

  constructor(listener: RegistryListener, clock: Clock, convert?: SchemaConverter) {
    this.#listener = listener
    this.#clock = clock
    this.#convert = convert
  }

  /** When the registry changed last, epoch milliseconds. */
  get lastChangedAt(): number {
    return this.#lastChangedAt
  }

  get size(): number {
    return this.#tools.size
  }

  get(name: string): RegisteredTool | undefined {
    return this.#tools.get(name)
  }

  list(): readonly RegisteredTool[] {
    return [...this.#tools.values()]
  }

  /**
   * Adds a tool, or puts it in the place of the one with its name. The returned function takes exactly this registration
   * away and does nothing once another one has its name.
   * @throws DomosError `invalid_request` when name, description, handler or parameters are unusable
   */
  add<P extends ToolParameters | undefined>(definition: ToolDefinition<P>): () => void {
    const tool = this.#read(definition)
    const remove = () => this.#removeExactly(tool)
    if (definition.signal?.aborted) return remove
    const earlier = this.#tools.get(tool.name)
    this.#tools.set(tool.name, tool)
    if (earlier) this.#listener.removed(earlier, tool)
    if (!earlier || declarationKey(earlier) !== declarationKey(tool)) this.#touch(tool.name)
    definition.signal?.addEventListener('abort', remove, { once: true })
    return remove
  }

  /** Takes the tool of that name away; false when there is none. */
  remove(name: string): boolean {
    const tool = this.#tools.get(name)
    if (tool) this.#removeExactly(tool)
    return tool !== undefined
  }

  /** Takes away all tools of a component that are not `global`; gives their number. */
  removeComponent(componentId: string): number {
    const own = this.list().filter((tool) => tool.componentId === componentId && !tool.global)
    for (const tool of own) this.#removeExactly(tool)
    return own.length
  }

  clear(): void {
    for (const tool of this.list()) this.#removeExactly(tool)
  }

  #removeExactly(tool: RegisteredTool): void {
    if (this.#tools.get(tool.name) !== tool) return
    this.#tools.delete(tool.name)
    this.#touch()
    this.#listener.removed(tool, undefined)
  }

  #touch(added?: string): void {
    this.#lastChangedAt = this.#clock.now()
    this.#listener.changed(added)
  }

  #read<P extends ToolParameters | undefined>(definition: ToolDefinition<P>): RegisteredTool {
    const { name, description, handler, parameters } = definition
    const filled = (text: unknown) => typeof text === 'string' && text.trim() !== ''
    if (!filled(name) || !filled(description) || typeof handler !== 'function') {
      const message = `Tool "${name}" needs a name, a description the model can choose by, and a handler function.`
      throw new DomosError('invalid_request', message)
    }
    const schema = definition.jsonSchema ?? toJsonSchema(name, parameters, this.#convert)
    return {
      name,
      description,
      risk: parseRisk(definition.risk),
      global: definition.global ?? false,
      navigates: definition.navigates ?? false,
      schema: parameters,
      handler: (args, context) => handler.call(definition, args, context),
      ...(schema && { parameters: schema }),
      ...(definition.componentId !== undefined && { componentId: definition.componentId }),
      ...(definition.approvalText !== undefined && { approvalText: definition.approvalText }),
    }
  }
}

/** What the server is told of a tool. */
export function describeTool(tool: RegisteredTool): ToolDescription {
  const { name, description, risk, parameters } = tool
  return { name, description, risk, ...(parameters && { parameters }) }
}

/** Equal keys mean that the model and the person would be told the same about two registrations. */
export function declarationKey(tool: RegisteredTool): string {
  return canonicalJson([{ ...describeTool(tool) }, tool.approvalText ?? null])
}
