import { networkInterfaces } from 'node:os'
import type { Joining } from '@domos/adtp/door'
import type { Agent } from '@domos/agent'
import { isLoopbackHost } from '@domos/server'
import type { Settings } from './settings.ts'

/** Where a listener was opened. */
export interface BoundAddress {
  readonly address: string
  readonly port: number
  readonly isTls: boolean
}

/** How pages enter sessions by join tokens and get tokens for others; `phonePage` is the page that joins, without a token. */
export function createJoining(agent: Agent, phonePage: () => string | undefined): Joining {
  return {
    redeem: (token, principal, remoteAddress) => agent.redeemJoinToken(token, principal, remoteAddress),
    principalOf: (token, remoteAddress) => agent.joinTokenPrincipal(token, remoteAddress),
    async issue(session) {
      const issued = await agent.issueJoinToken(session)
      const page = phonePage()
      // Behind the hash it reaches no server and no log.
      return page === undefined ? issued : { ...issued, url: `${page}#${issued.token}` }
    },
  }
}

/** The address of the demo's phone page as another device reaches it; undefined while none does. */
export function phonePageUrl(
  bound: BoundAddress | undefined,
  settings: Pick<Settings, 'publicHosts'>,
  addresses: () => readonly string[] = localNetworkAddresses,
): string | undefined {
  if (bound === undefined) return undefined
  const isWildcard = bound.address === '0.0.0.0' || bound.address === '::'
  const own = isWildcard ? addresses()[0] : isLoopbackHost(bound.address) ? undefined : bound.address
  const host = settings.publicHosts[0] ?? own
  if (host === undefined) return undefined
  const written = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  return `${bound.isTls ? 'https' : 'http'}://${written}:${bound.port}/demo/phone`
}

/** Addresses of this machine in its networks, IPv4 first: they are the ones a phone can do something with. */
function localNetworkAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])
  const outside = all.filter(({ internal, address }) => !internal && !address.toLowerCase().startsWith('fe80:'))
  return outside
    .toSorted((a, b) => Number(b.family === 'IPv4') - Number(a.family === 'IPv4'))
    .map(({ address }) => address)
}
