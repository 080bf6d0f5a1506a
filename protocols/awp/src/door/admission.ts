import { DomosError, type Host, type JsonObject, type Principal, type Upgrade } from '@domos/spec'
import type { AwpLimits } from '../limits.ts'
import {
  type FindSigningKey,
  type NonceMemory,
  openSignedConnection,
  type SignedConnection,
  type SigningCrypto,
} from './signing.ts'

/** What lets peers in. */
export interface AdmissionEnvironment {
  readonly host: Host
  readonly limits: AwpLimits
  readonly nonces: NonceMemory
  readonly findSigningKey: FindSigningKey | undefined
  readonly signingCrypto: SigningCrypto | undefined
}

/** Who came in, and whether their frames are signed from now on. */
export interface Admission {
  readonly principal: Principal
  readonly signed?: SignedConnection
}

const METHODS = ['none', 'bearer', 'hmac'] as const

/**
 * Lets a peer in by `params.auth` of its hello, or by its upgrade ("Auth Methods"). A repeated hello without `auth`
 * keeps who was let in before.
 * @throws DomosError `unauthorized`, `forbidden`, `rate_limited`; `unsupported` for a method that is not configured
 */
export async function admit(
  params: JsonObject,
  upgrade: Upgrade,
  before: Admission | undefined,
  environment: AdmissionEnvironment,
): Promise<Admission> {
  const { host, limits, nonces, findSigningKey, signingCrypto } = environment
  const auth = params['auth']
  if (auth !== undefined && (typeof auth !== 'object' || auth === null || Array.isArray(auth))) {
    throw new DomosError('invalid_request', 'auth must be an object such as {method: "bearer", token}.', {
      details: { path: 'params.auth' },
    })
  }
  if (auth === undefined && before !== undefined) return before
  const given = (auth ?? {}) as JsonObject
  const method = given['method'] ?? 'none'
  const origin = upgrade.origin === undefined ? {} : { origin: upgrade.origin }
  const peer = { door: 'awp', remoteAddress: upgrade.remoteAddress, ...origin } as const
  let admission: Admission
  if (method === 'hmac') {
    if (findSigningKey === undefined || signingCrypto === undefined) {
      throw new DomosError('unsupported', 'This server has no signing keys configured.', {
        details: { field: 'auth.method' },
      })
    }
    const key = typeof given['key_id'] === 'string' ? await findSigningKey(given['key_id'], peer) : undefined
    const signed = openSignedConnection(given, key, nonces, signingCrypto, limits, host.clock.now())
    admission = { principal: signed.principal, signed }
  } else if (method === 'none' || method === 'bearer') {
    const token = method === 'bearer' && typeof given['token'] === 'string' ? given['token'] : upgrade.token
    admission = { principal: await host.authenticate({ ...peer, ...(token === undefined ? {} : { token }) }) }
  } else {
    throw new DomosError('unsupported', `auth.method is one of ${METHODS.join(', ')}.`, {
      details: { field: 'auth.method', supported: METHODS },
    })
  }
  if (before === undefined) return admission
  if (before.principal.id !== admission.principal.id) {
    throw new DomosError('conflict', 'A connection keeps its principal. Open another one.')
  }
  // What is signed stays signed.
  return admission.signed === undefined && before.signed !== undefined ? before : admission
}
