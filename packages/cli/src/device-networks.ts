import { BlockList, isIP } from 'node:net'
import { DomosError } from '@domos/spec'

/**
 * Tells whether an address is in one of the networks, written as CIDR (`192.168.1.0/24`, `fd00::/8`) or single addresses.
 * @throws DomosError `invalid_request` naming the one that cannot be read
 */
export function createNetworkTest(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const version = isIP(address)
    const bits = version === 4 ? 32 : 128
    const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
    if (version === 0 || !(length >= 0 && length <= bits)) {
      throw new DomosError(
        'invalid_request',
        `--allow-device-network: ${JSON.stringify(network)} is no network; write it like 192.168.1.0/24.`,
        { details: { setting: 'deviceNetworks' } },
      )
    }
    list.addSubnet(address, length, version === 4 ? 'ipv4' : 'ipv6')
  }
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
    const version = isIP(plain)
    return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6')
  }
}
