/** Time and timers, so that tests can turn the clock themselves. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Runs `task` once after `delayMs`; the returned function cancels it and may be called twice. */
  schedule(delayMs: number, task: () => void): () => void
}

/** The real clock. Its timers keep a process alive no longer than its sockets do. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule(delayMs, task) {
    const timer: unknown = setTimeout(task, delayMs)
    return () => clearTimeout(timer as Parameters<typeof clearTimeout>[0])
  },
}
