import {
  type BrowserEngine,
  type Browsing,
  type BrowsingFeatures,
  type BrowsingSessionInfo,
  type Clock,
  type CreateBrowsingSession,
  DomosError,
  type JsonObject,
  type JsonValue,
  type Log,
  type Metrics,
  type Principal,
  silentLog,
  silentMetrics,
  systemClock,
} from '@domos/spec'
import { INTENT_LEVELS } from './act/actions.ts'
import { type BrowsingLimits, resolveBrowsingLimits } from './limits.ts'
import type { NetworkPolicyOptions } from './network-policy.ts'
import { PROFILES } from './profiles.ts'
import { digest, equalsSecret, randomHex } from './secrets.ts'
import { checkCookie } from './session/check-cookie.ts'
import { readContextOptions } from './session/context-options.ts'
import { HeadlessSession } from './session/headless-session.ts'
import { readState, type SessionState } from './session/state.ts'
import type { SessionVault } from './session/vault.ts'

/** How a {@link Browsing} is made. */
export interface BrowsingOptions {
  /** At least one; `auto` takes the first. */
  readonly engines: readonly BrowserEngine[]
  /** Engine of sessions that name none: an id, or `auto`. @default 'auto' */
  readonly engine?: string
  /** What pages may reach besides the public internet. */
  readonly network?: NetworkPolicyOptions
  readonly limits?: Partial<BrowsingLimits>
  /** Folder for downloads; each session gets one of its own in it. */
  readonly downloadDirectory: string
  /** Without it `persist: true` is told in `ignored`. */
  readonly vault?: SessionVault
  readonly clock?: Clock
  readonly log?: Log
  readonly metrics?: Metrics
}

/** How often idle and expired sessions are looked for. */
const SWEEP_MS = 15_000

/**
 * Creates the headless organ over engines. Nothing is started before the first session.
 * @throws DomosError `invalid_request` for a limit that does not exist or is no number
 */
export function createBrowsing(options: BrowsingOptions): Browsing {
  const first = options.engines[0]
  if (first === undefined) throw new DomosError('invalid_request', 'createBrowsing needs at least one engine.')
  return new HeadlessBrowsing(options, first)
}

class HeadlessBrowsing implements Browsing {
  readonly features: BrowsingFeatures
  readonly #options: BrowsingOptions
  readonly #limits: BrowsingLimits
  readonly #clock: Clock
  readonly #log: Log
  readonly #metrics: Metrics
  readonly #default: BrowserEngine
  readonly #sessions = new Map<string, HeadlessSession>()
  readonly #owners = new Map<string, Principal>()
  #opening = 0
  #stopSweep: (() => void) | undefined
  #isClosed = false

  constructor(options: BrowsingOptions, first: BrowserEngine) {
    this.#options = options
    this.#limits = resolveBrowsingLimits(options.limits ?? {})
    this.#clock = options.clock ?? systemClock
    this.#log = options.log ?? silentLog
    this.#metrics = options.metrics ?? silentMetrics
    this.#default = this.#engineNamed(options.engine ?? 'auto', first)
    this.features = {
      profiles: Object.keys(PROFILES),
      engines: options.engines.map(({ id }) => id),
      proxy: false,
      skills: false,
      evaluate: options.engines.some(({ abilities }) => abilities.evaluate),
      screenshots: options.engines.some(({ abilities }) => abilities.screenshots),
      intentLevels: INTENT_LEVELS,
      maxSessions: this.#limits.maxSessions,
      maxPagesPerSession: this.#limits.maxPagesPerSession,
      maxSomBytes: this.#limits.maxSomBytes,
    }
  }

  async createSession(principal: Principal, options: CreateBrowsingSession): Promise<HeadlessSession> {
    return this.#open(principal, options, randomHex(16), randomHex(32))
  }

  session(principal: Principal, id: string): HeadlessSession {
    const session = this.#sessions.get(id)
    const owner = this.#owners.get(id)
    if (session === undefined || owner?.id !== principal.id || owner.tenant !== principal.tenant) throw noSession()
    session.touch()
    return session
  }

  async attachSession(principal: Principal, id: string, attachSecret: string): Promise<HeadlessSession> {
    const owner = this.#owners.get(id)
    const session = this.#sessions.get(id)
    if (session === undefined) return this.#revive(principal, id, attachSecret)
    const isRight = equalsSecret(attachSecret, session.attachSecret)
    if (!isRight || owner?.tenant !== principal.tenant) throw noSession()
    session.touch()
    return session
  }

  listSessions(principal: Principal): readonly BrowsingSessionInfo[] {
    return [...this.#sessions.values()]
      .filter(({ parts }) => parts.principal.id === principal.id && parts.principal.tenant === principal.tenant)
      .map((session) => session.info())
  }

  async importSession(
    principal: Principal,
    state: JsonValue,
    options: CreateBrowsingSession,
  ): Promise<HeadlessSession> {
    return this.#restore(principal, readState(state), options, randomHex(16), randomHex(32))
  }

  health(): JsonObject {
    let pages = 0
    for (const session of this.#sessions.values()) pages += session.info().pageCount
    return { engines: [...this.features.engines], default: this.#default.id, sessions: this.#sessions.size, pages }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#stopSweep?.()
    await Promise.all([...this.#sessions.values()].map((session) => session.end('server-closed')))
    await Promise.all(this.#options.engines.map((engine) => engine.close()))
    this.#options.vault?.close()
  }

  async #open(
    principal: Principal,
    options: CreateBrowsingSession,
    id: string,
    attachSecret: string,
    expiresAt?: number,
  ): Promise<HeadlessSession> {
    const limits = this.#limits
    this.#refuseOver(principal)
    const engine = this.#engineNamed(options.engine ?? this.#default.id, this.#default)
    const { contextOptions, ignored } = readContextOptions(principal, options, engine, { ...this.#options, limits })
    if (options.persist === true && this.#options.vault === undefined) ignored.push('persist')
    if (options.joinToken !== undefined) ignored.push('join_token')
    this.#opening += 1
    try {
      const context = await engine.openContext(contextOptions)
      const createdAt = this.#clock.now()
      const session = new HeadlessSession({
        id,
        attachSecret,
        principal,
        options,
        ignored,
        engine,
        context,
        policy: contextOptions.policy,
        limits,
        clock: this.#clock,
        log: this.#log,
        metrics: this.#metrics,
        createdAt,
        expiresAt: expiresAt ?? createdAt + Math.min(options.ttlMs ?? limits.defaultTtlMs, limits.maxTtlMs),
        onClosed: (closed, keep) => this.#closed(closed, keep),
      })
      this.#sessions.set(id, session)
      this.#owners.set(id, principal)
      this.#metrics.gauge('browsing_sessions', this.#sessions.size)
      this.#log.info('browsing-session-open', { session: id, engine: engine.id })
      this.#sweepLater()
      return session
    } finally {
      this.#opening -= 1
    }
  }

  async #restore(
    principal: Principal,
    state: SessionState,
    options: CreateBrowsingSession,
    id: string,
    attachSecret: string,
    expiresAt?: number,
  ): Promise<HeadlessSession> {
    const profile = { ...state.profile, ...options.profile }
    const session = await this.#open(principal, { ...options, profile }, id, attachSecret, expiresAt)
    try {
      // Cookies of a parent domain, or of hosts this session may not reach, are kept as they were: nothing is sent there.
      for (const cookie of state.cookies) checkCookie(cookie)
      await session.parts.context.cookies.set(state.cookies)
      await session.parts.context.importStorage(state.storage)
    } catch (thrown) {
      await session.close()
      throw thrown
    }
    const call = { signal: new AbortController().signal }
    // A page that cannot be loaded any more is there all the same, empty, and says so when it is used.
    for (const url of state.pages.slice(0, this.#limits.maxPagesPerSession)) {
      const page = await session.createPage(call)
      await page.navigate(url, {}, call).catch(() => {})
    }
    return session
  }

  /** A persistent session that outlived its server, or its idle time. */
  async #revive(principal: Principal, id: string, attachSecret: string): Promise<HeadlessSession> {
    const { vault } = this.#options
    const stored = /^[\da-f]{32}$/.test(id) ? await vault?.load(id) : undefined
    // The digest is made in any case, so that an unknown id takes as long as a wrong secret.
    const isRight = equalsSecret(await digest(attachSecret), stored?.secretDigest ?? '0'.repeat(64))
    if (vault === undefined || stored === undefined || !isRight || stored.tenant !== principal.tenant) throw noSession()
    if (stored.expiresAt <= this.#clock.now()) {
      await vault.remove(id)
      throw noSession()
    }
    const plain = new TextDecoder().decode(await vault.decrypt(stored.sealed, id))
    const { state, options } = JSON.parse(plain) as { state: JsonValue; options: CreateBrowsingSession }
    return this.#restore(principal, readState(state), options, id, attachSecret, stored.expiresAt)
  }

  async #closed(session: HeadlessSession, keep: boolean): Promise<void> {
    const { vault } = this.#options
    try {
      if (vault !== undefined && (keep || session.isPersistent)) {
        if (keep) await this.#keep(vault, session)
        else await vault.remove(session.id)
      }
    } finally {
      this.#sessions.delete(session.id)
      this.#owners.delete(session.id)
      this.#metrics.gauge('browsing_sessions', this.#sessions.size)
      this.#log.info('browsing-session-close', { session: session.id })
    }
  }

  async #keep(vault: SessionVault, session: HeadlessSession): Promise<void> {
    const { principal, options, expiresAt } = session.parts
    const plain = JSON.stringify({ state: await session.exportState(), options: { ...options, persist: true } })
    await vault.save({
      id: session.id,
      principalId: principal.id,
      tenant: principal.tenant,
      secretDigest: await digest(session.attachSecret),
      expiresAt,
      sealed: await vault.encrypt(new TextEncoder().encode(plain), session.id),
    })
  }

  /** A crash loses no more of a persistent session than since the last look. */
  #keepUsed(session: HeadlessSession): void {
    const { vault } = this.#options
    if (vault === undefined || !session.isPersistent || this.#clock.now() - session.lastUsedAt > 2 * SWEEP_MS) return
    this.#keep(vault, session).catch(() => this.#log.error('browsing-session-keep-failed', { session: session.id }))
  }

  #refuseOver(principal: Principal): void {
    const { maxSessions, maxSessionsPerPrincipal } = this.#limits
    if (this.#isClosed) throw new DomosError('unavailable', 'The server is shutting down.')
    if (this.#sessions.size + this.#opening >= maxSessions) {
      throw new DomosError('busy', `This server has ${maxSessions} browsing sessions; close one first.`, {
        details: { reason: 'RESOURCE_EXHAUSTED', maxSessions },
      })
    }
    if (this.listSessions(principal).length >= maxSessionsPerPrincipal) {
      throw new DomosError('busy', `You have ${maxSessionsPerPrincipal} browsing sessions; close one first.`, {
        details: { reason: 'RESOURCE_EXHAUSTED', maxSessionsPerPrincipal },
      })
    }
  }

  #engineNamed(name: string, otherwise: BrowserEngine): BrowserEngine {
    if (name === 'auto') return otherwise
    const engine = this.#options.engines.find(({ id }) => id === name)
    if (engine !== undefined) return engine
    const known = this.#options.engines.map(({ id }) => id)
    throw new DomosError('unsupported', `This server has no engine ${name.slice(0, 40)}; it has ${known.join(', ')}.`, {
      details: { field: 'engine', known },
    })
  }

  #sweepLater(): void {
    if (this.#isClosed || this.#sessions.size === 0) return
    this.#stopSweep ??= this.#clock.schedule(SWEEP_MS, () => {
      this.#stopSweep = undefined
      const now = this.#clock.now()
      for (const session of this.#sessions.values()) {
        this.#keepUsed(session)
        const isOver = session.parts.expiresAt <= now
        if (isOver || now - session.lastUsedAt >= this.#limits.idleTimeoutMs) {
          session
            .end(isOver ? 'expired' : 'idle')
            .catch(() => this.#log.error('browsing-session-end-failed', { session: session.id }))
        }
      }
      this.#options.vault?.prune(now).catch(() => this.#log.error('browsing-vault-prune-failed'))
      this.#sweepLater()
    })
  }
}

function noSession(): DomosError {
  return new DomosError('not_found', 'There is no such session.', { details: { field: 'session_id' } })
}
