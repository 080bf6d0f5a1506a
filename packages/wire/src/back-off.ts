/** Options of {@link createBackOff}. */
export interface BackOffOptions {
  /** Upper bound of the first delay, in milliseconds. @default 500 */
  readonly initialMs?: number
  /** Upper bound of every delay, in milliseconds. @default 30000 */
  readonly maxMs?: number
  /** Growth per attempt. @default 2 */
  readonly factor?: number
  /** A number from 0 up to, not including, 1. @default Math.random */
  readonly random?: () => number
}

/** Delays between attempts: exponential with full jitter, so that many clients do not return at the same instant. */
export interface BackOff {
  /** Attempts since the last reset. */
  readonly attempts: number
  /** The delay before the next attempt in milliseconds; counts the attempt. */
  next(): number
  /** To be called when a connection has proved stable, not when a socket merely opened. */
  reset(): void
}

/** Makes a {@link BackOff}. */
export function createBackOff(options: BackOffOptions = {}): BackOff {
  const { initialMs = 500, maxMs = 30_000, factor = 2, random = Math.random } = options
  let attempts = 0
  return {
    get attempts() {
      return attempts
    },
    next() {
      const ceiling = Math.min(maxMs, initialMs * factor ** attempts)
      attempts += 1
      return Math.floor(random() * ceiling)
    },
    reset() {
      attempts = 0
    },
  }
}
