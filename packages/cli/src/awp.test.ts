import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { connectAwp } from '@domos/awp/client'
import { silentLog } from '@domos/spec'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { attach } from './attach.ts'
import type { Domos } from './compose.ts'
import { openPageSite, type PageSite } from './test/page-site.ts'

let dataDir: string
let site: PageSite
const cleanup: (() => unknown)[] = []
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'domos-awp-'))
  site = await openPageSite()
})
afterEach(async () => {
  for (const task of cleanup.splice(0).reverse()) await task()
  await site.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function serve(apiKeys: readonly object[] = []): Promise<{ url: string; domos: Domos; server: Server }> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const domos = await attach(server, { dataDir, apiKeys, allowPrivateNetwork: true, doors: ['awp'], log: silentLog })
  cleanup.push(async () => {
    await domos.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/awp`, domos, server }
}

const zstd = {
  compress: (bytes: Uint8Array) => zstdCompressSync(bytes),
  decompress: (bytes: Uint8Array, maxBytes: number) => zstdDecompressSync(bytes, { maxOutputLength: maxBytes }),
}

describe('the browser door of a composed server', () => {
  it.each([
    ['JSON', { encoding: 'json' }],
    ['MessagePack', { encoding: 'msgpack' }],
    ['MessagePack with zstd', { encoding: 'msgpack', zstd }],
  ] as const)('drives a real page over a real socket in %s', async (_name, options) => {
    const { url } = await serve()
    const client = await connectAwp(url, options)
    cleanup.push(() => client.close())
    const session = await client.createSession()
    const page = await session.createPage()
    await page.navigate(`${site.origin}/`)
    expect(await page.type({ query: { label: 'Name' } }, 'Ada')).toMatchObject({ effects: { value: 'Ada' } })
    expect(await page.click({ query: { role: 'button', text: 'Go' } })).toMatchObject({
      effects: { navigation: 'document' },
    })
    expect(site.asked).toContain('/sent?n=Ada&s=Chile')
    await page.navigate(`${site.origin}/long`)
    const { som } = await page.observe()
    expect(som).toMatchObject({ title: 'Long' })
  })

  it('comes back after a broken line with its session and pages', async () => {
    const { url } = await serve()
    const sockets: WebSocket[] = []
    const states: string[] = []
    const back = Promise.withResolvers<void>()
    const client = await connectAwp(url, {
      reconnect: { initialMs: 1 },
      onState(state) {
        states.push(state)
        if (state === 'open' && states.includes('lost')) back.resolve()
      },
      webSocket(address) {
        const socket = new WebSocket(address)
        sockets.push(socket)
        return socket as never
      },
    })
    cleanup.push(() => client.close())
    const page = await (await client.createSession()).createPage({ url: `${site.origin}/` })
    sockets[0]?.terminate()
    const observed = page.outline()
    await back.promise
    expect((await observed).text).toContain('# Cart')
    expect(sockets).toHaveLength(2)
  })

  it('takes signed connections by the id of a key, holds them to its scopes and domains, and audits what it refused', async () => {
    const key = { id: 'reader', key: 'a-secret-of-the-test', scopes: ['som:read', 'session:write'] }
    const { url, domos } = await serve([key, { id: 'other', key: 'another-secret', scopes: ['agent:use'] }])
    await expect(
      connectAwp(url, { signing: { keyId: 'reader', secret: 'guessed-secret' }, reconnect: false }),
    ).rejects.toMatchObject({ code: 'unauthorized' })
    const client = await connectAwp(url, { signing: { keyId: 'reader', secret: key.key } })
    cleanup.push(() => client.close())
    const session = await client.createSession()
    await expect(session.createPage()).rejects.toMatchObject({ code: 'forbidden', wireDetails: { scope: 'page:act' } })
    await expect(client.request('page.evaluate_js', { session_id: session.id, expression: '1' })).rejects.toMatchObject(
      { code: 'forbidden' },
    )
    await domos.close()
    const { openSqliteStore } = await import('@domos/store-sqlite')
    const store = openSqliteStore({ path: join(dataDir, 'domos.sqlite') })
    const audit = (await store.listAudit({ limit: 10 })).filter(({ event }) => event === 'scope-refused')
    await store.close()
    expect(audit.map(({ principalId, sessionId, details }) => ({ principalId, sessionId, details }))).toEqual(
      expect.arrayContaining([
        {
          principalId: 'reader',
          sessionId: session.id.slice(2),
          details: { door: 'awp', method: 'page.create', scope: 'page:act' },
        },
        {
          principalId: 'reader',
          sessionId: session.id.slice(2),
          details: { door: 'awp', method: 'page.evaluate_js', scope: 'page:evaluate' },
        },
      ]),
    )
  })

  it('keeps a key to its domains, also by links and redirects of a page', async () => {
    const key = { id: 'narrow', key: 'a-secret-of-the-test', allowedDomains: ['shop.example'] }
    const { url } = await serve([key])
    const client = await connectAwp(url, { token: key.key })
    cleanup.push(() => client.close())
    const page = await (await client.createSession()).createPage()
    await expect(page.navigate(`${site.origin}/`)).rejects.toMatchObject({
      code: 'forbidden',
      wireDetails: { reason: 'POLICY_DENIED' },
    })
    expect(site.asked).toEqual([])
  })

  it('brings its pages into a conversation by a join token, once, and takes them out when its session closes', async () => {
    const { url, domos } = await serve()
    const principal = await domos.agent.authenticate({ door: 'adtp' })
    const conversation = await domos.agent.openSession(principal, { door: 'adtp' })
    const { token } = await domos.agent.issueJoinToken(conversation)
    const client = await connectAwp(url)
    cleanup.push(() => client.close())
    await expect(client.createSession({ joinToken: 'guess' })).rejects.toMatchObject({
      code: 'not_found',
      wireDetails: { field: 'join_token' },
    })
    const session = await client.createSession({ joinToken: token })
    expect(session.ignored).toEqual([])
    await expect(client.createSession({ joinToken: token })).rejects.toMatchObject({ code: 'not_found' })
    await session.createPage({ url: `${site.origin}/second` })
    const observe = conversation.tools.get('browse_observe')
    const call = {
      id: 'c',
      sessionId: conversation.id,
      turnId: 't',
      signal: AbortSignal.timeout(10_000),
      risk: 'none',
      progress: () => {},
    } as const
    expect(JSON.stringify(await observe?.execute({}, call))).toContain('Second page')
    expect(conversation.tools.surface().effective.map(({ name }) => name)).toContain('browse_act')
    expect(conversation.members.map(({ door }) => door)).toEqual(['awp'])
    await session.close()
    expect([conversation.tools.get('browse_observe'), conversation.members]).toEqual([undefined, []])
  })

  it('refuses a page of another origin before the upgrade, and no key in the address', async () => {
    const { url } = await serve([{ key: 'a-secret-of-the-test' }])
    const status = (address: string, origin?: string): Promise<unknown> =>
      new Promise((resolve) => {
        const socket = new WebSocket(address, origin === undefined ? {} : { origin })
        socket.on('unexpected-response', (_request, response) => resolve(response.statusCode))
        socket.on('error', () => {})
        socket.on('open', () =>
          socket.send(JSON.stringify({ id: '1', method: 'awp.hello', params: { awp: { versions: ['0.1'] } } })),
        )
        socket.on('message', (data) =>
          resolve((JSON.parse(data.toString()) as { error?: { code: string } }).error?.code),
        )
      })
    expect(await status(url, 'https://evil.example')).toBe(403)
    expect(await status(url, 'null')).toBe(403)
    expect(await status(`${url}?apiKey=a-secret-of-the-test`)).toBe('PERMISSION_DENIED')
  })
})
