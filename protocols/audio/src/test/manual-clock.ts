import type { Clock } from '@domos/spec'

/** A clock that moves only when told. */
export interface ManualClock extends Clock {
  /** Moves on and runs what is due, in order, letting promises settle in between. */
  advance(ms: number): Promise<void>
}

/** Makes a clock that stands at the given time. */
export function createManualClock(start = 1_767_225_600_000): ManualClock {
  let now = start
  const timers = new Set<{ readonly at: number; readonly task: () => void }>()
  return {
    now: () => now,
    schedule(delayMs, task) {
      const timer = { at: now + delayMs, task }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    async advance(ms) {
      await settle()
      const end = now + ms
      for (;;) {
        const due = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
        if (due === undefined) break
        timers.delete(due)
        now = Math.max(now, due.at)
        due.task()
        await settle()
      }
      now = end
      await settle()
    },
  }
}

/** Lets every promise that can settle do so; Web Crypto works on threads, so its turn is waited for as well. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await crypto.subtle.digest('SHA-256', new Uint8Array(1))
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
}
