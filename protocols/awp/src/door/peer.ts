import { type Connection, DomosError, toDomosError, type Upgrade } from '@domos/spec'
import type { FrameCodec, WireFormat } from '../codec.ts'
import { dialectOfHello } from '../dialect.ts'
import { type RequestEnvelope, type RequestId, readRequest } from '../envelope.ts'
import { toAwpError } from '../errors.ts'
import { METHODS, type MethodRow } from '../messages.ts'
import { type Admission, type AdmissionEnvironment, admit } from './admission.ts'
import { CONNECTION_TABLE, type ConnectionEvent, type ConnectionState } from './connection-state.ts'
import { helloResult, negotiate, type ServerIdentity } from './hello.ts'
import { Outbox } from './outbox.ts'
import { type RequestEnvironment, Requests } from './requests.ts'
import { Seats } from './seats.ts'

/** What all peers of a door share. */
export interface PeerEnvironment extends AdmissionEnvironment, RequestEnvironment {
  readonly codec: FrameCodec
  readonly hasZstd: boolean
  readonly identity: ServerIdentity
}

const ROWS = Object.entries(METHODS) as readonly (readonly [string, MethodRow])[]
const KNOWN_METHODS = {
  built: ROWS.filter(([, row]) => row.isBuilt).map(([name]) => name),
  missing: ROWS.filter(([, row]) => !row.isBuilt).map(([name]) => name),
}
const MALFORMED_WINDOW_MS = 10_000
const TEXT: WireFormat = { encoding: 'json', compression: 'none' }
const BINARY: WireFormat = { encoding: 'msgpack', compression: 'none' }

/** One connection of the browser door: reads its frames, greets, and hands requests on. */
export class AwpPeer {
  readonly #environment: PeerEnvironment
  readonly #connection: Connection
  readonly #upgrade: Upgrade
  readonly #outbox: Outbox
  readonly #seats: Seats
  readonly #requests: Requests
  readonly #stopHelloTimer: () => void
  #state: ConnectionState = 'greeting'
  #admission: Admission | undefined
  #malformed: number[] = []
  /** Frames that came while a hello was being checked; its outcome decides about them. */
  #waiting: (string | Uint8Array)[] | undefined

  constructor(environment: PeerEnvironment, connection: Connection, upgrade: Upgrade) {
    const { host, codec, limits } = environment
    this.#environment = environment
    this.#connection = connection
    this.#upgrade = upgrade
    this.#outbox = new Outbox(connection, codec, limits)
    this.#seats = new Seats(this.#outbox, host.clock, limits)
    this.#requests = new Requests(environment, this.#outbox, this.#seats)
    this.#stopHelloTimer = host.clock.schedule(limits.helloTimeoutMs, () => {
      if (this.#step('hello-timeout') === 'close') connection.close(1008, 'awp.hello did not arrive in time')
    })
    connection.onFrame((frame) => this.#receive(frame))
    connection.onClose(() => this.#closed())
  }

  #step(event: ConnectionEvent): string {
    const { next, action } = CONNECTION_TABLE[this.#state][event]
    this.#state = next
    return action
  }

  #receive(frame: string | Uint8Array): void {
    if (this.#waiting === undefined) {
      this.#read(frame)
      return
    }
    this.#waiting.push(frame)
    if (this.#waiting.length > this.#environment.limits.maxInFlight) {
      this.#connection.close(1008, 'Too many frames before awp.hello was answered')
    }
  }

  #read(frame: string | Uint8Array): void {
    if (this.#state === 'closing' || !this.#connection.isOpen) return
    const { limits, codec } = this.#environment
    const format = this.#answerFormat(frame)
    if (frame.length > limits.maxFrameBytes) {
      this.#connection.close(1009, `A frame may have ${limits.maxFrameBytes} bytes`)
      return
    }
    if (this.#state === 'greeting' && frame.length > limits.maxHelloBytes) {
      const message = `Before awp.hello a frame may have ${limits.maxHelloBytes} bytes.`
      this.#malform('', new DomosError('too_large', message), undefined, format)
      return
    }
    let payload = frame
    if (this.#admission?.signed !== undefined) {
      try {
        payload = this.#admission.signed.open(frame)
      } catch (thrown) {
        // A connection whose frames can no longer be trusted ends here.
        const cause = thrown instanceof DomosError ? thrown : new DomosError('unauthorized', 'The frame is not UTF-8.')
        this.#refuse('', cause, undefined, format)
        this.#connection.close(1008, 'Signature refused')
        return
      }
    }
    const decoded = codec.decode(payload)
    if (!decoded.ok) {
      const details = { reason: decoded.code.toUpperCase() }
      this.#malform('', new DomosError('invalid_request', decoded.message, { details }), undefined, format)
      return
    }
    const read = readRequest(decoded.value)
    if (!read.ok) {
      const error = new DomosError('invalid_request', read.message, { details: { path: read.path } })
      this.#malform(read.id, error, read.trace, format)
      return
    }
    this.#dispatch(read.request, typeof frame === 'string')
  }

  #dispatch(request: RequestEnvelope, isText: boolean): void {
    if (request.method === 'awp.hello') {
      this.#waiting = []
      void this.#hello(request, isText ? TEXT : BINARY).then(() => this.#readWaiting())
      return
    }
    if (this.#step('request') === 'answer') {
      void this.#requests.answer(request)
      return
    }
    const error = new DomosError('invalid_request', 'Send awp.hello first.', { details: { reason: 'HELLO_REQUIRED' } })
    this.#refuse(request.id, error, request.meta.trace_id, isText ? TEXT : BINARY)
  }

  #readWaiting(): void {
    const frames = this.#waiting ?? []
    this.#waiting = undefined
    for (const [index, frame] of frames.entries()) {
      this.#read(frame)
      if (this.#waiting !== undefined) {
        // Another hello: what is left waits for that one.
        ;(this.#waiting as (string | Uint8Array)[]).push(...frames.slice(index + 1))
        return
      }
    }
  }

  /** Answers a hello in the kind of frame it came in; what it settles holds from the next message on. */
  async #hello(request: RequestEnvelope, format: WireFormat): Promise<void> {
    const { browsing, identity, hasZstd } = this.#environment
    const { id, params, meta } = request
    try {
      const negotiated = negotiate(params, hasZstd)
      const admission = await admit(params, this.#upgrade, this.#admission, this.#environment)
      if (this.#step('hello') !== 'answer') return
      this.#stopHelloTimer()
      const isNewlySigned = admission.signed !== undefined && admission.signed !== this.#admission?.signed
      this.#admission = admission
      this.#requests.principal = admission.principal
      this.#seats.negotiated = negotiated
      this.#outbox.dialect = negotiated.dialect
      const result = helloResult(negotiated, browsing.features, identity, KNOWN_METHODS)
      const auth = isNewlySigned ? { auth: { method: 'hmac', server_nonce: admission.signed?.serverNonce ?? '' } } : {}
      this.#outbox.respond(id, { result: { ...result, ...auth } }, meta.trace_id, request.method, format)
      this.#outbox.format = negotiated.format
    } catch (thrown) {
      this.#step('hello-refused')
      const error = toDomosError(thrown)
      const dialect = this.#state === 'open' ? this.#outbox.dialect : dialectOfHello(params)
      this.#outbox.respond(id, { error: toAwpError(error, dialect, request.method) }, meta.trace_id, undefined, format)
      if (error.code === 'unauthorized') this.#connection.close(1008, 'Not authenticated')
    }
  }

  #answerFormat(frame: string | Uint8Array): WireFormat {
    if (this.#state === 'open') return this.#outbox.format
    return typeof frame === 'string' ? TEXT : BINARY
  }

  #refuse(id: RequestId, error: DomosError, trace: string | undefined, format: WireFormat): void {
    this.#outbox.respond(id, { error: toAwpError(error, this.#outbox.dialect, undefined) }, trace, undefined, format)
  }

  /** Answers a frame that is no request, and drops a peer that sends nothing else. */
  #malform(id: RequestId, error: DomosError, trace: string | undefined, format: WireFormat): void {
    this.#refuse(id, error, trace, format)
    const now = this.#environment.host.clock.now()
    this.#malformed = [...this.#malformed.filter((at) => now - at < MALFORMED_WINDOW_MS), now]
    if (this.#malformed.length >= this.#environment.limits.maxMalformedFrames) {
      this.#connection.close(1008, 'Too many malformed frames')
    }
  }

  #closed(): void {
    this.#step('closed')
    this.#stopHelloTimer()
    this.#waiting = undefined
    this.#requests.abandon()
    this.#seats.close()
  }
}
