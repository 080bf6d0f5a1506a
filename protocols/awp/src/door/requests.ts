import {
  type Browsing,
  type BrowsingSession,
  DomosError,
  type Host,
  type JsonObject,
  type Principal,
  toDomosError,
} from '@domos/spec'
import { randomHex } from '@domos/wire'
import * as v from 'valibot'
import type { Dialect } from '../dialect.ts'
import type { RequestEnvelope, RequestId } from '../envelope.ts'
import { toAwpError } from '../errors.ts'
import type { AwpLimits } from '../limits.ts'
import { findMethod, METHODS, type MethodName, type MethodRow } from '../messages.ts'
import { SUBSCRIBABLE } from './events.ts'
import type { HandlerContext } from './handler-context.ts'
import type { IdempotencyMemory, Outcome } from './idempotency.ts'
import type { Outbox } from './outbox.ts'
import { pageHandlers, targetWarnings } from './page-handlers.ts'
import { houseSessionId } from './results.ts'
import type { Seats } from './seats.ts'
import { sessionHandlers } from './session-handlers.ts'

/** What the requests of all connections share. */
export interface RequestEnvironment {
  readonly host: Host
  readonly browsing: Browsing
  readonly limits: AwpLimits
  readonly idempotency: IdempotencyMemory
  /** Told of every refusal by scope, for the audit log. */
  readonly onScopeRefused: (refusal: ScopeRefusal) => void
}

/** A request that was refused because its caller lacks a scope. */
export interface ScopeRefusal {
  readonly principal: Principal
  readonly method: string
  readonly scope: string
  /** The session it named, as the house spells it; empty when it named none. */
  readonly sessionId: string
}

type Handler = (params: never, context: HandlerContext) => Promise<JsonObject>
const HANDLERS: Readonly<Record<string, Handler>> = { ...sessionHandlers, ...pageHandlers } as Record<string, Handler>

/** Requests that are answered whatever else is running, and never wait. */
const ALWAYS_TAKEN: ReadonlySet<string> = new Set(['awp.cancel', 'awp.ping', 'session.close'])

interface Running {
  readonly abort: AbortController
  /** A keyed request goes on when its connection breaks, so that its repetition finds the outcome. */
  readonly isKeyed: boolean
}

/** The requests of one connection. */
export class Requests {
  readonly #environment: RequestEnvironment
  readonly #outbox: Outbox
  readonly #seats: Seats
  readonly #running = new Map<RequestId, Running>()
  principal: Principal | undefined

  constructor(environment: RequestEnvironment, outbox: Outbox, seats: Seats) {
    this.#environment = environment
    this.#outbox = outbox
    this.#seats = seats
  }

  /** Answers a request; settles when the answer is written. Never throws. */
  async answer(request: RequestEnvelope): Promise<void> {
    const { host, idempotency } = this.#environment
    const trace = request.meta.trace_id ?? randomHex(16)
    const method = findMethod(request.method)
    const refusal = this.#refusal(request, method)
    if (refusal !== undefined) {
      const error = toAwpError(refusal, this.#outbox.dialect, request.method)
      this.#outbox.respond(request.id, { error }, trace, request.method)
      return
    }
    const principal = this.principal as Principal
    const key = request.meta.idempotency_key
    const abort = new AbortController()
    this.#running.set(request.id, { abort, isKeyed: key !== undefined })
    const startedAt = host.clock.now()
    const work = (): Promise<Outcome> => this.#perform(method, request, principal, abort.signal, trace)
    let outcome: Outcome
    try {
      if (key === undefined) outcome = await work()
      else {
        const answered = await idempotency.run(principal.id, key, [request.method, request.params], work, abort.signal)
        outcome = answered.outcome
        if (answered.isReplay) this.#takeSeatAgain(method, principal, outcome)
      }
    } catch (thrown) {
      outcome = { error: toAwpError(toDomosError(thrown), this.#outbox.dialect, request.method) }
    } finally {
      this.#running.delete(request.id)
    }
    const label = method ?? 'unknown'
    host.metrics.count('awp_requests', { method: label, outcome: 'error' in outcome ? outcome.error.code : 'ok' })
    host.metrics.observe('awp_request_seconds', (host.clock.now() - startedAt) / 1_000, { method: label })
    this.#outbox.respond(request.id, outcome, trace, request.method)
  }

  /** Ends what runs for a connection that is gone, except what its client may ask for again. */
  abandon(): void {
    for (const { abort, isKeyed } of this.#running.values()) {
      if (!isKeyed) abort.abort(new DomosError('cancelled', 'The connection closed.'))
    }
  }

  #refusal(request: RequestEnvelope, method: MethodName | undefined): DomosError | undefined {
    const { maxInFlight } = this.#environment.limits
    if (this.#running.has(request.id)) {
      return new DomosError('conflict', 'A request with this id is still running.', {
        details: { reason: 'DUPLICATE_ID' },
      })
    }
    if (this.#running.size >= maxInFlight && !ALWAYS_TAKEN.has(method ?? '')) {
      return new DomosError('busy', `At most ${maxInFlight} requests of a connection run at once.`, {
        details: { maxInFlight },
      })
    }
    return undefined
  }

  async #perform(
    method: MethodName | undefined,
    request: RequestEnvelope,
    principal: Principal,
    signal: AbortSignal,
    traceId: string,
  ): Promise<Outcome> {
    const { dialect } = this.#outbox
    try {
      if (method === undefined) {
        throw new DomosError('unsupported', `There is no method ${request.method}.`, { details: { field: 'method' } })
      }
      const { params: schema, scope, isBuilt } = METHODS[method] as MethodRow
      const context = this.#context(method, principal, request, signal, traceId)
      if (scope !== undefined) context.needs(scope)
      if (!isBuilt) throw new DomosError('unsupported', `${method} is not built yet.`, { details: { field: 'method' } })
      const parsed = v.safeParse(schema, request.params, { abortPipeEarly: true })
      if (!parsed.success) throw refusedParams(parsed.issues[0], request, dialect)
      const result = await this.#run(method, parsed.output, context)
      const warnings = targetWarnings(method, request.params)
      if (warnings.length === 0) return { result }
      return { result: { ...result, warnings: [...((result['warnings'] as string[] | undefined) ?? []), ...warnings] } }
    } catch (thrown) {
      const error = toDomosError(thrown)
      if (error.code === 'internal') {
        this.#environment.host.log.error('awp-request-failed', {
          method: method ?? 'unknown',
          trace: traceId,
          cause: error.cause instanceof Error ? error.cause.name : undefined,
        })
      }
      return { error: toAwpError(error, dialect, request.method) }
    }
  }

  async #run(method: MethodName, params: unknown, context: HandlerContext): Promise<JsonObject> {
    if (method === 'awp.ping') {
      if (this.#seats.negotiated?.wantsPong === true) this.#outbox.event('awp.pong', {}, context.call.traceId)
      return { pong: true }
    }
    if (method === 'awp.cancel') return { cancelled: this.#cancel((params as { request_id: RequestId }).request_id) }
    const handler = HANDLERS[method]
    if (handler === undefined) throw new DomosError('internal', `${method} has no handler.`)
    return handler(params as never, context)
  }

  #cancel(requestId: RequestId): boolean {
    const running = this.#running.get(requestId)
    running?.abort.abort(new DomosError('cancelled', 'The client cancelled this request.'))
    return running !== undefined
  }

  /** The session that a repeated create, import or attach speaks of belongs to this connection too. */
  #takeSeatAgain(method: MethodName | undefined, principal: Principal, outcome: Outcome): void {
    if (method !== 'session.create' && method !== 'session.import' && method !== 'session.attach') return
    if ('error' in outcome) return
    const id = houseSessionId(String((outcome.result as JsonObject)['session_id']))
    try {
      this.#seats.adopt(this.#environment.browsing.session(principal, id), false)
    } catch {
      // It is closed by now; the next request for it says so.
    }
  }

  #context(
    method: MethodName,
    principal: Principal,
    request: RequestEnvelope,
    signal: AbortSignal,
    traceId: string,
  ): HandlerContext {
    const { browsing, onScopeRefused } = this.#environment
    const seats = this.#seats
    const session = (wireId: string): BrowsingSession => {
      const found = seats.find(houseSessionId(wireId))
      if (found === undefined) {
        throw noSession()
      }
      found.touch()
      return found
    }
    return {
      browsing,
      principal,
      dialect: this.#outbox.dialect,
      format: this.#outbox.format,
      call: { signal, traceId, isParallel: request.params['concurrency'] === 'parallel' },
      needs(scope) {
        if (principal.allows(scope)) return
        const wireId = request.params['session_id']
        const sessionId = typeof wireId === 'string' ? houseSessionId(wireId).slice(0, 128) : ''
        onScopeRefused({ principal, method, scope, sessionId })
        throw new DomosError('forbidden', `${method} needs the scope ${scope}.`, {
          details: { scope, reason: 'SCOPE_MISSING' },
        })
      },
      session,
      async page(params) {
        const found = session(params.session_id)
        const page = await found.page(params.page_id)
        seats.watch(found, page)
        return page
      },
      adopt: (adopted, closeWithConnection) => seats.adopt(adopted, closeWithConnection),
      release: (released) => seats.release(released.id),
      watch: (watched, page) => seats.watch(watched, page),
      subscribe(subscribed, page, events) {
        const unknown = events.find((name) => !(SUBSCRIBABLE as readonly string[]).includes(name))
        if (unknown !== undefined) {
          throw new DomosError('invalid_request', `events knows ${SUBSCRIBABLE.join(', ')}, not ${unknown}.`, {
            details: { path: 'params.events' },
          })
        }
        seats.subscribe(subscribed, page, events)
      },
    }
  }
}

function noSession(): DomosError {
  return new DomosError(
    'not_found',
    'There is no such session on this connection. Create one, or session.attach with its secret.',
    { details: { field: 'session_id' } },
  )
}

function refusedParams(
  issue: v.BaseIssue<unknown> | undefined,
  { params }: RequestEnvelope,
  dialect: Dialect,
): DomosError {
  const path = issue === undefined ? '' : (v.getDotPath(issue) ?? '')
  // Shipped peers know a session that is not named as one that is not there.
  if (dialect === 'legacy' && path === 'session_id' && (params['session_id'] ?? '') === '') return noSession()
  const at = path === '' ? 'params' : `params.${path}`
  return new DomosError('invalid_request', `${at}: ${issue?.message ?? 'is not acceptable'}`, { details: { path: at } })
}
