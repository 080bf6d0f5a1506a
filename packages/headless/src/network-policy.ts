import { DomosError, type NetworkPolicy } from '@domos/spec'
import ipaddr from 'ipaddr.js'

/** What pages may reach besides the public internet. */
export interface NetworkPolicyOptions {
  /** `--allow-private-network`. @default false */
  readonly allowPrivateNetwork?: boolean
  /** Host names whose addresses may be private (`--allow-host`). */
  readonly allowedHosts?: readonly string[]
  /** When given, only these hosts: exact names, or `*.example.com` for a domain and everything below it. */
  readonly allowedDomains?: readonly string[]
}

/** Addresses that are public by their range and must not be reached all the same (Azure's wire server). */
const DENIED_ADDRESSES: ReadonlySet<string> = new Set(['168.63.129.16'])

/**
 * Creates the one policy every request of a context passes through: scheme, userinfo and domain before the request,
 * each DNS answer before connecting, the connected address after it, and all of it again on every redirect.
 */
export function createNetworkPolicy(options: NetworkPolicyOptions = {}): NetworkPolicy {
  const allowedHosts = new Set((options.allowedHosts ?? []).map(normalHost))
  const allowedDomains = options.allowedDomains?.map((domain) => domain.toLowerCase())
  const mayBePrivate = (host: string): boolean =>
    options.allowPrivateNetwork === true || allowedHosts.has(normalHost(host))

  const checkAddress = (hostName: string, address: string): void => {
    if (mayBePrivate(hostName) || isPublicAddress(address)) return
    throw denied(
      'This address is not reachable from here. The operator can allow it with --allow-host or --allow-private-network.',
    )
  }

  return {
    checkUrl(url) {
      if (url.protocol !== 'http:' && url.protocol !== 'https:') {
        throw denied(`Only http and https are loaded, not ${url.protocol.slice(0, 16)}.`, { scheme: url.protocol })
      }
      if (url.username !== '' || url.password !== '') throw denied('A URL with a user name or password is not loaded.')
      const host = url.hostname.toLowerCase()
      if (host === '') throw denied('A URL without a host is not loaded.')
      if (allowedDomains !== undefined && !allowedDomains.some((pattern) => matchesDomain(pattern, host))) {
        throw denied('This host is not on the list of allowed domains.', { host })
      }
      const literal = host.startsWith('[') ? host.slice(1, -1) : host
      if (ipaddr.isValid(literal)) checkAddress(host, literal)
    },
    checkAddress,
  }
}

/** A policy that allows what all of these allow. */
export function combinePolicies(policies: readonly NetworkPolicy[]): NetworkPolicy {
  return {
    checkUrl(url) {
      for (const policy of policies) policy.checkUrl(url)
    },
    checkAddress(hostName, address) {
      for (const policy of policies) policy.checkAddress(hostName, address)
    },
  }
}

/** Whether an address is public unicast, whatever form it is written in. */
export function isPublicAddress(address: string): boolean {
  const plain = address.split('%')[0] ?? ''
  if (!ipaddr.isValid(plain)) return false
  const parsed = ipaddr.process(plain)
  return parsed.range() === 'unicast' && !DENIED_ADDRESSES.has(parsed.toString())
}

/** Whether a host name falls under a pattern. */
export function matchesDomain(pattern: string, host: string): boolean {
  const name = normalHost(host)
  if (!pattern.startsWith('*.')) return name === pattern
  const base = pattern.slice(2)
  return name === base || name.endsWith(`.${base}`)
}

function normalHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, '')
}

function denied(message: string, details: Record<string, string> = {}): DomosError {
  return new DomosError('forbidden', message, { details: { reason: 'POLICY_DENIED', ...details } })
}
