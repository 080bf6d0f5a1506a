import type { Clock } from '@domos/spec'

const MINUTE_MS = 60_000

/** Counts events against a number per minute. */
export interface RateLimiter {
  /** Takes one; gives 0 when allowed, else the milliseconds until the next one is. */
  take(): number
  /** One that was taken did not happen after all. */
  giveBack(): void
}

/** Makes a token bucket that holds and refills `perMinute` tokens a minute. */
export function createRateLimiter(perMinute: number, clock: Clock): RateLimiter {
  let tokens = perMinute
  let at = clock.now()
  return {
    take() {
      const now = clock.now()
      tokens = Math.min(perMinute, tokens + (Math.max(0, now - at) * perMinute) / MINUTE_MS)
      at = now
      if (tokens >= 1) {
        tokens -= 1
        return 0
      }
      return Math.ceil(((1 - tokens) * MINUTE_MS) / perMinute)
    },
    giveBack() {
      tokens = Math.min(perMinute, tokens + 1)
    },
  }
}
