import { DomosError } from '@domos/spec'
import { describe, expect, it } from 'vitest'
import { createFrameCodec } from '../codec.ts'
import { defaultAwpLimits } from '../limits.ts'
import { nodeSigning, nodeZstd } from '../test/node-parts.ts'
import { principalWith, settle, type TestHouse, testHouse } from '../test/peer.ts'
import { createNetwork, type TestNetwork } from '../test/socket-pair.ts'
import { type AwpClient, AwpClientError, type ConnectAwpOptions, connectAwp } from './index.ts'

async function connected(
  options: ConnectAwpOptions = {},
  houseOptions: Parameters<typeof testHouse>[0] = {},
): Promise<{ house: TestHouse; network: TestNetwork; client: AwpClient }> {
  const house = testHouse(houseOptions)
  const network = createNetwork(house)
  const client = await connectAwp('ws://test/awp', {
    webSocket: network.webSocket,
    clock: house.clock,
    reconnect: { random: () => 0.5 },
    ...options,
  })
  return { house, network, client }
}

const codec = createFrameCodec(defaultAwpLimits, nodeZstd)
const methodsOf = (frames: readonly (string | Uint8Array)[] | undefined): unknown[] =>
  (frames ?? []).map((frame) => {
    const decoded = codec.decode(frame)
    return decoded.ok ? (decoded.value as { method?: unknown }).method : '?'
  })

describe('connectAwp', () => {
  it.each([{ encoding: 'json' }, { encoding: 'msgpack' }, { encoding: 'msgpack', zstd: nodeZstd }] as const)(
    'drives a page with $encoding',
    async (options) => {
      const { client, house } = await connected(options)
      const session = await client.createSession({ ttlMs: 1_000, limits: { maxJsHeapMb: 64 } })
      expect(session.ignored).toEqual(['limits.max_js_heap_mb'])
      const page = await session.createPage()
      expect(await page.navigate('https://example.com/', { wait: { until: 'load', timeoutMs: 5 } })).toMatchObject({
        status: 200,
        htmlBytes: 120,
      })
      expect(house.browsing.seen.at(-1)?.args[1]).toEqual({ until: 'load', timeoutMs: 5 })
      house.browsing.som = { some_key: { inner_key: 'kept'.repeat(1_000) } }
      const snapshot = await page.observe({ maxTokens: 100 })
      expect(snapshot).toMatchObject({ som: house.browsing.som, ext: { truncated: [] }, cursor: 'c:2' })
      expect(await page.mutations(snapshot.cursor)).toMatchObject({
        fromCursor: 'c:2',
        patches: [{ patch: [{ op: 'replace' }] }],
      })
      expect(await page.click({ elementRef: 'e_1' })).toMatchObject({
        effects: { navigation: 'same_document', somChanged: true, newPages: [{ pageId: 'p_2' }] },
        target: { elementId: 'e_1', role: 'button', confidence: 0.98 },
        cursor: 3,
      })
      const pieces: number[] = []
      for await (const piece of page.readDownload('d_1')) pieces.push(piece.length)
      expect(pieces.reduce((sum, length) => sum + length, 0)).toBe(1_000_000)
      client.close()
    },
  )

  it('leaves the names of extracted fields as the caller spells them', async () => {
    const { client, house } = await connected()
    const page = await (await client.createSession()).createPage()
    const query = { textRegex: 'x' }
    const result = await page.extract({
      queries: { unitPrice: { query, all: true, fields: { subTitle: { query: { label: 'L' } } } } },
    })
    expect(result).toMatchObject({ data: { unitPrice: 'value' }, provenance: { unitPrice: 'e_1' } })
    expect(house.browsing.seen.at(-1)?.args[0]).toEqual({
      queries: { unitPrice: { query, all: true, fields: { subTitle: { query: { label: 'L' } } } } },
    })
    expect((await page.extract({ interactiveElements: true })).data).toMatchObject({
      interactive_elements: [{ attrs: { input_type: 'text' } }],
    })
  })

  it("throws the server's errors with code, wire code and details", async () => {
    const { client, house } = await connected()
    const page = await (await client.createSession()).createPage()
    const thrown = await page.observe().catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(AwpClientError)
    expect(thrown).toMatchObject({ code: 'not_found', wireCode: 'NOT_FOUND', wireDetails: { method: 'page.observe' } })
    house.browsing.failNext('act', new DomosError('busy', 'Full.'))
    expect(await page.act({ action: 'click' }).catch((error: unknown) => error)).toMatchObject({ code: 'busy' })
  })

  it('says when it cannot connect, is refused, or nobody answers, and leaves no socket open', async () => {
    const house = testHouse({ keys: { right: principalWith('one', 'all') } })
    const network = createNetwork(house)
    const options = { webSocket: network.webSocket, clock: house.clock }
    await expect(connectAwp('ws://test/awp', { ...options, token: 'wrong' })).rejects.toMatchObject({
      code: 'unauthorized',
    })
    network.isDown = true
    await expect(connectAwp('ws://test/awp?x=secret', options)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.not.stringContaining('secret'),
    })
    network.isDown = false
    network.isDeaf = true
    const waiting = connectAwp('ws://test/awp', { ...options, token: 'right' }).catch((error: unknown) => error)
    await house.clock.advance(5_001)
    expect(await waiting).toMatchObject({ code: 'timeout' })
  })

  it('signs its hello and every frame, in text and in binary', async () => {
    const signing = { keyId: 'k1', secret: 'both ends know' }
    const houseOptions = {
      keys: { unused: principalWith('other', 'all') },
      signing: nodeSigning,
      findSigningKey: async (keyId: string) =>
        keyId === 'k1'
          ? { secret: new TextEncoder().encode('both ends know'), principal: principalWith('s', 'all') }
          : undefined,
    }
    for (const encoding of ['json', 'msgpack'] as const) {
      const { client, network } = await connected({ signing, encoding }, houseOptions)
      const session = await client.createSession()
      const pages = await Promise.all([session.createPage(), session.createPage(), session.createPage()])
      expect(new Set(pages.map(({ id }) => id)).size).toBe(3)
      const last = network.sent[0]?.at(-1)
      if (encoding === 'json') expect(last).toMatch(/^4\.[0-9a-f]{64}\n\{/)
      else expect((last as Uint8Array)[7]).toBe(4)
      client.close()
    }
  })

  it('tells the server when nobody waits any more', async () => {
    const { client, house } = await connected()
    const page = await (await client.createSession()).createPage()
    house.browsing.hold('act')
    const abort = new AbortController()
    const act = page.act({ action: 'click' }, { signal: abort.signal }).catch((error: unknown) => error)
    await settle()
    abort.abort(new DomosError('cancelled', 'No longer wanted.'))
    expect(await act).toMatchObject({ code: 'cancelled' })
    await settle()
    const again = page.act({ action: 'click' }, { timeoutMs: 50 }).catch((error: unknown) => error)
    await house.clock.advance(51)
    expect(await again).toMatchObject({ code: 'timeout' })
  })
})

describe('a client whose connection drops', () => {
  it('comes back, takes its sessions back, and sends unanswered requests again, each done once', async () => {
    const states: string[] = []
    const { client, house, network } = await connected({ onState: (state) => states.push(state) })
    const session = await client.createSession()
    const page = await session.createPage()
    const release = house.browsing.hold('act')
    const act = page.act({ action: 'click', target: { elementRef: 'e_1' } })
    await settle()
    network.drop()
    await settle()
    const during = page.navigate('https://example.com/')
    await house.clock.advance(1_000)
    release()
    expect(await act).toMatchObject({ action: 'primitive.click' })
    expect(await during).toMatchObject({ status: 200 })
    expect(house.browsing.count('act')).toBe(1)
    expect(methodsOf(network.sent[1])).toEqual(['awp.hello', 'session.attach', 'page.act', 'page.navigate'])
    expect(states).toEqual(['connecting', 'open', 'lost', 'connecting', 'open'])
  })

  it('gets the answer that was lost on the way, without doing it again', async () => {
    const { client, house, network } = await connected()
    const page = await (await client.createSession()).createPage()
    network.isDeaf = true
    const act = page.act({ action: 'click' })
    await settle()
    expect(house.browsing.count('act')).toBe(1)
    network.drop()
    network.isDeaf = false
    await house.clock.advance(1_000)
    expect(await act).toMatchObject({ action: 'primitive.click' })
    expect(house.browsing.count('act')).toBe(1)
  })

  it('gets one session for a create whose answer was lost, and can use it', async () => {
    const { client, house, network } = await connected()
    network.isDeaf = true
    const creating = client.createSession()
    await settle()
    network.drop()
    network.isDeaf = false
    await house.clock.advance(1_000)
    const session = await creating
    expect(house.browsing.count('createSession')).toBe(1)
    expect(await session.createPage()).toHaveProperty('id')
  })

  it('tries again while the server is away, also when the line breaks during its greeting', async () => {
    const { client, house, network } = await connected()
    const session = await client.createSession()
    network.isDown = true
    network.drop()
    await house.clock.advance(20_000)
    network.isDown = false
    network.isDeaf = true
    const listing = client.listSessions()
    await house.clock.advance(30_000)
    network.isDeaf = false
    await house.clock.advance(60_000)
    expect(await listing).toHaveLength(1)
    expect(await session.createPage()).toHaveProperty('id')
  })

  it('tells the readers of a session that is gone meanwhile', async () => {
    const { client, house, network } = await connected()
    const session = await client.createSession()
    const events = session.events()
    await house.browsing.session(principalWith('anonymous', 'all'), session.id.slice(2))
    network.isDeaf = true
    await house.browsing.session(principalWith('anonymous', 'all'), session.id.slice(2)).close()
    network.drop()
    network.isDeaf = false
    await house.clock.advance(1_000)
    expect(await events.next()).toMatchObject({ value: { method: 'session.closed' } })
    expect(await events.next()).toMatchObject({ done: true })
  })

  it('gives up when told to, or when the server does not want it', async () => {
    const first = await connected({ reconnect: false })
    const waiting = first.client.createSession().catch((error: unknown) => error)
    first.network.isDeaf = true
    first.network.drop()
    expect(await waiting).toMatchObject({ code: 'unavailable' })
    await expect(first.client.ping()).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('ends what waits when it is closed, also between two attempts', async () => {
    const { client, network, house } = await connected()
    network.isDown = true
    network.drop()
    await settle()
    const waiting = client.listSessions().catch((error: unknown) => error)
    client.close()
    client.close()
    expect(await waiting).toMatchObject({ code: 'cancelled' })
    network.isDown = false
    await house.clock.advance(60_000)
    expect(network.sent).toHaveLength(1)
  })
})

describe('events of a session', () => {
  it('come from the call on, are bounded for a slow reader, and end with the session', async () => {
    const { client, house } = await connected({ features: ['som.mutations'] })
    const session = await client.createSession()
    const page = await session.createPage()
    const events = session.events()
    const emit = (cursor: number): void =>
      house.browsing.emit(session.id.slice(2), {
        type: 'som-mutation',
        pageId: page.id,
        cursor,
        patch: [{ op: 'test', path: '/snake_case' }],
      })
    emit(4)
    await settle()
    expect(await events.next()).toMatchObject({
      value: {
        method: 'page.som_mutation',
        params: { pageId: page.id, cursor: 'c:4', patch: [{ path: '/snake_case' }] },
      },
    })
    for (let cursor = 5; cursor < 1_100; cursor++) {
      emit(cursor)
      if (cursor % 500 === 0) await settle()
    }
    await settle()
    const seen: unknown[] = []
    await session.close()
    for await (const event of events)
      seen.push(event.params['resync'] === true ? event.params['reason'] : event.params['cursor'])
    expect(seen[0]).toBe('reader_overflow')
    expect(seen).toContain('c:1099')
    expect(seen.length).toBeLessThan(1_025)
  })

  it('end at an abort', async () => {
    const { client } = await connected()
    const session = await client.createSession()
    const abort = new AbortController()
    const events = session.events(abort.signal)
    const next = events.next()
    abort.abort()
    expect(await next).toEqual({ done: true, value: undefined })
  })
})

describe('intents on a server without that level (AWP-CAP-2)', () => {
  it('are done as primitives', async () => {
    const { client, house } = await connected({}, { intentLevels: [] })
    const page = await (await client.createSession()).createPage()
    const result = await page.act({ action: 'semantic.fill_form', value: { Name: 'Ada', Newsletter: true } })
    expect(result).toMatchObject({
      action: 'semantic.fill_form',
      steps: [{ action: 'primitive.type' }, { action: 'primitive.check' }],
    })
    expect(await page.act({ action: 'semantic.click', target: { elementRef: 'e_1' } })).toMatchObject({
      action: 'primitive.click',
    })
    const acts = house.browsing.seen.filter(({ name }) => name === 'act').map(({ args }) => args[0])
    expect(acts).toEqual([
      { action: 'primitive.type', target: { query: { label: 'Name' } }, value: 'Ada' },
      { action: 'primitive.check', target: { query: { label: 'Newsletter' } } },
      { action: 'primitive.click', target: { elementRef: 'e_1' } },
    ])
  })

  it('choose where typing does not fit', async () => {
    const { client, house } = await connected({}, { intentLevels: [] })
    const page = await (await client.createSession()).createPage()
    house.browsing.failNext('act', new DomosError('invalid_request', 'A list takes no text.'))
    expect(await page.act({ action: 'semantic.fill_form', value: { Country: 'Chile' } })).toMatchObject({
      action: 'primitive.select',
    })
  })

  it('without a plan keep their error, and go out whole where the server has them', async () => {
    const { client, house } = await connected({}, { intentLevels: [] })
    const page = await (await client.createSession()).createPage()
    await expect(page.act({ action: 'intent.checkout' })).rejects.toMatchObject({ code: 'unsupported' })
    const able = await connected()
    const other = await (await able.client.createSession()).createPage()
    await other.act({ action: 'semantic.fill_form', value: { Name: 'Ada' } })
    expect(able.house.browsing.seen.at(-1)?.args[0]).toMatchObject({ action: 'semantic.fill_form' })
    expect(house.browsing.count('act')).toBe(1)
  })
})
