import { describe, expect, it } from 'vitest'
import { anybody, browsing, call, elements, open, site } from './world.ts'

const link = (text: string) => ({ action: 'click', target: { query: { role: 'link', text } } })
const title = async (page: {
  snapshot: (options: object, c: typeof call) => Promise<{ som: Record<string, unknown> }>
}) => (await page.snapshot({}, call)).som['title']

describe('navigation', () => {
  it('shows a page and follows a link on it (PAGES-OBS-1)', async () => {
    const { web, page } = await open({
      '/': '<title>Start</title><h1>Start</h1><a href="/next">Go on</a>',
      '/next': '<title>Next</title><h1>Next page</h1>',
    })
    const first = await page.snapshot({}, call)
    expect(first.som).toMatchObject({ title: 'Start', url: `${web.url}/` })
    const result = await page.act(link('Go on'), {}, call)
    expect(result).toMatchObject({
      action: 'primitive.click',
      effects: { navigation: 'document', somChanged: true, url: `${web.url}/next` },
      target: { role: 'link', confidence: 1 },
    })
    const second = await page.snapshot({}, call)
    expect(second.cursor).toBeGreaterThan(first.cursor)
    expect(elements(second.som)[0]).toMatchObject({ role: 'heading', text: 'Next page' })
    expect(web.seen[1]?.headers).toMatchObject({ referer: `${web.url}/` })
  })

  it('goes back and forward, and says where the history ends', async () => {
    const { page } = await open({
      '/': '<title>A</title><a href="/b">b</a>',
      '/b': '<title>B</title><a href="#part">part</a><a href="/c">c</a>',
      '/c': '<title>C</title>',
    })
    await page.act(link('b'), {}, call)
    const fragment = await page.act(link('part'), {}, call)
    expect(fragment.effects).toMatchObject({ navigation: 'same_document', url: expect.stringMatching(/\/b#part$/) })
    await page.act(link('c'), {}, call)
    expect(await page.back({}, call)).toMatchObject({ url: expect.stringMatching(/#part$/), title: 'B' })
    expect(await page.back({}, call)).toMatchObject({ url: expect.stringMatching(/\/b$/) })
    expect(await page.back({}, call)).toMatchObject({ title: 'A' })
    await expect(page.back({}, call)).rejects.toMatchObject({ code: 'conflict', details: { reason: 'HISTORY_END' } })
    expect(await page.forward({}, call)).toMatchObject({ title: 'B' })
    const { ext } = await page.snapshot({}, call)
    expect(ext?.['page']).toMatchObject({ history: { length: 4, index: 1 } })
  })

  it('does not send a form a second time by reload or back', async () => {
    const { web, page } = await open({
      '/': '<title>A</title><form method="post" action="/done"><button>Buy</button></form>',
      '/done': '<title>Thanks</title><a href="/">home</a>',
    })
    await page.act({ action: 'click', target: { query: { role: 'button' } } }, {}, call)
    await expect(page.reload({}, call)).rejects.toMatchObject({
      code: 'conflict',
      details: { reason: 'WOULD_RESUBMIT' },
    })
    await page.act(link('home'), {}, call)
    await expect(page.back({}, call)).rejects.toMatchObject({ details: { reason: 'WOULD_RESUBMIT' } })
    expect(await title(page)).toBe('A')
    expect(web.seen.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  it('reports redirects, the real status and a body that comes with an error', async () => {
    const { web, page } = await open({
      '/': '<title>A</title>',
      '/r': { status: 302, headers: { location: '/s' } },
      '/s': { status: 303, headers: { location: '/gone' } },
      '/gone': { status: 410, body: '<title>Gone</title><h1>Gone</h1>' },
      '/empty': { status: 500 },
    })
    expect(await page.navigate(`${web.url}/r`, {}, call)).toMatchObject({
      status: 410,
      title: 'Gone',
      url: `${web.url}/gone`,
      redirects: [`${web.url}/r`, `${web.url}/s`],
    })
    await expect(page.navigate(`${web.url}/empty`, {}, call)).rejects.toMatchObject({
      code: 'navigation_failed',
      details: { status: 500 },
    })
    expect(await title(page)).toBe('Gone')
    await expect(page.act({ action: 'navigate', value: 'not a url' }, {}, call)).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })

  it('follows a refresh, from the header or the markup, within bounds', async () => {
    let turn = 0
    const { web, page } = await open({
      '/': '<title>A</title>',
      '/header': { headers: { refresh: '0; url=/end' }, body: '<title>Old</title>' },
      '/meta': '<meta http-equiv="Refresh" content="0;URL=\'/end\'"><title>Old</title>',
      '/end': '<title>End</title>',
      '/loop': () => `<meta http-equiv="refresh" content="0;url=/loop?${++turn}">`,
      '/self': '<meta http-equiv="refresh" content="5"><title>Self</title>',
    })
    for (const path of ['/header', '/meta']) {
      expect(await page.navigate(`${web.url}${path}`, {}, call)).toMatchObject({
        title: 'End',
        redirects: [`${web.url}${path}`],
      })
    }
    await expect(page.navigate(`${web.url}/loop`, {}, call)).rejects.toMatchObject({
      details: { reason: 'TOO_MANY_REDIRECTS' },
    })
    expect(await page.navigate(`${web.url}/self`, { until: 'network_idle' }, call)).toMatchObject({ title: 'Self' })
  })

  it('shows text as a document and keeps what is neither as a download', async () => {
    const { web, page } = await open({
      '/': '<title>A</title>',
      '/data.json': { headers: { 'content-type': 'application/json' }, body: '{"a": "<b>"}' },
      '/plain': { headers: { 'content-type': 'text/plain; charset=windows-1252' }, body: Uint8Array.of(0xe9) },
      '/untyped': { headers: { 'content-type': null }, body: ' <html><title>Sniffed</title>' },
      '/pic.png': { headers: { 'content-type': 'image/png' }, body: Uint8Array.of(1, 2, 3) },
      '/none': { status: 204 },
    })
    await page.navigate(`${web.url}/data.json`, {}, call)
    expect(elements((await page.snapshot({}, call)).som)[0]?.text).toBe('{"a": "<b>"}')
    await page.navigate(`${web.url}/plain`, {}, call)
    expect(elements((await page.snapshot({}, call)).som)[0]?.text).toBe('é')
    expect(await page.navigate(`${web.url}/untyped`, {}, call)).toMatchObject({ title: 'Sniffed' })
    const picture = await page.navigate(`${web.url}/pic.png`, {}, call)
    expect(picture).toMatchObject({
      url: `${web.url}/untyped`,
      download: { filename: 'pic.png', bytes: 3, contentType: 'image/png' },
    })
    expect(picture.download?.sha256).toBe('039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81')
    expect(await page.navigate(`${web.url}/none`, {}, call)).toMatchObject({ status: 204, url: `${web.url}/untyped` })
  })

  it('opens named pages once, and no more pages than the session may have', async () => {
    const { session, page } = await open(
      {
        '/': '<a href="/x" target="side">x</a><a href="/y" target="side">y</a><a href="/z" target="_blank">z</a>',
        '/x': '<title>X</title>',
        '/y': '<title>Y</title>',
        '/z': '<title>Z</title>',
      },
      { limits: { maxPages: 2 } },
    )
    const first = await page.act(link('x'), {}, call)
    expect(first.effects.newPages).toHaveLength(1)
    const second = await page.act(link('y'), {}, call)
    expect(second.effects.newPages).toBeUndefined()
    expect(session.listPages().map((each) => each.title)).toEqual(['', 'Y'])
    await expect(page.act(link('z'), {}, call)).rejects.toMatchObject({
      code: 'busy',
      details: { reason: 'RESOURCE_EXHAUSTED' },
    })
    await expect(session.createPage(call)).rejects.toMatchObject({ code: 'busy' })
    expect(session.listPages()).toHaveLength(2)
  })

  it('takes a download that a link opens elsewhere as its own, and leaves no empty page behind (PAGES-STATE-2)', async () => {
    const { session, page } = await open({
      '/': '<title>A</title><a href="/f" target="_blank">file</a>',
      '/f': { headers: { 'content-disposition': 'attachment; filename=f.txt' }, body: 'bytes' },
    })
    const { effects } = await page.act(link('file'), {}, call)
    expect(effects).toMatchObject({ navigation: false, downloads: [{ filename: 'f.txt', bytes: 5 }] })
    expect(effects.newPages).toBeUndefined()
    expect(session.listPages()).toHaveLength(1)
    const { data, done } = await page.readDownload(effects.downloads?.[0]?.id ?? '', 1, 3)
    expect([new TextDecoder().decode(data), done]).toEqual(['yte', false])
    await expect(page.readDownload('d_none', 0, 1)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('lets a newer navigation win over one that is under way', async () => {
    const late = Promise.withResolvers<string>()
    const { web, page } = await open({
      '/': '<title>A</title>',
      '/slow': '<title>Slow</title><iframe src="/never"></iframe>',
      '/never': () => late.promise,
      '/fast': '<title>Fast</title>',
    })
    const slow = page.navigate(`${web.url}/slow`, {}, call)
    const outcome = slow.catch((thrown: { code: string }) => thrown.code)
    await expect.poll(() => web.seen.some(({ url }) => url === '/never')).toBe(true)
    await page.navigate(`${web.url}/fast`, {}, { ...call, isParallel: true })
    late.resolve('<p>late</p>')
    expect(await outcome).toBe('cancelled')
    const { som, ext } = await page.snapshot({}, call)
    expect(som).toMatchObject({ title: 'Fast', url: `${web.url}/fast` })
    expect(ext?.['page']).toMatchObject({ history: { length: 2, index: 1 } })
  })

  it('gives up in time, naming what was pending, and leaves the page usable (PAGES-WAIT-4)', async () => {
    const never = Promise.withResolvers<string>()
    const { web, page } = await open({ '/': '<title>A</title><a href="/slow">slow</a>', '/slow': () => never.promise })
    await expect(page.navigate(`${web.url}/slow`, { timeoutMs: 100 }, call)).rejects.toMatchObject({
      code: 'timeout',
      details: { timeoutMs: 100, method: 'page.navigate', pending: [`${web.url}/slow`] },
    })
    await expect(page.act(link('slow'), { timeoutMs: 100 }, call)).rejects.toMatchObject({
      code: 'timeout',
      details: { delivered: true },
    })
    const abort = new AbortController()
    const cancelled = page.navigate(`${web.url}/slow`, {}, { signal: abort.signal })
    abort.abort()
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' })
    expect(await title(page)).toBe('A')
    never.resolve('')
  })

  it('says that nothing is loaded yet', async () => {
    const page = await (await (await browsing()).createSession(anybody, {})).createPage(call)
    for (const ask of [
      () => page.snapshot({}, call),
      () => page.act({ action: 'click', target: { query: { text: 'x' } } }, {}, call),
      () => page.extract({ queries: { a: { query: { text: 'x' } } } }, call),
      () => page.mutations(0, 10, call),
      () => page.reload({}, call),
    ]) {
      await expect(ask()).rejects.toMatchObject({ code: 'not_found' })
    }
  })

  it('waits for an element, and for one to be gone', async () => {
    const { web, page } = await open({
      '/': '<title>A</title><p>first</p><meta http-equiv="refresh" content="0.2; url=/b">',
      '/b': '<title>B</title><button>Ready</button>',
      '/wait': '<meta http-equiv="refresh" content="1;url=/b"><p>Please wait</p>',
    })
    await page.navigate(`${web.url}/wait`, {}, call)
    const found = await page.waitFor({ query: { role: 'button', text: 'Ready' }, timeoutMs: 5_000 }, call)
    expect(found.elementId).toMatch(/^e_/)
    await page.waitFor({ query: { text: 'Please wait' }, gone: true }, call)
    await expect(page.waitFor({ query: { text: 'Never' }, timeoutMs: 80 }, call)).rejects.toMatchObject({
      code: 'timeout',
    })
  })

  it('reaches no private address unless the operator says so, by link, form, redirect or refresh', async () => {
    const secret = await site({ '/': 'secret' })
    const inner = secret.url.replace('127.0.0.1', 'localhost')
    const { page } = await open({
      '/': `<a href="${inner}/">link</a><form method="post" action="${inner}/"><button>send</button></form><a href="/r">redirect</a><a href="/m">refresh</a>`,
      '/r': { status: 302, headers: { location: `${inner}/` } },
      '/m': `<meta http-equiv="refresh" content="0;url=${inner}/">`,
    })
    for (const name of ['link', 'redirect', 'refresh']) {
      await expect(page.act(link(name), {}, call)).rejects.toMatchObject({
        code: 'forbidden',
        details: { reason: 'POLICY_DENIED' },
      })
      if (name === 'refresh') break
      expect((await page.snapshot({}, call)).som['url']).not.toContain('localhost')
    }
    expect(secret.seen).toEqual([])
  })
})
