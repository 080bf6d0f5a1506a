import type { AwpPage, AwpSession } from '@domos/awp/client'
import { expect } from 'vitest'
import type { FixtureSite } from '../browser/fixture-site.ts'
import { elements } from '../browser/world.ts'
import { SCRIPT_RUNS } from './script-runs.ts'

/** What a case is run with: a client at the real door, a site, and every message the server sent. */
export interface CaseWorld {
  readonly web: FixtureSite
  readonly session: AwpSession
  readonly page: AwpPage
  /** Everything that came from the server so far, as text. */
  received(): string
}

/** One case, or the part of it that one engine can be held to. */
export interface BrowserCase {
  readonly folder: string
  readonly part: string
  /** `script`: the page does it, so an engine that runs page script is needed. */
  readonly needs: 'nothing' | 'script'
  readonly run: (world: CaseWorld) => Promise<void>
}

const link = (text: string) => ({ query: { role: 'link', text } })
const button = (text: string) => ({ query: { role: 'button', text } })
const posts = (web: FixtureSite) => web.seen.filter(({ method }) => method === 'POST')
const named = (som: unknown, name: string) => elements(som).find(({ label, text }) => (label ?? text) === name)
const script = (folder: string, part: string): BrowserCase => {
  const run = SCRIPT_RUNS[`${folder}: ${part}`]
  if (run === undefined) throw new Error(`There are no steps for ${folder}: ${part}.`)
  return { folder, part, needs: 'script', run }
}

/** Cases 01 to 20. The steps of what needs page script are in script-runs.ts. */
export const BROWSER_CASES: readonly BrowserCase[] = [
  {
    folder: '01-new-tab-unannounced',
    part: 'a link that opens a page',
    needs: 'nothing',
    async run({ web, session, page }) {
      await page.navigate(`${web.url}/`)
      const { effects } = await page.click(link('Open invoice'))
      expect(effects.navigation).toBe(false)
      expect(effects.newPages).toMatchObject([{ url: `${web.url}/invoice.html`, opener: page.id }])
      expect((await page.observe()).som).toMatchObject({ title: 'Orders', url: `${web.url}/` })
      const opened = session.page(effects.newPages?.[0]?.pageId ?? '')
      const { som } = await opened.observe()
      expect(som).toMatchObject({ title: 'Invoice 7', url: `${web.url}/invoice.html` })
      expect(named(som, 'Pay now')).toMatchObject({ role: 'button' })
      await opened.click(button('Pay now'))
      expect(await session.pages()).toHaveLength(2)
      await opened.close()
      expect(await session.pages()).toHaveLength(1)
    },
  },
  script('01-new-tab-unannounced', 'a button whose script opens a page'),
  script('02-confirm-blocks-call', 'all'),
  script('03-stale-ref-retargets', 'all'),
  {
    folder: '04-select-by-label-false-success',
    part: 'choosing by label, also an empty value',
    needs: 'nothing',
    async run({ web, page }) {
      await page.navigate(`${web.url}/`)
      const country = { query: { label: 'Country' } }
      const options = named((await page.observe()).som, 'Country')?.attrs?.['options']
      expect(options).toEqual([
        { value: 'DE', text: 'Germany' },
        { value: 'US', text: 'United States', selected: true },
        { value: '', text: 'Prefer not to say' },
      ])
      expect((await page.select(country, 'Germany')).effects.value).toBe('Germany')
      expect((await page.select(country, 'Prefer not to say')).effects.value).toBe('Prefer not to say')
      await page.click(button('Next'))
      expect(web.seen.at(-1)).toMatchObject({ method: 'GET', url: '/go?c=' })
    },
  },
  script('04-select-by-label-false-success', 'the page hears of the change'),
  script('05-controlled-input-not-notified', 'all'),
  {
    folder: '06-submit-button-ignored',
    part: 'all',
    needs: 'nothing',
    async run({ web, page }) {
      const press = async (name: string) => {
        await page.navigate(`${web.url}/`)
        return (await page.click(button(name))).effects.navigation
      }
      expect(await press('Save draft')).toBe('document')
      expect(posts(web).at(-1)).toMatchObject({ url: '/save', body: 'comment=Fine+work&token=t-1&do=draft' })
      expect(await press('Publish')).toBe('document')
      expect(posts(web).at(-1)).toMatchObject({ url: '/publish', body: 'comment=Fine+work&token=t-1&do=publish' })
      expect(await press('Preview')).toBe('document')
      expect(web.seen.at(-1)).toMatchObject({
        method: 'GET',
        url: '/preview?comment=Fine+work&token=t-1&do=preview',
      })
      const asked = web.seen.length
      expect(await press('Not a submit')).toBe(false)
      expect(web.seen).toHaveLength(asked + 1)
    },
  },
  {
    folder: '07-click-on-disabled-says-ok',
    part: 'disabled is shown and refused',
    needs: 'nothing',
    async run({ web, page }) {
      await page.navigate(`${web.url}/`)
      const { som } = await page.observe()
      expect(named(som, 'Pay 20 EUR')?.attrs).toMatchObject({ disabled: true })
      expect(named(som, 'Add gift wrap')?.attrs).toMatchObject({ disabled: true })
      for (const name of ['Pay 20 EUR', 'Add gift wrap']) {
        await expect(page.click(button(name))).rejects.toMatchObject({
          message: expect.stringContaining('disabled'),
          details: { reason: 'DISABLED' },
        })
      }
      expect(named((await page.observe()).som, 'unpaid')).toBeDefined()
    },
  },
  script('07-click-on-disabled-says-ok', 'typing enables the button'),
  script('08-shadow-root-and-slots-missing', 'all'),
  {
    folder: '09-hidden-input-behind-visible-label',
    part: 'all',
    needs: 'nothing',
    async run({ web, page }) {
      await page.navigate(`${web.url}/`)
      const first = (await page.observe()).som
      for (const name of ['First visit', 'Seen you before']) expect(named(first, name)).toMatchObject({ role: 'radio' })
      expect(named(first, 'Remind me')).toMatchObject({ role: 'checkbox' })
      expect(named(first, 'Seen you before')?.attrs?.['checked']).not.toBe(true)
      await page.click({ query: { text: 'Seen you before' } })
      await page.click({ query: { text: 'Remind me' } })
      const second = (await page.observe()).som
      expect(named(second, 'Seen you before')?.attrs?.['checked']).toBe(true)
      expect(named(second, 'Remind me')?.attrs?.['checked']).toBe(true)
      await page.click(button('Next'))
      expect(posts(web).at(-1)).toMatchObject({ url: '/visit', body: 'v=back&remind=on' })
    },
  },
  {
    folder: '10-password-in-snapshot',
    part: 'all',
    needs: 'nothing',
    async run({ web, page, received }) {
      await page.navigate(`${web.url}/`)
      const { som, cursor } = await page.observe({ outline: true })
      expect(named(som, 'User')?.attrs).toMatchObject({ value: 'dana' })
      const typed = await page.type({ query: { label: 'Password' } }, 'S3cret-typed-42')
      expect(typed.effects.value).toEqual({ masked: true, filled: true })
      await page.mutations(cursor)
      await page.extract({ interactiveElements: true })
      await page.click(button('Sign in'))
      expect(posts(web).at(-1)).toMatchObject({ url: '/login', body: 'u=dana&p=S3cret-typed-42&otp=' })
      expect(received()).not.toContain('Pre-Filled-77')
      expect(received()).not.toContain('S3cret-typed-42')
    },
  },
  script('11-snapshot-cut-silently', 'all'),
  script('12-page-never-idle', 'all'),
  {
    folder: '13-one-broken-script-kills-page',
    part: 'the page is there whatever its scripts do',
    needs: 'nothing',
    async run({ web, page }) {
      expect(await page.navigate(`${web.url}/`, { wait: { until: 'load' } })).toMatchObject({ status: 200 })
      const { som } = await page.observe()
      for (const name of ['Guide', 'static text', 'Count']) expect(named(som, name)).toBeDefined()
    },
  },
  script('13-one-broken-script-kills-page', 'later scripts run, errors are reported'),
  {
    folder: '14-cookies-lost-on-redirect',
    part: 'cookies of redirects',
    needs: 'nothing',
    async run({ web, session, page }) {
      await page.navigate(`${web.url}/`)
      await page.click(link('Sign in'))
      const home = () => web.seen.filter(({ url }) => url === '/home')
      expect(home().at(-1)?.headers.cookie).toBe('sid=A1; lang=en')
      const cookies = await session.cookies()
      expect(cookies).toEqual([
        expect.objectContaining({ name: 'sid', value: 'A1', httpOnly: true }),
        expect.objectContaining({ name: 'lang', value: 'en', httpOnly: false }),
      ])
      await page.click(link('Sign out'))
      expect((await session.cookies()).map(({ name }) => name)).toEqual(['lang'])
      await page.click(link('Home'))
      expect(home().at(-1)?.headers.cookie).toBe('lang=en')
    },
  },
  script('14-cookies-lost-on-redirect', "the page's own requests and document.cookie"),
  {
    folder: '15-legacy-charset-garbled',
    part: 'all',
    needs: 'nothing',
    async run({ web, page }) {
      for (const path of ['/gb.html', '/']) {
        await page.navigate(`${web.url}${path}`)
        const { som } = await page.observe()
        expect(som).toMatchObject({ title: '新闻中心' })
        for (const text of ['今日新闻', '价格：12.50元']) expect(named(som, text)).toBeDefined()
        expect(named(som, '更多')).toMatchObject({ role: 'link' })
      }
      await page.navigate(`${web.url}/latin.html`)
      expect(named((await page.observe()).som, 'Café – 5 €')).toMatchObject({ role: 'heading' })
    },
  },
  {
    folder: '16-number-extracted-wrong',
    part: 'all',
    needs: 'nothing',
    async run({ web, page }) {
      await page.navigate(`${web.url}/`)
      const { som } = await page.observe()
      const result = await page.extract({
        schema: {
          type: 'object',
          properties: { title: { type: 'string' }, price: { type: 'number' }, count: { type: 'number' } },
          required: ['title', 'price', 'count'],
        },
        queries: {
          title: { query: { role: 'heading', level: 1 } },
          price: { query: { css: '[data-test=price]' } },
          count: { query: { css: '#rev a' } },
        },
      })
      expect(result.data).toEqual({ title: 'Amp X2', price: 1299.5, count: 20 })
      const ids = elements(som).map(({ id }) => id)
      for (const field of ['title', 'price', 'count']) expect(ids).toContain(result.provenance[field])
      const loose = await page.extract({ queries: { price: { query: { textRegex: '\\$[0-9,]+\\.[0-9]{2}' } } } })
      expect(loose.ambiguous).toEqual({ price: 3 })
      expect(ids).toContain(loose.provenance['price'])
    },
  },
  {
    folder: '17-download-name-and-collision',
    part: 'all',
    needs: 'nothing',
    async run({ web, page }) {
      await page.navigate(`${web.url}/`)
      for (const name of ['March report', 'April report', 'Totals']) {
        const { effects } = await page.click(link(name))
        expect(effects).toMatchObject({ navigation: false, downloads: [{ state: 'done' }] })
      }
      expect((await page.observe()).som).toMatchObject({ url: `${web.url}/`, title: 'Reports' })
      const downloads = await page.downloads()
      expect(new Set(downloads.map(({ id }) => id)).size).toBe(3)
      expect(downloads.map(({ filename }) => filename)).toEqual([
        'Bericht März.pdf',
        'Bericht März.pdf',
        'my totals.csv',
      ])
      const contents: string[] = []
      for (const { id } of downloads) {
        let text = ''
        for await (const bytes of page.readDownload(id)) text += new TextDecoder().decode(bytes)
        contents.push(text)
      }
      expect(contents).toEqual(['MARCH-BYTES', 'APRIL-BYTES', 'a,b\n1,2\n'])
    },
  },
  {
    folder: '18-client-side-redirect-ignored',
    part: 'a refresh in the source, announced when it happens',
    needs: 'nothing',
    async run({ web, session, page }) {
      const events = session.events()
      await page.subscribe(['page.som_mutation'])
      await page.navigate(`${web.url}/static.html`, { wait: { until: 'load' } })
      let patches = ''
      for await (const event of events) {
        patches += JSON.stringify(event.params)
        if (patches.includes('Current product')) break
      }
      const { som } = await page.observe()
      expect(som).toMatchObject({ title: 'Current product', url: `${web.url}/current.html` })
      expect(named(som, 'Current product')).toMatchObject({ role: 'heading' })
      expect(named(som, 'Static old')).toBeUndefined()
    },
  },
  script('18-client-side-redirect-ignored', 'a refresh that script adds'),
  script('19-slow-click-fires-many-times', 'all'),
  {
    folder: '20-local-file-readable',
    part: 'navigate, link and frame',
    needs: 'nothing',
    async run({ web, page, received }) {
      await expect(page.navigate('file:///etc/hostname')).rejects.toMatchObject({
        details: { reason: 'POLICY_DENIED' },
      })
      await expect(page.observe()).rejects.toMatchObject({ code: 'not_found' })
      await page.navigate(`${web.url}/`, { wait: { until: 'load' } })
      await page.observe()
      await expect(page.click(link('Local file'))).rejects.toMatchObject({ details: { reason: 'POLICY_DENIED' } })
      const pressed = await page.click(link('Script link')).catch((thrown: unknown) => thrown)
      // The page's own script runs, or the link is refused; a new document is neither.
      const isRefused = pressed instanceof Error
      if (isRefused) expect(pressed).toMatchObject({ details: { reason: 'SCRIPT_LINK' } })
      expect((await page.observe()).som).toMatchObject({ url: `${web.url}/`, title: isRefused ? 'Links' : 'ran' })
      const { readFileSync } = await import('node:fs')
      expect(received()).not.toContain(`${readFileSync('/etc/hostname', 'utf8').trim()}<`)
    },
  },
  script('20-local-file-readable', 'the page script is refused too'),
]
