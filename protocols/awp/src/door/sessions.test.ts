import { DomosError } from '@domos/spec'
import { describe, expect, it } from 'vitest'
import { LEGACY, principalWith, settle, testHouse } from '../test/peer.ts'

describe('a session', () => {
  it('is not reachable from another connection by its id (AWP-TRANSPORT-2)', async () => {
    const house = testHouse()
    const [first, second] = [house.connect(), house.connect()]
    await first.hello()
    await second.hello()
    const { session_id, page_id } = await first.openPage()
    const missed = await second.error('page.observe', { session_id, page_id })
    const absent = await second.error('page.observe', { session_id: 's_none', page_id })
    expect(missed).toEqual(absent)
    expect(missed).toMatchObject({ code: 'NOT_FOUND', details: { field: 'session_id' } })
  })

  it('is attached by its secret, survives its connection, and is heard by both (AWP-SES-4)', async () => {
    const house = testHouse()
    const first = house.connect()
    await first.hello()
    const { session_id, page_id, secret } = await first.openPage()
    first.connection.close(1000, 'gone')
    await settle()
    const second = house.connect()
    await second.hello()
    expect(await second.error('session.attach', { session_id, attach_secret: 'guess' })).toMatchObject({
      code: 'NOT_FOUND',
    })
    const attached = await second.result('session.attach', { session_id, attach_secret: secret })
    expect(attached).toMatchObject({ session_id, page_count: 1, pages: [{ page_id }] })
    expect(await second.result('page.observe', { session_id, page_id })).toHaveProperty('som')
    house.browsing.emit(session_id.slice(2), { type: 'page-opened', pageId: 'p_9', url: 'https://e.com/' })
    await settle()
    expect(second.events).toMatchObject([{ method: 'page.opened', params: { session_id, page_id: 'p_9' } }])
  })

  it('of another tenant is not found, with the right secret too', async () => {
    const house = testHouse({
      keys: { 'key-a': principalWith('a', 'all', 'one'), 'key-b': principalWith('b', 'all', 'two') },
    })
    const first = house.connect({ token: 'key-a' })
    const second = house.connect({ token: 'key-b' })
    await first.hello()
    await second.hello()
    const { session_id, secret } = await first.openPage()
    expect(await second.error('session.attach', { session_id, attach_secret: secret })).toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(await second.result('session.list')).toEqual({ sessions: [], count: 0 })
  })

  it('of a shipped peer ends with its socket, unless it said that it comes back', async () => {
    const house = testHouse()
    const peer = house.connect()
    await peer.hello(LEGACY)
    await peer.result('session.create')
    const kept = await peer.result('session.create', { ttl_ms: 60_000 })
    peer.connection.close(1000, '')
    await settle()
    expect(house.browsing.openSessions.map((id) => `s_${id}`)).toEqual([kept['session_id']])
  })

  it('made while its socket breaks does not stay behind for a shipped peer', async () => {
    const house = testHouse()
    const peer = house.connect()
    await peer.hello(LEGACY)
    const release = house.browsing.hold('createSession')
    peer.write({ id: 'x', method: 'session.create', params: {} })
    await settle()
    peer.connection.close(1000, '')
    await settle()
    release()
    await settle()
    expect(house.browsing.openSessions).toEqual([])
  })

  it('is one of many on a connection (AWP-TRANSPORT-1)', async () => {
    const peer = testHouse().connect()
    await peer.hello()
    const ids = await Promise.all([1, 2, 3].map(async () => (await peer.result('session.create'))['session_id']))
    expect(new Set(ids).size).toBe(3)
    expect(await peer.result('session.list')).toMatchObject({ count: 3 })
    expect(await peer.result('session.close', { session_id: ids[0] as string })).toEqual({ closed: true })
    expect(await peer.result('session.list')).toMatchObject({ count: 2 })
    expect(await peer.error('page.list', { session_id: ids[0] as string })).toMatchObject({ code: 'NOT_FOUND' })
  })

  it('is touched by every request that names it', async () => {
    const { browsing, ...house } = testHouse()
    const peer = house.connect()
    await peer.hello()
    const { session_id } = await peer.openPage()
    const before = browsing.count('touch')
    await peer.result('page.list', { session_id })
    expect(browsing.count('touch')).toBe(before + 1)
  })
})

describe('an idempotency key', () => {
  it('gives the same answer again without doing it again, whatever the id (AWP-IDEM-1)', async () => {
    const { browsing, ...house } = testHouse()
    const peer = house.connect()
    await peer.hello()
    const { session_id, page_id } = await peer.openPage()
    const params = { session_id, page_id, intent: { action: 'click', target: { element_ref: 'e_1' } } }
    const meta = { idempotency_key: 'k1' }
    const first = await peer.result('page.act', params, { meta })
    const again = await peer.result('page.act', { ...params }, { meta })
    expect(again).toEqual(first)
    expect(browsing.count('act')).toBe(1)
  })

  it('joins a request that is still running, and a cancel of the second leaves the first alone', async () => {
    const { browsing, ...house } = testHouse()
    const peer = house.connect()
    await peer.hello()
    const { session_id, page_id } = await peer.openPage()
    const release = browsing.hold('act')
    const params = { session_id, page_id, intent: { action: 'click' } }
    const meta = { idempotency_key: 'k1' }
    const first = peer.ask('page.act', params, { meta, id: 'one' })
    const second = peer.ask('page.act', params, { meta, id: 'two' })
    const third = peer.ask('page.act', params, { meta, id: 'three' })
    await settle()
    expect(await peer.result('awp.cancel', { request_id: 'two' })).toEqual({ cancelled: true })
    expect(await second).toMatchObject({ error: { details: { reason: 'CANCELLED' } } })
    release()
    expect((await third)['result']).toEqual((await first)['result'])
    expect(browsing.count('act')).toBe(1)
  })

  it('used with other parameters or another method is a CONFLICT', async () => {
    const peer = testHouse().connect()
    await peer.hello()
    const meta = { idempotency_key: 'k1' }
    await peer.result('session.create', {}, { meta })
    const expected = { code: 'CONFLICT', details: { reason: 'IDEMPOTENCY_MISMATCH' } }
    expect(await peer.error('session.create', { persist: true }, { meta })).toMatchObject(expected)
    expect(await peer.error('session.list', {}, { meta })).toMatchObject(expected)
  })

  it('may be used again after a refusal that did nothing, but keeps an outcome that may have done something', async () => {
    const { browsing, ...house } = testHouse()
    const peer = house.connect()
    await peer.hello()
    const { session_id, page_id } = await peer.openPage()
    const params = { session_id, page_id, intent: { action: 'click' } }
    browsing.failNext('act', new DomosError('busy', 'Full.'))
    expect(await peer.error('page.act', params, { meta: { idempotency_key: 'a' } })).toMatchObject({
      code: 'RATE_LIMITED',
    })
    expect(await peer.result('page.act', params, { meta: { idempotency_key: 'a' } })).toMatchObject({ status: 'ok' })
    browsing.failNext('act', new DomosError('timeout', 'Too long.'))
    expect(await peer.error('page.act', params, { meta: { idempotency_key: 'b' } })).toMatchObject({ code: 'TIMEOUT' })
    expect(await peer.error('page.act', params, { meta: { idempotency_key: 'b' } })).toMatchObject({ code: 'TIMEOUT' })
  })

  it('gives the session of a create that was answered into a broken connection, with a seat in it', async () => {
    const { browsing, ...house } = testHouse()
    const first = house.connect()
    await first.hello()
    const release = browsing.hold('createSession')
    const meta = { idempotency_key: 'k1' }
    first.write({ id: 'x', method: 'session.create', params: {}, meta })
    await settle()
    first.connection.close(1006, '')
    await settle()
    const second = house.connect()
    await second.hello()
    const answer = second.result('session.create', {}, { meta })
    await settle()
    release()
    const { session_id } = (await answer) as { session_id: string }
    expect(browsing.count('createSession')).toBe(1)
    expect(await second.result('page.create', { session_id })).toHaveProperty('page_id')
  })

  it('of one principal means nothing to another, and is forgotten in time', async () => {
    const { browsing, clock, ...house } = testHouse({
      keys: { ka: principalWith('a', 'all'), kb: principalWith('b', 'all') },
    })
    const meta = { idempotency_key: 'k1' }
    for (const token of ['ka', 'kb']) {
      const peer = house.connect({ token })
      await peer.hello()
      await peer.result('session.create', {}, { meta })
      await peer.result('session.create', {}, { meta })
    }
    expect(browsing.count('createSession')).toBe(2)
    await clock.advance(600_001)
    const peer = house.connect({ token: 'ka' })
    await peer.hello()
    await peer.result('session.create', {}, { meta })
    expect(browsing.count('createSession')).toBe(3)
  })

  it('is remembered for a bounded number of requests', async () => {
    const { browsing, ...house } = testHouse({ limits: { maxIdempotencyKeys: 3 } })
    const peer = house.connect()
    await peer.hello()
    for (const key of ['a', 'b', 'c', 'd', 'd', 'a']) {
      await peer.result('session.create', {}, { meta: { idempotency_key: key } })
    }
    expect(browsing.count('createSession')).toBe(5)
  })
})
