import { describe, expect, it } from 'vitest'
import { phonePageUrl } from './joining.ts'

const at = (address: string, isTls = true) => ({ address, port: 3000, isTls })

describe('the address of the phone page', () => {
  it('is the host name the operator gave, else the address of this machine in its network', () => {
    expect(phonePageUrl(at('0.0.0.0'), { publicHosts: ['home.example'] })).toBe('https://home.example:3000/demo/phone')
    expect(phonePageUrl(at('0.0.0.0'), { publicHosts: [] }, () => ['192.168.1.7'])).toBe(
      'https://192.168.1.7:3000/demo/phone',
    )
    expect(phonePageUrl(at('fd00::7', false), { publicHosts: [] })).toBe('http://[fd00::7]:3000/demo/phone')
  })

  it('is none while only this machine reaches the server', () => {
    expect(phonePageUrl(at('127.0.0.1'), { publicHosts: [] })).toBeUndefined()
    expect(phonePageUrl(at('::'), { publicHosts: [] }, () => [])).toBeUndefined()
    expect(phonePageUrl(undefined, { publicHosts: [] })).toBeUndefined()
  })
})
