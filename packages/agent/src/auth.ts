import type { Clock, Credentials, DoorName, Principal, Scope } from '@domos/spec'
import { DomosError, SCOPES } from '@domos/spec'
import { equalConstantTime, sha256Hex } from './digest.ts'
import { createRateLimiter, type RateLimiter } from './rate.ts'

/** One API key and what it allows. */
export interface ApiKey {
  /** Stable id for logs and the audit log; never the key itself. */
  readonly id: string
  /** The key, or its SHA-256 in `sha256` so that no configuration has to hold it. */
  readonly key?: string
  /** SHA-256 of the key's UTF-8 bytes, in hex. */
  readonly sha256?: string
  /** @default 'default' */
  readonly tenant?: string
  /** @default all doors without their dangerous parts: `agent:use`, `voice:use`, `som:read`, `page:act`, `session:write` */
  readonly scopes?: readonly string[]
  /** Origins a browser may use this key from; a missing Origin is then refused. @default any */
  readonly allowedOrigins?: readonly string[]
  /** Hosts this key may reach. @default no restriction */
  readonly allowedDomains?: readonly string[]
  /** Epoch milliseconds after which it no longer works. */
  readonly expiresAt?: number
  /** Open sessions at a time. @default `sessionsPerPrincipalMax` */
  readonly sessionsMax?: number
  /** User inputs a minute over all its sessions. @default no bound beyond the one per session */
  readonly inputsPerMinute?: number
}

/** A principal with the bounds of its key. */
export interface BoundedPrincipal extends Principal {
  readonly sessionsMax?: number
  readonly inputs?: RateLimiter
}

/** Lets people in. */
export interface Authenticator {
  readonly requiresKey: boolean
  /** @throws DomosError `unauthorized`, `forbidden`, `rate_limited` */
  authenticate(credentials: Credentials): Promise<BoundedPrincipal>
}

/** What {@link createAuthenticator} takes. */
export interface AuthenticatorOptions {
  readonly keys: readonly ApiKey[]
  /** Scopes of everybody where there are no keys. @default all */
  readonly anonymousScopes?: readonly string[]
  readonly failuresPerMinute: number
  readonly clock: Clock
}

const DEFAULT_SCOPES: readonly Scope[] = ['agent:use', 'voice:use', 'som:read', 'page:act', 'session:write']
const DOOR_SCOPES: Readonly<Record<DoorName, Scope | undefined>> = {
  adtp: 'agent:use',
  voice: 'voice:use',
  awp: undefined,
}
const ADDRESSES_MAX = 10_000
const KEY_MAX_CHARS = 4_096

/**
 * Makes the authenticator. Keys are compared by their hashes in constant time, all of them each time. Without keys everybody is
 * the principal `anonymous`.
 * @throws DomosError `invalid_request` for a key without `key` or `sha256`, or an id used twice
 */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { keys, clock } = options
  const seen = new Set<string>()
  for (const key of keys) {
    if (seen.has(key.id)) throw new DomosError('invalid_request', `Two API keys have the id ${key.id}.`)
    seen.add(key.id)
    if ((key.key === undefined || key.key === '') && !/^[0-9a-f]{64}$/i.test(key.sha256 ?? '')) {
      throw new DomosError('invalid_request', `The API key ${key.id} needs "key" or "sha256" (64 hex digits).`)
    }
  }
  const principals = keys.map((key) => ({ key, principal: principalOf(key, clock) }))
  const hashes = Promise.all(keys.map(async (key) => key.sha256?.toLowerCase() ?? (await sha256Hex(key.key ?? ''))))
  const anonymous = anonymousPrincipal(options.anonymousScopes ?? SCOPES)
  const failures = new Map<string, RateLimiter>()

  function blocked(address: string): RateLimiter {
    const limiter = failures.get(address) ?? createRateLimiter(options.failuresPerMinute, clock)
    failures.delete(address)
    failures.set(address, limiter)
    const oldest = failures.keys().next().value
    if (failures.size > ADDRESSES_MAX && oldest !== undefined) failures.delete(oldest)
    return limiter
  }

  function refuse(credentials: Credentials, message: string): DomosError {
    const address = credentials.remoteAddress
    if (address !== undefined && !isLoopback(address)) {
      const wait = blocked(address).take()
      if (wait > 0) {
        return new DomosError('rate_limited', 'Too many failed attempts from this address.', {
          details: { retryAfterMs: wait },
        })
      }
    }
    return new DomosError('unauthorized', message)
  }

  return {
    requiresKey: keys.length > 0,
    async authenticate(credentials) {
      if (keys.length === 0) return anonymous
      const { token } = credentials
      if (token === undefined || token === '') throw refuse(credentials, 'An API key is needed.')
      const hash = await sha256Hex(token.slice(0, KEY_MAX_CHARS))
      const known = await hashes
      let found = -1
      for (const [index, other] of known.entries()) if (equalConstantTime(hash, other)) found = index
      const entry = principals[found]
      if (entry === undefined || (entry.key.expiresAt !== undefined && clock.now() >= entry.key.expiresAt)) {
        throw refuse(credentials, 'The API key is not valid.')
      }
      const { key, principal } = entry
      if (key.allowedOrigins !== undefined && !key.allowedOrigins.includes(credentials.origin ?? '')) {
        throw new DomosError('forbidden', 'This API key may not be used from this origin.')
      }
      const scope = DOOR_SCOPES[credentials.door]
      if (scope !== undefined && !principal.allows(scope)) {
        throw new DomosError('forbidden', `This API key lacks the scope ${scope}.`, { details: { scope } })
      }
      return principal
    },
  }
}

function principalOf(key: ApiKey, clock: Clock): BoundedPrincipal {
  const scopes = new Set<string>(key.scopes ?? DEFAULT_SCOPES)
  return {
    id: key.id,
    tenant: key.tenant ?? 'default',
    allows: (scope) => scopes.has(scope) && (key.expiresAt === undefined || clock.now() < key.expiresAt),
    ...(key.allowedDomains === undefined ? {} : { allowedDomains: key.allowedDomains }),
    ...(key.sessionsMax === undefined ? {} : { sessionsMax: key.sessionsMax }),
    ...(key.inputsPerMinute === undefined ? {} : { inputs: createRateLimiter(key.inputsPerMinute, clock) }),
  }
}

function anonymousPrincipal(scopes: readonly string[]): BoundedPrincipal {
  const allowed = new Set(scopes)
  return { id: 'anonymous', tenant: 'default', allows: (scope) => allowed.has(scope) }
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}
