import type { BrowsingEvent, Connection, JsonObject } from '@domos/spec'
import { describe, expect, it } from 'vitest'
import { createFakeBrowsing } from '../test/fake-browsing.ts'
import { createManualClock } from '../test/manual-clock.ts'
import { DRAFT_JSON, fakeHost, LEGACY, settle, type TestPeer, testHouse } from '../test/peer.ts'
import { createAwpDoor } from './index.ts'

const WITH_MUTATIONS: JsonObject = {
  awp: { versions: ['0.1'] },
  wants: { encoding: ['json'], features: ['som.mutations'] },
}

const mutation = (pageId: string, cursor: number): BrowsingEvent => ({
  type: 'som-mutation',
  pageId,
  cursor,
  patch: [{ op: 'replace', path: '/title', value: 'B' }],
})

const EVERY = (pageId: string): readonly BrowsingEvent[] => [
  mutation(pageId, 5),
  { type: 'telemetry', pageId, facts: { fetchMs: 1 } },
  { type: 'page-opened', pageId, openerId: 'p_0', url: 'https://e.com/' },
  { type: 'dialog', pageId, dialogType: 'confirm', message: 'Sure?' },
  {
    type: 'download',
    pageId,
    download: { id: 'd', filename: 'a', bytes: 1, contentType: 'x/y', state: 'done', url: 'https://e.com/a' },
  },
  { type: 'page-closed', pageId, reason: 'closed' },
]

async function opened(hello: JsonObject): Promise<{
  house: ReturnType<typeof testHouse>
  peer: TestPeer
  session_id: string
  page_id: string
  emit: (...events: readonly BrowsingEvent[]) => Promise<readonly JsonObject[]>
}> {
  const house = testHouse()
  const peer = house.connect()
  await peer.hello(hello)
  const ids = await peer.openPage()
  return {
    house,
    peer,
    ...ids,
    async emit(...events) {
      const before = peer.events.length
      for (const event of events) house.browsing.emit(ids.session_id.slice(2), event)
      await settle()
      return peer.events.slice(before)
    },
  }
}

const names = (events: readonly JsonObject[]): unknown[] => events.map(({ method }) => method)

describe('events', () => {
  it('have method, params and meta, and no id (AWP-ENV-4, AWP-ORDER-2, AWP-TRACE-1)', async () => {
    const { emit, page_id } = await opened(WITH_MUTATIONS)
    const events = await emit(...EVERY(page_id))
    expect(events).toHaveLength(6)
    for (const event of events) {
      expect(Object.keys(event).sort()).toEqual(['meta', 'method', 'params', 'type'])
      expect(event['meta']).toEqual({ trace_id: expect.any(String), span_id: expect.any(String) })
    }
  })

  it('of mutations come to those who asked in hello, for every page they use (AWP-OBS-4)', async () => {
    const { emit, session_id, page_id, house } = await opened(WITH_MUTATIONS)
    expect(house.browsing.watched).toEqual([page_id])
    expect(await emit(mutation(page_id, 5))).toMatchObject([
      {
        method: 'page.som_mutation',
        params: { session_id, page_id, cursor: 'c:5', patch: [{ op: 'replace', path: '/title', value: 'B' }] },
      },
    ])
  })

  it('of mutations come to nobody else, and cost no compiling then', async () => {
    const { emit, page_id, house } = await opened(DRAFT_JSON)
    expect(house.browsing.watched).toEqual([])
    expect(names(await emit(...EVERY(page_id)))).toEqual([
      'page.telemetry',
      'page.opened',
      'page.dialog',
      'page.download',
      'page.closed',
    ])
  })

  it('do not come to shipped peers unasked', async () => {
    const { emit, page_id } = await opened(LEGACY)
    expect(await emit(...EVERY(page_id))).toEqual([])
  })

  it('are chosen by page.subscribe, and a new choice replaces the old one', async () => {
    const { emit, peer, session_id, page_id, house } = await opened(LEGACY)
    const choose = (events: string[]): Promise<JsonObject> =>
      peer.result('page.subscribe', { session_id, page_id, events })
    await choose(['page.som_mutation', 'page.dialog'])
    expect(names(await emit(...EVERY(page_id).slice(0, 5)))).toEqual(['page.som_mutation', 'page.dialog'])
    expect(house.browsing.watched).toEqual([page_id])
    await choose(['page.telemetry'])
    expect(house.browsing.watched).toEqual([])
    expect(names(await emit(...EVERY(page_id).slice(0, 5)))).toEqual(['page.telemetry'])
    expect(await peer.error('page.subscribe', { session_id, page_id, events: ['page.fly'] })).toMatchObject({
      code: 'INVALID_REQUEST',
      details: { path: 'params.events' },
    })
  })

  it('stop compiling when the page, the session or the connection is gone', async () => {
    const page = await opened(WITH_MUTATIONS)
    await page.emit({ type: 'page-closed', pageId: page.page_id, reason: 'closed' })
    expect(page.house.browsing.watched).toEqual([])
    const session = await opened(WITH_MUTATIONS)
    await session.peer.result('session.close', { session_id: session.session_id })
    expect(session.house.browsing.watched).toEqual([])
    const connection = await opened(WITH_MUTATIONS)
    connection.peer.connection.close(1000, '')
    await settle()
    expect(connection.house.browsing.watched).toEqual([])
  })

  it('of telemetry carry numbers, codes and the trace, and nothing else (AWP-TEL-1, AWP-TEL-2)', async () => {
    const { emit, page_id } = await opened(DRAFT_JSON)
    const secret = 'hunter2'
    const [event] = await emit({
      type: 'telemetry',
      pageId: page_id,
      traceId: 'trace-1',
      facts: {
        operation: 'page.act',
        latency: { networkMs: 12, parseMs: 3, somMs: 2, jsMs: 0, token: secret },
        retries: 1,
        proxy: 'none',
        errors: ['TIMEOUT', `password is ${secret}`],
        url: `https://user:${secret}@shop.example/pay?card=4242424242424242`,
        value: secret,
        password: secret,
        headers: { authorization: secret },
        action: `type ${secret}`,
        [secret.toUpperCase()]: 1,
      },
    })
    expect(event).toMatchObject({
      method: 'page.telemetry',
      params: {
        operation: 'page.act',
        latency: { network_ms: 12, parse_ms: 3, som_ms: 2, js_ms: 0 },
        retries: 1,
        proxy: 'none',
        errors: ['TIMEOUT'],
        origin: 'https://shop.example',
      },
      meta: { trace_id: 'trace-1' },
    })
    expect(JSON.stringify(event).toLowerCase()).not.toContain(secret)
    expect(JSON.stringify(event)).not.toContain('4242')
  })

  it('that are larger than a frame become a resync', async () => {
    const { emit, page_id } = await opened(WITH_MUTATIONS)
    const patch = [{ op: 'add', path: '/x', value: 'x'.repeat(1_100_000) }]
    expect(await emit({ type: 'som-mutation', pageId: page_id, cursor: 9, patch })).toMatchObject([
      { method: 'page.som_mutation', params: { page_id, cursor: 'c:9', patch: [], resync: true, reason: 'too_large' } },
    ])
  })
})

describe('a peer that reads slowly', () => {
  /** A connection whose unsent bytes the test decides. */
  function slowConnection(): Connection & { sent: JsonObject[]; buffered: number; receive(message: JsonObject): void } {
    let receive: (frame: string) => void = () => {}
    const closed: ((code: number, reason: string) => void)[] = []
    const connection = {
      id: 'slow',
      buffered: 0,
      isOpen: true,
      sent: [] as JsonObject[],
      get bufferedBytes() {
        return connection.buffered
      },
      send: (frame: string | Uint8Array) => void connection.sent.push(JSON.parse(String(frame)) as JsonObject),
      close(code: number, reason: string) {
        connection.isOpen = false
        for (const listener of closed) listener(code, reason)
      },
      onFrame(take: (frame: string) => void) {
        receive = take
      },
      onClose: (listener: (code: number, reason: string) => void) => void closed.push(listener),
      receive: (message: JsonObject) => receive(JSON.stringify(message)),
    }
    return connection
  }

  async function slowPeer() {
    const clock = createManualClock()
    const browsing = createFakeBrowsing()
    const door = createAwpDoor({ host: fakeHost(clock), browsing })
    const connection = slowConnection()
    door.accept(connection, {
      path: '/awp',
      query: new URLSearchParams(),
      remoteAddress: '127.0.0.1',
      isLoopback: true,
    })
    const ask = async (method: string, params: JsonObject): Promise<JsonObject> => {
      connection.receive({ id: method, method, params })
      await settle()
      return connection.sent.find(({ id }) => id === method)?.['result'] as JsonObject
    }
    await ask('awp.hello', WITH_MUTATIONS)
    const { session_id } = (await ask('session.create', {})) as { session_id: string }
    const { page_id } = (await ask('page.create', { session_id })) as { page_id: string }
    const emit = (event: BrowsingEvent): void => browsing.emit(session_id.slice(2), event)
    return { clock, connection, page_id, emit }
  }

  it('loses mutations and gets exactly one resync with the newest cursor, as soon as it has caught up', async () => {
    const { clock, connection, page_id, emit } = await slowPeer()
    const before = connection.sent.length
    connection.buffered = 2_000_000
    for (let cursor = 10; cursor < 10_010; cursor++) emit(mutation(page_id, cursor))
    await clock.advance(1_000)
    expect(connection.sent.length).toBe(before)
    connection.buffered = 0
    await clock.advance(200)
    expect(connection.sent.slice(before)).toMatchObject([
      { method: 'page.som_mutation', params: { cursor: 'c:10009', resync: true, reason: 'overflow', patch: [] } },
    ])
    emit(mutation(page_id, 10_010))
    expect(connection.sent.at(-1)).toMatchObject({ params: { cursor: 'c:10010', patch: [{ op: 'replace' }] } })
  })

  it('still gets what is told once: dialogs and pages', async () => {
    const { connection, page_id, emit } = await slowPeer()
    connection.buffered = 2_000_000
    emit({ type: 'dialog', pageId: page_id, dialogType: 'alert', message: 'Hi' })
    expect(connection.sent.at(-1)).toMatchObject({ method: 'page.dialog' })
  })

  it('is dropped with 1013 when it does not read at all', async () => {
    const { connection, page_id, emit } = await slowPeer()
    let code = 0
    connection.onClose((closeCode) => {
      code = closeCode
    })
    connection.buffered = 20_000_000
    emit({ type: 'dialog', pageId: page_id, dialogType: 'alert', message: 'Hi' })
    expect(code).toBe(1013)
  })
})
