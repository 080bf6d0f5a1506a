import type { JsonObject } from '@domos/spec'

/** An event of a session: the wire's method name and its parameters in camelCase. */
export interface AwpEvent {
  readonly method: string
  readonly params: JsonObject
}

/** Events kept for a reader that is slower than the server; older ones are dropped and a `resync` takes their place. */
const MAX_UNREAD_EVENTS = 1_024

/** A bounded queue between the socket and one reader. */
export class EventQueue {
  readonly #unread: AwpEvent[] = []
  #isDone = false
  #wake: () => void = () => {}

  push(event: AwpEvent): void {
    if (this.#isDone) return
    this.#unread.push(event)
    if (this.#unread.length > MAX_UNREAD_EVENTS) {
      this.#unread.length = 0
      this.#unread.push({
        method: 'page.som_mutation',
        params: { resync: true, reason: 'reader_overflow', patch: [] },
      })
    }
    this.#wake()
  }

  /** What is unread is still given out; then the reader's loop ends. */
  end(): void {
    this.#isDone = true
    this.#wake()
  }

  async next(): Promise<AwpEvent | undefined> {
    for (;;) {
      const event = this.#unread.shift()
      if (event !== undefined) return event
      if (this.#isDone) return undefined
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}
