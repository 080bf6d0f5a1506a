import { describe, expect, it } from 'vitest'
import { checkHost, checkOrigin, type OriginPolicy } from './origin.ts'

const policy: OriginPolicy = { allowedOrigins: ['https://shop.example'], publicHosts: ['agent.example'] }

describe('origins', () => {
  const accepted: [string | undefined, string][] = [
    [undefined, 'localhost:3000'],
    ['https://shop.example', 'localhost:3000'],
    ['http://localhost:3000', 'localhost:3000'],
    ['http://localhost:5173', 'localhost:3000'],
    ['http://127.0.0.1:3000', 'localhost:3000'],
    ['https://agent.example', 'agent.example'],
    ['http://192.168.1.7:3000', '192.168.1.7:3000'],
  ]
  it.each(accepted)('lets %s in at %s', (origin, host) => {
    expect(checkOrigin(policy, 'adtp', origin, host)).toBeUndefined()
  })

  const refused: [string, string][] = [
    ['https://evil.example', 'localhost:3000'],
    ['http://localhost.evil.example', 'localhost:3000'],
    ['http://evil.example:3000', 'localhost:3000'],
    ['null', 'localhost:3000'],
    ['', 'localhost:3000'],
    ['file://', 'localhost:3000'],
    ['https://shop.example.evil.example', 'localhost:3000'],
    ['https://shop.example:444', 'localhost:3000'],
    ['http://localhost@evil.example', 'localhost:3000'],
    ['http://localhost:3000/path', 'localhost:3000'],
    ['chrome-extension://abcdef', 'localhost:3000'],
    ['http://evil.example', 'evil.example'],
    ['http://192.168.1.8:3000', '192.168.1.7:3000'],
  ]
  it.each(refused)('refuses %s at %s', (origin, host) => {
    expect(checkOrigin(policy, 'adtp', origin, host)).toMatchObject({
      code: 'origin_refused',
      setting: 'allowedOrigins',
    })
  })

  it('lets file:// in at the voice door alone', () => {
    expect(checkOrigin(policy, 'voice', 'file://', 'localhost:3000')).toBeUndefined()
    expect(checkOrigin(policy, 'awp', 'file://', 'localhost:3000')).toBeDefined()
  })

  it('lets null in only when it is listed', () => {
    expect(checkOrigin({ ...policy, allowedOrigins: ['null'] }, 'adtp', 'null', 'localhost')).toBeUndefined()
  })
})

describe('hosts', () => {
  it.each([
    'localhost:3000',
    '127.0.0.1',
    '127.9.9.9:80',
    '[::1]:3000',
    'agent.example',
    'shop.localhost:3000',
    '10.0.0.4',
  ])('takes %s for ours', (host) => {
    expect(checkHost(policy, host)).toBeUndefined()
  })
  it.each([
    undefined,
    '',
    'rebound.example:3000',
    'localhost.evil.example',
    'a b',
    'localhost:3000:1',
    'evil@localhost',
  ])('refuses the name %s', (host) => {
    expect(checkHost(policy, host)).toMatchObject({ code: 'host_refused', setting: 'publicHosts' })
  })
})
