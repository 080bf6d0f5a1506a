import type { DatabaseSync } from 'node:sqlite'
import { DomosError, describeThrown } from '@domos/spec'

/** Collects writes and commits them together. */
export interface WriteQueue {
  /**
   * Settles once the write is committed; order is the order of calls. A write with the key of one that still waits takes
   * its place: both settle with that commit.
   */
  add(write: () => void, key?: string): Promise<void>
  /** Commits everything that waits, now. */
  flush(): void
  /** Commits what waits; later writes are refused. */
  close(): void
}

/** Bounds of {@link createWriteQueue}. */
export interface WriteQueueLimits {
  /** How long a write may wait for others. */
  readonly delayMs: number
  /** Writes that commit at once without waiting for the delay. */
  readonly batchMax: number
  readonly pendingMax: number
}

interface Waiting {
  write: () => void
  readonly promise: Promise<void>
  resolve(): void
  reject(reason: unknown): void
}

/** Makes the queue of one database. A write that fails takes no other one with it; a commit that fails fails its whole batch. */
export function createWriteQueue(database: DatabaseSync, limits: WriteQueueLimits): WriteQueue {
  let waiting: Waiting[] = []
  const byKey = new Map<string, Waiting>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let closed = false

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length === 0) return
    const batch = waiting
    waiting = []
    byKey.clear()
    const done: Waiting[] = []
    try {
      database.exec('BEGIN IMMEDIATE')
      for (const item of batch) {
        try {
          item.write()
          done.push(item)
        } catch (thrown) {
          item.reject(writeError(thrown))
        }
      }
      database.exec('COMMIT')
    } catch (thrown) {
      try {
        if (database.isTransaction) database.exec('ROLLBACK')
      } catch {
        // The commit's own failure is what counts.
      }
      for (const item of batch) item.reject(writeError(thrown))
      return
    }
    for (const item of done) item.resolve()
  }

  return {
    add(write, key) {
      if (closed) return Promise.reject(new DomosError('unavailable', 'The store is closed.'))
      const earlier = key === undefined ? undefined : byKey.get(key)
      if (earlier !== undefined) {
        earlier.write = write
        return earlier.promise
      }
      if (waiting.length >= limits.pendingMax) {
        return Promise.reject(new DomosError('busy', `More than ${limits.pendingMax} writes wait for the store.`))
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const item: Waiting = { write, promise, resolve, reject }
      waiting.push(item)
      if (key !== undefined) byKey.set(key, item)
      if (waiting.length >= limits.batchMax) flush()
      else timer ??= setTimeout(flush, limits.delayMs)
      return promise
    },
    flush,
    close() {
      closed = true
      flush()
    },
  }
}

function writeError(thrown: unknown): DomosError {
  return new DomosError('unavailable', `The store could not write: ${describeThrown(thrown)}`, { cause: thrown })
}
