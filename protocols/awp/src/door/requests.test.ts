import { DomosError } from '@domos/spec'
import { describe, expect, it } from 'vitest'
import { DRAFT, LEGACY, settle, type TestHouse, type TestPeer, testHouse } from '../test/peer.ts'

async function greeted(
  options: Parameters<typeof testHouse>[0] = {},
  hello?: Parameters<TestPeer['hello']>[0],
): Promise<TestHouse & { peer: TestPeer }> {
  const house = testHouse(options)
  const peer = house.connect()
  await peer.hello(hello)
  return { ...house, peer }
}

describe('the envelope', () => {
  it.each([
    ['an array', [1]],
    ['a text', 'hello'],
    ['no id', { method: 'awp.ping', params: {} }],
    ['an object as id', { id: {}, method: 'awp.ping', params: {} }],
    ['an endless id', { id: 'x'.repeat(129), method: 'awp.ping', params: {} }],
    ['no method', { id: '1', params: {} }],
    ['a number as method', { id: '1', method: 7, params: {} }],
    ['a list as params', { id: '1', method: 'awp.ping', params: [] }],
    ['a text as meta', { id: '1', method: 'awp.ping', params: {}, meta: 'x' }],
    ['an empty idempotency key', { id: '1', method: 'awp.ping', params: {}, meta: { idempotency_key: '' } }],
    ['type response', { id: '1', type: 'response', result: {} }],
    ['type event', { type: 'event', method: 'page.closed', params: {} }],
  ])('refuses %s with INVALID_REQUEST, and the connection goes on (AWP-ENV-1, AWP-ENV-2)', async (_name, message) => {
    const { peer } = await greeted()
    peer.write(message)
    await settle()
    const id = typeof message === 'object' && 'id' in message && message.id === '1' ? '1' : ''
    expect(peer.messages.at(-1)).toMatchObject({ id, type: 'response', error: { code: 'INVALID_REQUEST' } })
    expect(await peer.result('awp.ping')).toEqual({ pong: true })
  })

  it.each(['1', 1, 1.5, -3, 'é:✓'])('echoes the id as it came: %j (AWP-ORDER-1)', async (id) => {
    const { peer } = await greeted()
    expect((await peer.ask('awp.ping', {}, { id }))['id']).toBe(id)
  })

  it('takes a request without type or params, as shipped peers send it', async () => {
    const { peer } = await greeted({}, LEGACY)
    peer.write({ id: 'a', method: 'session.create' })
    await settle()
    expect(peer.messages.at(-1)).toMatchObject({ id: 'a', result: { session_id: expect.stringMatching(/^s_/) } })
  })

  it('gives a response either result or error, with the id (AWP-ENV-3)', async () => {
    const { peer } = await greeted()
    const good = await peer.ask('awp.ping')
    const bad = await peer.ask('page.list', { session_id: 's_none' })
    expect(['result' in good, 'error' in good]).toEqual([true, false])
    expect(['result' in bad, 'error' in bad]).toEqual([false, true])
  })

  it.each([
    ['{', 'INVALID_JSON'],
    [`${'['.repeat(100)}${']'.repeat(100)}`, 'TOO_DEEP'],
    ['{"id":"1","method":"awp.ping","params":{"__proto__":{"a":1}}}', 'FORBIDDEN_KEY'],
    [Uint8Array.of(0xc1), 'INVALID_MSGPACK'],
    [Uint8Array.of(0xdd, 0xff, 0xff, 0xff, 0xff), 'INVALID_MSGPACK'],
    [Uint8Array.of(0xdf, 0x7f, 0xff, 0xff, 0xff, 0x01), 'INVALID_MSGPACK'],
    [Uint8Array.from({ length: 200 }, () => 0x91), 'TOO_DEEP'],
    [Uint8Array.of(0x81, 0xa9, ...new TextEncoder().encode('__proto__'), 0x01), 'FORBIDDEN_KEY'],
    [Uint8Array.of(0xd6, 0xff, 0, 0, 0, 0), 'INVALID_MSGPACK'],
    [Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3), 'INVALID_COMPRESSION'],
  ])('refuses a frame that is no message: %j', async (frame, reason) => {
    const { peer } = await greeted()
    peer.frame(frame)
    await settle()
    expect(peer.messages.at(-1)).toMatchObject({ id: '', error: { code: 'INVALID_REQUEST', details: { reason } } })
    expect(await peer.result('awp.ping')).toEqual({ pong: true })
  })

  it('spells every key of its answers in lower_snake_case (AWP-ENC-5)', async () => {
    const { peer, browsing } = await greeted()
    const { session_id, page_id } = await peer.openPage()
    await peer.result('page.act', { session_id, page_id, intent: { action: 'click', target: { element_ref: 'e_1' } } })
    await peer.result('session.cookies.set', { session_id, cookies: [{ name: 'a', value: 'b', domain: 'e.com' }] })
    await peer.result('session.cookies.get', { session_id })
    await peer.result('page.downloads.list', { session_id, page_id })
    await peer.error('page.observe', { session_id, page_id, mode: 'film' })
    browsing.emit(session_id.slice(2), {
      type: 'telemetry',
      pageId: page_id,
      facts: { fetchMs: 3, latency: { parseMs: 1 }, operation: 'navigate' },
    })
    await settle()
    expect([...keysOf(peer.messages)].filter((key) => !/^[a-z][a-z0-9_]*$/.test(key))).toEqual([])
  })
})

describe('requests', () => {
  it('answers an unknown method by the dialect (AWP-CAP-1)', async () => {
    const draft = await greeted()
    expect(await draft.peer.error('page.fly')).toMatchObject({ code: 'UNSUPPORTED', details: { method: 'page.fly' } })
    const legacy = await greeted({}, LEGACY)
    expect(await legacy.peer.error('page.fly')).toMatchObject({ code: 'INVALID_REQUEST' })
  })

  it('names the parameter that is wrong (AWP-ERR-1, AWP-ERR-2)', async () => {
    const { peer } = await greeted()
    const error = await peer.error('page.navigate', { session_id: 's_1', url: 7 })
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', details: { path: 'params.url', method: 'page.navigate' } })
    const wait = { until: 'forever' }
    expect(await peer.error('page.navigate', { session_id: 's_1', url: 'https://e.com', wait })).toMatchObject({
      details: { path: 'params.wait.until' },
    })
  })

  it('gives a timeout its method and its milliseconds (AWP-ERR-2)', async () => {
    const { peer, browsing } = await greeted()
    const { session_id, page_id } = await peer.openPage()
    browsing.failNext(
      'waitFor',
      new DomosError('timeout', 'wait_for condition not met', { details: { timeoutMs: 10_000 } }),
    )
    const error = await peer.error('page.wait_for', { session_id, page_id, wait: { query: { text: 'Done' } } })
    expect(error).toEqual({
      code: 'TIMEOUT',
      message: 'wait_for condition not met',
      details: { timeout_ms: 10_000, method: 'page.wait_for' },
    })
  })

  it('hides what an unexpected failure says', async () => {
    const { peer, browsing } = await greeted()
    const { session_id, page_id } = await peer.openPage()
    browsing.failNext('snapshot', new TypeError('secret thing') as unknown as DomosError)
    const error = await peer.error('page.observe', { session_id, page_id })
    expect(error.code).toBe('INTERNAL')
    expect(JSON.stringify(error)).not.toContain('secret')
  })

  it('refuses an id that is still running, and takes it again afterwards', async () => {
    const { peer, browsing } = await greeted()
    const { session_id, page_id } = await peer.openPage()
    const release = browsing.hold('snapshot')
    const first = peer.ask('page.observe', { session_id, page_id }, { id: 'same' })
    await settle()
    peer.write({ id: 'same', method: 'awp.ping', params: {} })
    await settle()
    expect(peer.messages.at(-1)).toMatchObject({ error: { code: 'CONFLICT', details: { reason: 'DUPLICATE_ID' } } })
    release()
    await first
    await settle()
    expect(await peer.result('awp.ping', {}, { id: 'same' })).toEqual({ pong: true })
  })

  it('cancels what awp.cancel names, and tells when there was nothing', async () => {
    const { peer, browsing } = await greeted()
    const { session_id, page_id } = await peer.openPage()
    browsing.hold('act')
    const act = peer.ask('page.act', { session_id, page_id, intent: { action: 'click' } }, { id: 5 })
    await settle()
    expect(await peer.result('awp.cancel', { request_id: '5' })).toEqual({ cancelled: false })
    expect(await peer.result('awp.cancel', { request_id: 5 })).toEqual({ cancelled: true })
    expect(await act).toMatchObject({ error: { code: 'TIMEOUT', details: { reason: 'CANCELLED' } } })
    expect(await peer.result('awp.cancel', { request_id: 5 })).toEqual({ cancelled: false })
  })

  it('is busy beyond the requests it runs at once, except for what frees it', async () => {
    const { peer, browsing } = await greeted({ limits: { maxInFlight: 3 } })
    const { session_id, page_id } = await peer.openPage()
    browsing.hold('snapshot')
    const held = [1, 2, 3].map((id) => peer.ask('page.observe', { session_id, page_id }, { id }))
    await settle()
    expect(await peer.error('page.list', { session_id })).toMatchObject({
      code: 'RATE_LIMITED',
      details: { reason: 'BUSY', max_in_flight: 3 },
    })
    expect(await peer.result('awp.ping')).toEqual({ pong: true })
    expect(await peer.result('awp.cancel', { request_id: 1 })).toEqual({ cancelled: true })
    expect(await held[0]).toMatchObject({ error: { code: 'TIMEOUT' } })
    expect(await peer.result('page.list', { session_id })).toHaveProperty('pages')
  })

  it('answers other requests while one takes long, and hands the opt-out of page order on (AWP-ORDER-3)', async () => {
    const { peer, browsing } = await greeted()
    const { session_id, page_id } = await peer.openPage()
    const release = browsing.hold('navigate')
    const url = 'https://e.com/'
    const slow = peer.ask('page.navigate', { session_id, page_id, url })
    const beside = peer.ask('page.navigate', { session_id, page_id, url, concurrency: 'parallel' })
    expect(await peer.result('page.list', { session_id })).toHaveProperty('pages')
    const calls = browsing.seen.filter(({ name }) => name === 'navigate').slice(-2)
    expect(calls.map(({ args }) => args[2])).toEqual([false, true])
    release()
    await Promise.all([slow, beside])
  })

  it('carries trace and span on every response, and gives a trace of its own where none came (AWP-TRACE-1)', async () => {
    const { peer } = await greeted()
    const traced = await peer.ask('awp.ping', {}, { meta: { trace_id: 'trace-7' } })
    expect(traced['meta']).toEqual({ trace_id: 'trace-7', span_id: expect.stringMatching(/^[0-9a-f]{16}$/) })
    const refused = await peer.ask('page.fly', {}, { meta: { trace_id: 'trace-8' } })
    expect(refused['meta']).toMatchObject({ trace_id: 'trace-8' })
    for (const { meta } of peer.messages) {
      expect(meta).toEqual({ trace_id: expect.stringMatching(/./), span_id: expect.stringMatching(/./) })
    }
  })

  it('makes an error of an answer that is larger than a frame', async () => {
    const { peer, browsing } = await greeted()
    const { session_id, page_id } = await peer.openPage()
    browsing.som = { text: 'x'.repeat(1_100_000) }
    expect(await peer.error('page.observe', { session_id, page_id })).toMatchObject({
      code: 'INVALID_REQUEST',
      details: { reason: 'TOO_LARGE', max_bytes: 1_048_576, method: 'page.observe' },
    })
  })

  it('does not send what the far end may not inflate, however small the frame', async () => {
    const { peer, browsing } = await greeted({}, { awp: { versions: ['0.1'] }, wants: { compression: ['zstd'] } })
    const { session_id, page_id } = await peer.openPage()
    browsing.som = { text: 'x'.repeat(9_000_000) }
    expect(await peer.error('page.observe', { session_id, page_id })).toMatchObject({
      details: { reason: 'TOO_LARGE' },
    })
  })

  it('stops a zstd bomb before it grows, and goes on', async () => {
    const { peer } = await greeted()
    const { nodeZstd } = await import('../test/node-parts.ts')
    peer.frame(nodeZstd.compress(new Uint8Array(64 * 1_048_576)))
    await settle()
    expect(peer.messages.at(-1)).toMatchObject({ error: { details: { reason: 'INVALID_COMPRESSION' } } })
    expect(await peer.result('awp.ping')).toEqual({ pong: true })
  })

  it('drops a frame over the limit with 1009, and a flood of malformed ones with 1008', async () => {
    const large = await greeted()
    large.peer.frame('x'.repeat(1_048_577))
    await settle()
    expect(large.peer.closed).toMatchObject({ code: 1009 })
    const flood = await greeted()
    for (let index = 0; index < 20; index++) flood.peer.frame('{')
    await settle()
    expect(flood.peer.messages.filter(({ error }) => error !== undefined)).toHaveLength(20)
    expect(flood.peer.closed).toMatchObject({ code: 1008 })
  })

  it('does not count malformed frames that are far apart', async () => {
    const { peer, clock } = await greeted()
    for (let index = 0; index < 40; index++) {
      peer.frame('{')
      await clock.advance(1_000)
    }
    expect(peer.closed).toBeUndefined()
  })

  it('answers awp.ping, with an awp.pong event for those who want it (AWP-BEAT-1, AWP-BEAT-2)', async () => {
    const quiet = await greeted({}, DRAFT)
    expect(await quiet.peer.result('awp.ping')).toEqual({ pong: true })
    expect(quiet.peer.events).toEqual([])
    const { peer } = await greeted({}, { awp: { versions: ['0.1'] }, wants: { features: ['awp.pong'] } })
    await peer.result('awp.ping')
    expect(peer.events).toMatchObject([{ method: 'awp.pong', params: {} }])
  })

  it('says goodbye with 1001 when the door closes', async () => {
    const { peer, door } = await greeted()
    await door.close(new AbortController().signal)
    await settle()
    expect(peer.closed).toMatchObject({ code: 1001 })
  })
})

function keysOf(value: unknown, keys = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return keys
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) keys.add(key)
    // Names of events and methods are values; maps whose keys are data do not occur here.
    keysOf(inner, keys)
  }
  return keys
}
