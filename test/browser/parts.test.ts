import { describe, expect, it } from 'vitest'
import { call, elements, open, site } from './world.ts'

const click = (text: string) => ({ action: 'click', target: { query: { text } } })
const texts = (som: unknown) => elements(som).map(({ text, label }) => label ?? text)

describe('what a document needs besides itself', () => {
  it('decides what is visible: linked stylesheets, also those of frames', async () => {
    const { web, page } = await open({
      '/': `<link rel="stylesheet" href="/a.css"><link rel="alternate stylesheet" href="/no.css"><link rel="stylesheet" href="/print.css" media="print">
        <link rel="stylesheet" href="/broken.css"><p class="off">secret instruction</p><p>shown</p><iframe srcdoc="<link rel=stylesheet href=/b.css><p id=x>hidden in frame</p><p>in frame</p>"></iframe>`,
      '/a.css': { headers: { 'content-type': 'text/css' }, body: '.off { display: none }' },
      '/b.css': { headers: { 'content-type': 'text/css' }, body: '#x { visibility: hidden }' },
      '/print.css': { headers: { 'content-type': 'text/css' }, body: 'p { display: none }' },
      '/broken.css': { status: 404, body: 'p { display: none }' },
      '/no.css': { headers: { 'content-type': 'text/css' }, body: 'p { display: none }' },
    })
    const { som, ext } = await page.snapshot({}, call)
    expect(texts(som)).toContain('shown')
    expect(JSON.stringify([som, ext])).not.toMatch(/secret instruction|hidden in frame/)
    expect(ext?.['hidden']).toMatchObject({ css: 1 })
    expect(web.seen.map(({ url }) => url)).not.toContain('/no.css')
    const style = web.seen.find(({ url }) => url === '/a.css')
    expect(style?.headers).toMatchObject({ accept: 'text/css,*/*;q=0.1', referer: `${web.url}/` })
  })

  it('is shown with it: frames, in the same space of ids, acted on for themselves', async () => {
    const { web, page } = await open({
      '/': '<title>Top</title><button>Same</button><iframe src="/in" title="inner"></iframe><iframe src="/out"></iframe>',
      '/in':
        '<title>In</title><base href="/sub/"><a href="next">Go on</a><form action="/sent"><label>Name <input name="n"></label><button>Send</button></form><a href="/leave" target="_top">Leave</a>',
      '/sub/next': '<title>Next</title><p>second page in the frame</p>',
      '/sent': '<p>frame got it</p>',
      '/leave': '<title>Left</title>',
      '/out': { headers: { 'content-type': 'application/pdf' }, body: 'x' },
    })
    const { ext } = await page.snapshot({}, call)
    const [frame] = (ext?.['frames'] ?? []) as unknown as { url: string; som: unknown }[]
    expect(frame).toMatchObject({ url: `${web.url}/in`, som: { title: 'In' } })
    await page.act({ action: 'fill_form', value: { Name: 'Ada' }, options: { submit: true } }, {}, call)
    expect(web.seen.at(-1)?.url).toBe('/sent?n=Ada')
    const sent = await page.snapshot({}, call)
    expect(sent.som).toMatchObject({ title: 'Top', url: `${web.url}/` })
    expect(JSON.stringify(sent.ext)).toContain('frame got it')
    await page.reload({}, call)
    const inner = await page.act(click('Go on'), {}, call)
    expect(inner.effects).toMatchObject({ navigation: false, somChanged: true })
    expect(web.seen.at(-1)?.url).toBe('/sub/next')
    await page.reload({}, call)
    const left = await page.act(click('Leave'), {}, call)
    expect(left.effects).toMatchObject({ navigation: 'document', url: `${web.url}/leave` })
  })

  it('is bounded: frames in frames, frames without end, parts that never come', async () => {
    const never = Promise.withResolvers<string>()
    const { createStaticEngine } = await import('@domos/engine-static')
    const engines = [createStaticEngine({ limits: { partsTimeoutMs: 150 } })]
    const { web, page } = await open(
      {
        '/': `<h1>Top</h1><link rel="stylesheet" href="/slow"><iframe src="/self"></iframe>${'<iframe srcdoc="x"></iframe>'.repeat(40)}`,
        '/self': '<p>again</p><iframe src="/self"></iframe>',
        '/slow': () => never.promise,
      },
      {},
      { engines },
    )
    const { som, ext } = await page.snapshot({}, call)
    expect(texts(som)).toContain('Top')
    expect((ext?.['frames'] ?? []) as unknown[]).toHaveLength(16)
    expect(web.seen.filter(({ url }) => url === '/self').length).toBeLessThanOrEqual(3)
    never.resolve('')
  })

  it('is fetched under the same rules: no private address, no cookies meant for the site itself', async () => {
    const inner = await site({ '/': 'secret', '/x.css': '' })
    const privateUrl = inner.url.replace('127.0.0.1', 'localhost')
    const other = await site({
      '/': { headers: { 'set-cookie': ['lax=1; Path=/; SameSite=Lax', 'plain=1; Path=/'] }, body: '<p>framed</p>' },
    })
    const { session, page, web } = await open({
      '/': `<iframe src="${privateUrl}/"></iframe><link rel="stylesheet" href="${privateUrl}/x.css"><iframe src="${other.url}/"></iframe>`,
    })
    expect(inner.seen).toEqual([])
    expect((await session.cookies.get({})).map(({ name }) => name)).toEqual(['lax', 'plain'])
    await page.navigate(`${web.url}/`, {}, call)
    expect(JSON.stringify((await page.snapshot({}, call)).ext)).not.toContain('secret')
  })
})
