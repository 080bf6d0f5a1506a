import { type Clock, DomosError, type JsonValue } from '@domos/spec'
import { canonicalJson } from '@domos/wire'
import type { AwpError } from '../errors.ts'
import type { AwpLimits } from '../limits.ts'

/** What a request came to. */
export type Outcome = { readonly result: JsonValue } | { readonly error: AwpError }

/** Remembers the outcomes of requests that carried an idempotency key ("Idempotency"), per principal. */
export interface IdempotencyMemory {
  /**
   * Runs `work` once for a key; a repetition gets the same outcome, also while the first is still running. A key is
   * forgotten with an outcome that did nothing (refused before it started), so that it can be tried again.
   * @throws DomosError `conflict` (reason IDEMPOTENCY_MISMATCH) when the key was used with other parameters
   */
  run(
    owner: string,
    key: string,
    request: JsonValue,
    work: () => Promise<Outcome>,
  ): Promise<Outcome & { readonly isReplay: boolean }>
}

interface Entry {
  readonly fingerprint: string
  readonly outcome: Promise<Outcome>
  expiresAt: number
  bytes: number
}

/** Errors after which nothing has happened and the same request may be tried again. */
const HARMLESS: ReadonlySet<string> = new Set(['RATE_LIMITED', 'PERMISSION_DENIED', 'INVALID_REQUEST', 'UNSUPPORTED'])

/** Creates the memory, bounded by count, bytes and time. */
export function createIdempotencyMemory(limits: AwpLimits, clock: Clock): IdempotencyMemory {
  const owners = new Map<string, Map<string, Entry>>()

  const trim = (entries: Map<string, Entry>): void => {
    const now = clock.now()
    let bytes = 0
    for (const [key, entry] of entries) {
      if (entry.expiresAt <= now) entries.delete(key)
      else bytes += entry.bytes
    }
    for (const [key, entry] of entries) {
      if (entries.size <= limits.maxIdempotencyKeys && bytes <= limits.maxIdempotencyBytes) break
      entries.delete(key)
      bytes -= entry.bytes
    }
  }

  return {
    async run(owner, key, request, work) {
      let entries = owners.get(owner)
      if (entries === undefined) {
        entries = new Map()
        owners.set(owner, entries)
      }
      const fingerprint = canonicalJson(request)
      const known = entries.get(key)
      if (known !== undefined && known.expiresAt > clock.now()) {
        if (known.fingerprint !== fingerprint) {
          throw new DomosError('conflict', 'This idempotency_key was used with other parameters. Use a new one.', {
            details: { reason: 'IDEMPOTENCY_MISMATCH' },
          })
        }
        return { ...(await known.outcome), isReplay: true }
      }
      const entry: Entry = {
        fingerprint,
        outcome: work(),
        expiresAt: clock.now() + limits.idempotencyTtlMs,
        bytes: fingerprint.length,
      }
      entries.set(key, entry)
      trim(entries)
      const outcome = await entry.outcome
      if ('error' in outcome && HARMLESS.has(outcome.error.code)) entries.delete(key)
      else {
        entry.expiresAt = clock.now() + limits.idempotencyTtlMs
        entry.bytes += JSON.stringify(outcome).length
        trim(entries)
      }
      if (entries.size === 0) owners.delete(owner)
      return { ...outcome, isReplay: false }
    },
  }
}
