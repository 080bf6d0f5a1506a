import { type BackOff, createBackOff } from '@domos/wire'

/** When and how often a dropped connection is tried again. */
export interface ReconnectOptions {
  /** Upper bound of the first delay. @default 500 */
  readonly baseDelayMs?: number
  /** Upper bound of every delay. @default 30000 */
  readonly maxDelayMs?: number
  /** Attempts in a row before it gives up. @default Infinity: a page left open finds its server again */
  readonly maxAttempts?: number
  /**
   * How delays grow: `exponential` with full jitter, or a function from the attempt (1, 2, …) to milliseconds.
   * @default 'exponential'
   */
  readonly strategy?: 'exponential' | ((attempt: number) => number)
  /** How long a connection must last after its acknowledgement before the count starts anew. @default 5000 */
  readonly stableAfterMs?: number
  /** A number from 0 up to, not including, 1. @default Math.random */
  readonly random?: () => number
}

/** The delays a {@link ReconnectOptions} describes. */
export function createReconnectDelays({ baseDelayMs, maxDelayMs, strategy, random }: ReconnectOptions): BackOff {
  const own = typeof strategy === 'function' && strategy
  const backOff = createBackOff({
    ...(baseDelayMs !== undefined && { initialMs: baseDelayMs }),
    ...(maxDelayMs !== undefined && { maxMs: maxDelayMs }),
    ...(random && { random }),
  })
  if (!own) return backOff
  return {
    get attempts() {
      return backOff.attempts
    },
    next() {
      backOff.next()
      return own(backOff.attempts)
    },
    reset: backOff.reset,
  }
}

/**
 * Whether a close code says that trying again is of no use: 1000 (the server is done), 1003, 1008 (not let in) and the
 * application's own codes from 4001 up. A 1008 for too many connections passes.
 */
export function isPermanentClose(code: number, reason: string): boolean {
  if (code === 1008) return !/too many|rate/i.test(reason)
  return code === 1000 || code === 1003 || (code >= 4001 && code <= 4999)
}
