import type { DoorName } from '@domos/spec'
import { hostName, isIpLiteral, isLoopbackHost } from './address.ts'

/** Who may speak to the server from inside a browser. */
export interface OriginPolicy {
  /** Origins let in besides those of our own host, such as `https://shop.example`; `null` only if listed as `null`. */
  readonly allowedOrigins: readonly string[]
  /** Host names that are ours besides loopback and IP literals, such as `agent.example`. */
  readonly publicHosts: readonly string[]
}

/** Why an upgrade or request is refused; `setting` names what an operator would change. */
export interface OriginRefusal {
  readonly code: 'origin_refused' | 'host_refused'
  readonly message: string
  readonly setting: string
}

/**
 * Checks the `Host` header. A browser page that had its own name resolved to this machine (DNS rebinding) still sends
 * its own name here, so only names known to be ours pass.
 */
export function checkHost(policy: OriginPolicy, hostHeader: string | undefined): OriginRefusal | undefined {
  const name = hostHeader === undefined ? undefined : hostName(hostHeader)
  if (name !== undefined && isOurHost(policy, name)) return undefined
  return {
    code: 'host_refused',
    message: 'The Host header does not name this server. Add the name to the setting publicHosts.',
    setting: 'publicHosts',
  }
}

/**
 * Checks an `Origin` header: one that is absent passes (native clients send none), one of our own host or on the list
 * passes, everything else is refused. `file://` is for the voice door alone.
 */
export function checkOrigin(
  policy: OriginPolicy,
  door: DoorName | 'http',
  origin: string | undefined,
  hostHeader: string | undefined,
): OriginRefusal | undefined {
  if (origin === undefined) return undefined
  if (policy.allowedOrigins.includes(origin)) return undefined
  if (door === 'voice' && origin === 'file://') return undefined
  const own = hostHeader === undefined ? undefined : hostName(hostHeader)
  const theirs = originHost(origin)
  if (own !== undefined && theirs !== undefined && isOurHost(policy, own)) {
    if (theirs === own || (isLoopbackHost(theirs) && isLoopbackHost(own))) return undefined
  }
  return {
    code: 'origin_refused',
    message: 'This origin may not connect. Add it to the setting allowedOrigins.',
    setting: 'allowedOrigins',
  }
}

function isOurHost(policy: OriginPolicy, name: string): boolean {
  return isLoopbackHost(name) || isIpLiteral(name) || policy.publicHosts.includes(name)
}

function originHost(origin: string): string | undefined {
  if (!URL.canParse(origin)) return undefined
  const url = new URL(origin)
  // An origin is scheme, host and port; anything more is not one and did not come from a browser.
  if ((url.protocol !== 'http:' && url.protocol !== 'https:') || url.origin !== origin.toLowerCase()) return undefined
  return hostName(url.host)
}
