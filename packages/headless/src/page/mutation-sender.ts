import type { Clock } from '@domos/spec'

/** Who listens to the changes of a page, and when they are told: one compile for a burst of changes. */
export class MutationSender {
  readonly #clock: Clock
  readonly #delayMs: number
  readonly #send: () => void
  #subscribers = 0
  #stop: (() => void) | undefined
  #isClosed = false

  constructor(clock: Clock, delayMs: number, send: () => void) {
    this.#clock = clock
    this.#delayMs = delayMs
    this.#send = send
  }

  /** Whether anybody listens. */
  get isHeard(): boolean {
    return this.#subscribers > 0 && !this.#isClosed
  }

  subscribe(): () => void {
    this.#subscribers += 1
    let isOn = true
    return () => {
      if (isOn) this.#subscribers -= 1
      isOn = false
    }
  }

  /** Something changed: sends soon, together with what else changes until then. */
  soon(): void {
    if (!this.isHeard || this.#stop !== undefined) return
    this.#stop = this.#clock.schedule(this.#delayMs, () => {
      this.#stop = undefined
      if (this.isHeard) this.#send()
    })
  }

  close(): void {
    this.#isClosed = true
    this.#stop?.()
    this.#stop = undefined
  }
}
