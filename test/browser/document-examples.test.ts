import { describe, expect, it } from 'vitest'
import { connect, openDoor } from './door.ts'
import { site } from './world.ts'

const shop = {
  '/': '<title>Find it</title><form action="/find"><label>Search <input type="search" name="q"></label><button>Go</button></form>',
  '/find':
    '<title>Results</title><main><h1>Results</h1><ol><li><a href="/1">First hit</a></li><li><a href="/2">Second hit</a></li></ol></main>',
  '/pay':
    '<title>Pay</title><form method="post" action="/paid" aria-label="Checkout"><label>Card number <input name="card" autocomplete="cc-number" required></label><label>Expiry <input name="exp" autocomplete="cc-exp"></label><button>Pay now</button></form>',
  '/paid': '<title>Thank you</title><h1>Paid</h1>',
}

describe('the examples of the document, over a real socket', () => {
  it('1: the search workflow', async () => {
    const web = await site(shop)
    const client = await connect((await openDoor()).url)
    expect(client.hello).toMatchObject({
      awp: { version: '0.1' },
      features: { som: { snapshot: true, mutation: true, max_bytes: 1_048_576 } },
    })
    const session = await client.createSession()
    const page = await session.createPage()
    await page.navigate(`${web.url}/`, { wait: { until: 'network_idle', timeoutMs: 15_000 } })
    const { som } = await page.observe({ maxBytes: 262_144 })
    expect(som).toMatchObject({ som_version: '0.1', title: 'Find it' })
    const input = { query: { role: 'input', label: 'Search' } }
    await page.act({ action: 'type', target: input, value: 'lamps' })
    const sent = await page.act(
      { action: 'submit', target: input },
      { wait: { until: 'som_stable', timeoutMs: 10_000 } },
    )
    expect(sent.effects).toMatchObject({ navigation: 'document', somChanged: true, url: `${web.url}/find?q=lamps` })
    expect((await page.observe()).som).toMatchObject({ title: 'Results' })
    const { data, provenance } = await page.extract({
      queries: { hits: { query: { role: 'link' }, all: true, props: ['text', 'href'] } },
    })
    expect(data).toEqual({
      hits: [
        { text: 'First hit', href: `${web.url}/1` },
        { text: 'Second hit', href: `${web.url}/2` },
      ],
    })
    expect(provenance['hits']).toHaveLength(2)
  })

  it('2: the checkout workflow, by its fallback', async () => {
    const web = await site(shop)
    const client = await connect((await openDoor()).url, { encoding: 'json' })
    const page = await (await client.createSession()).createPage()
    await page.navigate(`${web.url}/pay`)
    await page.observe()
    await expect(client.request('skills.list', {})).rejects.toMatchObject({ code: 'unsupported' })
    const filled = await page.act({
      action: 'fill_form',
      value: { 'Card number': '4242424242424242', Expiry: '12/30' },
    })
    expect(filled.steps).toHaveLength(2)
    const paid = await page.act({ action: 'submit_form', target: { query: { role: 'form', text: 'Checkout' } } })
    expect(paid.effects).toMatchObject({ navigation: 'document' })
    expect(JSON.stringify([filled, paid])).not.toContain('4242')
    expect(web.seen.at(-1)?.body).toBe('card=4242424242424242&exp=12%2F30')
    expect((await page.observe()).som).toMatchObject({ title: 'Thank you' })
  })
})

describe('peers of the flat dialect', () => {
  /** One request and its answer, as such a peer writes it. */
  async function legacy(url: string) {
    const socket = new WebSocket(url)
    await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
    let next = 1
    const ask = (
      method: string,
      params: object,
    ): Promise<{ result?: Record<string, never>; error?: { code: string } }> => {
      const id = String(next++)
      return new Promise((resolve) => {
        const listen = ({ data }: MessageEvent): void => {
          const answer = JSON.parse(String(data)) as {
            id: string
            result?: Record<string, never>
            error?: { code: string }
          }
          if (answer.id !== id) return
          socket.removeEventListener('message', listen)
          resolve(answer)
        }
        socket.addEventListener('message', listen)
        socket.send(JSON.stringify({ id, type: 'request', method, params }))
      })
    }
    return { ask, close: () => socket.close() }
  }

  it('get what they are known to check', async () => {
    const web = await site({
      '/': '<title>T</title><main><a href="/next">Next</a><input name="q" aria-label="Q"></main>',
      '/next': '<title>N</title><p>next</p>',
    })
    const { ask, close } = await legacy((await openDoor()).url)
    expect((await ask('session.create', {})).error).toMatchObject({ code: 'INVALID_REQUEST' })
    expect(
      (await ask('awp.hello', { client_name: 'x', client_version: '1', awp_version: '0.1' })).result,
    ).toMatchObject({ awp_version: '0.1', features: expect.arrayContaining([expect.any(String)]) })
    expect((await ask('page.levitate', {})).error).toMatchObject({ code: 'INVALID_REQUEST' })
    const session_id = String((await ask('session.create', {})).result?.['session_id'])
    expect(session_id).toMatch(/^s_/)
    expect((await ask('page.observe', { session_id })).error).toMatchObject({ code: 'NOT_FOUND' })
    const navigated = (await ask('page.navigate', { session_id, url: `${web.url}/` })).result
    expect(navigated).toMatchObject({ status: 200, som_ready: true, pipeline_ms: expect.any(Number) })
    expect(Number(navigated?.['html_bytes'])).toBeGreaterThan(0)
    expect(Number(navigated?.['som_bytes'])).toBeGreaterThan(0)
    const { som } = (await ask('page.observe', { session_id })).result as unknown as {
      som: { som_version: string; regions: unknown[] }
    }
    expect(som.som_version).toBe('0.1')
    expect(som.regions.length).toBeGreaterThan(0)
    expect((await ask('page.extract', { session_id, interactive_elements: true })).result).toMatchObject({
      count: 2,
      interactive_elements: [{ role: 'link' }, {}],
    })
    expect(
      (await ask('page.act', { session_id, intent: { action: 'type', target: { role: 'text_input' }, value: 'x' } }))
        .result,
    ).toMatchObject({ effects: { som_changed: true } })
    expect(
      (await ask('page.act', { session_id, intent: { action: 'click', target: { text: 'Next' } } })).result,
    ).toMatchObject({ effects: { navigated: true, som_changed: true } })
    expect((await ask('session.close', { session_id })).result).toMatchObject({ closed: true })
    close()
  })
})

describe('a persistent session', () => {
  it('comes back with its cookies and pages after the server was restarted, to whoever has its secret (PAGES-SES-3)', async () => {
    const { mkdtemp, readFile, rm } = await import('node:fs/promises')
    const { tmpdir } = await import('node:os')
    const { join } = await import('node:path')
    const dataDir = await mkdtemp(join(tmpdir(), 'domos-persist-'))
    const web = await site({
      '/': { headers: { 'set-cookie': 'sid=Top-Secret-1; Path=/' }, body: '<title>Mine</title>' },
    })
    const first = await openDoor({}, dataDir)
    const client = await connect(first.url)
    const session = await client.createSession({ persist: true })
    expect(session.ignored).toEqual([])
    await (await session.createPage()).navigate(`${web.url}/`)
    client.close()
    await first.close()
    for (const file of ['browsing.sqlite', 'browsing.sqlite-wal']) {
      expect(await readFile(join(dataDir, file), 'latin1').catch(() => '')).not.toContain('Top-Secret-1')
    }
    const again = await connect((await openDoor({}, dataDir)).url)
    await expect(again.attachSession(session.id, 'f'.repeat(64))).rejects.toMatchObject({ code: 'not_found' })
    const revived = await again.attachSession(session.id, session.attachSecret)
    expect((await revived.cookies()).map(({ value }) => value)).toEqual(['Top-Secret-1'])
    expect(await revived.pages()).toMatchObject([{ url: `${web.url}/`, title: 'Mine' }])
    expect(web.seen.at(-1)?.headers.cookie).toBe('sid=Top-Secret-1')
    await revived.close({ persist: false })
    await expect(again.attachSession(session.id, session.attachSecret)).rejects.toMatchObject({ code: 'not_found' })
    await rm(dataDir, { recursive: true, force: true })
  })
})
