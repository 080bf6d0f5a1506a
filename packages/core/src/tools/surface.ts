import { DomosError, type JsonObject, type JsonValue } from '@domos/spec'
import type { ClientBase } from '../base.ts'
import type { RegisteredTool } from './definition.ts'
import type { ToolRegistry } from './registry.ts'

/** Which of the page's tools count: the first ones up to the limit, and of these what the server takes. */
export class ToolSurface {
  readonly #base: ClientBase
  readonly #registry: ToolRegistry
  #surplus: readonly string[] = []
  #refused: readonly string[] = []
  #effective: readonly string[] | undefined

  constructor(base: ClientBase, registry: ToolRegistry) {
    this.#base = base
    this.#registry = registry
  }

  /** Names in force by the server's account; undefined before it gave one. */
  get effective(): readonly string[] | undefined {
    return this.#effective
  }

  /** Names that do not count: surplus, and what the server refused. */
  get ignored(): readonly string[] {
    return [...new Set([...this.#refused, ...this.#surplus])]
  }

  /** The tools to announce. A new surplus is told once. */
  announced(limit: number): readonly RegisteredTool[] {
    const all = this.#registry.list()
    const surplus = all.slice(limit).map((tool) => tool.name)
    const isNews = surplus.length > 0 && surplus.join() !== this.#surplus.join()
    this.#surplus = surplus
    if (isNews) {
      const { events } = this.#base
      events.emit('tool.registry.limit', { limit, registered: all.length, surplus })
      const error = new DomosError('too_large', `${all.length} tools are registered, ${limit} count.`)
      events.emit('system.error', { code: error.code, message: error.message, error })
    }
    return all.slice(0, limit)
  }

  /** Takes the server's account. */
  take(data: JsonObject): void {
    this.#effective = names(data.effectiveTools)
    this.#refused = names(data.ignoredClientTools)
    this.#base.events.emit('tool.registry.effective', { effective: this.#effective, ignored: this.ignored })
  }

  /** A new session gives its own account. */
  reset(): void {
    this.#effective = undefined
    this.#refused = []
  }
}

function names(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []
}
