import type { BrowserEngine, JsonObject } from '@domos/spec'
import { AutoContext } from './auto-context.ts'

/** Options of {@link createAutoEngine}. */
export interface AutoEngineOptions {
  /** The cheap engine, which runs no page script. */
  readonly plain: BrowserEngine
  /** The engine for pages with script. */
  readonly script: BrowserEngine
  /** Engine ids by domain (`example.com`, `*.example.com`), for pages whose choice is known. */
  readonly pinned?: Readonly<Record<string, string>>
}

/**
 * Creates the engine that uses the cheapest one that shows a page truly: it loads a page without script first and moves
 * the session to the other engine, with cookies, storage and history, when the page needs it. Once moved, a session stays.
 * It closes neither engine.
 */
export function createAutoEngine(options: AutoEngineOptions): BrowserEngine {
  const { plain, script } = options
  const contexts = new Set<AutoContext>()
  return {
    id: 'auto',
    abilities: script.abilities,
    async openContext(contextOptions) {
      const context = new AutoContext(options, contextOptions, await plain.openContext(contextOptions), () =>
        contexts.delete(context),
      )
      contexts.add(context)
      return context
    },
    async health(): Promise<JsonObject> {
      const moved = [...contexts].filter(({ isMoved }) => isMoved).length
      return { ready: true, contexts: contexts.size, moved }
    },
    async close() {
      await Promise.all([...contexts].map((context) => context.close()))
    },
  }
}
