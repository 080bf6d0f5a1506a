import type { TurnEvent } from '@domos/spec'

/** Hands the events of a turn to any number of readers, each with its own bounded buffer. */
export interface EventStream {
  push(event: TurnEvent): void
  /** A reader that sees every event from the next one on; it ends after `end`. */
  reader(): AsyncIterable<TurnEvent>
}

/**
 * Makes an event stream. What is not read yet is bounded without losing words or results: text joins the text before it, a
 * call's progress replaces its older progress, and beyond `progressMax` progress is dropped; calls and results are bounded by the
 * turn's own limits.
 */
export function createEventStream(progressMax: number): EventStream {
  const readers = new Set<Reader>()
  return {
    push(event) {
      for (const reader of readers) reader.push(event)
      if (event.type === 'end') readers.clear()
    },
    reader() {
      const reader = new Reader(progressMax)
      readers.add(reader)
      return reader
    },
  }
}

/** One reader's buffer. The first iteration takes the events; any further one ends at once, as nothing is left for it. */
class Reader implements AsyncIterable<TurnEvent> {
  readonly #progressMax: number
  readonly #events: TurnEvent[] = []
  #wake: (() => void) | undefined
  #taken = false
  #closed = false

  constructor(progressMax: number) {
    this.#progressMax = progressMax
  }

  push(event: TurnEvent): void {
    if (this.#closed) return
    const last = this.#events.at(-1)
    if (event.type === 'text-delta' && last?.type === 'text-delta') {
      this.#events[this.#events.length - 1] = { type: 'text-delta', text: last.text + event.text }
    } else if (event.type === 'tool-progress') {
      const same = last?.type === 'tool-progress' && last.callId === event.callId
      if (same) this.#events[this.#events.length - 1] = event
      else if (this.#events.length < this.#progressMax) this.#events.push(event)
    } else this.#events.push(event)
    this.#wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TurnEvent> {
    if (this.#taken) return
    this.#taken = true
    try {
      for (;;) {
        const event = this.#events.shift()
        if (event !== undefined) {
          yield event
          if (event.type === 'end') return
          continue
        }
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
        this.#wake = undefined
      }
    } finally {
      this.#closed = true
      this.#events.length = 0
    }
  }
}
