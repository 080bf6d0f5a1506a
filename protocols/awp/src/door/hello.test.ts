import { describe, expect, it } from 'vitest'
import requests from '../fixtures/document-requests.json' with { type: 'json' }
import responses from '../fixtures/document-responses.json' with { type: 'json' }
import { DRAFT, DRAFT_JSON, LEGACY, settle, testHouse } from '../test/peer.ts'

const HELLO = requests[0] as unknown as { id: string; params: Record<string, never> }
const TEXT = { encoding: 'json', compression: 'none' } as const
const BINARY = { encoding: 'msgpack', compression: 'none' } as const
const SQUEEZED = { encoding: 'msgpack', compression: 'zstd' } as const

describe('awp.hello', () => {
  it("answers the document's own hello with every member of the document's answer (AWP-HELLO-2, AWP-HELLO-3, AWP-HELLO-4, AWP-HELLO-5, AWP-HELLO-6)", async () => {
    const peer = testHouse().connect()
    peer.write(HELLO)
    await settle()
    const answer = peer.messages[0]
    expect(answer).toMatchObject({ id: '1', type: 'response' })
    const wanted = (responses[0] as unknown as { result: object }).result
    expect(missingKeys(wanted, answer?.['result'])).toEqual([])
    expect(answer?.['result']).toMatchObject({
      awp: { version: '0.1' },
      encoding: { selected: 'msgpack' },
      compression: { selected: 'none' },
      features: { som: { snapshot: true, mutation: true, formats: ['som+json', 'som+msgpack'], max_bytes: 1_048_576 } },
    })
  })

  it.each([
    ['text', TEXT],
    ['binary', BINARY],
    ['binary', SQUEEZED],
  ] as const)('is answered in the kind of frame it came in: %s', async (kind, format) => {
    const peer = testHouse().connect()
    peer.format = format
    await peer.ask('awp.hello', { ...DRAFT, padding: 'x'.repeat(format === SQUEEZED ? 5_000 : 1) })
    expect(peer.received.map((received) => received.kind)).toEqual([kind])
  })

  it('selects MessagePack when the draft asks for nothing, and JSON for shipped peers (AWP-ENC-1, AWP-ENC-3)', async () => {
    const draft = await testHouse().connect().hello(DRAFT)
    expect(draft).toMatchObject({ encoding: { selected: 'msgpack' }, compression: { selected: 'none' } })
    const legacy = await testHouse().connect().hello(LEGACY)
    expect(legacy).toMatchObject({ encoding: { selected: 'json' }, compression: { selected: 'none' } })
  })

  it.each([
    [['json', 'msgpack'], ['none'], 'json', 'none'],
    [['msgpack', 'json'], ['zstd', 'none'], 'msgpack', 'zstd'],
    [['cbor', 'json'], ['gzip'], 'json', 'none'],
    [['cbor', 'json'], ['none', 'zstd'], 'json', 'none'],
  ])('goes by the order of wants: %j %j', async (encoding, compression, selected, squeezed) => {
    const result = await testHouse()
      .connect()
      .hello({ awp: { versions: ['0.1'] }, wants: { encoding, compression } })
    expect(result).toMatchObject({ encoding: { selected }, compression: { selected: squeezed } })
  })

  it('refuses a list of encodings that holds none of ours, and a later hello may do better (AWP-CAP-1)', async () => {
    const peer = testHouse().connect()
    const params = { awp: { versions: ['0.1'] }, wants: { encoding: ['cbor'] } }
    expect(await peer.error('awp.hello', params)).toMatchObject({
      code: 'UNSUPPORTED',
      details: { field: 'wants.encoding', supported: ['json', 'msgpack'] },
    })
    expect(await peer.hello()).toMatchObject({ awp: { version: '0.1' } })
  })

  it('speaks binary MessagePack after a text hello that selected it, and JSON text after a binary one (AWP-ENC-2)', async () => {
    const packed = testHouse().connect()
    await packed.hello(DRAFT)
    await packed.ask('awp.ping')
    expect(packed.received.map(({ kind }) => kind)).toEqual(['text', 'binary'])
    const plain = testHouse().connect()
    plain.format = BINARY
    await plain.hello(DRAFT_JSON)
    await plain.ask('awp.ping')
    expect(plain.received.map(({ kind }) => kind)).toEqual(['binary', 'text'])
  })

  it('compresses large messages alone, and takes compressed ones (AWP-ENC-4)', async () => {
    const { browsing, ...house } = testHouse()
    const peer = house.connect()
    await peer.hello({ awp: { versions: ['0.1'] }, wants: { compression: ['zstd'] } })
    browsing.som = { som_version: '0.1', text: 'again '.repeat(10_000) }
    const { session_id, page_id } = await peer.openPage()
    await peer.result('page.observe', { session_id, page_id })
    expect(peer.received.at(-1)?.kind).toBe('zstd')
    await peer.result('awp.ping', { padding: 'p'.repeat(10_000) })
    expect(peer.received.at(-1)?.kind).toBe('binary')
  })

  it('reads text frames as JSON and binary ones as MessagePack whatever was selected', async () => {
    const peer = testHouse().connect()
    await peer.hello(DRAFT)
    peer.format = TEXT
    expect(await peer.result('awp.ping')).toEqual({ pong: true })
    peer.format = SQUEEZED
    expect(await peer.result('awp.ping')).toEqual({ pong: true })
  })

  it('refuses a version nobody shares, by the code of the dialect, and stays', async () => {
    const peer = testHouse().connect()
    const draft = await peer.error('awp.hello', { awp: { versions: ['7.0'] } })
    expect(draft).toMatchObject({ code: 'UNSUPPORTED', details: { supported: ['0.1'], offered: ['7.0'] } })
    expect(await peer.error('awp.hello', { awp_version: '7.0' })).toMatchObject({ code: 'INVALID_REQUEST' })
    expect(await peer.hello(LEGACY)).toMatchObject({ awp_version: '0.1' })
  })

  it('gives features as a list to shipped peers and as an object to the draft, the other form beside it', async () => {
    const legacy = await testHouse().connect().hello(LEGACY)
    expect(legacy['features']).toEqual(expect.arrayContaining(['som.snapshot', 'som.mutations', 'act.primitive']))
    expect(legacy).toMatchObject({ awp_version: '0.1', server_name: 'domos', feature_map: { som: { snapshot: true } } })
    const draft = await testHouse().connect().hello(DRAFT_JSON)
    expect(draft).toMatchObject({ server: { name: 'domos' }, feature_list: expect.arrayContaining(['extract']) })
  })

  it('is needed before anything else; the connection stays open meanwhile (AWP-HELLO-1)', async () => {
    const peer = testHouse().connect()
    expect(await peer.error('session.create')).toMatchObject({
      code: 'INVALID_REQUEST',
      details: { reason: 'HELLO_REQUIRED' },
    })
    expect(peer.connection.isOpen).toBe(true)
    await peer.hello()
  })

  it('has to come in time', async () => {
    const house = testHouse()
    const silent = house.connect()
    const greeted = house.connect()
    await greeted.hello()
    await house.clock.advance(5_001)
    expect(silent.closed).toMatchObject({ code: 1008 })
    expect(greeted.closed).toBeUndefined()
  })

  it('may be repeated, and requests sent right behind it wait for it', async () => {
    const peer = testHouse().connect()
    peer.write({ id: 'a', method: 'awp.hello', params: DRAFT_JSON })
    peer.write({ id: 'b', method: 'awp.ping', params: {} })
    peer.write({ id: 'c', method: 'awp.hello', params: LEGACY })
    peer.write({ id: 'd', method: 'no.such', params: {} })
    await settle()
    const ids = peer.messages.map(({ id }) => id)
    expect([ids[0], ids.indexOf('c') < ids.indexOf('d'), ids.length]).toEqual(['a', true, 4])
    expect(peer.messages[ids.indexOf('b')]).toMatchObject({ result: { pong: true } })
    expect(peer.messages[ids.indexOf('d')]).toMatchObject({ error: { code: 'INVALID_REQUEST' } })
  })

  it('does not take a flood of frames before it is answered', async () => {
    const peer = testHouse({ limits: { maxInFlight: 4 } }).connect()
    peer.write({ id: 'a', method: 'awp.hello', params: DRAFT_JSON })
    for (let index = 0; index < 10; index++) peer.write({ id: index, method: 'awp.ping', params: {} })
    await settle()
    expect(peer.closed).toMatchObject({ code: 1008 })
  })

  it('is small: a large frame before it is refused', async () => {
    const peer = testHouse().connect()
    peer.write({ id: 'a', method: 'awp.hello', params: { ...DRAFT_JSON, padding: 'x'.repeat(20_000) } })
    await settle()
    expect(peer.messages[0]).toMatchObject({
      id: '',
      error: { code: 'INVALID_REQUEST', details: { reason: 'TOO_LARGE' } },
    })
  })
})

function missingKeys(wanted: unknown, got: unknown, at = ''): string[] {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) return []
  if (typeof got !== 'object' || got === null) return [at]
  return Object.entries(wanted).flatMap(([key, inner]) =>
    key in got ? missingKeys(inner, (got as Record<string, unknown>)[key], `${at}/${key}`) : [`${at}/${key}`],
  )
}
