import { type Clock, DomosError } from '@domos/spec'

/** How a result that arrived was taken. `late`: the call was settled before; `unknown`: there never was such a call. */
export type SettleOutcome = 'settled' | 'late' | 'unknown'

/** Options of {@link PendingCalls}. */
export interface PendingCallsOptions {
  readonly clock: Clock
  /** Calls that may be open at once. @default 256 */
  readonly maxOpen?: number
  /** Settled ids that are remembered, to tell a late result from a foreign one. @default 512 */
  readonly maxRemembered?: number
}

/** Options of {@link PendingCalls.open}. */
export interface OpenCallOptions {
  /** Rejects with `timeout` after this many milliseconds. @default no limit of its own */
  readonly timeoutMs?: number
  /** Rejects with the signal's reason, or `cancelled`, when it aborts. */
  readonly signal?: AbortSignal
}

interface OpenCall<Result> {
  resolve(result: Result): void
  reject(reason: unknown): void
  release(): void
}

/** Calls that went out and wait for their answer, by id. Each settles exactly once; what comes later is told, not lost. */
export class PendingCalls<Result> {
  readonly #clock: Clock
  readonly #maxOpen: number
  readonly #maxRemembered: number
  readonly #open = new Map<string, OpenCall<Result>>()
  readonly #settled = new Set<string>()

  constructor(options: PendingCallsOptions) {
    this.#clock = options.clock
    this.#maxOpen = options.maxOpen ?? 256
    this.#maxRemembered = options.maxRemembered ?? 512
  }

  /** How many calls wait. */
  get size(): number {
    return this.#open.size
  }

  /** Whether this call waits. */
  has(id: string): boolean {
    return this.#open.has(id)
  }

  /** Where a call stands: `open`, `settled` (as far as it is remembered), or never heard of. */
  status(id: string): 'open' | 'settled' | 'unknown' {
    if (this.#open.has(id)) return 'open'
    return this.#settled.has(id) ? 'settled' : 'unknown'
  }

  /** Ids of the calls that wait, oldest first. */
  ids(): readonly string[] {
    return [...this.#open.keys()]
  }

  /**
   * Waits for the answer to `id`. Rejects with {@link DomosError} `conflict` for an id in use, `busy` when too many wait,
   * `timeout`, or the abort reason.
   */
  open(id: string, options: OpenCallOptions = {}): Promise<Result> {
    const { timeoutMs, signal } = options
    if (this.#open.has(id))
      return Promise.reject(new DomosError('conflict', `A call with the id ${id} is open already.`))
    if (this.#open.size >= this.#maxOpen) {
      return Promise.reject(new DomosError('busy', `More than ${this.#maxOpen} calls wait for an answer.`))
    }
    if (signal?.aborted) {
      this.#remember(id)
      return Promise.reject(abortReason(signal))
    }
    return new Promise<Result>((resolve, reject) => {
      const onAbort = () => this.reject(id, abortReason(signal))
      const stopTimer =
        timeoutMs === undefined
          ? undefined
          : this.#clock.schedule(timeoutMs, () =>
              this.reject(id, new DomosError('timeout', `No answer came within ${timeoutMs} ms.`)),
            )
      signal?.addEventListener('abort', onAbort, { once: true })
      const release = () => {
        stopTimer?.()
        signal?.removeEventListener('abort', onAbort)
      }
      this.#open.set(id, { resolve, reject, release })
    })
  }

  /** Gives the call its answer. */
  resolve(id: string, result: Result): SettleOutcome {
    return this.#settle(id, (call) => call.resolve(result))
  }

  /** Ends the call with a failure. */
  reject(id: string, reason: unknown): SettleOutcome {
    return this.#settle(id, (call) => call.reject(reason))
  }

  /** Ends every open call with a failure. */
  rejectAll(reason: unknown): void {
    for (const id of this.ids()) this.reject(id, reason)
  }

  #settle(id: string, finish: (call: OpenCall<Result>) => void): SettleOutcome {
    const call = this.#open.get(id)
    if (call === undefined) return this.#settled.has(id) ? 'late' : 'unknown'
    this.#open.delete(id)
    this.#remember(id)
    call.release()
    finish(call)
    return 'settled'
  }

  #remember(id: string): void {
    this.#settled.delete(id)
    this.#settled.add(id)
    if (this.#settled.size <= this.#maxRemembered) return
    for (const oldest of this.#settled) {
      this.#settled.delete(oldest)
      break
    }
  }
}

function abortReason(signal: AbortSignal | undefined): unknown {
  return signal?.reason ?? new DomosError('cancelled', 'The call was cancelled.')
}
