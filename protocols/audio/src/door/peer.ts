import {
  type Connection,
  DomosError,
  type JsonObject,
  type Principal,
  type Session,
  toDomosError,
  type Upgrade,
} from '@domos/spec'
import { decode } from '../codec.ts'
import { type ConnectionConfig, defaultConnectionConfig } from '../config.ts'
import { type Dialect, dialectOf, jsonInBinary } from '../dialects.ts'
import { type AudioErrorCode, admissionCloseCode } from '../errors.ts'
import { closeCodes, closeReasons } from '../limits.ts'
import type { ToClientMessage } from '../messages.ts'
import { admit, type Shown } from './admission.ts'
import { AudioPath } from './audio-path.ts'
import type { ClientSlot } from './clients.ts'
import { type ConnectionEvent, type ConnectionState, connectionTable } from './connection-state.ts'
import { FrameQueue } from './frame-queue.ts'
import { handleMessage } from './handlers.ts'
import type { ChangeResult, DoorContext, PeerError } from './peer-port.ts'
import { acknowledge, enterSession, keepOrClose, leaveSession, type SeatPort } from './seat.ts'
import type { SpeechOutput } from './speech-output.ts'
import { spell } from './spell.ts'
import { closeIfAlone, type VoiceSession } from './voice-session.ts'

/** Least time between two attempts to open a session that failed, in milliseconds. */
const REOPEN_AFTER_MS = 1_000

/** One connection of the voice door. */
export class AudioPeer implements SeatPort {
  readonly context: DoorContext
  readonly connection: Connection
  readonly upgrade: Upgrade
  readonly connectedAt: number
  readonly counters = { bytesReceived: 0, bytesSent: 0 }
  dialect: Dialect
  deviceId: string | undefined
  provenDeviceId: string | undefined
  voiceConfig: JsonObject = {}
  connectionConfig: ConnectionConfig = defaultConnectionConfig
  resumeToken: string | undefined
  voiceSession: VoiceSession | undefined

  readonly #startedAt: number
  readonly #queue: FrameQueue
  #state: ConnectionState = 'opening'
  #principal: Principal | undefined
  #slot: ClientSlot | undefined
  readonly #audio: AudioPath
  #stopTimer: (() => void) | undefined
  #reopenAt = 0
  isLeaving = false

  /** `slot` is the place it takes; without one only a device that replaces its older connection is let in. */
  constructor(context: DoorContext, connection: Connection, upgrade: Upgrade, slot: ClientSlot | undefined) {
    this.context = context
    this.connection = connection
    this.upgrade = upgrade
    this.#slot = slot
    this.dialect = dialectOf(upgrade)
    this.connectedAt = context.host.clock.now()
    this.#startedAt = context.monotonicNow()
    this.#queue = new FrameQueue(context.limits)
    this.#audio = new AudioPath(this)
    connection.onFrame((frame) => this.#receive(frame))
    connection.onClose((code) => {
      // Who says goodbye does not come back.
      if (code === closeCodes.normal) this.resumeToken = undefined
      this.#release()
    })
    void this.#admit({})
  }

  get principal(): Principal {
    if (this.#principal === undefined) throw new DomosError('internal', 'A message was handled before admission.')
    return this.#principal
  }

  get uptimeMs(): number {
    return Math.max(0, Math.round(this.context.monotonicNow() - this.#startedAt))
  }

  get output(): SpeechOutput {
    return this.#audio.output
  }

  resetInput(): void {
    this.#audio.resetInput()
  }

  onSpeechOver(): void {
    if (this.isLeaving && !this.output.isSpeaking) this.shutdown()
  }

  send(message: ToClientMessage): void {
    this.connection.send(spell(message, this.dialect))
  }

  error({ code, message, path, turn }: PeerError): void {
    this.context.host.metrics.count('voice_errors', { code })
    this.send({
      type: 'error',
      ...(this.voiceSession === undefined ? {} : { sessionId: this.voiceSession.id }),
      error: message,
      code,
      ...(path === undefined || path === '' ? {} : { path }),
      ...(turn === undefined ? {} : { turn }),
    })
  }

  setFormat(sampleRateHz: number, channels: 1 | 2): void {
    this.#audio.setFormat({ sampleRateHz, channels })
  }

  endSession(): void {
    leaveSession(this, 'session-end')
    this.#step('no-session')
  }

  change(work: () => Promise<ChangeResult>, again?: string | Uint8Array): void {
    this.#step('switch')
    void this.#change(work, again)
  }

  openSession(again?: string | Uint8Array): void {
    const now = this.context.host.clock.now()
    if (now < this.#reopenAt) {
      // Speech goes on coming and was told once; a message is answered.
      if (typeof again === 'string') {
        this.error({ code: 'unavailable', message: 'No session could be opened a moment ago; try again in a second.' })
      }
      return
    }
    this.#reopenAt = now + REOPEN_AFTER_MS
    this.change(async () => ({ session: await this.#openOwn(), isOwn: true }), again)
  }

  dismiss(code: number, reason: string): void {
    this.#sayGoodbye('refused', code, reason)
  }

  /** A newer connection takes the session of this one over. */
  detach(): void {
    keepOrClose(this, 'replaced')
    this.dismiss(closeCodes.replaced, closeReasons.replaced)
  }

  /** Says goodbye once the sentence is over, or the time for it. */
  shutdown(): void {
    this.isLeaving = true
    if (!this.output.isSpeaking) this.#sayGoodbye('shutdown', closeCodes.goingAway, closeReasons.shutdown)
    else {
      this.#stopTimer?.()
      this.#stopTimer = this.context.host.clock.schedule(this.context.limits.shutdownGraceMs, () =>
        this.#sayGoodbye('shutdown', closeCodes.goingAway, closeReasons.shutdown),
      )
    }
  }

  async #admit(shown: Shown): Promise<void> {
    const { context, upgrade } = this
    try {
      const admitted = await admit(context, upgrade, shown)
      if (this.#state === 'closing') return
      if (admitted === undefined) {
        this.#waitForKey()
        return
      }
      this.#stopTimer?.()
      this.#principal = admitted.principal
      if (admitted.deviceId !== undefined) {
        this.deviceId = admitted.deviceId
        this.provenDeviceId = admitted.deviceId
        context.replaceOlder(admitted.deviceId, this)
        await context.devices?.noteSeen(admitted.deviceId, {}, true)
      }
      this.#slot ??= this.#lateSlot()
      if (this.#slot === undefined) {
        this.dismiss(closeCodes.tryLater, closeReasons.full)
        return
      }
      await this.#change(async () => ({ session: await this.#openOwn(), isOwn: true }))
      if (this.voiceSession === undefined && this.#admissionError !== undefined) {
        this.dismiss(admissionCloseCode(this.#admissionError), 'No session could be opened')
      }
    } catch (thrown) {
      const { code, message } = toDomosError(thrown)
      this.error({ code, message })
      this.dismiss(admissionCloseCode(code), 'Not let in')
    }
  }

  #admissionError: AudioErrorCode | undefined

  #lateSlot(): ClientSlot | undefined {
    const slot = this.context.clients.take(this.upgrade)
    return typeof slot === 'string' ? undefined : slot
  }

  #waitForKey(): void {
    this.#step('need-key')
    this.#stopTimer ??= this.context.host.clock.schedule(this.context.limits.keyTimeoutMs, () => {
      if (this.#state !== 'waiting-for-key') return
      this.error({ code: 'key_required', message: 'No key came in time.' })
      this.#sayGoodbye('deadline', closeCodes.policy, closeReasons.keyTimeout)
    })
    for (const frame of this.#queue.take()) this.#receive(frame)
  }

  #openOwn(): Promise<Session> {
    const { language } = this.voiceConfig
    return this.context.host.openSession(this.principal, {
      door: 'voice',
      ...(typeof language === 'string' ? { language } : {}),
    })
  }

  /** Runs the work, then moves to its session; an error leaves everything as it was. */
  async #change(work: () => Promise<ChangeResult>, again?: string | Uint8Array): Promise<void> {
    let result: ChangeResult | undefined
    try {
      result = await work()
      if (this.#state === 'closing') {
        if ('session' in result) closeIfAlone(result.session, result.isOwn, 'connection-closed')
        return
      }
      if ('session' in result) enterSession(this, result.session, result.isOwn, result.resumed)
      else if (result.resumed === false) acknowledge(this, false)
      this.#reopenAt = 0
    } catch (thrown) {
      if (result !== undefined && 'session' in result) closeIfAlone(result.session, result.isOwn, 'not-entered')
      if (this.#state === 'closing') return
      const { code, message, details } = toDomosError(thrown)
      if (!(thrown instanceof DomosError)) this.context.host.log.error('voice-session-failed', { error: code })
      this.#admissionError = code
      this.error({ code, message, ...(typeof details.path === 'string' ? { path: details.path } : {}) })
    }
    const hasSession = this.voiceSession !== undefined
    this.#step(hasSession ? 'opened' : 'no-session')
    const waiting = this.#queue.take()
    if (!hasSession) return
    if (again !== undefined) this.#receive(again, true)
    for (const frame of waiting) this.#receive(frame, true)
  }

  onSessionEnded(session: Session): void {
    if (this.voiceSession?.session !== session || this.#state === 'closing') return
    this.error({ code: 'expired', message: 'The session has ended; speak or send session_start to begin another.' })
    this.endSession()
  }

  #receive(frame: string | Uint8Array, isCounted = false): void {
    const now = this.context.host.clock.now()
    const control = this.#asControl(frame)
    if (!isCounted && !this.#count(frame, control, now)) return
    const action = this.#step(control === undefined ? 'audio' : 'text')
    if (action === 'queue') {
      if (!this.#queue.push(frame) && !isCounted) {
        this.error({ code: 'busy', message: 'The session is being opened; too much came before it was ready.' })
      }
    } else if (action === 'take-key' && control !== undefined) this.#takeKey(control)
    else if (action === 'ask-for-key') this.#bad({ code: 'key_required', message: KEY_SENTENCE })
    else if (action === 'open-session') this.openSession(frame)
    else if (action === 'handle') {
      if (control !== undefined) this.#handleText(control)
      else if (frame instanceof Uint8Array && frame.length > 0) this.#handleAudio(frame)
    }
  }

  #asControl(frame: string | Uint8Array): string | undefined {
    if (typeof frame === 'string') return frame
    return this.dialect.takesJsonInBinary ? jsonInBinary(frame) : undefined
  }

  /** Counts a frame and holds it to its rate; false when it goes no further. */
  #count(frame: string | Uint8Array, control: string | undefined, now: number): boolean {
    if (this.#state === 'closing') return false
    if (control !== undefined) {
      if (this.#audio.flood.takeText(now)) return true
      this.#bad({ code: 'rate_limited', message: 'Too many control messages a second; this one was ignored.' })
      return false
    }
    this.counters.bytesReceived += frame.length
    this.context.host.metrics.count('voice_bytes_received', {}, frame.length)
    if (this.#audio.flood.takeAudio(frame.length, now)) return true
    this.error({ code: 'rate_limited', message: `${closeReasons.tooFast}; send no faster than that.` })
    this.dismiss(closeCodes.policy, closeReasons.tooFast)
    return false
  }

  #takeKey(text: string): void {
    const decoded = decode(text, 'to-server', this.context.limits.maxTextChars)
    if (!decoded.ok) {
      this.#bad({ code: decoded.code, message: decoded.message, path: decoded.path })
      return
    }
    const { message } = decoded
    const start = message.type === 'session_start' ? message : undefined
    const key = start?.apiKey ?? start?.token
    const { joinToken, resumeToken } = start ?? {}
    if (key === undefined && joinToken === undefined && resumeToken === undefined) {
      this.#bad({ code: 'key_required', message: KEY_SENTENCE })
      return
    }
    this.#step('switch')
    this.#queue.push(text)
    void this.#admit({ key, joinToken, resumeToken })
  }

  #handleText(text: string): void {
    const decoded = decode(text, 'to-server', this.context.limits.maxTextChars)
    if (!decoded.ok) {
      this.#bad({ code: decoded.code, message: decoded.message, path: decoded.path })
      return
    }
    try {
      handleMessage(this, decoded.message, text)
    } catch (thrown) {
      const { code, message } = toDomosError(thrown)
      if (!(thrown instanceof DomosError))
        this.context.host.log.error('voice-message-failed', { type: decoded.message.type })
      this.error({ code, message })
    }
  }

  #handleAudio(frame: Uint8Array): void {
    const samples = this.#audio.take(frame)
    if (samples.length === 0) return
    try {
      this.voiceSession?.conversation.pushAudio(samples)
    } catch (thrown) {
      const { code, message } = toDomosError(thrown)
      this.error({ code, message })
    }
  }

  /** Answers a message in error; too many of them end the connection. */
  #bad(error: PeerError): void {
    this.error(error)
    if (this.#audio.flood.takeBad(this.context.host.clock.now())) return
    this.dismiss(closeCodes.policy, closeReasons.badMessages)
  }

  #step(event: ConnectionEvent): string {
    const [next, action] = connectionTable[this.#state][event]
    this.#state = next
    return action
  }

  #sayGoodbye(event: 'refused' | 'shutdown' | 'deadline', code: number, reason: string): void {
    if (this.#state === 'closing') return
    keepOrClose(this, reason)
    this.#step(event)
    this.connection.close(code, reason)
    this.#release()
  }

  /** Frees everything at once, so that a device that restarts is not refused. */
  #release(): void {
    this.#step('closed')
    this.#stopTimer?.()
    keepOrClose(this, 'connection-closed')
    this.output.dispose()
    this.#queue.take()
    this.#slot?.release()
  }
}

const KEY_SENTENCE =
  'A key is needed: connect with "Authorization: Bearer", with ?token=, or send session_start with "token" first.'
