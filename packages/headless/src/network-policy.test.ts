import { describe, expect, it } from 'vitest'
import { createNetworkPolicy, isPublicAddress, matchesDomain } from './network-policy.ts'

const denied = { code: 'forbidden', details: expect.objectContaining({ reason: 'POLICY_DENIED' }) }

describe('addresses', () => {
  it.each([
    '169.254.169.254',
    'fd00:ec2::254',
    '100.100.100.200',
    '168.63.129.16',
    '0.0.0.0',
    '127.0.0.1',
    '127.255.0.3',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.0.1',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fe80::1%eth0',
    'fc00::1',
    '224.0.0.1',
    '255.255.255.255',
    '192.0.2.1',
    'not an address',
    '',
  ])('refuses %s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it.each(['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946', '::ffff:93.184.216.34'])(
    'lets %s through',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )
})

describe('URLs', () => {
  const policy = createNetworkPolicy()

  it.each([
    'file:///etc/passwd',
    'ftp://example.com/',
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:https://example.com/1',
    'view-source:https://example.com/',
    'chrome://version',
    'https://user@example.com/',
    'https://example.com:pw@93.184.216.34/',
    'http://127.1/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://0/',
  ])('refuses %s', (url) => {
    expect(() => policy.checkUrl(new URL(url))).toThrow(expect.objectContaining(denied))
  })

  it.each(['http://example.com/', 'https://example.com:8443/a?b#c', 'http://93.184.216.34/'])(
    'lets %s through',
    (url) => {
      expect(() => policy.checkUrl(new URL(url))).not.toThrow()
    },
  )

  it('checks every answer of a name, so that one bad address refuses it', () => {
    expect(() => policy.checkAddress('rebound.example', '93.184.216.34')).not.toThrow()
    expect(() => policy.checkAddress('rebound.example', '127.0.0.1')).toThrow(expect.objectContaining(denied))
  })

  it('lets a private address through for a host allowed by name, and no other', () => {
    const allowing = createNetworkPolicy({ allowedHosts: ['intranet.example', '127.0.0.1'] })
    expect(() => allowing.checkAddress('intranet.example', '10.0.0.1')).not.toThrow()
    expect(() => allowing.checkAddress('intranet.example.', '10.0.0.1')).not.toThrow()
    expect(() => allowing.checkUrl(new URL('http://127.0.0.1:8080/'))).not.toThrow()
    expect(() => allowing.checkAddress('other.example', '10.0.0.1')).toThrow()
    expect(() => allowing.checkUrl(new URL('http://127.0.0.2/'))).toThrow()
  })

  it('lets private addresses through when the operator says so, and still refuses other schemes', () => {
    const open = createNetworkPolicy({ allowPrivateNetwork: true })
    expect(() => open.checkUrl(new URL('http://localhost:1/'))).not.toThrow()
    expect(() => open.checkUrl(new URL('http://127.0.0.1:1/'))).not.toThrow()
    expect(() => open.checkUrl(new URL('file:///etc/passwd'))).toThrow()
  })

  it('keeps a session to its domains', () => {
    const bound = createNetworkPolicy({ allowedDomains: ['shop.example', '*.cdn.example'] })
    expect(() => bound.checkUrl(new URL('https://shop.example/'))).not.toThrow()
    expect(() => bound.checkUrl(new URL('https://a.cdn.example/'))).not.toThrow()
    expect(() => bound.checkUrl(new URL('https://evil-shop.example/'))).toThrow()
    expect(() => bound.checkUrl(new URL('https://shop.example.evil.example/'))).toThrow()
  })
})

describe('domain patterns', () => {
  it.each([
    ['example.com', 'example.com', true],
    ['example.com', 'www.example.com', false],
    ['*.example.com', 'example.com', true],
    ['*.example.com', 'a.b.example.com', true],
    ['*.example.com', 'badexample.com', false],
    ['example.com', 'EXAMPLE.com.', true],
  ])('%s matches %s: %s', (pattern, host, expected) => {
    expect(matchesDomain(pattern, host)).toBe(expected)
  })
})
