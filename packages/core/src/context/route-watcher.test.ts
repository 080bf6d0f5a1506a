import { Window } from 'happy-dom'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DomOSClient } from '../client.ts'
import { settle } from '../test/fake-clock.ts'
import { FakeServer } from '../test/fake-server.ts'
import { readLocation, watchRoute } from './route-watcher.ts'

let page: Window

beforeEach(() => {
  page = new Window({ url: 'http://shop.test/products/headphones?sort=price#secret' })
  for (const name of ['window', 'document', 'history', 'location', 'sessionStorage'] as const) {
    vi.stubGlobal(name, name === 'window' ? page : page[name])
  }
})

afterEach(async () => {
  vi.unstubAllGlobals()
  await page.happyDOM.close()
})

describe('where the page is', () => {
  it('is path and query; a fragment only where it is a route (CORE-CTX-3)', () => {
    page.document.title = 'Pro Headphones - Store'
    expect(readLocation()).toEqual({
      url: '/products/headphones?sort=price',
      pathname: '/products/headphones',
      title: 'Pro Headphones - Store',
    })
    page.location.hash = '#/cart'
    expect(readLocation()).toMatchObject({
      url: '/products/headphones?sort=price#/cart',
      pathname: '/products/headphones#/cart',
    })
  })

  it('is watched by one patch for all watchers, taken back with the last', () => {
    const original = page.history.pushState
    const [one, two] = [vi.fn(), vi.fn()]
    const [endOne, endTwo] = [watchRoute(one), watchRoute(two)]
    page.history.pushState({}, '', '/cart')
    page.history.replaceState({}, '', '/checkout')
    endOne()
    page.history.pushState({}, '', '/account')
    endTwo()
    page.history.pushState({}, '', '/')
    expect(one).toHaveBeenCalledTimes(2)
    expect(two).toHaveBeenCalledTimes(3)
    expect(page.history.pushState).toBe(original)
    expect(page.location.pathname).toBe('/')
  })

  it('is told once with everything else that changed in the same task', async () => {
    const server = new FakeServer()
    const client = new DomOSClient({ endpoint: 'ws://shop.test/adtp', transport: server.transport, approvals: 'none' })
    await client.connect()
    const unmount = client.registerTool({ name: 'old', description: 'Old', handler: () => 1 })
    await settle()
    const before = server.of('CONTEXT_UPDATE').length
    page.history.pushState({}, '', '/cart')
    unmount()
    client.registerTool({ name: 'new', description: 'New', handler: () => 1 })
    client.setContext({ page: 'cart' })
    await settle()
    expect(
      server
        .of('CONTEXT_UPDATE')
        .slice(before)
        .map(({ payload }) => payload),
    ).toMatchObject([{ url: '/cart', activeTools: [{ name: 'new' }], data: { page: 'cart' } }])
    page.history.pushState({}, '', '/cart')
    await settle()
    expect(server.of('CONTEXT_UPDATE')).toHaveLength(before + 1)
    client.destroy()
  })
})

describe('a reload', () => {
  it('takes the session up in the next page, and a call that had begun is not run again', async () => {
    const server = new FakeServer()
    const first = new DomOSClient({ endpoint: 'ws://shop.test/adtp', transport: server.transport, approvals: 'none' })
    first.registerTool({ name: 'buy', description: 'Buys', handler: () => new Promise(() => {}) })
    await first.connect()
    server.send('TOOL_CALL', { callId: 'tc_1', name: 'buy', args: {} }, 4)
    await settle()
    page.dispatchEvent(new page.Event('pagehide'))
    server.acknowledge = ({ payload }) => ({
      sessionId: payload.resume?.sessionId ?? 'ses_other',
      capabilities: ['text', 'tools', 'resume', 'stream'],
      resumeToken: 'next',
      resumed: payload.resume !== undefined,
    })
    const handler = vi.fn()
    const second = new DomOSClient({ endpoint: 'ws://shop.test/adtp', transport: server.transport, approvals: 'none' })
    second.registerTool({ name: 'buy', description: 'Buys', handler })
    await second.connect()
    expect(server.of('HANDSHAKE_INIT')[1]?.payload.resume).toEqual({
      sessionId: 'ses_9e210bbf',
      token: 'token-1',
      lastSeq: 4,
    })
    server.send('TOOL_CALL', { callId: 'tc_1', name: 'buy', args: {} }, 4)
    await settle()
    expect(handler).not.toHaveBeenCalled()
    expect(server.of('TOOL_RESULT').map(({ payload }) => payload)).toMatchObject([
      { callId: 'tc_1', code: 'failed', error: expect.stringContaining('reloaded') },
    ])
    const third = new DomOSClient({ endpoint: 'ws://shop.test/adtp', transport: server.transport, approvals: 'none' })
    await third.connect()
    expect(server.of('HANDSHAKE_INIT')[2]?.payload.resume, 'what was left is good for one use').toBeUndefined()
    for (const client of [first, second, third]) client.destroy()
  })
})
