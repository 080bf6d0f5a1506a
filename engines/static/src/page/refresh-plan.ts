import type { Clock } from '@domos/spec'
import type { Refresh } from '../document/refresh.ts'

/** The refresh a page has announced for later, if any. */
export class RefreshPlan {
  readonly #clock: Clock
  readonly #run: (refresh: Refresh) => void
  #stop: () => void = () => {}
  #current: Refresh | undefined

  constructor(clock: Clock, run: (refresh: Refresh) => void) {
    this.#clock = clock
    this.#run = run
  }

  get current(): Refresh | undefined {
    return this.#current
  }

  /** Takes the place of what was planned before. */
  plan(refresh: Refresh): void {
    this.cancel()
    this.#current = refresh
    this.#stop = this.#clock.schedule(refresh.delayMs, () => {
      this.#current = undefined
      this.#run(refresh)
    })
  }

  /** Gives what was planned, so that it can be planned again. */
  cancel(): Refresh | undefined {
    const cancelled = this.#current
    this.#stop()
    this.#stop = () => {}
    this.#current = undefined
    return cancelled
  }
}
