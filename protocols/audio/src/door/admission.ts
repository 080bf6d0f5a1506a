import { DomosError, type Host, type Principal, type Upgrade } from '@domos/spec'
import type { DeviceRegistry } from '../devices/registry.ts'
import { isPage } from '../dialects.ts'

/** What admission needs. */
export interface AdmissionContext {
  readonly host: Host
  readonly devices?: DeviceRegistry
  /** Whether an unauthenticated device may come from this address. */
  readonly allowsDeviceFrom: (remoteAddress: string) => boolean
}

/** Who is at the far end. */
export interface Admitted {
  readonly principal: Principal
  /** Set when the peer proved to be this device. */
  readonly deviceId?: string
}

/**
 * Finds out who connects: a registered device by its secret, else whoever the house knows by the key, else, from a network the
 * operator named, a device nobody knows. Undefined when a key is needed and none was shown yet.
 * @throws DomosError `unauthorized`, `forbidden` (suspended or revoked device), `rate_limited`
 */
export async function admit(
  context: AdmissionContext,
  upgrade: Upgrade,
  key: string | undefined,
): Promise<Admitted | undefined> {
  const { host, devices } = context
  const token = upgrade.token ?? key
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
