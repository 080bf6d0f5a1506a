import { createStaticEngine } from '@domos/engine-static'
import { DomosError } from '@domos/spec'
import { describe, expect, it } from 'vitest'
import { anybody, browsing, call, elements, site } from './world.ts'

const megabyte = 1_048_576

/** Longest time this thread worked in one piece while `work` ran, in milliseconds; what else the machine does is left out. */
async function longestPiece(work: () => Promise<unknown>): Promise<number> {
  const cpuMs = (): number => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
  let last = cpuMs()
  let longest = 0
  let isOver = false
  const tick = (): void => {
    const now = cpuMs()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setTimeout(tick, 2)
  }
  setTimeout(tick, 2)
  await work()
  isOver = true
  return longest
}

describe('documents that are too much', () => {
  it.each([
    ['50 MB of HTML', () => '<p>text <a href="/x">link</a></p>\n'.repeat((50 * megabyte) / 33)],
    ['10,000 levels', () => `${'<div>'.repeat(10_000)}deep`],
    ['1,000,000 attributes', () => `<p ${Array.from({ length: 1_000_000 }, (_, at) => `a${at}=1`).join(' ')}>x</p>`],
    ['100,000 levels of formatting', () => '<b><i>'.repeat(100_000)],
    ['nested tables', () => '<table><tr><td>'.repeat(5_000)],
    ['nothing but entities', () => '&amp;'.repeat(200_000)],
    ['random bytes', () => Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7_919) % 256))],
  ])('end in a snapshot or in a coded error, and the page goes on: %s', { timeout: 60_000 }, async (_name, make) => {
    const body = make()
    const web = await site({ '/': { body }, '/after': '<h1>After</h1>' })
    const session = await (await browsing()).createSession(anybody, {})
    const page = await session.createPage(call)
    try {
      await page.navigate(`${web.url}/`, {}, call)
      const { som } = await page.snapshot({ maxBytes: 200_000 }, call)
      expect(JSON.stringify(som).length).toBeLessThan(200_000)
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(DomosError)
      expect((thrown as DomosError).code).not.toBe('internal')
    }
    await page.navigate(`${web.url}/after`, {}, call)
    expect(elements((await page.snapshot({}, call)).som)[0]).toMatchObject({ text: 'After' })
  })

  it('do not keep other sessions waiting', { timeout: 60_000 }, async () => {
    const body = '<p>some text here <a href="/x">link</a></p>\n'.repeat((2 * megabyte) / 44)
    const web = await site({ '/heavy': { body }, '/': '<h1>Light</h1>' })
    const organ = await browsing()
    const heavy = await (await organ.createSession(anybody, {})).createPage(call)
    const light = await (await organ.createSession(anybody, {})).createPage(call)
    await light.navigate(`${web.url}/`, {}, call)
    const piece = await longestPiece(() => heavy.navigate(`${web.url}/heavy`, { timeoutMs: 60_000 }, call))
    expect(elements((await light.snapshot({}, call)).som)[0]).toMatchObject({ text: 'Light' })
    expect(piece).toBeLessThan(150)
  })

  const many = (count: number, write: (at: number) => string): string =>
    Array.from({ length: count }, (_, at) => write(at)).join('')
  it.each<[string, Record<string, string>]>([
    ['anchors in anchors', { '/': '<a><div>'.repeat(20_000) }],
    ['formatting in every paragraph', { '/': `<p>${many(4_000, (at) => `<b id=${at}>`)}${'<p>x'.repeat(25_000)}` }],
    ['paragraphs under many levels', { '/': '<div>'.repeat(20_000) + '<p>'.repeat(30_000) }],
    [
      'rules that look far around',
      { '/': `<style>${many(2_000, () => 'i b:not(:has(u)) ~ b{display:none}')}</style>${'<b>y</b>'.repeat(12_000)}` },
    ],
    [
      'a name for every button',
      { '/': `<div id=big>${'<i>w</i>'.repeat(8_000)}</div>${'<button aria-labelledby=big>'.repeat(3_500)}` },
    ],
    [
      'stylesheets',
      {
        '/': `${many(12, (at) => `<link rel=stylesheet href=/${at}.css>`)}<div class=c>${'<b>y</b>'.repeat(20_000)}`,
        ...Object.fromEntries(
          Array.from({ length: 12 }, (_, at) => [
            `/${at}.css`,
            many(9_000, (rule) => `.c ~ i ~ b.x${rule}, .c i > b{display:none}`),
          ]),
        ),
      },
    ],
    [
      'frames',
      { '/': '<iframe src=/frame></iframe>'.repeat(4), '/frame': '<p>Some <a href=x>link</a></p>'.repeat(30_000) },
    ],
  ])(
    'do not keep other sessions waiting when they are small and a lot of work: %s',
    { timeout: 120_000 },
    async (_name, routes) => {
      const css = (path: string, body: string) =>
        path.endsWith('.css') ? { headers: { 'content-type': 'text/css' }, body } : body
      const web = await site(Object.fromEntries(Object.entries(routes).map(([path, body]) => [path, css(path, body)])))
      const session = await (await browsing()).createSession(anybody, {})
      const page = await session.createPage(call)
      const piece = await longestPiece(async () => {
        try {
          await page.navigate(`${web.url}/`, { timeoutMs: 60_000 }, call)
          await page.snapshot({}, call)
        } catch (thrown) {
          expect(thrown).toMatchObject({ code: 'too_large' })
        }
      })
      expect(piece).toBeLessThan(150)
    },
  )

  it('have so many bytes of frames and styles together, and show what came first', async () => {
    const web = await site({
      '/': '<p>Top</p><iframe src=/frame></iframe><iframe src=/frame></iframe><iframe src=/frame></iframe>',
      '/frame': `<p>Inner</p><!--${'-'.repeat(400)}-->`,
    })
    const engines = [createStaticEngine({ limits: { maxPartsBytes: 900 } })]
    const page = await (await (await browsing({ engines })).createSession(anybody, {})).createPage(call)
    await page.navigate(`${web.url}/`, {}, call)
    const { som, ext } = await page.snapshot({}, call)
    expect(JSON.stringify(som)).toContain('Top')
    expect(JSON.stringify(ext).split('Inner')).toHaveLength(3)
  })

  it('move to a worker as they came: styles, frames and typing go on there', async () => {
    const web = await site({
      '/': `<link rel=stylesheet href=/a.css><iframe src=/frame></iframe><p class=gone>Gone</p><input aria-label=Q>${'<a><div>'.repeat(3_000)}`,
      '/a.css': { headers: { 'content-type': 'text/css' }, body: '.gone{display:none}' },
      '/frame': '<input aria-label=Inner>',
    })
    const engines = [createStaticEngine({ limits: { localParseSteps: 2_000 } })]
    const page = await (await (await browsing({ engines })).createSession(anybody, {})).createPage(call)
    await page.navigate(`${web.url}/`, {}, call)
    const { som, ext } = await page.snapshot({}, call)
    expect(JSON.stringify(som)).not.toContain('Gone')
    expect(JSON.stringify(ext)).toContain('Inner')
    for (const label of ['Q', 'Inner']) {
      const typed = await page.act({ action: 'type', target: { query: { label } }, value: 'here' }, {}, call)
      expect(typed.effects.value).toBe('here')
    }
  })

  it('are dropped with a code when they take a worker too long, and the page goes on', async () => {
    const web = await site({ '/heavy': '<p>x</p>'.repeat(100_000), '/': '<h1>Light</h1>' })
    const engines = [createStaticEngine({ limits: { workerFromBytes: 1_000, workerCallTimeoutMs: 1 } })]
    const page = await (await (await browsing({ engines })).createSession(anybody, {})).createPage(call)
    await expect(page.navigate(`${web.url}/heavy`, {}, call)).rejects.toMatchObject({
      code: 'too_large',
      details: { reason: 'DOCUMENT_TOO_HEAVY' },
    })
    await page.navigate(`${web.url}/`, {}, call)
    expect(elements((await page.snapshot({}, call)).som)[0]).toMatchObject({ text: 'Light' })
  })

  it('work in a worker as they do here: acting, reading, errors with their details', async () => {
    const web = await site({
      '/': '<form action="/to"><label>N <input name="n" maxlength="3"></label><select aria-label="S"><option>1</select><button>Go</button></form>',
      '/to': '<h1>Arrived</h1>',
    })
    const engines = [createStaticEngine({ limits: { workerFromBytes: 0 } })]
    const page = await (await (await browsing({ engines })).createSession(anybody, {})).createPage(call)
    await page.navigate(`${web.url}/`, {}, call)
    const n = { query: { label: 'N' } }
    await expect(page.act({ action: 'type', target: n, value: 'long' }, {}, call)).rejects.toMatchObject({
      code: 'invalid_request',
      details: { reason: 'TOO_LONG', maxLength: 3 },
    })
    expect((await page.act({ action: 'type', target: n, value: 'abc' }, {}, call)).effects.value).toBe('abc')
    await page.act({ action: 'click', target: { query: { role: 'button' } } }, {}, call)
    expect((await page.snapshot({}, call)).som['url']).toBe(`${web.url}/to?n=abc`)
  })
})
