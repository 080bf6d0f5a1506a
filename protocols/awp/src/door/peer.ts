import {
  type Browsing,
  type BrowsingEvent,
  type BrowsingSession,
  type Connection,
  DomosError,
  type Host,
  type JsonObject,
  type JsonValue,
  type Principal,
  toDomosError,
  type Upgrade,
} from '@domos/spec'
import { randomHex } from '@domos/wire'
import * as v from 'valibot'
import type { FrameCodec } from '../codec.ts'
import type { Dialect } from '../dialect.ts'
import {
  type OutgoingEnvelope,
  type ReadRequest,
  type RequestEnvelope,
  type RequestId,
  readRequest,
} from '../envelope.ts'
import { toAwpError } from '../errors.ts'
import type { AwpLimits } from '../limits.ts'
import { findMethod, METHODS, type MethodName, type MethodRow } from '../messages.ts'
import { CONNECTION_TABLE, type ConnectionEvent, type ConnectionState } from './connection-state.ts'
import { type Seat, SUBSCRIBABLE, subscribePage, toWireEvent } from './events.ts'
import type { HandlerContext } from './handler-context.ts'
import { helloResult, type Negotiated, negotiate, type ServerIdentity } from './hello.ts'
import type { IdempotencyMemory, Outcome } from './idempotency.ts'
import { pageHandlers, targetWarnings } from './page-handlers.ts'
import { houseSessionId } from './results.ts'
import { sessionHandlers } from './session-handlers.ts'
import {
  type FindSigningKey,
  type NonceMemory,
  openSignedConnection,
  type SignedConnection,
  type SigningCrypto,
} from './signing.ts'

/** What all peers of a door share. */
export interface PeerEnvironment {
  readonly host: Host
  readonly browsing: Browsing
  readonly limits: AwpLimits
  readonly codec: FrameCodec
  readonly hasZstd: boolean
  readonly identity: ServerIdentity
  readonly idempotency: IdempotencyMemory
  readonly nonces: NonceMemory
  readonly findSigningKey: FindSigningKey | undefined
  readonly signingCrypto: SigningCrypto | undefined
  /** Told of every refusal by scope, for the audit log. */
  readonly onScopeRefused: (principal: Principal, method: string, scope: string) => void
}

type Handler = (params: never, context: HandlerContext) => Promise<JsonObject>
const HANDLERS: Readonly<Record<string, Handler>> = { ...sessionHandlers, ...pageHandlers } as Record<string, Handler>
const BUILT = (Object.entries(METHODS) as [string, MethodRow][]).filter(([, row]) => row.isBuilt).map(([name]) => name)
const MISSING = (Object.entries(METHODS) as [string, MethodRow][])
  .filter(([, row]) => !row.isBuilt)
  .map(([name]) => name)

/** One connection of the browser door. */
export class AwpPeer {
  readonly #environment: PeerEnvironment
  readonly #connection: Connection
  readonly #upgrade: Upgrade
  readonly #seats = new Map<string, Seat>()
  readonly #running = new Map<RequestId, AbortController>()
  readonly #stopHelloTimer: () => void
  #state: ConnectionState = 'greeting'
  #negotiated: Negotiated | undefined
  #principal: Principal | undefined
  #signed: SignedConnection | undefined
  #lastFrameWasText = true
  #malformed: number[] = []
  /** Settles the frames in order, since authentication of a hello waits for the host. */
  #greetings: Promise<void> = Promise.resolve()
  #isGreeting = false

  constructor(environment: PeerEnvironment, connection: Connection, upgrade: Upgrade) {
    this.#environment = environment
    this.#connection = connection
    this.#upgrade = upgrade
    this.#stopHelloTimer = environment.host.clock.schedule(environment.limits.helloTimeoutMs, () => {
      if (this.#step('hello-timeout') === 'close') connection.close(1008, 'awp.hello did not arrive in time')
    })
    connection.onFrame((frame) => this.#receive(frame))
    connection.onClose(() => this.#closed())
  }

  get #dialect(): Dialect {
    return this.#negotiated?.dialect ?? 'draft'
  }

  #step(event: ConnectionEvent): string {
    const { next, action } = CONNECTION_TABLE[this.#state][event]
    this.#state = next
    return action
  }

  #receive(frame: string | Uint8Array): void {
    // While a hello is being checked, what follows waits for its outcome.
    if (this.#isGreeting) {
      if (this.#running.size >= this.#environment.limits.maxInFlight) return
      this.#greetings = this.#greetings.then(() => this.#read(frame))
      return
    }
    this.#read(frame)
  }

  #read(frame: string | Uint8Array): void {
    if (this.#state === 'closing') return
    const { limits, codec } = this.#environment
    this.#lastFrameWasText = typeof frame === 'string'
    if (this.#state === 'greeting' && frame.length > limits.maxHelloBytes) {
      this.#refuse(
        '',
        new DomosError('too_large', `Before awp.hello a frame may have ${limits.maxHelloBytes} bytes.`),
        undefined,
      )
      return
    }
    let payload = frame
    if (this.#signed !== undefined) {
      try {
        payload = this.#signed.open(frame)
      } catch (thrown) {
        // A connection whose frames can no longer be trusted ends here.
        this.#refuse('', toDomosError(thrown), undefined)
        this.#connection.close(1008, 'Signature refused')
        return
      }
    }
    const decoded = codec.decode(payload)
    if (!decoded.ok) {
      this.#refuse(
        '',
        new DomosError('invalid_request', decoded.message, { details: { reason: decoded.code.toUpperCase() } }),
        undefined,
      )
      this.#countMalformed()
      return
    }
    const read: ReadRequest = readRequest(decoded.value)
    if (!read.ok) {
      this.#refuse(
        read.id,
        new DomosError('invalid_request', read.message, { details: { path: read.path } }),
        read.trace,
      )
      this.#countMalformed()
      return
    }
    this.#dispatch(read.request)
  }

  #countMalformed(): void {
    const now = this.#environment.host.clock.now()
    this.#malformed = [...this.#malformed.filter((at) => now - at < 10_000), now]
    if (this.#malformed.length >= this.#environment.limits.maxMalformedFrames)
      this.#connection.close(1008, 'Too many malformed frames')
  }

  #dispatch(request: RequestEnvelope): void {
    if (request.method === 'awp.hello') {
      this.#isGreeting = true
      this.#greetings = this.#hello(request).finally(() => {
        this.#isGreeting = false
      })
      return
    }
    if (this.#state === 'greeting') {
      this.#step('request')
      this.#refuse(
        request.id,
        new DomosError('invalid_request', 'Send awp.hello first.', { details: { reason: 'HELLO_REQUIRED' } }),
        request.meta.trace_id,
      )
      return
    }
    this.#step('request')
    void this.#answer(request)
  }

  async #hello(request: RequestEnvelope): Promise<void> {
    const { browsing, host, identity, limits, findSigningKey, signingCrypto, nonces } = this.#environment
    try {
      const negotiated = negotiate(request.params, this.#environment.hasZstd)
      const auth = request.params['auth']
      const given = typeof auth === 'object' && auth !== null && !Array.isArray(auth) ? (auth as JsonObject) : {}
      let signed: SignedConnection | undefined
      let principal: Principal
      if (given['method'] === 'hmac') {
        if (findSigningKey === undefined || signingCrypto === undefined) {
          throw new DomosError('unsupported', 'This server has no signing keys configured.', {
            details: { field: 'auth.method' },
          })
        }
        signed = openSignedConnection(given, findSigningKey, nonces, signingCrypto, limits, host.clock.now())
        principal = signed.principal
      } else {
        const token =
          typeof given['token'] === 'string' && given['method'] === 'bearer' ? given['token'] : this.#upgrade.token
        principal = await host.authenticate({
          door: 'awp',
          remoteAddress: this.#upgrade.remoteAddress,
          ...(token === undefined ? {} : { token }),
          ...(this.#upgrade.origin === undefined ? {} : { origin: this.#upgrade.origin }),
        })
      }
      if (this.#principal !== undefined && this.#principal.id !== principal.id) {
        throw new DomosError('conflict', 'A connection keeps its principal. Open another one.')
      }
      if (this.#step('hello') !== 'answer') return
      this.#stopHelloTimer()
      this.#principal = principal
      const result = helloResult(negotiated, browsing.features, identity, { built: BUILT, missing: MISSING })
      const body =
        signed === undefined ? result : { ...result, auth: { method: 'hmac', server_nonce: signed.serverNonce } }
      // Hello is answered in the kind of frame it came in; the chosen encoding holds from the next message on.
      this.#respond(request.id, { result: body }, request.meta.trace_id)
      this.#negotiated = negotiated
      this.#signed = signed ?? this.#signed
    } catch (thrown) {
      this.#step('hello-refused')
      const error = toDomosError(thrown)
      this.#refuse(request.id, error, request.meta.trace_id)
      if (error.code === 'unauthorized') this.#connection.close(1008, 'Not authenticated')
    }
  }

  async #answer(request: RequestEnvelope): Promise<void> {
    const { limits, host, idempotency } = this.#environment
    const principal = this.#principal as Principal
    const trace = request.meta.trace_id ?? randomHex(16)
    if (this.#running.has(request.id)) {
      this.#refuse(
        request.id,
        new DomosError('conflict', 'A request with this id is still running.', { details: { reason: 'DUPLICATE_ID' } }),
        trace,
      )
      return
    }
    const method = findMethod(request.method)
    const passesQueue = method === 'awp.cancel' || method === 'awp.ping' || method === 'session.close'
    if (this.#running.size >= limits.maxInFlight && !passesQueue) {
      this.#refuse(
        request.id,
        new DomosError('busy', `At most ${limits.maxInFlight} requests of a connection run at once.`),
        trace,
      )
      return
    }
    const abort = new AbortController()
    this.#running.set(request.id, abort)
    const startedAt = host.clock.now()
    const work = (): Promise<Outcome> => this.#perform(method, request, principal, abort.signal, trace)
    let outcome: Outcome
    try {
      const key = request.meta.idempotency_key
      outcome =
        key === undefined
          ? await work()
          : await idempotency.run(principal.id, key, [request.method, request.params], work)
    } catch (thrown) {
      outcome = { error: toAwpError(toDomosError(thrown), this.#dialect, request.method) }
    } finally {
      this.#running.delete(request.id)
    }
    const label = method ?? 'unknown'
    host.metrics.count('awp_requests', { method: label, outcome: 'error' in outcome ? outcome.error.code : 'ok' })
    host.metrics.observe('awp_request_seconds', (host.clock.now() - startedAt) / 1_000, { method: label })
    this.#respond(request.id, 'error' in outcome ? { error: outcome.error } : { result: outcome.result }, trace)
  }

  async #perform(
    method: MethodName | undefined,
    request: RequestEnvelope,
    principal: Principal,
    signal: AbortSignal,
    trace: string,
  ): Promise<Outcome> {
    try {
      if (method === undefined) {
        throw new DomosError('unsupported', `There is no method ${request.method}.`, { details: { field: 'method' } })
      }
      const { params: schema, scope, isBuilt } = METHODS[method] as MethodRow
      if (scope !== undefined && !principal.allows(scope)) {
        this.#environment.onScopeRefused(principal, method, scope)
        throw new DomosError('forbidden', `${method} needs the scope ${scope}.`, {
          details: { scope, reason: 'SCOPE_MISSING' },
        })
      }
      if (!isBuilt) throw new DomosError('unsupported', `${method} is not built yet.`, { details: { field: 'method' } })
      const parsed = v.safeParse(schema, request.params, { abortPipeEarly: true })
      if (!parsed.success) throw invalidParams(parsed.issues[0])
      const context = this.#context(principal, request, signal, trace)
      const result = await this.#run(method, parsed.output, context)
      const warnings = targetWarnings(method, request.params)
      return {
        result:
          warnings.length === 0
            ? result
            : { ...result, warnings: [...((result['warnings'] as string[] | undefined) ?? []), ...warnings] },
      }
    } catch (thrown) {
      const error = toDomosError(thrown)
      if (error.code === 'internal') {
        this.#environment.host.log.error('awp-request-failed', {
          method: method ?? 'unknown',
          connection: this.#connection.id,
          trace,
        })
      }
      return { error: toAwpError(error, this.#dialect, request.method) }
    }
  }

  async #run(method: MethodName, params: unknown, context: HandlerContext): Promise<JsonObject> {
    if (method === 'awp.ping') {
      if (this.#negotiated?.wantsPong === true) this.#send({ type: 'event', method: 'awp.pong', params: {}, meta: {} })
      return { pong: true }
    }
    if (method === 'awp.cancel') return { cancelled: context.cancel((params as { request_id: RequestId }).request_id) }
    const handler = HANDLERS[method]
    if (handler === undefined)
      throw new DomosError('unsupported', `${method} is not built yet.`, { details: { field: 'method' } })
    return handler(params as never, context)
  }

  #context(principal: Principal, request: RequestEnvelope, signal: AbortSignal, traceId: string): HandlerContext {
    const { browsing } = this.#environment
    const session = (wireId: string): BrowsingSession => {
      const seat = this.#seats.get(houseSessionId(wireId))
      if (seat === undefined) {
        throw new DomosError(
          'not_found',
          'There is no such session on this connection. Create one, or session.attach with its secret.',
          {
            details: { field: 'session_id' },
          },
        )
      }
      seat.session.touch()
      return seat.session
    }
    return {
      browsing,
      principal,
      dialect: this.#dialect,
      format: (this.#negotiated as Negotiated).format,
      call: { signal, traceId, isParallel: request.params['concurrency'] === 'parallel' },
      session,
      page: (params) => session(params.session_id).page(params.page_id),
      adopt: (adopted, closeWithConnection) => this.#adopt(adopted, closeWithConnection),
      release: (released) => this.#release(released.id),
      setSubscription: (subscribed, page, events) => {
        const unknown = events.find((name) => !(SUBSCRIBABLE as readonly string[]).includes(name))
        if (unknown !== undefined) {
          throw new DomosError('invalid_request', `events knows ${SUBSCRIBABLE.join(', ')}, not ${unknown}.`, {
            details: { path: 'params.events' },
          })
        }
        const seat = this.#seats.get(subscribed.id)
        if (seat !== undefined) subscribePage(seat, page, events)
      },
      cancel: (requestId) => {
        const running = this.#running.get(requestId)
        if (running === undefined || requestId === request.id) return false
        running.abort(new DomosError('cancelled', 'The client cancelled this request.'))
        return true
      },
    }
  }

  #adopt(session: BrowsingSession, closeWithConnection: boolean): void {
    if (this.#seats.has(session.id)) return
    const seat: Seat = {
      session,
      closeWithConnection,
      stopEvents: () => {},
      subscriptions: new Map(),
      owedResync: new Map(),
    }
    this.#seats.set(session.id, seat)
    seat.stopEvents = session.onEvent((event) => this.#forward(seat, event))
  }

  #release(sessionId: string): void {
    const seat = this.#seats.get(sessionId)
    if (seat === undefined) return
    this.#seats.delete(sessionId)
    seat.stopEvents()
    for (const { stop } of seat.subscriptions.values()) stop?.()
  }

  /** Sends an event the peer asked for. A peer that reads slowly loses mutations, and gets one resync for them. */
  #forward(seat: Seat, event: BrowsingEvent): void {
    if (event.type === 'session-closed') this.#release(seat.session.id)
    const wire = toWireEvent(seat.session.id, event, this.#dialect)
    if (!this.#hears(seat, event, wire.method)) return
    if (event.type === 'som-mutation' || event.type === 'telemetry') {
      if (this.#connection.bufferedBytes > this.#environment.limits.eventBufferBytes) {
        if (event.type === 'som-mutation') seat.owedResync.set(event.pageId, event.cursor)
        return
      }
      if (event.type === 'som-mutation' && seat.owedResync.delete(event.pageId)) {
        const resync = toWireEvent(
          seat.session.id,
          { type: 'resync', pageId: event.pageId, cursor: event.cursor, reason: 'overflow' },
          this.#dialect,
        )
        this.#send({ type: 'event', method: resync.method, params: resync.params, meta: meta(undefined) })
        return
      }
    }
    this.#send({ type: 'event', method: wire.method, params: wire.params, meta: meta(wire.traceId) })
  }

  #hears(seat: Seat, event: BrowsingEvent, method: string): boolean {
    // Peers of the flat dialect never see an event they did not ask for.
    const pageId = 'pageId' in event ? event.pageId : undefined
    const subscription = pageId === undefined ? undefined : seat.subscriptions.get(pageId)
    if (subscription !== undefined) return subscription.events.has(method)
    if (this.#dialect === 'legacy') return false
    if (event.type === 'som-mutation' || event.type === 'resync') return this.#negotiated?.wantsMutations === true
    return event.type !== 'telemetry'
  }

  #refuse(id: RequestId, error: DomosError, trace: string | undefined): void {
    this.#respond(id, { error: toAwpError(error, this.#dialect, undefined) }, trace)
  }

  #respond(
    id: RequestId,
    outcome: { readonly result: JsonValue } | { readonly error: ReturnType<typeof toAwpError> },
    trace: string | undefined,
  ): void {
    this.#send({ id, type: 'response', ...outcome, meta: meta(trace) })
  }

  #send(message: OutgoingEnvelope): void {
    const format = this.#negotiated?.format ?? {
      encoding: this.#lastFrameWasText ? 'json' : 'msgpack',
      compression: 'none',
    }
    const frame = this.#environment.codec.encode(message, format)
    if (frame.length <= this.#environment.limits.maxFrameBytes || message.type === 'event') {
      this.#connection.send(frame)
      return
    }
    const error = new DomosError(
      'too_large',
      'The answer is larger than a frame. Ask for less with max_bytes or max_tokens.',
      {
        details: { bytes: frame.length, maxBytes: this.#environment.limits.maxFrameBytes },
      },
    )
    const small: OutgoingEnvelope = {
      id: message.id,
      type: 'response',
      error: toAwpError(error, this.#dialect, undefined),
      meta: message.meta,
    }
    this.#connection.send(this.#environment.codec.encode(small, format))
  }

  #closed(): void {
    this.#step('closed')
    this.#stopHelloTimer()
    for (const running of this.#running.values()) running.abort(new DomosError('cancelled', 'The connection closed.'))
    for (const seat of [...this.#seats.values()]) {
      this.#release(seat.session.id)
      if (seat.closeWithConnection) void seat.session.close().catch(() => {})
    }
  }
}

function meta(trace: string | undefined): { trace_id: string; span_id: string } {
  return { trace_id: trace ?? randomHex(16), span_id: randomHex(8) }
}

function invalidParams(issue: v.BaseIssue<unknown> | undefined): DomosError {
  const path = issue === undefined ? '' : (v.getDotPath(issue) ?? '')
  const at = path === '' ? 'params' : `params.${path}`
  return new DomosError('invalid_request', `${at}: ${issue?.message ?? 'is not acceptable'}`, { details: { path: at } })
}
