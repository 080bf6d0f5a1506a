import type { Clock } from '@domos/spec'

/** A clock the test turns by hand. */
export class FakeClock implements Clock {
  #now = 1_767_225_600_000
  #timers: { readonly at: number; readonly task: () => void }[] = []

  now(): number {
    return this.#now
  }

  schedule(delayMs: number, task: () => void): () => void {
    const timer = { at: this.#now + delayMs, task }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }

  /** Passes time, runs what falls due in order, and lets promises settle in between. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms
    await settle()
    for (;;) {
      const due = this.#timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0]
      if (!due) break
      this.#now = Math.max(this.#now, due.at)
      this.#timers = this.#timers.filter((other) => other !== due)
      due.task()
      await settle()
    }
    this.#now = end
    await settle()
  }

  get pending(): number {
    return this.#timers.length
  }
}

/** Lets every promise settle that can without a timer. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve()
}
