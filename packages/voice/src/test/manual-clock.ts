import type { Clock } from '@domos/spec'

/** A clock that stands still until a test turns it. */
export interface ManualClock extends Clock {
  /** Turns the clock on, running what is due; work that needs no clock is done in between. */
  advance(ms: number): Promise<void>
}

/** Lets everything run that needs no clock, Web Crypto included. */
export async function settle(rounds = 4): Promise<void> {
  for (let round = 0; round < rounds; round += 1) await new Promise<void>((resolve) => setImmediate(resolve))
}

/** Lets everything run until something holds; the test's own time limit ends a wait in vain. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise<void>((resolve) => setImmediate(resolve))
}

export function createManualClock(): ManualClock {
  let now = 1_700_000_000_000
  let order = 0
  const timers = new Map<number, { readonly at: number; readonly task: () => void }>()
  return {
    now: () => now,
    schedule(delayMs, task) {
      order += 1
      const id = order
      timers.set(id, { at: now + Math.max(0, delayMs), task })
      return () => timers.delete(id)
    },
    async advance(ms) {
      const until = now + ms
      await settle(2)
      for (;;) {
        let due: [number, { readonly at: number; readonly task: () => void }] | undefined
        for (const entry of timers)
          if (entry[1].at <= until && (due === undefined || entry[1].at < due[1].at)) due = entry
        if (due === undefined) break
        timers.delete(due[0])
        now = Math.max(now, due[1].at)
        due[1].task()
        await settle(2)
      }
      now = until
      await settle(2)
    },
  }
}
