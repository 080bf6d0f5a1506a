import type { DomosError } from '@domos/spec'

/** What became of one thing a person said. */
export interface TurnSummary {
  readonly status: 'complete' | 'cancelled' | 'failed'
  /** The whole answer, as far as it came. */
  readonly text: string
  readonly error?: DomosError
}

/** One thing a person said and the answer in the making. */
export interface TurnHandle {
  readonly id: string
  /** Settles when the turn has ended, however; never rejects. */
  readonly done: Promise<TurnSummary>
  /** Stops it. */
  cancel(): void
}

/** A turn as the client keeps it. */
export interface OpenTurn {
  readonly id: string
  /** The frame that says it to the server. */
  readonly frame: string
  sent: boolean
  text: string
  cancelled: boolean
  error?: DomosError
}

interface Kept extends OpenTurn {
  readonly settle: (summary: TurnSummary) => void
}

/** The turns this page started, oldest first. Answers belong to the oldest that was sent. */
export class Turns {
  readonly #open: Kept[] = []
  readonly #changed: () => void

  constructor(changed: () => void) {
    this.#changed = changed
  }

  get size(): number {
    return this.#open.length
  }

  /** The turn answers belong to now. */
  get current(): OpenTurn | undefined {
    return this.#open.find((turn) => turn.sent)
  }

  /** Turns not sent yet. */
  get unsent(): readonly OpenTurn[] {
    return this.#open.filter((turn) => !turn.sent)
  }

  get sent(): readonly OpenTurn[] {
    return this.#open.filter((turn) => turn.sent)
  }

  start(id: string, frame: string): { readonly turn: OpenTurn; readonly done: Promise<TurnSummary> } {
    const { promise, resolve } = Promise.withResolvers<TurnSummary>()
    const turn: Kept = { id, frame, sent: false, text: '', cancelled: false, settle: resolve }
    this.#open.push(turn)
    this.#changed()
    return { turn, done: promise }
  }

  find(id: string): OpenTurn | undefined {
    return this.#open.find((turn) => turn.id === id)
  }

  /** Ends a turn. A cancelled one ends as cancelled, one with an error as failed. */
  end(turn: OpenTurn, failure?: DomosError): TurnSummary {
    const index = this.#open.indexOf(turn as Kept)
    const error = failure ?? turn.error
    const status = turn.cancelled ? 'cancelled' : error ? 'failed' : 'complete'
    const summary: TurnSummary = { status, text: turn.text, ...(error && { error }) }
    const [kept] = index < 0 ? [] : this.#open.splice(index, 1)
    kept?.settle(summary)
    this.#changed()
    return summary
  }
}

/** Refusals that end an input without a turn; the server sends no answer for it. */
export function isInputRefusal(code: string): boolean {
  return [
    'busy',
    'too_large',
    'rate_limited',
    'invalid_request',
    'invalid_payload',
    'unsupported',
    'duplicate',
  ].includes(code)
}
