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
   * @throws DomosError `conflict` (reason IDEMPOTENCY_MISMATCH) when the key was used with other parameters, or the
   * reason of `signal` when a repetition no longer waits for the first
   */
  run(
    owner: string,
    key: string,
    request: JsonValue,
    work: () => Promise<Outcome>,
    signal: AbortSignal,
  ): Promise<{ readonly outcome: Outcome; readonly isReplay: boolean }>
}

interface Entry {
  readonly fingerprint: string
  readonly outcome: Promise<Outcome>
  isSettled: boolean
  expiresAt: number
  bytes: number
}

/** Errors after which nothing has happened and the same request may be tried again. */
const HARMLESS: ReadonlySet<string> = new Set(['RATE_LIMITED', 'PERMISSION_DENIED', 'INVALID_REQUEST', 'UNSUPPORTED'])

function isHarmless(outcome: Outcome): boolean {
  if (!('error' in outcome)) return false
  const { code, details } = outcome.error
  return HARMLESS.has(code) || (code === 'NOT_FOUND' && details?.['field'] === 'session_id')
}

/** Creates the memory, bounded by count, bytes and time. What still runs is not forgotten; its number has its own bound. */
export function createIdempotencyMemory(limits: AwpLimits, clock: Clock): IdempotencyMemory {
  const owners = new Map<string, Map<string, Entry>>()

  const trim = (entries: Map<string, Entry>): void => {
    const now = clock.now()
    let bytes = 0
    for (const [key, entry] of entries) {
      if (entry.isSettled && entry.expiresAt <= now) entries.delete(key)
      else bytes += entry.bytes
    }
    for (const [key, entry] of entries) {
      if (entries.size <= limits.maxIdempotencyKeys && bytes <= limits.maxIdempotencyBytes) break
      if (!entry.isSettled) continue
      entries.delete(key)
      bytes -= entry.bytes
    }
  }

  return {
    async run(owner, key, request, work, signal) {
      let entries = owners.get(owner)
      if (entries === undefined) {
        entries = new Map()
        owners.set(owner, entries)
      }
      const fingerprint = canonicalJson(request)
      const known = entries.get(key)
      if (known !== undefined && (!known.isSettled || known.expiresAt > clock.now())) {
        if (known.fingerprint !== fingerprint) {
          throw new DomosError('conflict', 'This idempotency_key was used with other parameters. Use a new one.', {
            details: { reason: 'IDEMPOTENCY_MISMATCH' },
          })
        }
        return { outcome: await orAbort(known.outcome, signal), isReplay: true }
      }
      trim(entries)
      if (entries.size >= limits.maxIdempotencyKeys && [...entries.values()].every(({ isSettled }) => !isSettled)) {
        throw new DomosError('busy', `At most ${limits.maxIdempotencyKeys} requests with a key run at once.`)
      }
      const entry: Entry = {
        fingerprint,
        outcome: work(),
        isSettled: false,
        expiresAt: clock.now() + limits.idempotencyTtlMs,
        bytes: fingerprint.length,
      }
      entries.delete(key)
      entries.set(key, entry)
      const outcome = await entry.outcome
      entry.isSettled = true
      if (isHarmless(outcome)) {
        if (entries.get(key) === entry) entries.delete(key)
      } else {
        entry.expiresAt = clock.now() + limits.idempotencyTtlMs
        entry.bytes += sizeOf(outcome)
        trim(entries)
      }
      if (entries.size === 0 && owners.get(owner) === entries) owners.delete(owner)
      return { outcome, isReplay: false }
    },
  }
}

function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** Roughly the bytes a value holds: texts and byte arrays by their length, everything else by a flat sum. */
function sizeOf(root: unknown): number {
  const open: unknown[] = [root]
  let bytes = 0
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string') bytes += value.length
    else if (value instanceof Uint8Array) bytes += value.byteLength
    else {
      bytes += 8
      if (typeof value === 'object' && value !== null) {
        for (const [key, inner] of Object.entries(value)) {
          bytes += key.length
          open.push(inner)
        }
      }
    }
  }
  return bytes
}
