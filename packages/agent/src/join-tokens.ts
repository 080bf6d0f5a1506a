import type { Clock, Principal } from '@domos/spec'
import { DomosError } from '@domos/spec'
import { sha256Hex } from './digest.ts'
import { randomDigits, randomHex } from './ids.ts'
import { createRateLimiter, type RateLimiter } from './rate.ts'
import type { AgentSession } from './session.ts'

/** What lets a further door enter a session: a token for machines, and a code for people that means the same. Good for one use. */
export interface JoinToken {
  /** 32 hex digits. */
  readonly token: string
  /** Six digits to be typed; absent while `joinCodesMax` others are open. */
  readonly code?: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** Short-lived, single-use tokens for entering a session that exists. */
export interface JoinTokens {
  issue(session: AgentSession): Promise<JoinToken>
  /**
   * The session of a token or code, which is used up by this. Undefined for one that is unknown, used, too old, of a closed
   * session or of another tenant: all the same to who asks.
   * @throws DomosError `rate_limited` for somebody who keeps guessing
   */
  redeem(given: string, principal: Principal, remoteAddress?: string): Promise<AgentSession | undefined>
  /**
   * As whom somebody who shows nothing but this token or code comes in; it is not used up. Undefined as for {@link redeem}.
   * @throws DomosError `rate_limited` for somebody who keeps guessing
   */
  principalOf(given: string, remoteAddress?: string): Promise<Principal | undefined>
}

/** Bounds of {@link createJoinTokens}. */
export interface JoinTokenLimits {
  readonly joinTokenTtlMs: number
  readonly joinGuessesPerMinute: number
  readonly joinGuessesTotalPerMinute: number
  readonly joinTokensPerSessionMax: number
  readonly joinCodesMax: number
}

interface Grant {
  readonly session: AgentSession
  readonly hash: string
  readonly code: string | undefined
  readonly expiresAt: number
}

const TOKENS_MAX = 10_000
const SOURCES_MAX = 10_000
const CODE = /^\d{6}$/

/**
 * Makes the tokens of one agent. Of tokens only hashes are kept. A code is short, so a session has one at a time, and who tries
 * codes is stopped before it is looked at: otherwise the right one would get through however many wrong ones came before.
 */
export function createJoinTokens(limits: JoinTokenLimits, clock: Clock): JoinTokens {
  const byHash = new Map<string, Grant>()
  const byCode = new Map<string, Grant>()
  const sources = new Map<string, RateLimiter>()
  const everybody = createRateLimiter(limits.joinGuessesTotalPerMinute, clock)

  function sourceOf(key: string): RateLimiter {
    const limiter = sources.get(key) ?? createRateLimiter(limits.joinGuessesPerMinute, clock)
    sources.delete(key)
    sources.set(key, limiter)
    const oldest = sources.keys().next().value
    if (sources.size > SOURCES_MAX && oldest !== undefined) sources.delete(oldest)
    return limiter
  }

  /** Counts a guess; the returned function takes it back. */
  function countGuess(source: RateLimiter): () => void {
    const wait = source.take()
    const total = wait === 0 ? everybody.take() : 0
    if (wait === 0 && total > 0) source.giveBack()
    if (wait > 0 || total > 0) {
      const retryAfterMs = Math.max(wait, total)
      const sentence = `Too many wrong codes; try again in ${Math.ceil(retryAfterMs / 1000)} s.`
      throw new DomosError('rate_limited', sentence, { details: { retryAfterMs, path: 'joinToken' } })
    }
    return () => {
      source.giveBack()
      everybody.giveBack()
    }
  }

  function forget(grant: Grant): void {
    byHash.delete(grant.hash)
    if (grant.code !== undefined) byCode.delete(grant.code)
  }

  function isOpen(grant: Grant): boolean {
    if (clock.now() < grant.expiresAt && !grant.session.signal.aborted) return true
    forget(grant)
    return false
  }

  async function find(given: string, source: string, fits: (grant: Grant) => boolean): Promise<Grant | undefined> {
    const plain = given.slice(0, 256).replace(/[\s-]/g, '')
    const limiter = sourceOf(source)
    const isCode = CODE.test(plain)
    const giveBack = isCode ? countGuess(limiter) : undefined
    const grant = isCode ? byCode.get(plain) : byHash.get(await sha256Hex(plain))
    if (grant === undefined || !fits(grant)) {
      if (!isCode) countGuess(limiter)
      return undefined
    }
    giveBack?.()
    return isOpen(grant) ? grant : undefined
  }

  function newCode(): string | undefined {
    for (const grant of [...byCode.values()]) isOpen(grant)
    if (byCode.size >= limits.joinCodesMax) return undefined
    for (;;) {
      const code = randomDigits(6)
      if (!byCode.has(code)) return code
    }
  }

  return {
    async issue(session) {
      const mine = [...byHash.values()].filter((grant) => grant.session === session)
      for (const grant of mine) if (grant.code !== undefined) byCode.delete(grant.code)
      for (const grant of mine.slice(0, Math.max(0, mine.length + 1 - limits.joinTokensPerSessionMax))) forget(grant)
      const token = randomHex(16)
      const code = newCode()
      const grant: Grant = {
        session,
        hash: await sha256Hex(token),
        code,
        expiresAt: clock.now() + limits.joinTokenTtlMs,
      }
      byHash.set(grant.hash, grant)
      if (code !== undefined) byCode.set(code, grant)
      const oldest = byHash.values().next().value
      if (byHash.size > TOKENS_MAX && oldest !== undefined) forget(oldest)
      return { token, expiresAt: grant.expiresAt, ...(code === undefined ? {} : { code }) }
    },
    async redeem(given, principal, remoteAddress) {
      const source = remoteAddress === undefined ? `principal ${principal.id}` : networkOf(remoteAddress)
      const grant = await find(given, source, ({ session }) => session.principal.tenant === principal.tenant)
      if (grant === undefined) return undefined
      forget(grant)
      return grant.session
    },
    async principalOf(given, remoteAddress) {
      const grant = await find(given, remoteAddress === undefined ? 'unknown' : networkOf(remoteAddress), () => true)
      return grant?.session.principal
    },
  }
}

/** Addresses that one person has at will count as one: an IPv6 network of 64 bits. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.split('%')[0]?.split('::') ?? []
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':').toLowerCase()
}
