import type { Connection, Upgrade } from '@domos/spec'
import { decode, encode } from '../codec.ts'
import { type AdtpErrorCode, fatalCloseCodes } from '../errors.ts'
import { type Dialect, newFrameId } from '../frame.ts'
import { closeCodes } from '../limits.ts'
import type { ToClient, ToServer, ToServerMessage } from '../messages.ts'
import { type Admission, type AdmissionContext, acknowledgement, admit } from './admission.ts'
import { type ConnectionEvent, type ConnectionState, connectionTable } from './connection-state.ts'
import { errorEvent, type Page } from './page.ts'
import type { ReportPlace } from './page-port.ts'
import { TokenBucket } from './token-bucket.ts'

type PageMessage = Exclude<ToServerMessage, { type: 'HANDSHAKE_INIT' }>

/** One connection at the door, from its upgrade to its end. What outlives it is its {@link Page}. */
export class PageConnection {
  readonly #context: AdmissionContext
  readonly #connection: Connection
  readonly #upgrade: Upgrade
  readonly #messages: TokenBucket
  readonly #inputs: TokenBucket
  readonly #refusals: TokenBucket
  readonly #queue: { readonly message: ToServerMessage; readonly size: number }[] = []
  readonly #stopDeadline: () => void
  #queuedBytes = 0
  #state: ConnectionState = 'opening'
  #dialect: Dialect | undefined
  #page: Page | undefined
  #resumeToken: string | undefined
  #isTokenConfirmed = false
  #isLeaving = false

  constructor(context: AdmissionContext, connection: Connection, upgrade: Upgrade) {
    this.#context = context
    this.#connection = connection
    this.#upgrade = upgrade
    const { clock } = context.host
    const { maxMessagesPerSecond, maxInputsPerMinute, maxRefusedPerSecond, helloTimeoutMs } = context.limits
    this.#messages = new TokenBucket(maxMessagesPerSecond, 1_000, clock.now())
    this.#inputs = new TokenBucket(maxInputsPerMinute, 60_000, clock.now())
    this.#refusals = new TokenBucket(maxRefusedPerSecond, 1_000, clock.now())
    this.#stopDeadline = clock.schedule(helloTimeoutMs, () => this.#deadline())
    connection.onClose((code) => this.#closed(code))
    connection.onFrame((frame) => this.#receive(frame))
  }

  /** The server shuts down. */
  shutdown(): void {
    if (this.#step('shutdown') !== 'say-goodbye') return
    const message = 'The server is shutting down.'
    this.#send({ type: 'SYSTEM_EVENT', payload: { kind: 'disconnect', message, data: { code: 'shutdown' } } })
    this.#connection.close(closeCodes.goingAway, 'Server shutting down')
  }

  #step(event: ConnectionEvent) {
    const [next, action] = connectionTable[this.#state][event]
    this.#state = next
    return action
  }

  #receive(frame: string | Uint8Array): void {
    try {
      this.#take(frame)
    } catch {
      // Handlers answer for themselves; what still gets here is a fault of ours, and the peer is told so.
      this.#context.host.log.error('frame-failed', { connection: this.#connection.id })
      this.#report('internal', 'Something failed inside the server.')
    }
  }

  #take(frame: string | Uint8Array): void {
    if (this.#state === 'closing') return
    const { host, limits } = this.#context
    if (
      this.#state === 'opening' &&
      host.requiresKey &&
      this.#upgrade.token === undefined &&
      byteLength(frame) > limits.maxHelloBytes
    ) {
      this.#refuse('too_large', `The first frame may have ${limits.maxHelloBytes} bytes until a key was shown.`, {})
      return
    }
    const isOverRate = !this.#messages.take(host.clock.now())
    if (isOverRate && !this.#refusals.take(host.clock.now())) {
      this.#refuse('rate_limited', this.#rateSentence(), { more: { retryAfterMs: this.#messages.waitMs() } })
      return
    }
    const decoded = decode(frame, { direction: 'to-server' })
    this.#dialect ??= decoded.dialect
    if (!decoded.ok) {
      const { code, message, path, ref, type } = decoded
      host.metrics.count('adtp_frames_refused', { code })
      if (isOverRate) this.#refuseFrame(type, 'rate_limited', this.#rateSentence(), ref, path, this.#messages.waitMs())
      else this.#refuseFrame(type, code, message, ref, path)
      return
    }
    const { message } = decoded
    // An answer the server waits for is never lost to the rate: its call would hang until its clock runs out.
    if (this.#page?.isAwaited(message)) (isOverRate ? this.#refusals : this.#messages).giveBack()
    else if (isOverRate) {
      this.#refuseFrame(message.type, 'rate_limited', this.#rateSentence(), message.id, 'type', this.#messages.waitMs())
      return
    }
    const action = this.#step(message.type === 'HANDSHAKE_INIT' ? 'hello' : 'frame')
    if (action === 'admit') void this.#admit(message as ToServer<'HANDSHAKE_INIT'>)
    else if (action === 'queue') this.#enqueue(message, byteLength(frame))
    else if (action === 'handle') this.#handle(message as PageMessage)
    else if (action === 'refuse-second-hello') {
      this.#report('conflict', 'This connection is acknowledged already.', { ref: message.id, path: 'type' })
    } else if (action === 'ask-for-hello') {
      this.#report('handshake_required', 'Send HANDSHAKE_INIT first.', { ref: message.id, path: 'type' })
    }
  }

  #handle(message: PageMessage): void {
    const page = this.#page
    if (page === undefined) return
    if (!this.#isTokenConfirmed && this.#resumeToken !== undefined) {
      this.#isTokenConfirmed = true
      this.#context.pages.confirmToken(page, this.#resumeToken)
    }
    if (message.type === 'USER_INPUT' && !this.#inputs.take(this.#context.host.clock.now())) {
      this.#refuseInput(message)
      return
    }
    if (message.type === 'SYSTEM_EVENT' && message.payload.kind === 'disconnect') this.#isLeaving = true
    page.handle(message)
  }

  #enqueue(message: ToServerMessage, size: number): void {
    const { maxQueuedFrames, maxQueuedBytes } = this.#context.limits
    if (this.#queue.length >= maxQueuedFrames || this.#queuedBytes + size > maxQueuedBytes) {
      this.#report('busy', 'Too much was sent before HANDSHAKE_ACK; send it again after it.', { ref: message.id })
      return
    }
    this.#queue.push({ message, size })
    this.#queuedBytes += size
  }

  async #admit(init: ToServer<'HANDSHAKE_INIT'>): Promise<void> {
    const admission = await admit(this.#context, this.#upgrade, init, this.#dialect ?? 'document')
    if (this.#state !== 'admitting') {
      // The connection ended meanwhile. A resumed page goes on waiting; a new one has nobody.
      if (admission.ok && admission.resumedAfter === undefined) this.#context.pages.release(admission.page, 'page-left')
      return
    }
    this.#stopDeadline()
    if (admission.ok) this.#acknowledge(admission)
    else this.#refuse(admission.code, admission.message, { ref: init.id, path: admission.path })
  }

  #acknowledge({ page, resumedAfter }: Extract<Admission, { ok: true }>): void {
    const { pages, host } = this.#context
    this.#page = page
    pages.revive(page)
    page.attach(this.#connection)
    const resumed = resumedAfter !== undefined
    if (page.supports('resume')) this.#resumeToken = pages.issueToken(page)
    const resume = this.#resumeToken === undefined ? undefined : { token: this.#resumeToken, resumed }
    this.#step('admitted')
    this.#send({ type: 'HANDSHAKE_ACK', payload: acknowledgement(this.#context, page, resume) })
    host.metrics.count('adtp_pages', { resumed: String(resumed), dialect: page.dialect })
    if (resumed) page.replay(resumedAfter)
    for (const { message } of this.#queue.splice(0)) {
      if (message.type === 'HANDSHAKE_INIT') {
        this.#report('conflict', 'This connection is acknowledged already.', { ref: message.id, path: 'type' })
      } else this.#handle(message)
    }
  }

  #deadline(): void {
    const isOpening = this.#state === 'opening'
    if (connectionTable[this.#state].deadline[1] !== 'say-goodbye') return
    if (isOpening) this.#refuse('handshake_timeout', 'HANDSHAKE_INIT did not come in time.', {}, 'deadline')
    else this.#refuse('timeout', 'The session could not be opened in time; try again.', {}, 'deadline')
  }

  #rateSentence(): string {
    return `At most ${this.#context.limits.maxMessagesPerSecond} messages per second.`
  }

  #refuseInput({ type, id }: PageMessage): void {
    const { host, limits } = this.#context
    const retryAfterMs = this.#inputs.waitMs()
    const sentence = `At most ${limits.maxInputsPerMinute} messages of a person per minute; try again in ${Math.ceil(retryAfterMs / 1000)} s.`
    if (this.#refusals.take(host.clock.now())) {
      this.#refuseFrame(type, 'rate_limited', sentence, id, 'type', retryAfterMs)
    } else this.#refuse('rate_limited', sentence, { ref: id, more: { retryAfterMs } })
  }

  /** Reports a frame that is not taken. What a person said ends in `done: true` even so, or its page would wait for ever. */
  #refuseFrame(
    type: string | undefined,
    code: AdtpErrorCode,
    message: string,
    ref: string | undefined,
    path: string,
    retryAfterMs?: number,
  ): void {
    const more = retryAfterMs === undefined ? {} : { retryAfterMs }
    if (type === 'USER_INPUT' && this.#page?.isAttached) this.#page.refuseInput(code, message, ref, path, more)
    else this.#report(code, message, { ref, path, more })
  }

  /** Reports and closes. */
  #refuse(code: AdtpErrorCode, message: string, place: ReportPlace, event: 'refused' | 'deadline' = 'refused'): void {
    if (this.#step(event) !== 'say-goodbye') return
    this.#stopDeadline()
    this.#report(code, message, place)
    this.#connection.close(fatalCloseCodes[code] ?? closeCodes.policy, closeReason(code))
  }

  #report(code: AdtpErrorCode, message: string, place: ReportPlace = {}): void {
    if (this.#page?.isAttached) this.#page.report(code, message, place)
    else this.#send({ type: 'SYSTEM_EVENT', payload: errorEvent(code, message, place) })
  }

  /** Sends outside the numbering of the page. */
  #send(
    message: Pick<ToClient<'HANDSHAKE_ACK'>, 'type' | 'payload'> | Pick<ToClient<'SYSTEM_EVENT'>, 'type' | 'payload'>,
  ): void {
    const dialect = this.#dialect ?? 'document'
    this.#connection.send(
      encode({ ...message, id: newFrameId(dialect), timestamp: this.#context.host.clock.now() }, dialect),
    )
  }

  #closed(code: number): void {
    this.#step('closed')
    this.#stopDeadline()
    this.#queue.length = 0
    const page = this.#page
    if (page === undefined || !page.detach(this.#connection)) return
    const isLeaving = this.#isLeaving || code === closeCodes.normal
    this.#context.pages.drop(page, page.supports('resume') && !isLeaving)
  }
}

function closeReason(code: AdtpErrorCode): string {
  return code === 'handshake_timeout' ? 'Handshake timeout' : code
}

const encoder = new TextEncoder()

function byteLength(frame: string | Uint8Array): number {
  return typeof frame === 'string' ? encoder.encode(frame).length : frame.length
}
