import {
  type Clock,
  type Connection,
  DomosError,
  type JsonObject,
  type Log,
  type PageContext,
  type Session,
  type SessionMember,
  type ToolSurface,
  type Turn,
  type TurnEvent,
  toDomosError,
  type Voice,
} from '@domos/spec'
import { randomHex } from '@domos/wire'
import type { Extension } from '../capabilities.ts'
import { encode } from '../codec.ts'
import type { AdtpErrorCode } from '../errors.ts'
import { type Dialect, newFrameId } from '../frame.ts'
import { type AdtpDoorLimits, closeCodes } from '../limits.ts'
import type {
  ToClientMessage,
  ToClientPayload,
  ToClientType,
  ToServer,
  ToServerMessage,
  ToServerType,
} from '../messages.ts'
import { messagesToServer } from '../messages-to-server.ts'
import { PageApprovals } from './page-approvals.ts'
import type { PagePort, ReportPlace } from './page-port.ts'
import { PageTools } from './page-tools.ts'
import { PageTurns } from './page-turns.ts'
import { PageVoice } from './page-voice.ts'
import { ReplayBuffer } from './replay-buffer.ts'

/** What a page is made of. */
export interface PageOptions {
  readonly session: Session
  readonly dialect: Dialect
  readonly extensions: ReadonlySet<Extension>
  /** Whether the browser said that it is driven by a program. */
  readonly isAutomated: boolean
  /** Whether decisions of its person count. */
  readonly mayApprove: boolean
  readonly clock: Clock
  readonly log: Log
  readonly limits: AdtpDoorLimits
  /** Whether a join token let it in, so that it has no key to show when it comes back. */
  readonly isJoined?: boolean
  /** Makes tokens for entering its session; without it the extension `join` must not be agreed. */
  readonly issueJoinToken?: IssueJoinToken
  /** Hears and speaks for the page; without it sound is refused. */
  readonly voice?: Voice
}

/** Makes a token for entering a session. `url` is a page that joins with it. */
export type IssueJoinToken = (session: Session) => Promise<{
  readonly token: string
  readonly code?: string
  readonly url?: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}>

/** A handler for every message a page may send once it is acknowledged, by the name the table gives it. */
type Handlers = {
  readonly [T in Exclude<ToServerType, 'HANDSHAKE_INIT'> as (typeof messagesToServer)[T]['handler']]: (
    page: Page,
    message: ToServer<T>,
  ) => void
}

/** What the gate is told while the page asks its person by itself. */
const ASKING = { message: 'Waiting for the person at the page.', awaitingApproval: true }

/**
 * One page as a member of its session. It outlives its connection when the extension `resume` was agreed: then frames are
 * numbered and kept, and another connection may take it over.
 */
export class Page implements PagePort, SessionMember {
  readonly id = `page_${randomHex(8)}`
  readonly door = 'adtp'
  readonly session: Session
  readonly dialect: Dialect
  readonly extensions: ReadonlySet<Extension>
  readonly isAutomated: boolean
  readonly clock: Clock
  readonly log: Log
  readonly limits: AdtpDoorLimits
  readonly approver?: PageApprovals
  readonly isJoined: boolean
  readonly #issueJoinToken: IssueJoinToken | undefined
  readonly #tools: PageTools
  readonly #approvals: PageApprovals
  readonly #turns: PageTurns
  readonly #voice: PageVoice | undefined
  readonly #replay: ReplayBuffer | undefined
  readonly #leaveSession: () => void
  #connection: Connection | undefined
  #context: PageContext = {}
  #wasCut = false
  #isGone = false

  constructor(options: PageOptions) {
    this.session = options.session
    this.dialect = options.dialect
    this.extensions = options.extensions
    this.isAutomated = options.isAutomated
    this.clock = options.clock
    this.limits = options.limits
    this.isJoined = options.isJoined ?? false
    this.#issueJoinToken = options.issueJoinToken
    this.log = options.log.child({ session: options.session.id, page: this.id })
    this.#replay = this.supports('resume')
      ? new ReplayBuffer(this.limits.maxReplayFrames, this.limits.maxReplayBytes)
      : undefined
    this.#tools = new PageTools(this, this.session)
    this.#approvals = new PageApprovals(this)
    this.#turns = new PageTurns(this, this.session)
    const voice =
      options.voice === undefined ? undefined : new PageVoice(this, this.session, options.voice, this.#turns)
    if (voice !== undefined) this.#turns.hear = (...utterance) => voice.takeUtterance(...utterance)
    this.#voice = voice
    if (options.mayApprove && (this.supports('approval') || this.dialect === 'spoken')) this.approver = this.#approvals
    this.#leaveSession = this.session.join(this)
  }

  get memberId(): string {
    return this.id
  }

  get sessionId(): string {
    return this.session.id
  }

  get isExtended(): boolean {
    return this.extensions.size > 0
  }

  get #readsTranscripts(): boolean {
    return this.dialect === 'spoken' || this.supports('audio_stream') || this.supports('join')
  }

  /** Whether a connection carries it now. */
  get isAttached(): boolean {
    return this.#connection?.isOpen === true
  }

  /** Whether it has left its session for good. */
  get isGone(): boolean {
    return this.#isGone
  }

  supports(extension: Extension): boolean {
    return this.extensions.has(extension)
  }

  /** Gives the page a connection; an older one is closed. */
  attach(connection: Connection): void {
    const older = this.#connection
    this.#connection = connection
    if (older !== undefined && older !== connection)
      older.close(closeCodes.goingAway, 'Taken over by a newer connection')
  }

  /** Takes the connection away, if it is still this one; returns whether it was. */
  detach(connection: Connection): boolean {
    if (this.#connection !== connection) return false
    this.#connection = undefined
    return true
  }

  /** Sends again what the page has not seen, and what is open at it. */
  replay(lastSeq: number): void {
    const { frames, isComplete } = this.#replay?.after(lastSeq) ?? { frames: [], isComplete: false }
    const kept = new Set(frames.map(({ seq }) => seq))
    const open = [
      ...this.#tools.resend().map(({ seq, call }) => ({ seq, frame: this.#encode('TOOL_CALL', call, seq) })),
      ...this.#approvals
        .resend()
        .map(({ seq, payload }) => ({ seq, frame: this.#encode('APPROVAL_REQUEST', payload, seq) })),
    ].filter(({ seq }) => !kept.has(seq))
    for (const { frame } of [...open, ...frames].sort((a, b) => a.seq - b.seq)) this.#connection?.send(frame)
    // A page that was loaded anew knows of no answer on its way until a word of it comes; so it can show and stop it now.
    if (this.#turns.isRunning) this.send('AGENT_RESPONSE', { chunk: '', done: false })
    if (isComplete) return
    this.report('replay_gap', 'Some frames sent during the interruption are no longer kept.')
    if (!this.#turns.isRunning) this.send('AGENT_RESPONSE', { chunk: '', done: true })
  }

  send<T extends ToClientType>(type: T, payload: ToClientPayload<T>): number | undefined {
    if (this.#isGone) return undefined
    const seq = this.#replay?.nextSeq()
    const frame = this.#encode(type, payload, seq)
    if (seq !== undefined) this.#replay?.push({ seq, frame })
    const connection = this.#connection
    if (connection === undefined) return seq
    if (connection.bufferedBytes > this.limits.maxUnreadBytes)
      connection.close(closeCodes.tryLater, 'The page reads too slowly')
    else connection.send(frame)
    return seq
  }

  report(code: AdtpErrorCode, message: string, place: ReportPlace = {}): void {
    this.send('SYSTEM_EVENT', errorEvent(code, message, place))
  }

  /** Reports a USER_INPUT that is not taken, and ends it. */
  refuseInput(code: AdtpErrorCode, message: string, ref: string | undefined, path: string, more: JsonObject): void {
    this.#turns.refuse(code, message, ref, path, more)
  }

  /** Handles a message of the acknowledged page. */
  handle(message: Exclude<ToServerMessage, { type: 'HANDSHAKE_INIT' }>): void {
    const row = messagesToServer[message.type]
    const requires: readonly string[] | undefined = row.requires
    const isUnlocked =
      requires === undefined ||
      requires.some((name) => (name === 'spoken' ? this.dialect === 'spoken' : this.extensions.has(name as Extension)))
    if (!isUnlocked) {
      this.report(
        'not_announced',
        `${message.type} needs an extension that both sides announced (${requires.join(' or ')}).`,
        {
          ref: message.id,
          path: 'type',
        },
      )
      return
    }
    // The table pairs each type with the handler of that type.
    const handler = Page.#handlers[row.handler] as (page: Page, message: ToServerMessage) => void
    handler(this, message)
  }

  /** Whether a frame of this kind was asked for by the server, and so does not count against the rate. */
  isAwaited(message: ToServerMessage): boolean {
    if (message.type === 'TOOL_RESULT') return this.#tools.isOpen(message.payload.callId)
    return message.type === 'APPROVAL_RESPONSE' && this.#approvals.isOpen(message.payload.callId)
  }

  /** Leaves the session for good. Safe to call twice. */
  leave(reason: string): void {
    if (this.#isGone) return
    this.#isGone = true
    this.#voice?.leave()
    this.#approvals.leave()
    this.#tools.leave()
    this.session.setContext(this.id, undefined)
    this.#leaveSession()
    // Nobody can come back to it, so nothing of it is worth keeping; the conversation is in the store.
    if (this.session.members.length === 0) this.session.close(reason)
  }

  onTurn(turn: Turn, events: AsyncIterable<TurnEvent>): void {
    const { text, modality = 'text' } = turn.input
    const ref = this.#voice?.refOf(text, modality)
    if (this.#readsTranscripts) {
      // Without `ref` it was said elsewhere.
      const own = ref === undefined ? {} : { ref }
      this.send('SYSTEM_EVENT', { kind: 'transcript', data: { role: 'user', text, modality, ...own } })
    }
    void this.#turns.show(turn, events, ref)
  }

  onTools(surface: ToolSurface): void {
    this.#tools.surfaceChanged(surface)
  }

  onNotice(notice: { readonly code: string; readonly message: string; readonly callId?: string }): void {
    if (!this.isExtended || this.dialect === 'spoken') return
    const data = { code: notice.code, ...(notice.callId === undefined ? {} : { callId: notice.callId }) }
    this.send('SYSTEM_EVENT', { kind: 'notice', message: notice.message, data })
  }

  onClose(reason: string): void {
    if (this.#isGone) return
    this.send('SYSTEM_EVENT', {
      kind: 'disconnect',
      message: 'The session has ended.',
      data: { code: 'session_closed', reason },
    })
    this.#isGone = true
    this.#approvals.leave()
    this.#tools.leave()
    this.#connection?.close(closeCodes.goingAway, 'Session closed')
  }

  static readonly #handlers: Handlers = {
    onContextUpdate: (page, { payload, id }) => page.#updateContext(payload, id),
    onUserInput: (page, message) => page.#turns.take(message),
    onToolResult: (page, { payload, id }) => page.#tools.takeResult(payload, id),
    onSystemEvent: (page, { payload, id }) => {
      if (payload.kind === 'join_token') void page.#sendJoinToken(id)
      else page.log.info('page-event', { kind: payload.kind })
    },
    onApprovalRequest: (page, { payload, id }) => page.#tools.takeProgress(payload.callId, ASKING, id),
    onApprovalResponse: (page, { payload, id }) => {
      if (page.dialect === 'spoken' && page.#tools.isOpen(payload.callId)) page.#tools.takeApprovedResult(payload, id)
      else page.#approvals.take(payload, id)
    },
    onToolProgress: (page, { payload: { callId, ...report }, id }) => page.#tools.takeProgress(callId, report, id),
    onTurnCancel: (page, { payload, id }) => page.#cancelTurn(payload.reason ?? 'The person stopped the answer.', id),
    onAudioStream: (page, { payload, id }) => {
      if (page.#voice === undefined) page.#refuseAudio(id)
      else page.#voice.takeChunk(payload.data, payload.mimeType, id)
    },
    onVoiceInputEnd: (page, { id }) => {
      if (page.#voice === undefined) page.#refuseAudio(id)
      else page.#voice.endLive()
    },
    onVoiceInterrupt: (page, { id }) => page.#cancelTurn('The person spoke.', id),
  }

  #updateContext({ activeTools, data, ...page }: ToServer<'CONTEXT_UPDATE'>['payload'], ref: string | undefined): void {
    const { url, title } = page
    const kept = data ?? this.#context.data
    this.#context = { url, ...(title === undefined ? {} : { title }), ...(kept === undefined ? {} : { data: kept }) }
    const { cutBytes } = this.session.setContext(this.id, this.#context)
    if (cutBytes > 0 && !this.#wasCut) {
      this.report('context_cut', `The context is over the limit; ${cutBytes} bytes of it are left out.`, {
        ref,
        path: 'payload.data',
        more: { cutBytes },
      })
    }
    this.#wasCut = cutBytes > 0
    if (activeTools !== undefined) this.#tools.declare(activeTools, ref)
  }

  async #sendJoinToken(ref: string | undefined): Promise<void> {
    if (!this.supports('join')) {
      this.report('not_announced', 'join_token needs the extension join, which both sides must announce.', {
        ref,
        path: 'payload.kind',
      })
      return
    }
    try {
      if (this.#issueJoinToken === undefined) throw new DomosError('unavailable', 'This server gives no join tokens.')
      const token = await this.#issueJoinToken(this.session)
      const message = 'Good for one use until it expires.'
      this.send('SYSTEM_EVENT', { kind: 'join_token', message, data: { ...token, ref: ref ?? null } })
    } catch (thrown) {
      const { code, message } = toDomosError(thrown)
      this.log.warn('join-token-failed', { code })
      this.report(code, message, { ref, path: 'type' })
    }
  }

  #cancelTurn(reason: string, ref: string | undefined): void {
    const wasSpeaking = this.#voice?.interrupt() ?? false
    if (!this.#turns.cancel(reason) && !wasSpeaking)
      this.#turns.refuse('not_found', 'No answer is on its way.', ref, 'type')
  }

  #refuseAudio(ref: string | undefined): void {
    this.#turns.refuse('unavailable', 'Speech recognition is not available at this door; send text.', ref, 'type')
  }

  #encode<T extends ToClientType>(type: T, payload: ToClientPayload<T>, seq?: number): string {
    const message = {
      type,
      id: newFrameId(this.dialect),
      timestamp: this.clock.now(),
      payload,
      ...(seq === undefined ? {} : { seq }),
    }
    return encode(message as unknown as ToClientMessage, this.dialect)
  }
}

/** The payload of SYSTEM_EVENT error. */
export function errorEvent(
  code: AdtpErrorCode,
  message: string,
  place: ReportPlace = {},
): ToClientPayload<'SYSTEM_EVENT'> {
  return { kind: 'error', message, data: { ...place.more, code, ref: place.ref ?? null, path: place.path ?? '' } }
}
