import { type BrowsingCall, DomosError } from '@domos/spec'

/** Runs the operations of one page one after the other, in the order they came ("Message Ordering"). */
export class PageQueue {
  readonly #maxQueued: number
  #tail: Promise<unknown> = Promise.resolve()
  #queued = 0
  #closed: DomosError | undefined

  constructor(maxQueued: number) {
    this.#maxQueued = maxQueued
  }

  /**
   * Runs `task` when all before it are done; at once for a parallel call. A call that is cancelled while it waits leaves
   * the queue.
   * @throws DomosError `busy` when the queue is full, `cancelled`
   */
  run<T>(call: BrowsingCall, task: () => Promise<T>): Promise<T> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed)
    if (call.isParallel === true) return task()
    if (this.#queued >= this.#maxQueued) {
      return Promise.reject(
        new DomosError('busy', `${this.#maxQueued} operations wait for this page already.`, {
          details: { maxQueued: this.#maxQueued },
        }),
      )
    }
    this.#queued += 1
    const turn = this.#tail.then(() => {
      if (this.#closed !== undefined) throw this.#closed
      if (call.signal.aborted) throw reasonOf(call.signal)
      return task()
    })
    this.#tail = turn
      .catch(() => {})
      .finally(() => {
        this.#queued -= 1
      })
    return Promise.race([turn, aborted(call.signal, turn)])
  }

  /** Everything that waits, and everything that comes, is refused with this error. */
  close(error: DomosError): void {
    this.#closed ??= error
  }
}

function aborted(signal: AbortSignal, turn: Promise<unknown>): Promise<never> {
  return new Promise((_resolve, reject) => {
    const onAbort = (): void => reject(reasonOf(signal))
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    turn.catch(() => {}).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** The coded error of an aborted signal. */
export function reasonOf(signal: AbortSignal): DomosError {
  return signal.reason instanceof DomosError
    ? signal.reason
    : new DomosError('cancelled', 'The operation was cancelled.', { cause: signal.reason })
}
