import { DomosError, type JsonObject, type Session, type Turn, type TurnEvent, toDomosError } from '@domos/spec'
import type { AdtpErrorCode } from '../errors.ts'
import type { ToServer } from '../messages.ts'
import { AnswerChunks } from './answer-chunks.ts'
import type { PagePort } from './page-port.ts'
import { RecentIds } from './recent-ids.ts'

/** A turn on its way to the page. */
interface Shown {
  chunks: AnswerChunks
  /** Id of the input it answers now. */
  ref: string | undefined
}

/** What the person at the page says, and what the agent answers. */
export class PageTurns {
  readonly #port: PagePort
  readonly #session: Session
  readonly #running = new Map<Turn, Shown>()
  readonly #inputIds: RecentIds
  /** Takes a whole utterance; undefined where nothing is heard. */
  hear: ((content: string, mimeType: string | undefined, ref: string | undefined) => void) | undefined

  constructor(port: PagePort, session: Session) {
    this.#port = port
    this.#session = session
    this.#inputIds = new RecentIds(port.limits.maxRememberedInputs)
  }

  /** Whether an answer is on its way to the page. */
  get isRunning(): boolean {
    return this.#running.size > 0
  }

  /**
   * Takes USER_INPUT. Whatever happens, its answer ends in `done: true`; words said during an open approval go on with the
   * turn that runs, and share its end where the page does not know `ref`.
   */
  take(message: ToServer<'USER_INPUT'>): void {
    const { payload, id: ref } = message
    if (ref !== undefined && this.#inputIds.has(ref)) {
      // A page that came back sends again what it is not sure of; its answer is under way or was replayed.
      this.#port.log.debug('input-repeated')
      return
    }
    if (payload.modality === 'audio') {
      if (this.hear === undefined) {
        const hint = 'Speech recognition is not available at this door; send text.'
        this.refuse('unavailable', hint, ref, 'payload.modality')
        return
      }
      if (ref !== undefined && this.#port.supports('resume')) this.#inputIds.note(ref)
      this.hear(payload.content, payload.mimeType, ref)
      return
    }
    if (payload.content.trim() === '') {
      this.refuse('invalid_payload', 'The input is empty.', ref, 'payload.content')
      return
    }
    try {
      const turn = this.#session.say({ text: payload.content, modality: 'text', from: this.#port.memberId })
      if (ref !== undefined && this.#port.supports('resume')) this.#inputIds.note(ref)
      const shown = this.#running.get(turn)
      if (shown === undefined) void this.show(turn, turn, ref)
      else this.#goOnFor(shown, ref)
    } catch (thrown) {
      const error = toDomosError(thrown)
      if (!(thrown instanceof DomosError)) this.#port.log.error('input-failed', { error: error.code })
      const { retryAfterMs } = error.details
      const more = typeof retryAfterMs === 'number' ? { retryAfterMs } : {}
      this.refuse(error.code, error.message, ref, 'payload.content', more)
    }
  }

  /** Ends an input that went on with a turn shown already. */
  finish(ref: string | undefined): void {
    if (this.#port.supports('stream') || !this.isRunning) this.#send('', true, ref)
  }

  /** Answers an input that starts no turn. */
  refuse(code: AdtpErrorCode, message: string, ref: string | undefined, path: string, more: JsonObject = {}): void {
    this.#port.report(code, message, { ref, path, more })
    // Without `ref` the end of this input could be taken for the end of the answer that runs.
    this.finish(ref)
  }

  /** Streams a turn to the page. Never rejects. */
  async show(turn: Turn, events: AsyncIterable<TurnEvent>, ref?: string): Promise<void> {
    const { log } = this.#port
    const shown: Shown = { chunks: this.#openAnswer(ref), ref }
    this.#running.set(turn, shown)
    try {
      for await (const event of events) this.#showEvent(event, shown)
    } catch (thrown) {
      const error = toDomosError(thrown)
      log.error('turn-stream-failed', { error: error.code })
      this.#port.report(error.code, error.message, { ref: shown.ref })
    } finally {
      this.#running.delete(turn)
      shown.chunks.end()
    }
  }

  /** Stops every answer on its way to the page; each still ends in `done: true`. */
  cancel(reason: string): boolean {
    const turns = [...this.#running.keys()]
    for (const turn of turns) turn.cancel(reason)
    return turns.length > 0
  }

  /** The turn goes on with newer words: the answer to the older ones ends here, where the page can tell the two apart. */
  #goOnFor(shown: Shown, ref: string | undefined): void {
    if (this.#port.supports('stream')) {
      shown.chunks.end()
      shown.chunks = this.#openAnswer(ref)
    }
    shown.ref = ref
  }

  #openAnswer(ref: string | undefined): AnswerChunks {
    const { clock, limits } = this.#port
    const send = (chunk: string, done: boolean) => this.#send(chunk, done, ref)
    return new AnswerChunks({ clock, delayMs: limits.chunkDelayMs, holdMs: limits.chunkHoldMs, send })
  }

  #send(chunk: string, done: boolean, ref: string | undefined): void {
    const named = ref !== undefined && this.#port.supports('stream') ? { ref } : {}
    this.#port.send('AGENT_RESPONSE', { chunk, done, ...named })
  }

  #showEvent(event: TurnEvent, { chunks, ref }: Shown): void {
    if (event.type === 'text-delta') chunks.add(event.text)
    else if (event.type === 'tool-call') chunks.flush()
    else if (event.type === 'error') {
      chunks.flush()
      const more = event.retryAfterMs === undefined ? {} : { more: { retryAfterMs: event.retryAfterMs } }
      this.#port.report(event.code, event.message, { ref, ...more })
    }
  }
}
