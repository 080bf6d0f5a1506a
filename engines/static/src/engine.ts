import { type BrowserEngine, type Clock, systemClock } from '@domos/spec'
import { WorkerPool } from './document/worker-pool.ts'
import { STATIC_ENGINE_LIMITS, type StaticEngineLimits } from './limits.ts'
import { StaticContext } from './page/context.ts'

/** Options of {@link createStaticEngine}. */
export interface StaticEngineOptions {
  readonly limits?: Partial<StaticEngineLimits>
  /** @default the real clock */
  readonly clock?: Clock
}

/** How often idle pages are looked for. */
const SWEEP_MS = 10_000

/** Creates the engine that needs no browser: it fetches, parses and acts on pages, without page script. */
export function createStaticEngine(options: StaticEngineOptions = {}): BrowserEngine {
  const limits = { ...STATIC_ENGINE_LIMITS, ...options.limits }
  const clock = options.clock ?? systemClock
  const workers = new WorkerPool(limits)
  const contexts = new Set<StaticContext>()
  let stopSweep: (() => void) | undefined
  const sweepLater = (): void => {
    stopSweep ??= clock.schedule(Math.min(SWEEP_MS, limits.hibernateAfterMs), () => {
      stopSweep = undefined
      for (const context of contexts) context.hibernate(clock.now() - limits.hibernateAfterMs)
      if (contexts.size > 0) sweepLater()
    })
  }
  return {
    id: 'static',
    abilities: {
      script: false,
      screenshots: false,
      evaluate: false,
      applies: ['userAgent', 'headers', 'locale', 'viewport'],
    },
    async openContext(contextOptions) {
      const context = new StaticContext(contextOptions, { clock, workers, limits }, () => contexts.delete(context))
      contexts.add(context)
      sweepLater()
      return context
    },
    async health() {
      return { ready: true, contexts: contexts.size }
    },
    async close() {
      stopSweep?.()
      await Promise.all([...contexts].map((context) => context.close()))
      await workers.close()
    },
  }
}
