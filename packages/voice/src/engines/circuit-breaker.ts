import type { Clock } from '@domos/spec'
import { BREAKER_TABLE, type BreakerEvent, type BreakerState } from './breaker-state.ts'

/** Bounds of a circuit breaker. */
export interface CircuitBreakerLimits {
  /** Failures in a row after which an engine is left alone. @default 3 */
  readonly maxFailures: number
  /** How long it is left alone the first time; doubles with each failed attempt after that. @default 5000 */
  readonly restMs: number
  /** @default 300000 */
  readonly maxRestMs: number
}

/** Defaults of {@link CircuitBreakerLimits}. */
export const CIRCUIT_BREAKER_LIMITS: CircuitBreakerLimits = { maxFailures: 3, restMs: 5_000, maxRestMs: 300_000 }

/** Keeps calls away from something that keeps failing, and lets one through from time to time. */
export interface CircuitBreaker {
  readonly state: BreakerState
  /** Whether a call may be made now. After a rest only the first asker is told yes, until its result is in. */
  allows(): boolean
  succeeded(): void
  failed(): void
  /** The call that was allowed neither succeeded nor failed, e.g. it was cancelled. */
  withdrawn(): void
}

/** Makes a breaker that starts closed. */
export function createCircuitBreaker(
  clock: Clock,
  limits: CircuitBreakerLimits = CIRCUIT_BREAKER_LIMITS,
): CircuitBreaker {
  let state: BreakerState = 'closed'
  let failures = 0
  let rests = 0
  let restUntil = 0
  let isProbeOut = false
  const apply = (event: BreakerEvent): void => {
    const before = state
    state = BREAKER_TABLE[state][event]
    if (state === 'open' && before !== 'open') {
      restUntil = clock.now() + Math.min(limits.restMs * 2 ** rests, limits.maxRestMs)
      rests++
    }
  }
  return {
    get state() {
      return state
    },
    allows() {
      if (state === 'open' && clock.now() >= restUntil) apply('rest-over')
      if (state === 'closed') return true
      if (state === 'open' || isProbeOut) return false
      isProbeOut = true
      return true
    },
    succeeded() {
      isProbeOut = false
      failures = 0
      apply('success')
      if (state === 'closed') rests = 0
    },
    failed() {
      isProbeOut = false
      failures++
      apply(failures >= limits.maxFailures ? 'too-many-failures' : 'failure')
    },
    withdrawn() {
      isProbeOut = false
    },
  }
}
