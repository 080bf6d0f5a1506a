import { describe, expect, it } from 'vitest'
import { createNetworkTest } from './device-networks.ts'

describe('networks of devices', () => {
  const isDevice = createNetworkTest(['192.168.1.0/24', '10.0.0.7', 'fd00::/8'])

  it.each(['192.168.1.9', '::ffff:192.168.1.9', '10.0.0.7', 'fd12::1'])('%s is in', (address) => {
    expect(isDevice(address)).toBe(true)
  })
  it.each(['192.168.2.9', '10.0.0.8', 'fe80::1', '127.0.0.1', '', 'kitchen'])('%s is out', (address) => {
    expect(isDevice(address)).toBe(false)
  })
  it('nobody is in when none is named', () => {
    expect(createNetworkTest([])('192.168.1.9')).toBe(false)
  })
  it.each(['kitchen', '192.168.1.0/33', '192.168.1.0/x', '10.0.0', ''])('%j is no network', (network) => {
    expect(() => createNetworkTest([network])).toThrow(/--allow-device-network/)
  })
})
