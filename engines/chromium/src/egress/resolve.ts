import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { DomosError, type NetworkPolicy } from '@domos/spec'

/** An address that has passed the policy; connections go to it and to no other, so that a later DNS answer is of no use. */
export interface PinnedAddress {
  readonly address: string
  readonly family: 4 | 6
}

/**
 * Resolves a host once and puts every answer to the policy.
 * @throws DomosError `forbidden` by the policy, `navigation_failed` (reason DNS_FAILED) without an address
 */
export async function resolvePinned(hostName: string, policy: NetworkPolicy): Promise<readonly PinnedAddress[]> {
  const host = hostName.startsWith('[') ? hostName.slice(1, -1) : hostName
  const literal = isIP(host)
  if (literal !== 0) {
    policy.checkAddress(hostName, host)
    return [{ address: host, family: literal === 6 ? 6 : 4 }]
  }
  let answers: readonly { address: string; family: number }[]
  try {
    answers = await lookup(host, { all: true, verbatim: true })
  } catch (thrown) {
    throw new DomosError('navigation_failed', `The host ${host} has no address.`, {
      details: { reason: 'DNS_FAILED' },
      cause: thrown,
    })
  }
  for (const { address } of answers) policy.checkAddress(hostName, address)
  return answers.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}
