import { DomosError, type Session, type Turn, type TurnEvent, toDomosError } from '@domos/spec'
import type { ToServer } from '../messages.ts'
import { AnswerChunks } from './answer-chunks.ts'
import type { PagePort } from './page-port.ts'

/** What the person at the page says, and what the agent answers. */
export class PageTurns {
  readonly #port: PagePort
  readonly #session: Session
  readonly #running = new Set<Turn>()
  readonly #inputIds = new Set<string>()

  constructor(port: PagePort, session: Session) {
    this.#port = port
    this.#session = session
  }

  /** Whether an answer is on its way to the page. */
  get isRunning(): boolean {
    return this.#running.size > 0
  }

  /** Takes USER_INPUT. Whatever happens, the page gets an AGENT_RESPONSE with `done: true` for it. */
  take(message: ToServer<'USER_INPUT'>): void {
    const { payload, id: ref } = message
    if (ref !== undefined && this.#inputIds.has(ref)) {
      this.#port.report('duplicate', 'This input was taken already.', { ref, path: 'meta.id' })
      return
    }
    if (payload.modality === 'audio') {
      this.refuse(
        'unavailable',
        'Speech recognition is not available at this door; send text.',
        ref,
        'payload.modality',
      )
      return
    }
    if (payload.content.trim() === '') {
      this.refuse('invalid_payload', 'The input is empty.', ref, 'payload.content')
      return
    }
    try {
      const turn = this.#session.say({ text: payload.content, modality: 'text', from: this.#port.memberId })
      this.#remember(ref)
      // An input that redirects the running turn is answered by it; its events are being shown already.
      if (!this.#running.has(turn)) void this.show(turn, turn, ref)
    } catch (thrown) {
      const error = toDomosError(thrown)
      if (!(thrown instanceof DomosError)) this.#port.log.error('input-failed', { error: error.code })
      this.refuse(error.code, error.message, ref, 'payload.content')
    }
  }

  /** Answers an input that starts no turn. */
  refuse(code: Parameters<PagePort['report']>[0], message: string, ref: string | undefined, path: string): void {
    this.#port.report(code, message, { ref, path })
    // A running answer ends by itself; ending it here would cut it off at the page.
    if (!this.isRunning) this.#port.send('AGENT_RESPONSE', { chunk: '', done: true })
  }

  /** Streams a turn to the page. Never rejects. */
  async show(turn: Turn, events: AsyncIterable<TurnEvent>, ref?: string): Promise<void> {
    const { clock, limits, log } = this.#port
    const chunks = new AnswerChunks({
      clock,
      delayMs: limits.chunkDelayMs,
      holdMs: limits.chunkHoldMs,
      send: (chunk, done) => this.#port.send('AGENT_RESPONSE', { chunk, done }),
    })
    this.#running.add(turn)
    try {
      for await (const event of events) this.#showEvent(event, chunks, ref)
    } catch (thrown) {
      const error = toDomosError(thrown)
      log.error('turn-stream-failed', { error: error.code })
      this.#port.report(error.code, error.message, { ref })
    } finally {
      this.#running.delete(turn)
      chunks.end()
    }
  }

  /** Stops every answer on its way to the page; each still ends in `done: true`. */
  cancel(reason: string): boolean {
    const turns = [...this.#running]
    for (const turn of turns) turn.cancel(reason)
    return turns.length > 0
  }

  #showEvent(event: TurnEvent, chunks: AnswerChunks, ref: string | undefined): void {
    if (event.type === 'text-delta') chunks.add(event.text)
    else if (event.type === 'tool-call') chunks.flush()
    else if (event.type === 'error') {
      chunks.flush()
      const more = event.retryAfterMs === undefined ? {} : { more: { retryAfterMs: event.retryAfterMs } }
      this.#port.report(event.code, event.message, { ref, ...more })
    }
  }

  #remember(id: string | undefined): void {
    if (id === undefined || !this.#port.supports('resume')) return
    this.#inputIds.add(id)
    if (this.#inputIds.size <= this.#port.limits.maxRememberedInputs) return
    for (const oldest of this.#inputIds) {
      this.#inputIds.delete(oldest)
      break
    }
  }
}
