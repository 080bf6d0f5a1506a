import type {
  Clock,
  Host,
  JsonObject,
  LanguageModel,
  Log,
  Metrics,
  OpenSessionOptions,
  Principal,
  Session,
  Store,
  Tool,
} from '@domos/spec'
import { DomosError, silentLog, silentMetrics, systemClock } from '@domos/spec'
import { type ApiKey, type BoundedPrincipal, createAuthenticator } from './auth.ts'
import { randomId } from './ids.ts'
import { createJoinTokens, type JoinToken } from './join-tokens.ts'
import { type AgentLimits, resolveAgentLimits } from './limits.ts'
import { createMemoryStore } from './memory-store.ts'
import type { RiskPolicy } from './policy.ts'
import { createSafeStore } from './safe-store.ts'
import { createArgumentValidator } from './schema-compile.ts'
import { type AgentSession, createSession, type SessionEnvironment } from './session.ts'
import { SYSTEM_PROMPT } from './system-prompt.ts'
import { createTicketOffice } from './ticket.ts'
import { SERVER_OWNER } from './tool-registry.ts'

/** What an agent is made of. Only `model` is needed. */
export interface AgentOptions {
  readonly model: LanguageModel
  /** Closed together with the agent. @default a memory store */
  readonly store?: Store
  /** @default nothing is raised */
  readonly policy?: RiskPolicy
  /** Overrides of {@link AGENT_LIMITS}. */
  readonly limits?: Partial<AgentLimits>
  /** @default none: everybody is let in as `anonymous` */
  readonly keys?: readonly ApiKey[]
  /** Scopes of everybody where there are no keys. @default all */
  readonly anonymousScopes?: readonly string[]
  /** Tools of the server itself, for each new session; they win over page tools of the same name. */
  readonly tools?: (principal: Principal) => readonly Tool[]
  /** Replaces {@link SYSTEM_PROMPT}. */
  readonly systemPrompt?: string
  /** @default the real clock */
  readonly clock?: Clock
  /** @default silent */
  readonly log?: Log
  /** @default none */
  readonly metrics?: Metrics
}

/** The agent core: the host of every door. */
export interface Agent extends Host {
  readonly limits: AgentLimits
  readonly model: LanguageModel
  readonly store: Store
  openSession(principal: Principal, options: OpenSessionOptions): Promise<AgentSession>
  session(id: string): AgentSession | undefined
  /** Open sessions, oldest first. */
  sessions(): readonly AgentSession[]
  /**
   * A token, and a code for people, with which a further door (a speaker, a phone, a headless page) enters this session:
   * short-lived, single use.
   * @throws DomosError `not_found` when the session is closed
   */
  issueJoinToken(session: Session): Promise<JoinToken>
  /**
   * The session of a token or code; undefined for one that is unknown, used, too old or of another tenant.
   * @throws DomosError `rate_limited` for an address (without one, a principal) that keeps guessing
   */
  redeemJoinToken(token: string, principal: Principal, remoteAddress?: string): Promise<AgentSession | undefined>
  /**
   * As whom somebody comes in who has no key but a token or code: as the session's own principal. It is not used up. Undefined
   * for one that opens nothing.
   * @throws DomosError `rate_limited` for an address that keeps guessing
   */
  joinTokenPrincipal(token: string, remoteAddress?: string): Promise<Principal | undefined>
  /** Facts for /healthz. */
  health(): JsonObject
  /** Closes every session, waits for the store and closes it. May be called twice. */
  close(): Promise<void>
}

const PRUNE_EVERY_MS = 3_600_000

/**
 * Makes the agent core.
 * @throws DomosError `invalid_request` for limits or keys that make no sense
 */
export function createAgent(options: AgentOptions): Agent {
  const limits = resolveAgentLimits(options.limits)
  const clock = options.clock ?? systemClock
  const log = options.log ?? silentLog
  const metrics = options.metrics ?? silentMetrics
  const store = options.store ?? createMemoryStore()
  const safeStore = createSafeStore(store, limits.storePendingMax, log, metrics)
  const authenticator = createAuthenticator({
    keys: options.keys ?? [],
    ...(options.anonymousScopes === undefined ? {} : { anonymousScopes: options.anonymousScopes }),
    failuresPerMinute: limits.authFailuresPerMinute,
    clock,
  })
  const environment: SessionEnvironment = {
    model: options.model,
    store: safeStore,
    policy: options.policy ?? {},
    limits,
    clock,
    log,
    metrics,
    validator: createArgumentValidator(limits.schemaCacheMax),
    tickets: createTicketOffice(),
    system: options.systemPrompt ?? SYSTEM_PROMPT,
  }
  const joinTokens = createJoinTokens(limits, clock)
  const sessions = new Map<string, AgentSession>()
  const perPrincipal = new Map<string, number>()
  let closing: Promise<void> | undefined

  let stopPruning = (): void => {}
  const prune = (): void => {
    const now = clock.now()
    void safeStore.write('prune', (target) =>
      target.prune(now - limits.sessionRetentionMs, now - limits.auditRetentionMs),
    )
    stopPruning = clock.schedule(PRUNE_EVERY_MS, prune)
  }
  stopPruning = clock.schedule(PRUNE_EVERY_MS, prune)

  function makeRoom(): void {
    if (sessions.size < limits.sessionsMax) return
    for (const session of sessions.values()) {
      if (session.members.length > 0 || session.currentTurn !== undefined) continue
      session.close('evicted')
      return
    }
    throw new DomosError('busy', `The server has ${limits.sessionsMax} open sessions; the limit is sessionsMax.`)
  }

  return {
    clock,
    log,
    metrics,
    limits,
    model: options.model,
    store,
    requiresKey: authenticator.requiresKey,
    authenticate: (credentials) => authenticator.authenticate(credentials),
    async openSession(principal, { door, language }) {
      if (closing !== undefined) throw new DomosError('unavailable', 'The server is shutting down.')
      const bounded: BoundedPrincipal = principal
      const own = perPrincipal.get(principal.id) ?? 0
      const ownMax = bounded.sessionsMax ?? limits.sessionsPerPrincipalMax
      if (own >= ownMax) throw new DomosError('busy', `This key has ${ownMax} open sessions; close one first.`)
      makeRoom()
      const id = randomId()
      const session = createSession(environment, {
        id,
        principal: bounded,
        door,
        ...(language === undefined ? {} : { language }),
        onClosed() {
          sessions.delete(id)
          const left = (perPrincipal.get(principal.id) ?? 1) - 1
          if (left > 0) perPrincipal.set(principal.id, left)
          else perPrincipal.delete(principal.id)
          metrics.gauge('sessions', sessions.size)
        },
      })
      sessions.set(id, session)
      perPrincipal.set(principal.id, own + 1)
      metrics.gauge('sessions', sessions.size)
      log.info('session-open', { session: id, door, principal: principal.id })
      const tools = options.tools?.(principal) ?? []
      if (tools.length > 0) session.tools.replace(SERVER_OWNER, tools)
      return session
    },
    session: (id) => sessions.get(id),
    sessions: () => [...sessions.values()],
    async issueJoinToken({ id }) {
      const session = sessions.get(id)
      if (session === undefined) throw new DomosError('not_found', 'The session is closed.')
      return await joinTokens.issue(session)
    },
    redeemJoinToken: (token, principal, remoteAddress) => joinTokens.redeem(token, principal, remoteAddress),
    joinTokenPrincipal: (token, remoteAddress) => joinTokens.principalOf(token, remoteAddress),
    health: () => ({
      model: { id: options.model.id, embedded: options.model.embedded },
      sessions: sessions.size,
      turns: [...sessions.values()].filter((session) => session.currentTurn !== undefined).length,
      store: { ...safeStore.health() },
      requiresKey: authenticator.requiresKey,
    }),
    close() {
      closing ??= (async () => {
        stopPruning()
        const turns = [...sessions.values()].map((session) => session.currentTurn?.ended)
        for (const session of [...sessions.values()]) session.close('shutdown')
        await Promise.all(turns)
        await withinTime(clock, limits.storeDrainTimeoutMs, safeStore.drained())
        await store.close()
      })()
      return closing
    },
  }
}

/** Settles with the work, or after the time. */
async function withinTime(clock: Clock, timeoutMs: number, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const stop = clock.schedule(timeoutMs, () => late.resolve())
  await Promise.race([work, late.promise])
  stop()
}
