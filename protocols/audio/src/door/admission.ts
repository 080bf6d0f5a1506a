import { DomosError, type Host, type Principal, type Session, type Upgrade } from '@domos/spec'
import type { DeviceRegistry } from '../devices/registry.ts'
import { isPage } from '../dialects.ts'

/** Gives the session a join token or code stands for, and uses it up. */
export type RedeemJoinToken = (
  token: string,
  principal: Principal,
  remoteAddress: string,
) => Promise<Session | undefined> | Session | undefined

/** As whom a client without a key comes in with this join token or code; it is not used up. */
export type JoinTokenPrincipal = (
  token: string,
  remoteAddress: string,
) => Promise<Principal | undefined> | Principal | undefined

/** What admission needs. */
export interface AdmissionContext {
  readonly host: Host
  readonly devices?: DeviceRegistry
  /** Whether an unauthenticated device may come from this address. */
  readonly allowsDeviceFrom: (remoteAddress: string) => boolean
  readonly joinTokenPrincipal?: JoinTokenPrincipal
  /** Who sits in the joined session that this resume token takes up. */
  principalOfResumeToken(token: string): Principal | undefined
}

/** What a client shows in its first frame. */
export interface Shown {
  readonly key?: string | undefined
  readonly joinToken?: string | undefined
  readonly resumeToken?: string | undefined
}

/** Who is at the far end. */
export interface Admitted {
  readonly principal: Principal
  /** Set when the peer proved to be this device. */
  readonly deviceId?: string
}

/**
 * Finds out who connects: a registered device by its secret, else whoever the house knows by the key, else whoever holds a token
 * of a session that somebody opened to it, else, from a network the operator named, a device nobody knows. Undefined when a key
 * is needed and nothing was shown yet.
 * @throws DomosError `unauthorized`, `forbidden` (suspended or revoked device), `rate_limited`
 */
export async function admit(context: AdmissionContext, upgrade: Upgrade, shown: Shown): Promise<Admitted | undefined> {
  const { host, devices } = context
  const token = upgrade.token ?? shown.key
  if (token !== undefined) {
    const device = await devices?.findBySecret(token)
    if (device !== undefined) {
      if (device.state !== 'active') {
        throw new DomosError('forbidden', `The device ${device.id} is ${device.state}; an operator has to activate it.`)
      }
      return { principal: devicePrincipal(device.id, device.tenant), deviceId: device.id }
    }
  }
  if (host.requiresKey && token === undefined) {
    const holder = await tokenHolder(context, upgrade, shown)
    if (holder !== undefined) return { principal: holder }
    if (!isPage(upgrade.origin) && context.allowsDeviceFrom(upgrade.remoteAddress)) {
      return { principal: networkDevicePrincipal }
    }
    return undefined
  }
  const principal = await host.authenticate({
    door: 'voice',
    remoteAddress: upgrade.remoteAddress,
    ...(token === undefined ? {} : { token }),
    ...(upgrade.origin === undefined ? {} : { origin: upgrade.origin }),
  })
  return { principal }
}

async function tokenHolder(
  context: AdmissionContext,
  { remoteAddress }: Upgrade,
  { joinToken, resumeToken }: Shown,
): Promise<Principal | undefined> {
  const back = resumeToken === undefined ? undefined : context.principalOfResumeToken(resumeToken)
  if (back !== undefined) return back
  if (joinToken === undefined && resumeToken === undefined) return undefined
  const holder = joinToken === undefined ? undefined : await context.joinTokenPrincipal?.(joinToken, remoteAddress)
  if (holder !== undefined) return holder
  const message = 'A key is needed, or a join token that is known and neither used nor expired; ask for a new one.'
  throw new DomosError('unauthorized', message, { details: { path: 'joinToken' } })
}

const deviceScopes: ReadonlySet<string> = new Set(['voice:use', 'agent:use'])

function devicePrincipal(id: string, tenant: string): Principal {
  return { id: `device:${id}`, tenant, allows: (scope) => deviceScopes.has(scope) }
}

/** Everybody on the operator's device network: trust 0, and no tool that could do harm. */
const networkDevicePrincipal: Principal = {
  id: 'device-network',
  tenant: 'default',
  allows: (scope) => deviceScopes.has(scope),
  maxRisk: 'none',
}
