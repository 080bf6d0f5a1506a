import type { Clock, Principal } from '@domos/spec'
import { DomosError } from '@domos/spec'
import { sha256Hex } from './digest.ts'
import { randomHex } from './ids.ts'
import { createRateLimiter, type RateLimiter } from './rate.ts'
import type { AgentSession } from './session.ts'

/** A token with which a further door enters a session. */
export interface JoinToken {
  readonly token: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** Short-lived, single-use tokens for entering a session that exists. */
export interface JoinTokens {
  issue(session: AgentSession): Promise<JoinToken>
  /**
   * The session of a token, which is used up by this. Undefined for one that is unknown, used, too old, of a closed session or of
   * another tenant: all the same to who asks.
   * @throws DomosError `rate_limited` for a principal that keeps guessing
   */
  redeem(token: string, principal: Principal): Promise<AgentSession | undefined>
}

/** Bounds of {@link createJoinTokens}. */
export interface JoinTokenLimits {
  readonly joinTokenTtlMs: number
  readonly joinGuessesPerMinute: number
}

const TOKENS_MAX = 10_000
const PRINCIPALS_MAX = 10_000

/** Makes the tokens of one agent. Only their hashes are kept. */
export function createJoinTokens(limits: JoinTokenLimits, clock: Clock): JoinTokens {
  const tokens = new Map<string, { readonly session: AgentSession; readonly expiresAt: number }>()
  const guesses = new Map<string, RateLimiter>()

  function countGuess(principal: Principal): void {
    const limiter = guesses.get(principal.id) ?? createRateLimiter(limits.joinGuessesPerMinute, clock)
    guesses.set(principal.id, limiter)
    const oldest = guesses.keys().next().value
    if (guesses.size > PRINCIPALS_MAX && oldest !== undefined) guesses.delete(oldest)
    const wait = limiter.take()
    if (wait === 0) return
    throw new DomosError('rate_limited', 'Too many join tokens were tried.', { details: { retryAfterMs: wait } })
  }

  return {
    async issue(session) {
      const token = randomHex(16)
      const expiresAt = clock.now() + limits.joinTokenTtlMs
      tokens.set(await sha256Hex(token), { session, expiresAt })
      const oldest = tokens.keys().next().value
      if (tokens.size > TOKENS_MAX && oldest !== undefined) tokens.delete(oldest)
      return { token, expiresAt }
    },
    async redeem(token, principal) {
      const hash = await sha256Hex(token.slice(0, 256))
      const found = tokens.get(hash)
      const fits = found !== undefined && found.session.principal.tenant === principal.tenant
      if (!fits) {
        countGuess(principal)
        return undefined
      }
      tokens.delete(hash)
      return clock.now() < found.expiresAt && !found.session.signal.aborted ? found.session : undefined
    },
  }
}
