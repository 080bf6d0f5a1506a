import { DomosError, type JsonObject, type JsonValue } from '@domos/spec'
import { describe, expect, it } from 'vitest'
import { AWP_ERROR_CODES } from '../errors.ts'
import events from '../fixtures/document-events.json' with { type: 'json' }
import parts from '../fixtures/document-parts.json' with { type: 'json' }
import requests from '../fixtures/document-requests.json' with { type: 'json' }
import { DRAFT_JSON, LEGACY, settle, type TestPeer, testHouse } from '../test/peer.ts'

type Example = { readonly id: string; readonly method: string; readonly params: JsonObject }
const EXAMPLES = requests as unknown as readonly Example[]
const part = (heading: string): JsonObject =>
  parts.find((entry) => entry.heading === heading)?.value as unknown as JsonObject

async function opened(hello: JsonObject = DRAFT_JSON) {
  const { browsing, ...house } = testHouse()
  const peer = house.connect()
  await peer.hello(hello)
  const ids = await peer.openPage()
  const { session_id, page_id } = ids
  return { browsing, peer, at: { session_id, page_id }, house }
}

/** The document's example with the ids this session has. */
function example(id: string, at: { session_id: string; page_id: string }): Example {
  const found = EXAMPLES.find((request) => request.id === id) as Example
  const { params } = found
  return {
    ...found,
    params: {
      ...params,
      ...('session_id' in params ? { session_id: at.session_id } : {}),
      ...('page_id' in params ? { page_id: at.page_id } : {}),
    },
  }
}

async function send(peer: TestPeer, { id, method, params }: Example): Promise<JsonObject> {
  return peer.ask(method, params, { id })
}

describe("the document's examples, as they are written", () => {
  it('session.create returns session_id and says what is ignored (AWP-SES-1, AWP-ID-1)', async () => {
    const { peer, browsing, at } = await opened()
    const answer = await send(peer, example('10', at))
    expect(answer['result']).toMatchObject({ session_id: expect.any(String), ignored: ['limits.max_js_heap_mb'] })
    expect(browsing.seen.findLast(({ name }) => name === 'createSession')?.args[0]).toEqual({
      persist: false,
      ttlMs: 3_600_000,
      profile: {
        impersonation: 'chrome128',
        locale: 'en-US',
        timezone: 'America/New_York',
        viewport: { width: 1280, height: 720 },
      },
      limits: { maxPages: 8, maxJsHeapMb: 64 },
    })
  })

  it('page.navigate waits as it says (AWP-PAGE-1, AWP-PAGE-2)', async () => {
    const { peer, browsing, at } = await opened()
    const answer = await send(peer, example('20', at))
    expect(answer['result']).toMatchObject({
      url: 'https://example.com',
      status: 200,
      som_ready: true,
      page_id: at.page_id,
    })
    expect(browsing.seen.at(-1)?.args).toEqual([
      'https://example.com',
      { until: 'network_idle', timeoutMs: 15_000 },
      false,
    ])
  })

  it('page.observe gives a snapshot (AWP-OBS-1, AWP-OBS-3)', async () => {
    const { peer, browsing, at } = await opened()
    const answer = await send(peer, example('30', at))
    expect(answer['result']).toMatchObject({
      mode: 'snapshot',
      cursor: expect.stringMatching(/^c:\d+$/),
      som: browsing.som,
    })
    expect(browsing.seen.at(-1)?.args[0]).toEqual({ maxBytes: 262_144, ext: true })
  })

  it('page.observe gives mutations since a cursor (AWP-OBS-2)', async () => {
    const { peer, browsing, at } = await opened()
    const answer = await send(peer, example('31', at))
    expect(answer['result']).toMatchObject({
      mode: 'mutations',
      from_cursor: 'c:12345',
      changed: true,
      patches: [{ patch: [{ op: 'replace' }] }],
    })
    expect(browsing.seen.at(-1)?.args).toEqual([12_345, 100])
  })

  it('page.som_mutation has the members of the example', async () => {
    const { peer, browsing, at } = await opened({
      ...DRAFT_JSON,
      wants: { encoding: ['json'], features: ['som.mutations'] },
    })
    browsing.emit(at.session_id.slice(2), {
      type: 'som-mutation',
      pageId: at.page_id,
      cursor: 12_346,
      patch: [{ op: 'replace', path: '/a', value: '4' }],
    })
    await settle()
    const wanted = events[0] as unknown as JsonObject
    const event = peer.events[0] as JsonObject
    expect(Object.keys(event['params'] as object).sort()).toEqual(Object.keys(wanted['params'] as object).sort())
    expect((event['params'] as JsonObject)['cursor']).toBe((wanted['params'] as JsonObject)['cursor'])
  })

  it('page.act gives the result object of the document (AWP-ACT-1, AWP-ACT-3)', async () => {
    const { peer, at } = await opened()
    const result = (await send(peer, example('40', at)))['result'] as JsonObject
    const wanted = part('Result Object')
    expect(result).toMatchObject({
      status: 'ok',
      effects: { navigation: true, som_changed: true },
      target_resolved: { element_id: 'e_1', confidence: 0.98 },
      artifacts: { som_cursor: expect.stringMatching(/^c:/) },
    })
    for (const key of Object.keys(wanted)) expect(typeOf(result[key])).toEqual(typeOf(wanted[key]))
  })

  it('page.extract gives data and provenance (AWP-EXT-1)', async () => {
    const { peer, browsing, at } = await opened()
    const answer = await send(peer, example('50', at))
    expect(answer['result']).toMatchObject({
      data: { title: 'value', price: 'value' },
      provenance: { title: 'e_1', price: 'e_1' },
    })
    expect(browsing.seen.at(-1)?.args[0]).toMatchObject({
      schema: { required: ['price', 'title'] },
      queries: {
        title: { query: { role: 'heading', level: 1 } },
        price: { query: { textRegex: '\\$[0-9]+\\.[0-9]{2}' } },
      },
    })
  })

  it.each(['60', '70'])('request %s is UNSUPPORTED in this build', async (id) => {
    const { peer, at } = await opened()
    expect(await send(peer, example(id, at))).toMatchObject({
      id,
      error: { code: 'UNSUPPORTED', details: { method: expect.any(String) } },
    })
  })

  it('the target with fallbacks is read whole (AWP-ID-2)', async () => {
    const { peer, browsing, at } = await opened()
    const target = { ...(part('Example')['target'] as JsonObject), element_ref: 'e:9f2c' }
    await peer.result('page.act', { ...at, intent: { action: 'click', target } })
    expect(browsing.seen.at(-1)?.args[0]).toEqual({
      action: 'click',
      target: {
        elementRef: 'e:9f2c',
        fallback: [
          { query: { text: 'Add to Cart', role: 'button' } },
          { query: { css: "button[data-testid='add-to-cart']" } },
        ],
      },
    })
  })

  it('the error object has the members of every error of ours', async () => {
    const { peer } = await opened()
    const error = await peer.error('page.list', { session_id: 's_none' })
    expect(Object.keys(error).sort()).toEqual(Object.keys(part('Error Object')).sort())
    expect(AWP_ERROR_CODES).toContain(error.code)
  })
})

describe('pages', () => {
  it.each(['dom_content_loaded', 'load', 'network_idle', 'som_stable'])('wait for %s (AWP-PAGE-3)', async (until) => {
    const { peer, browsing, at } = await opened()
    for (const method of ['page.back', 'page.forward', 'page.reload']) {
      await peer.result(method, { ...at, wait: { until, timeout_ms: 500 } })
      expect(browsing.seen.at(-1)?.args).toEqual([{ until, timeoutMs: 500 }])
    }
    expect(await peer.result('page.wait_for', { ...at, wait: { until } })).toMatchObject({
      met: true,
      element_id: 'e_1',
    })
  })

  it('close (AWP-PAGE-4)', async () => {
    const { peer, browsing, at } = await opened()
    expect(await peer.result('page.close', at)).toEqual({ closed: true })
    expect(browsing.seen.at(-1)).toEqual({ name: 'closePage', args: [at.page_id] })
  })

  it('without page_id are the default page of their session', async () => {
    const { peer, at } = await opened()
    expect(await peer.result('page.navigate', { session_id: at.session_id, url: 'https://e.com/' })).toMatchObject({
      page_id: at.page_id,
    })
  })

  it.each([
    ['click', undefined, 'primitive.click'],
    ['type', 'hello', 'primitive.type'],
    ['select', 'United States', 'primitive.select'],
    ['primitive.click', undefined, 'primitive.click'],
    ['semantic.fill_form', { Name: 'Ada' }, 'semantic.fill_form'],
    ['intent.checkout', undefined, 'intent.checkout'],
  ])('act %s and give its normalized name (AWP-ACT-2, AWP-ACT-4)', async (action, value, normalized) => {
    const { peer, at } = await opened()
    const intent = { action, ...(value === undefined ? {} : { value }) } as JsonObject
    expect(await peer.result('page.act', { ...at, intent })).toMatchObject({ action: normalized })
  })

  it('of a skill namespace are UNSUPPORTED', async () => {
    const { peer, at } = await opened()
    expect(await peer.error('page.act', { ...at, intent: { action: 'skill.stripe_pay' } })).toMatchObject({
      code: 'UNSUPPORTED',
    })
  })

  it('name the page that opened a new one', async () => {
    const { peer, at } = await opened()
    expect(await peer.result('page.act', { ...at, intent: { action: 'click' } })).toMatchObject({
      effects: { new_pages: [{ page_id: 'p_2', url: 'https://example.com/new', opener: at.page_id }] },
    })
  })

  it('take a flat target and warn of keys that nobody reads; a target without any known key is refused', async () => {
    const { peer, browsing, at } = await opened()
    const intent = { action: 'click', target: { text: 'Go', rol: 'button' } }
    expect(await peer.result('page.act', { ...at, intent })).toMatchObject({ warnings: ['target.rol is not read'] })
    expect(browsing.seen.at(-1)?.args[0]).toMatchObject({ target: { query: { text: 'Go' } } })
    expect(
      await peer.error('page.act', { ...at, intent: { action: 'click', target: { rol: 'button' } } }),
    ).toMatchObject({
      code: 'INVALID_REQUEST',
      details: { path: 'params.intent.target' },
    })
  })

  it('can be observed with navigate in one step, within the same bounds', async () => {
    const { peer, browsing, at } = await opened()
    const observe = { max_tokens: 2_000, outline: { links: true, max_tokens: 500 }, ext: false }
    const result = await peer.result('page.navigate', { ...at, url: 'https://e.com/', observe })
    expect(result['observe']).toMatchObject({ mode: 'snapshot', som: browsing.som })
    expect(browsing.seen.at(-1)?.args[0]).toEqual({
      maxTokens: 2_000,
      outline: { links: true, maxTokens: 500 },
      ext: false,
    })
  })

  it('give the outline alone to those who read no SOM, piece by piece', async () => {
    const { peer, browsing, at } = await opened()
    const outline = { max_tokens: 64, cursor: 'l12' }
    const result = await peer.result('page.observe', { ...at, som: false, outline })
    expect(Object.keys(result)).toEqual(['mode', 'cursor'])
    expect(browsing.seen.at(-1)?.args[0]).toEqual({ outline: { maxTokens: 64, cursor: 'l12' }, ext: false })
  })

  it('expand what a snapshot cut', async () => {
    const { peer, browsing, at } = await opened()
    const expand = { region: 'r_main', cursor: 'x:1', max_tokens: 100 }
    expect(await peer.result('page.observe', { ...at, expand })).toEqual({
      mode: 'expand',
      elements: [],
      next_cursor: 'x:2',
    })
    expect(browsing.seen.at(-1)?.args[0]).toEqual({ region: 'r_main', cursor: 'x:1', maxTokens: 100 })
  })

  it('answer a cursor that is too old with a snapshot, and a malformed one with an error', async () => {
    const { peer, at } = await opened()
    expect(await peer.result('page.observe', { ...at, mode: 'mutations', cursor: 'c:0' })).toMatchObject({
      mode: 'snapshot',
      reason: 'cursor_expired',
    })
    for (const cursor of ['x', 'c:', 1.5, -1]) {
      expect(await peer.error('page.observe', { ...at, mode: 'mutations', cursor })).toMatchObject({
        details: { path: 'params.cursor' },
      })
    }
  })

  it('refuse som+msgpack where the connection speaks JSON', async () => {
    const { peer, at } = await opened()
    expect(await peer.error('page.observe', { ...at, format: 'som+msgpack' })).toMatchObject({
      code: 'UNSUPPORTED',
      details: { field: 'format' },
    })
    const packed = await opened({ awp: { versions: ['0.1'] } })
    expect(await packed.peer.result('page.observe', { ...packed.at, format: 'som+msgpack' })).toHaveProperty('som')
  })

  it('answer their dialogs', async () => {
    const { peer, browsing, at } = await opened()
    await peer.result('page.dialog.accept', { ...at, text: 'Ada' })
    await peer.result('page.dialog.dismiss', at)
    expect(
      browsing.seen
        .slice(-4)
        .filter(({ name }) => name === 'answerDialog')
        .map(({ args }) => args),
    ).toEqual([
      [true, 'Ada'],
      [false, undefined],
    ])
  })

  it.each([
    ['json', DRAFT_JSON],
    ['msgpack', { awp: { versions: ['0.1'] } }],
  ])('stream their downloads in pieces, in %s (AWP-STATE-2)', async (_encoding, hello) => {
    const { peer, browsing, at } = await opened(hello)
    const { downloads } = (await peer.result('page.downloads.list', at)) as { downloads: JsonObject[] }
    expect(downloads).toMatchObject([{ download_id: 'd_1', bytes: 1_000_000, state: 'done' }])
    const whole = new Uint8Array(1_000_000)
    let offset = 0
    for (let isDone = false; !isDone; ) {
      const piece = await peer.result('page.downloads.get', { ...at, download_id: 'd_1', offset, max_bytes: 400_000 })
      const data = bytesOf(piece['data'] as JsonValue)
      expect(piece).toMatchObject({ offset, total_bytes: 1_000_000 })
      whole.set(data, offset)
      offset += data.length
      isDone = piece['done'] === true
    }
    expect(Buffer.compare(whole, browsing.download)).toBe(0)
    expect(await peer.error('page.downloads.get', { ...at, download_id: 'd_2' })).toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('session.set_network (AWP-NET-1)', () => {
  it('takes what changes nothing, says what it ignores, and refuses proxies and unknown profiles', async () => {
    const { peer, at } = await opened()
    const { session_id } = at
    const set = (params: JsonObject): Promise<JsonObject> => peer.ask('session.set_network', { session_id, ...params })
    expect(await set({ proxy: { mode: 'none' }, impersonation: 'chrome128' })).toMatchObject({
      result: { session_id, proxy: { mode: 'none' }, ignored: ['impersonation'] },
    })
    expect(await set({ proxy: { mode: 'fixed' } })).toMatchObject({
      error: { code: 'UNSUPPORTED', details: { field: 'proxy' } },
    })
    expect(await set({ impersonation: 'netscape4' })).toMatchObject({
      error: { code: 'UNSUPPORTED', details: { field: 'impersonation', known: expect.arrayContaining(['chrome128']) } },
    })
  })
})

describe('state of a session', () => {
  it('is read and written as cookies, in both spellings (AWP-STATE-1)', async () => {
    const { peer, at } = await opened()
    const { session_id } = at
    const cookies = [
      { name: 'a', value: '1', domain: 'e.com', http_only: true, same_site: 'lax' },
      { name: 'b', value: '2', url: 'https://e.com/', httpOnly: true, sameSite: 'Strict', expires: 2_000_000_000 },
    ]
    expect(await peer.result('session.cookies.set', { session_id, cookies })).toEqual({ set: 2 })
    expect(await peer.result('session.cookies.get', { session_id })).toMatchObject({
      count: 2,
      cookies: [
        { name: 'a', http_only: true, same_site: 'Lax', expires: null },
        { name: 'b', http_only: true, same_site: 'Strict', expires: 2_000_000_000 },
      ],
    })
    expect(await peer.result('session.cookies.clear', { session_id })).toEqual({ cleared: 2 })
  })

  it('is exported, imported, and kept or not at close (AWP-SES-2, AWP-SES-3)', async () => {
    const { peer, browsing, at } = await opened()
    const { state } = await peer.result('session.export', { session_id: at.session_id })
    const imported = await peer.result('session.import', { state: state as JsonValue, ttl_ms: 1_000 })
    expect(imported).toMatchObject({ session_id: expect.any(String), attach_secret: expect.any(String) })
    expect(browsing.seen.at(-1)).toMatchObject({ name: 'importSession', args: [{ version: 1 }, { ttlMs: 1_000 }] })
    await peer.result('session.close', { session_id: at.session_id, persist: true })
    expect(browsing.seen.at(-1)).toMatchObject({ name: 'closeSession', args: [expect.any(String), { persist: true }] })
  })
})

describe('shipped peers', () => {
  it('act on the first of several matches and hear how many there were; drafts get the candidates', async () => {
    const several = new DomosError('conflict', 'Several match.', { details: { candidates: ['e_1', 'e_2'] } })
    const legacy = await opened(LEGACY)
    legacy.browsing.failNext('act', several)
    const intent = { action: 'click', target: { text: 'Go' } }
    const result = await legacy.peer.result('page.act', { session_id: legacy.at.session_id, intent })
    expect(result).toMatchObject({ status: 'ok', resolved: { element_id: 'e_1', ambiguous: 2 } })
    expect(legacy.browsing.seen.at(-1)?.args[0]).toEqual({ action: 'click', target: { elementRef: 'e_1' } })
    const draft = await opened()
    draft.browsing.failNext('act', several)
    const error = await draft.peer.error('page.act', { ...draft.at, intent })
    expect(error).toMatchObject({ code: 'CONFLICT', details: { candidates: ['e_1', 'e_2'] } })
  })

  it('get their flat names, integer cursors and the summary of changes', async () => {
    const { peer, at } = await opened(LEGACY)
    const { session_id } = at
    expect(await peer.result('page.observe', { session_id })).toMatchObject({
      mode: 'snapshot',
      cursor: expect.any(Number),
    })
    expect(await peer.result('page.observe', { session_id, mode: 'mutations', cursor: 1 })).toMatchObject({
      summary: { total_changes: 1, elements_modified: 1 },
    })
    expect(
      await peer.result('page.act', { session_id, intent: { action: 'click', target: { ref: 'e_1' } } }),
    ).toMatchObject({
      resolved: { element_id: 'e_1', role: 'button', text: 'Go' },
      effects: { navigated: true, som_changed: true },
    })
    expect(
      await peer.result('page.extract', {
        session_id,
        fields: { a: { role: 'heading', all: true }, b: { text_match: 'x+' } },
      }),
    ).toMatchObject({ data: { a: 'value' }, provenance: { b: 'e_1' } })
    expect(await peer.result('page.extract', { session_id, interactive_elements: true })).toMatchObject({ count: 1 })
    expect(
      await peer.result('session.cookies.set', { session_id, cookies: [{ name: 'a', value: '1', domain: 'e.com' }] }),
    ).toEqual({ set: 1 })
    expect(await peer.result('session.cookies.get', { session_id })).toMatchObject({
      cookies: [{ httpOnly: false, sameSite: null }],
    })
    expect(await peer.error('page.extract', { session_id })).toMatchObject({ code: 'INVALID_REQUEST' })
  })
})

function typeOf(value: JsonValue | undefined): unknown {
  if (typeof value !== 'object' || value === null) return typeof value
  return 'object'
}

function bytesOf(value: JsonValue): Uint8Array {
  return typeof value === 'string' ? Buffer.from(value, 'base64') : (value as unknown as Uint8Array)
}

describe('an outline and its ceiling', () => {
  const asked = async (params: JsonObject) => {
    const { peer, browsing, at } = await opened()
    await peer.result('page.observe', { ...at, ...params })
    return browsing.seen.findLast(({ name }) => name === 'snapshot')?.args[0]
  }

  it('alone takes max_tokens for itself, so that a SOM nobody asked for is never refused as too large', async () => {
    expect(await asked({ som: false, outline: true, max_tokens: 500 })).toEqual({
      outline: { maxTokens: 500 },
      ext: false,
    })
    expect(await asked({ som: false, outline: { max_tokens: 90 }, max_tokens: 500 })).toEqual({
      outline: { maxTokens: 90 },
      ext: false,
    })
  })

  it('beside the SOM shares max_tokens, unless it names its own', async () => {
    expect(await asked({ outline: true, max_tokens: 500 })).toEqual({
      maxTokens: 500,
      outline: { maxTokens: 500 },
      ext: true,
    })
    expect(await asked({ outline: { max_tokens: 90 }, max_tokens: 500 })).toEqual({
      maxTokens: 500,
      outline: { maxTokens: 90 },
      ext: true,
    })
  })

  it('alone has no bytes to count', async () => {
    const { peer, at } = await opened()
    expect(await peer.error('page.observe', { ...at, som: false, outline: true, max_bytes: 500 })).toMatchObject({
      code: 'INVALID_REQUEST',
      details: { path: 'params.max_bytes' },
    })
  })
})

describe('a request that names no session', () => {
  it('is NOT_FOUND to shipped peers, as where they come from, and malformed by the document', async () => {
    const { peer: shipped } = await opened(LEGACY)
    for (const params of [{}, { session_id: '' }]) {
      expect(await shipped.error('page.observe', params)).toMatchObject({ code: 'NOT_FOUND' })
    }
    expect(await shipped.error('page.observe', { session_id: 7 })).toMatchObject({ code: 'INVALID_REQUEST' })
    const { peer } = await opened()
    expect(await peer.error('page.observe', {})).toMatchObject({ code: 'INVALID_REQUEST' })
  })
})
