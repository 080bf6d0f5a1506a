import { expect } from 'vitest'
import { elements } from '../browser/world.ts'
import type { CaseWorld } from './cases.ts'

const link = (text: string) => ({ query: { role: 'link', text } })
const button = (text: string) => ({ query: { role: 'button', text } })
const named = (som: unknown, name: string) => elements(som).find(({ label, text }) => (label ?? text) === name)

/** Steps of the cases that need page script, by folder and part. */
export const SCRIPT_RUNS: Readonly<Record<string, (world: CaseWorld) => Promise<void>>> = {
  async '01-new-tab-unannounced: a button whose script opens a page'({ web, session, page }) {
    await page.navigate(`${web.url}/`)
    const { effects } = await page.click(button('Open by script'))
    expect(effects.navigation).toBe(false)
    expect(effects.newPages).toMatchObject([{ url: `${web.url}/invoice.html?by=script`, opener: page.id }])
    const opened = session.page(effects.newPages?.[0]?.pageId ?? '')
    await opened.waitFor({ query: { text: 'Invoice 7' } })
    await opened.click(button('Pay now'))
    expect((await opened.observe()).som).toMatchObject({ title: 'Paid 7' })
    expect((await page.observe()).som).toMatchObject({ title: 'Orders' })
  },
  async '02-confirm-blocks-call: all'({ web, session, page }) {
    await page.navigate(`${web.url}/`)
    const ask = () => page.click(button('Cancel plan'), { wait: { timeoutMs: 5_000 } })
    expect((await ask()).effects.dialog).toMatchObject({ type: 'confirm', message: 'Really cancel Gold plan?' })
    await expect(page.click(button('Cancel plan'))).rejects.toMatchObject({ details: { reason: 'DIALOG_OPEN' } })
    const other = await session.createPage()
    await other.navigate(`${web.url}/`)
    await page.dismissDialog()
    await page.waitFor({ query: { text: 'kept' } })
    expect(named((await page.observe()).som, 'Cancel plan')).toBeDefined()
    await ask()
    await page.acceptDialog()
    await page.waitFor({ query: { text: 'cancelled' } })
    expect(named((await page.observe()).som, 'Cancel plan')).toBeUndefined()
  },
  async '03-stale-ref-retargets: all'({ web, page }) {
    await page.navigate(`${web.url}/`)
    const { som } = await page.observe()
    const [ada, chen] = ['Open Ada', 'Open Chen'].map((name) => named(som, name)?.id ?? '')
    await page.click({ elementRef: chen ?? '' })
    expect(named((await page.observe()).som, 'open: Chen')).toBeDefined()
    const pressed = await page.click({ elementRef: ada ?? '' }).catch((thrown: unknown) => thrown)
    const after = (await page.observe()).som
    if (pressed instanceof Error) {
      expect(pressed).toMatchObject({ details: { reason: 'STALE_REF' } })
      expect(named(after, 'open: Chen')).toBeDefined()
    } else expect(named(after, 'open: Ada')).toBeDefined()
    await page.click(button('Open Boris'))
    const fallen = await page.click({ elementRef: 'e_000000000000', fallback: [button('Open Ada')] })
    expect(fallen.target).toMatchObject({ fallback: 0, text: 'Open Ada' })
    expect(named((await page.observe()).som, 'open: Ada')).toBeDefined()
  },
  async '04-select-by-label-false-success: the page hears of the change'({ web, page }) {
    await page.navigate(`${web.url}/`)
    await page.select({ query: { label: 'Country' } }, 'Germany')
    expect(named((await page.observe()).som, '[DE]')).toBeDefined()
    await page.select({ query: { label: 'Country' } }, 'Prefer not to say')
    expect(named((await page.observe()).som, '[]')).toBeDefined()
  },
  async '05-controlled-input-not-notified: all'({ web, page }) {
    await page.navigate(`${web.url}/`)
    for (const text of ['hello', 'second']) {
      await page.type({ query: { label: 'Note' } }, text)
      await page.click(button('Save'))
      const { som } = await page.observe()
      expect(named(som, `saved: ${text}`)).toBeDefined()
      expect(named(som, 'Note')?.attrs).toMatchObject({ value: text })
    }
  },
  async '07-click-on-disabled-says-ok: typing enables the button'({ web, page }) {
    await page.navigate(`${web.url}/`)
    await page.type({ query: { label: 'Email' } }, 'a@b.example')
    expect(named((await page.observe()).som, 'Pay 20 EUR')?.attrs?.['disabled']).not.toBe(true)
    await page.click(button('Pay 20 EUR'))
    expect(named((await page.observe()).som, 'paid')).toBeDefined()
  },
  async '08-shadow-root-and-slots-missing: all'({ web, page }) {
    await page.navigate(`${web.url}/`)
    const { som } = await page.observe()
    expect(elements(som).filter(({ label }) => label === 'Parcel number')).toHaveLength(1)
    expect(
      elements(som).filter(({ role, label, text }) => role === 'button' && (label ?? text) === 'Track'),
    ).toHaveLength(1)
    await page.type({ query: { role: 'textbox', text: 'Parcel number' } }, '123')
    await page.click(button('Track'))
    await page.waitFor({ query: { text: 'tracking 123' } })
  },
  async '11-snapshot-cut-silently: all'({ web, page, received }) {
    await page.navigate(`${web.url}/`)
    const before = received().length
    const { som, ext } = await page.observe({ maxBytes: 16_384 })
    expect(received().length - before).toBeLessThanOrEqual(16_384)
    expect(JSON.stringify(ext)).toContain('truncated')
    expect(JSON.stringify(som)).not.toContain('Item 2000')
    await page.click({ query: { text: 'Place order', role: 'button' } })
    const after = await page.observe({ maxBytes: 16_384 })
    expect(after.som).toMatchObject({ title: 'ordered' })
  },
  async '12-page-never-idle: all'({ web, page }) {
    const going = await page
      .navigate(`${web.url}/`, { wait: { until: 'network_idle', timeoutMs: 3_000 } })
      .catch((thrown: unknown) => thrown)
    if (going instanceof Error) expect(going).toMatchObject({ code: 'timeout', details: { method: 'page.navigate' } })
    const { som } = await page.observe()
    expect(named(som, 'Live board')).toBeDefined()
    const { effects } = await page.click(button('Refresh'), { wait: { until: 'som_stable', timeoutMs: 2_000 } })
    expect(effects['settled']).toBe(false)
    expect(named((await page.observe()).som, 'refreshed 1')).toBeDefined()
  },
  async '13-one-broken-script-kills-page: later scripts run, errors are reported'({ web, page }) {
    await page.navigate(`${web.url}/`, { wait: { until: 'load' } })
    await page.click(button('Count'))
    const { som, ext } = await page.observe()
    expect(named(som, 'clicked 1')).toBeDefined()
    expect(JSON.stringify(ext)).toContain('undefinedThing')
  },
  async "14-cookies-lost-on-redirect: the page's own requests and document.cookie"({ web, page }) {
    await page.navigate(`${web.url}/`)
    await page.click(link('Sign in'))
    await page.waitFor({ query: { text: 'script sees: lang=en' } })
    await expect.poll(() => web.seen.find(({ url }) => url === '/api/me')?.headers.cookie).toBe('sid=A1; lang=en')
  },
  async '18-client-side-redirect-ignored: a refresh that script adds'({ web, page }) {
    await page.navigate(`${web.url}/`, { wait: { until: 'load' } })
    await page.waitFor({ query: { text: 'Current product' } })
    const { som } = await page.observe()
    expect(som).toMatchObject({ url: `${web.url}/current.html`, title: 'Current product' })
    expect(named(som, 'Add to cart')).toBeUndefined()
  },
  async '19-slow-click-fires-many-times: all'({ web, page }) {
    await page.navigate(`${web.url}/`)
    const pressed = await page
      .click(button('Place order'), { wait: { timeoutMs: 1_000 } })
      .catch((thrown: unknown) => thrown)
    if (pressed instanceof Error) expect(pressed).toMatchObject({ code: 'timeout' })
    await page.waitFor({ query: { text: 'orders: 1' } })
    await expect.poll(() => web.seen.filter(({ method, url }) => method === 'POST' && url === '/order').length).toBe(1)
    await expect.poll(async () => named((await page.observe()).som, 'orders: 1')).toBeDefined()
    expect(web.seen.filter(({ method, url }) => method === 'POST' && url === '/order')).toHaveLength(1)
  },
  async '20-local-file-readable: the page script is refused too'({ web, page }) {
    await page.navigate(`${web.url}/`, { wait: { until: 'load' } })
    await page.waitFor({ query: { text: 'blocked' } })
  },
}
