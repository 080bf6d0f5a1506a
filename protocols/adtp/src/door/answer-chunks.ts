import type { Clock } from '@domos/spec'

/** Options of {@link AnswerChunks}. */
export interface AnswerChunksOptions {
  readonly clock: Clock
  /** How long deltas are gathered before a chunk goes out, in milliseconds. */
  readonly delayMs: number
  /** How long the newest delta may be held back, in milliseconds. */
  readonly holdMs: number
  readonly send: (chunk: string, done: boolean) => void
}

/**
 * Turns the text deltas of one answer into chunks. Deltas that come close together go out as one, and the newest is held
 * back for a moment, so that an answer as a rule ends in a chunk with text and `done: true`: some clients notice the end
 * of an answer only there.
 */
export class AnswerChunks {
  readonly #options: AnswerChunksOptions
  #deltas: string[] = []
  #stopGathering: (() => void) | undefined
  #stopHolding: (() => void) | undefined
  #isDone = false

  constructor(options: AnswerChunksOptions) {
    this.#options = options
  }

  /** Takes a piece of text. */
  add(delta: string): void {
    if (this.#isDone || delta === '') return
    const { clock, delayMs } = this.#options
    this.#deltas.push(delta)
    this.#stopHolding?.()
    this.#stopHolding = undefined
    this.#stopGathering ??= clock.schedule(delayMs, () => this.#sendAllButNewest())
  }

  /** Sends what is held, because something else happens now. */
  flush(): void {
    this.#stopTimers()
    if (this.#deltas.length > 0) this.#options.send(this.#takeText(), false)
  }

  /** Ends the answer; only the first call counts. */
  end(): void {
    if (this.#isDone) return
    this.#isDone = true
    this.#stopTimers()
    this.#options.send(this.#takeText(), true)
  }

  #sendAllButNewest(): void {
    const { clock, holdMs, send } = this.#options
    this.#stopGathering = undefined
    const newest = this.#deltas.pop()
    if (this.#deltas.length > 0) send(this.#takeText(), false)
    if (newest === undefined) return
    this.#deltas = [newest]
    this.#stopHolding = clock.schedule(holdMs, () => this.flush())
  }

  #takeText(): string {
    const text = this.#deltas.join('')
    this.#deltas = []
    return text
  }

  #stopTimers(): void {
    this.#stopGathering?.()
    this.#stopHolding?.()
    this.#stopGathering = undefined
    this.#stopHolding = undefined
  }
}
