import { type BrowserEngine, type Clock, systemClock } from '@domos/spec'
import { StaticContext } from './page/context.ts'

/** Options of {@link createStaticEngine}. */
export interface StaticEngineOptions {
  /** @default the real clock */
  readonly clock?: Clock
}

/** Creates the engine that needs no browser: it fetches, parses and acts on pages, without page script. */
export function createStaticEngine(options: StaticEngineOptions = {}): BrowserEngine {
  const contexts = new Set<StaticContext>()
  return {
    id: 'static',
    abilities: {
      script: false,
      screenshots: false,
      evaluate: false,
      applies: ['userAgent', 'headers', 'locale', 'viewport'],
    },
    async openContext(contextOptions) {
      const context = new StaticContext(contextOptions, options.clock ?? systemClock, () => contexts.delete(context))
      contexts.add(context)
      return context
    },
    async health() {
      return { ready: true, contexts: contexts.size }
    },
    async close() {
      await Promise.all([...contexts].map((context) => context.close()))
    },
  }
}
