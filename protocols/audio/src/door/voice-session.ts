import type { JsonObject, Log, Session, Voice, VoiceConversation, VoiceSink } from '@domos/spec'

/** What {@link VoiceSession} is made of. */
export interface VoiceSessionOptions {
  readonly session: Session
  /** Whether this connection opened the session; a joined one is only left. */
  readonly isOwn: boolean
  readonly voice: Voice
  readonly config: JsonObject
  readonly sink: (isCurrent: () => boolean) => VoiceSink
  readonly log: Log
  /** The session was closed by somebody else. */
  readonly onEnded: () => void
}

/** One connection's seat in a session, with its conversation. */
export class VoiceSession {
  readonly session: Session
  readonly isOwn: boolean
  readonly conversation: VoiceConversation
  readonly #onAbort: () => void
  readonly #log: Log
  #isClosed = false

  /** @throws DomosError of the session (`busy`: no seat) or the pipeline (`unavailable`) */
  constructor(options: VoiceSessionOptions) {
    this.session = options.session
    this.isOwn = options.isOwn
    this.#log = options.log
    // The conversation takes the seat in the session; from here only its end is watched.
    const sink = options.sink(() => !this.#isClosed)
    this.conversation = options.voice.open(options.session, sink, options.config)
    this.#onAbort = () => {
      if (!this.#isClosed) options.onEnded()
    }
    options.session.signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** The id as this door spells it. */
  get id(): string {
    return `session-${this.session.id}`
  }

  /** Ends the conversation and leaves the session, but does not close it. */
  leave(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.conversation.close().catch((thrown: unknown) => {
      this.#log.error('conversation-close-failed', { error: thrown instanceof Error ? thrown.name : 'unknown' })
    })
    this.session.signal.removeEventListener('abort', this.#onAbort)
  }

  /** Leaves, and closes the session when it was ours and nobody else sits in it. */
  close(reason: string): void {
    this.leave()
    closeIfAlone(this.session, this.isOwn, reason)
  }
}

/** Closes a session that this door opened, unless somebody else is in it. */
export function closeIfAlone(session: Session, isOwn: boolean, reason: string): void {
  if (isOwn && !session.signal.aborted && session.members.length === 0) session.close(reason)
}
