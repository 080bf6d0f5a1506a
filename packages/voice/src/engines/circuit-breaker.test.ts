import { describe, expect, it } from 'vitest'
import { BREAKER_TABLE, type BreakerEvent, type BreakerState } from './breaker-state.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'

const limits = { maxFailures: 2, restMs: 1_000, maxRestMs: 3_000 }

function breakerAt(): { readonly breaker: ReturnType<typeof createCircuitBreaker>; pass(ms: number): void } {
  let now = 0
  const breaker = createCircuitBreaker({ now: () => now, schedule: () => () => {} }, limits)
  return {
    breaker,
    pass: (ms) => {
      now += ms
    },
  }
}

describe('the table of breaker states', () => {
  const expected: readonly (readonly [BreakerState, BreakerEvent, BreakerState])[] = [
    ['closed', 'success', 'closed'],
    ['closed', 'failure', 'closed'],
    ['closed', 'too-many-failures', 'open'],
    ['closed', 'rest-over', 'closed'],
    ['open', 'success', 'open'],
    ['open', 'failure', 'open'],
    ['open', 'too-many-failures', 'open'],
    ['open', 'rest-over', 'probing'],
    ['probing', 'success', 'closed'],
    ['probing', 'failure', 'open'],
    ['probing', 'too-many-failures', 'open'],
    ['probing', 'rest-over', 'probing'],
  ]
  it.each(expected)('goes from %s by %s to %s', (from, event, to) => {
    expect(BREAKER_TABLE[from][event]).toBe(to)
  })
})

describe('a circuit breaker', () => {
  it('opens after the bound of failures in a row, and a success in between starts the count afresh', () => {
    const { breaker } = breakerAt()
    breaker.failed()
    breaker.succeeded()
    breaker.failed()
    expect(breaker.allows()).toBe(true)
    breaker.failed()
    expect(breaker.allows()).toBe(false)
  })

  it('lets one call through after the rest, and closes when it succeeds', () => {
    const { breaker, pass } = breakerAt()
    breaker.failed()
    breaker.failed()
    pass(1_000)
    expect([breaker.allows(), breaker.allows()]).toEqual([true, false])
    breaker.succeeded()
    expect([breaker.allows(), breaker.state]).toEqual([true, 'closed'])
  })

  it('rests twice as long after each failed attempt, up to the bound', () => {
    const { breaker, pass } = breakerAt()
    breaker.failed()
    breaker.failed()
    const rests = [1_000, 2_000, 3_000, 3_000].map((rest) => {
      pass(rest - 1)
      const early = breaker.allows()
      pass(1)
      const late = breaker.allows()
      breaker.failed()
      return [early, late]
    })
    expect(rests).toEqual(rests.map(() => [false, true]))
  })

  it('gives the attempt to the next asker when the first one withdrew', () => {
    const { breaker, pass } = breakerAt()
    breaker.failed()
    breaker.failed()
    pass(1_000)
    expect(breaker.allows()).toBe(true)
    breaker.withdrawn()
    expect(breaker.allows()).toBe(true)
  })
})
