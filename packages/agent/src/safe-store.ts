import type { Log, Metrics, Store } from '@domos/spec'
import { toDomosError } from '@domos/spec'

/** Writes to a store without letting its failures reach a turn. */
export interface SafeStore {
  /** Runs a write; settles when it is done, failed, or dropped because too many are under way. Never rejects. */
  write(what: string, task: (store: Store) => Promise<void>): Promise<void>
  /** Settles when all writes so far are done. */
  drained(): Promise<void>
  health(): {
    readonly ok: boolean
    readonly failures: number
    readonly dropped: number
    readonly pending: number
    readonly lastError: string
  }
}

/** Wraps a store; failures are logged with their code, counted, and shown by `health` until a write succeeds again. */
export function createSafeStore(store: Store, pendingMax: number, log: Log, metrics: Metrics): SafeStore {
  const pending = new Set<Promise<void>>()
  let failures = 0
  let dropped = 0
  /** Kinds of write whose last attempt failed. */
  const failing = new Set<string>()
  let lastError = ''

  function failed(what: string, thrown: unknown): void {
    failures += 1
    failing.add(what)
    lastError = toDomosError(thrown, 'The store failed.').message
    metrics.count('store_failures', { write: what })
    log.warn('store-write-failed', { write: what, code: toDomosError(thrown).code })
  }

  return {
    write(what, task) {
      if (pending.size >= pendingMax) {
        dropped += 1
        failing.add(what)
        lastError = `More than ${pendingMax} writes are under way; some were dropped.`
        metrics.count('store_dropped', { write: what })
        if (dropped === 1 || dropped % 1_000 === 0) log.warn('store-write-dropped', { write: what, dropped })
        return Promise.resolve()
      }
      const running = (async () => {
        try {
          await task(store)
          failing.delete(what)
        } catch (thrown) {
          failed(what, thrown)
        }
      })()
      pending.add(running)
      void running.then(() => pending.delete(running))
      return running
    },
    async drained() {
      while (pending.size > 0) await Promise.all([...pending])
    },
    health: () => ({ ok: failing.size === 0, failures, dropped, pending: pending.size, lastError }),
  }
}
