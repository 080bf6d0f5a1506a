import { describe, expect, it } from 'vitest'
import { checkCookie } from './check-cookie.ts'

describe('a cookie that is set', () => {
  it.each([
    [{ name: 'a\r\nX: y', value: '1', url: 'https://a.example/' }],
    [{ name: 'a=b', value: '1', url: 'https://a.example/' }],
    [{ name: 'a', value: '1\r\nX: y', url: 'https://a.example/' }],
    [{ name: 'a', value: '1; Domain=b.example', url: 'https://a.example/' }],
    [{ name: 'a', value: '1', path: '/;x', url: 'https://a.example/' }],
    [{ name: 'a', value: '1' }],
    [{ name: 'a', value: '1', url: 'nowhere' }],
    [{ name: 'a', value: '1', url: 'https://a.example/', domain: 'b.example' }],
    [{ name: 'a', value: '1', url: 'https://a.example/', domain: '.b.example' }],
    [{ name: 'a', value: '1', url: 'https://www.a.example/', domain: 'a.example' }],
    [{ name: '__Host-a', value: '1', url: 'http://a.example/' }],
    [{ name: '__Host-a', value: '1', domain: '.a.example', secure: true }],
    [{ name: '__Secure-a', value: '1', url: 'https://a.example/' }],
  ])('is refused when no browser would keep and send it as it stands: %j', (cookie) => {
    expect(() => checkCookie(cookie)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  })

  it.each([
    [{ name: 'a', value: 'x=1 "2", 3', url: 'http://a.example/p' }, 'a.example'],
    [{ name: 'a', value: '', domain: 'A.example' }, 'a.example'],
    [{ name: 'a', value: '1', url: 'https://www.a.example/', domain: '.a.example' }, 'www.a.example'],
    [{ name: '__Host-a', value: '1', url: 'https://a.example/', secure: true }, 'a.example'],
  ])('is taken otherwise: %j', (cookie, host) => {
    expect(checkCookie(cookie).hostname).toBe(host)
  })
})
