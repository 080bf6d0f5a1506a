/** What a client remembers of the calls it got, so that a call sent again after a drop runs at most once. */
export class CallMemory {
  readonly #answers = new Map<string, string | undefined>()
  readonly #maxCalls: number

  /** @param maxCalls calls remembered, the newest ones */
  constructor(maxCalls: number) {
    this.#maxCalls = maxCalls
  }

  /** Notes a call; false when it was noted before. */
  note(callId: string): boolean {
    if (this.#answers.has(callId)) return false
    this.#answers.set(callId, undefined)
    if (this.#answers.size > this.#maxCalls) {
      for (const oldest of this.#answers.keys()) {
        this.#answers.delete(oldest)
        break
      }
    }
    return true
  }

  /** Keeps the answer that was sent. */
  keepAnswer(callId: string, frame: string): void {
    if (this.#answers.has(callId)) this.#answers.set(callId, frame)
  }

  /** The answer that was sent, if it was. */
  answer(callId: string): string | undefined {
    return this.#answers.get(callId)
  }
}
