import type { Clock } from '@domos/spec'
import { isLoopbackHost } from './address.ts'
import type { ServerLimits } from './limits.ts'

/** Counts connections and upgrades of each remote address. Caps do not apply to loopback. */
export interface AddressQuota {
  /** Takes a slot; returns its release, or the reason there is none. */
  take(address: string): { readonly release: () => void } | { readonly refused: string; readonly retryAfterS: number }
}

const WINDOW_MS = 60_000

/** Creates the quota; forgets an address once it has no connection and no upgrade within the last minute. */
export function createAddressQuota(limits: ServerLimits, clock: Clock): AddressQuota {
  const entries = new Map<string, { open: number; upgrades: number; windowStart: number }>()
  let total = 0

  const sweep = (now: number): void => {
    for (const [address, entry] of entries) {
      if (entry.open === 0 && now - entry.windowStart > WINDOW_MS) entries.delete(address)
    }
  }

  return {
    take(address) {
      if (total >= limits.maxConnections) return { refused: 'The server has no free connection.', retryAfterS: 10 }
      const now = clock.now()
      if (entries.size > 10_000) sweep(now)
      let entry = entries.get(address)
      if (entry === undefined || now - entry.windowStart > WINDOW_MS) {
        entry = { open: entry?.open ?? 0, upgrades: 0, windowStart: now }
        entries.set(address, entry)
      }
      if (!isLoopbackHost(address)) {
        if (entry.open >= limits.maxConnectionsPerAddress) {
          return { refused: 'Too many connections from this address.', retryAfterS: 30 }
        }
        if (entry.upgrades >= limits.maxUpgradesPerMinute) {
          return { refused: 'Too many connection attempts from this address.', retryAfterS: 60 }
        }
      }
      entry.upgrades += 1
      entry.open += 1
      total += 1
      let isReleased = false
      return {
        release() {
          if (isReleased) return
          isReleased = true
          total -= 1
          const current = entries.get(address)
          if (current !== undefined) current.open -= 1
        },
      }
    },
  }
}
