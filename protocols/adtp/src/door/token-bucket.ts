/** Lets through `capacity` at once and `capacity` per `periodMs` in the long run. */
export class TokenBucket {
  readonly #capacity: number
  readonly #perMs: number
  #tokens: number
  #at: number

  constructor(capacity: number, periodMs: number, now: number) {
    this.#capacity = capacity
    this.#perMs = capacity / periodMs
    this.#tokens = capacity
    this.#at = now
  }

  /** Takes one token; false when there is none. */
  take(now: number): boolean {
    this.#tokens = Math.min(this.#capacity, this.#tokens + Math.max(0, now - this.#at) * this.#perMs)
    this.#at = now
    if (this.#tokens < 1) return false
    this.#tokens -= 1
    return true
  }

  /** Gives one back, for something that turned out not to count. */
  giveBack(): void {
    this.#tokens = Math.min(this.#capacity, this.#tokens + 1)
  }

  /** Milliseconds until the next token. */
  waitMs(): number {
    return Math.max(0, Math.ceil((1 - this.#tokens) / this.#perMs))
  }
}
