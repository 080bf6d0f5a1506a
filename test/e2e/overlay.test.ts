import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleForPage, launchChromium, servePages } from './browser.ts'
import { type ClosedRoots, openDebugger } from './closed-root.ts'

const STRICT = "default-src 'none'; script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'"
let browser: Browser
let server: Awaited<ReturnType<typeof servePages>>

beforeAll(async () => {
  const script = await bundleForPage('./overlay-page.ts', import.meta.url)
  const html = (before: string) =>
    `<!doctype html><html lang="en"><title>Shop</title>${before}<style>body{margin:0}</style><main><h1>Shop</h1><button id="mine">Mine</button></main><script src="/page.js"></script>`
  const hostile = `
    window.stolen = []
    const attach = Element.prototype.attachShadow
    Element.prototype.attachShadow = function (init) { const root = attach.call(this, init); window.stolen.push(root); return root }
    const create = Document.prototype.createElement
    Document.prototype.createElement = function (...args) { const made = create.apply(this, args); window.stolen.push(made); return made }
    const append = Node.prototype.appendChild
    Node.prototype.appendChild = function (child) { window.stolen.push(child); return append.call(this, child) }
    const listen = EventTarget.prototype.addEventListener
    EventTarget.prototype.addEventListener = function (...args) { window.stolen.push(this); return listen.apply(this, args) }
    const show = HTMLDialogElement.prototype.showModal
    HTMLDialogElement.prototype.showModal = function () { window.stolen.push(this); return show.call(this) }`
  server = await servePages({
    '/': { body: html('') },
    '/hostile': { body: html('<script src="/hostile.js"></script>') },
    '/strict': { body: html('').replace(/<style>.*<\/style>/, ''), headers: { 'content-security-policy': STRICT } },
    '/page.js': { body: script, type: 'text/javascript' },
    '/hostile.js': { body: hostile, type: 'text/javascript' },
  })
  browser = await launchChromium()
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

type Question = Parameters<Window['overlayTest']['ask']>[0]

async function open(
  path = '/',
  options: Parameters<Window['overlayTest']['create']>[0] = {},
): Promise<{ page: Page; roots: ClosedRoots }> {
  const page = await browser.newPage()
  await page.goto(server.origin + path)
  await page.evaluate((given) => window.overlayTest.create(given), options)
  return { page, roots: await openDebugger(page) }
}

const ask = (page: Page, question: Question = {}) =>
  page.evaluate((given) => window.overlayTest.ask(given as never), question as unknown)
const verdict = (page: Page, callId = 'tc_1') => page.evaluate((id) => window.overlayTest.verdicts[id], callId)
async function verdictComes(page: Page, callId = 'tc_1'): Promise<unknown> {
  await page.waitForFunction((id) => id in window.overlayTest.verdicts, callId)
  return verdict(page, callId)
}

describe('the approval dialog in Chromium', () => {
  it('cannot be reached by scripts of the page (CORE-HITL-7)', async () => {
    const { page, roots } = await open()
    await ask(page)
    await roots.armed()
    const found = await page.evaluate(() => {
      const hosts = [...document.querySelectorAll('*')].filter((element) => element.shadowRoot !== null).length
      const buttons = document.querySelectorAll('dialog, [role=alertdialog], .approve').length
      const at = document.elementFromPoint(innerWidth / 2, innerHeight / 2)
      const path: string[] = []
      document.addEventListener(
        'click',
        (event) => path.push(...event.composedPath().map((entry) => (entry as Element).className ?? '')),
        true,
      )
      return {
        hosts,
        buttons,
        hit: at?.parentElement === document.documentElement,
        shadow: at?.shadowRoot ?? null,
        animations: document.getAnimations().length,
        path,
      }
    })
    expect(found).toMatchObject({ hosts: 0, buttons: 0, hit: true, shadow: null, animations: 0 })
    await page.close()
  })

  it('keeps its root from a page that patched the DOM before it loaded', async () => {
    const { page, roots } = await open('/hostile')
    await ask(page)
    await roots.armed()
    const stolen = await page.evaluate(() => {
      const things = (window as unknown as { stolen: unknown[] }).stolen
      const inside = (thing: unknown) =>
        thing instanceof ShadowRoot ||
        (thing instanceof Element && (thing.getRootNode() instanceof ShadowRoot || thing.className === 'approve'))
      return things.filter(inside).length
    })
    expect(stolen).toBe(0)
    await roots.press('approve')
    expect(await verdictComes(page)).toEqual({ approved: true })
    await page.close()
  })

  it('takes no approval from synthetic clicks, keys or focus of a script', async () => {
    const { page, roots } = await open()
    await ask(page)
    await roots.armed()
    await page.evaluate(() => {
      const host = document.elementFromPoint(innerWidth / 2, innerHeight / 2) as HTMLElement
      host.click()
      for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click']) {
        host.dispatchEvent(
          new MouseEvent(type, {
            bubbles: true,
            composed: true,
            clientX: innerWidth / 2,
            clientY: innerHeight / 2,
            detail: 1,
          }),
        )
      }
      for (const key of ['Enter', ' ', 'Escape']) {
        for (const target of [host, document, window])
          target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true }))
      }
      document.getElementById('mine')?.focus()
    })
    expect(await verdict(page)).toBeUndefined()
    expect(await roots.has('approve')).toBe(true)
    await page.close()
  })

  it('takes a person’s click on Approve', async () => {
    const { page, roots } = await open()
    await ask(page)
    await roots.armed()
    await roots.press('approve')
    expect(await verdictComes(page)).toEqual({ approved: true })
    expect(await roots.has('approve')).toBe(false)
    await page.close()
  })

  it('takes no click before it was in view for the arming delay', async () => {
    const { page, roots } = await open()
    await ask(page)
    await roots.press('approve')
    expect(await verdict(page)).toBeUndefined()
    await roots.armed()
    await roots.press('approve')
    expect(await verdictComes(page)).toEqual({ approved: true })
    await page.close()
  })

  it('takes approval by keyboard, begins on Deny and lets Escape deny', async () => {
    const { page, roots } = await open()
    await page.focus('#mine')
    await ask(page)
    await roots.armed()
    await page.keyboard.press('Enter')
    expect(await verdictComes(page)).toEqual({ approved: false, why: 'denied' })
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('mine')

    await ask(page, { callId: 'tc_2' })
    await roots.armed()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await verdictComes(page, 'tc_2')).toEqual({ approved: true })

    await ask(page, { callId: 'tc_3' })
    await roots.armed()
    await page.keyboard.press('Escape')
    expect(await verdictComes(page, 'tc_3')).toEqual({ approved: false, why: 'denied' })
    await page.close()
  })

  it('does not count a key held since before the dialog came', async () => {
    const { page, roots } = await open()
    await page.keyboard.down('Enter')
    await ask(page)
    await roots.armed()
    await page.keyboard.press('Tab')
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    expect(await verdict(page)).toBeUndefined()
    await page.close()
  })

  it('does not count a press that began before it counted', async () => {
    const { page, roots } = await open()
    await ask(page)
    const { x, y } = await roots.middleOf('approve')
    await page.mouse.move(x, y)
    await page.mouse.down()
    await roots.armed()
    await page.mouse.up()
    expect(await verdict(page)).toBeUndefined()
    expect(await roots.has('approve')).toBe(true)
    await page.close()
  })

  it('keeps the Tab key inside', async () => {
    const { page, roots } = await open()
    await ask(page)
    await roots.armed()
    for (let press = 0; press < 6; press += 1) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.id ?? '')).not.toBe('mine')
    }
    await page.close()
  })

  it('asks two questions one after the other and says how many there are', async () => {
    const { page, roots } = await open()
    await ask(page, { callId: 'tc_1', toolName: 'first_tool' })
    await ask(page, { callId: 'tc_2', toolName: 'second_tool' })
    expect(await roots.text('count')).toBe('1 / 2')
    expect(await roots.text('tool')).toBe('first_tool')
    await roots.armed()
    await roots.press('approve')
    expect(await verdictComes(page, 'tc_1')).toEqual({ approved: true })
    expect(await roots.text('tool')).toBe('second_tool')
    await roots.armed()
    await roots.press('deny')
    expect(await verdictComes(page, 'tc_2')).toEqual({ approved: false, why: 'denied' })
    await page.close()
  })

  it('counts a double click once, so that it cannot answer the next question', async () => {
    const { page, roots } = await open()
    await ask(page, { callId: 'tc_1' })
    await ask(page, { callId: 'tc_2' })
    await roots.armed()
    const { x, y } = await roots.middleOf('approve')
    await page.mouse.dblclick(x, y)
    expect(await verdictComes(page, 'tc_1')).toEqual({ approved: true })
    expect(await verdict(page, 'tc_2')).toBeUndefined()
    await page.close()
  })

  it.each([
    [
      'a cover that lets clicks through',
      `position:fixed;inset:0;background:#fff;pointer-events:none;z-index:2147483647;border:0;width:100vw;height:100vh;padding:0;margin:0`,
    ],
    [
      'a cover that is almost clear',
      `position:fixed;inset:0;background:#fff;opacity:.02;pointer-events:none;border:0;width:100vw;height:100vh;padding:0;margin:0`,
    ],
  ])('takes no click under %s in the top layer', async (_, style) => {
    const { page, roots } = await open()
    await ask(page)
    await roots.armed()
    const { x, y } = await roots.middleOf('approve')
    await page.evaluate((css) => {
      const cover = document.createElement('div')
      cover.setAttribute('popover', 'manual')
      cover.style.cssText = css
      cover.textContent = 'You have won'
      document.body.append(cover)
      cover.showPopover()
    }, style)
    await roots.disarmed()
    await page.mouse.click(x, y)
    expect(await verdict(page)).toBeUndefined()
    await roots.says('hint', 'covers')
    await page.close()
  })

  it.each([
    ['see-through', 'html { opacity: 0.01 !important }'],
    ['moved', 'html { transform: translateX(300px) !important }'],
    ['blurred', 'html { filter: blur(30px) !important }'],
    ['tiny', 'html { zoom: 0.05 !important }'],
  ])('takes no click while the page makes its surroundings %s', async (_, css) => {
    const { page, roots } = await open()
    await ask(page)
    await roots.armed()
    await page.addStyleTag({ content: css })
    const { x, y } = await roots.middleOf('approve')
    await page.mouse.click(x, y)
    expect(await verdict(page)).toBeUndefined()
    await page.close()
  })

  it('is not touched by what the sheets of the page say of every element', async () => {
    const { page, roots } = await open()
    await page.addStyleTag({
      content:
        'html > *, div { display: none !important; opacity: 0 !important; visibility: hidden !important; transform: scale(0) !important }',
    })
    await ask(page)
    await roots.armed()
    await roots.press('approve')
    expect(await verdictComes(page)).toEqual({ approved: true })
    await page.close()
  })

  it('arms anew after it was moved or resized', async () => {
    const { page, roots } = await open()
    await ask(page)
    await roots.armed()
    await page.setViewportSize({ width: 700, height: 500 })
    await roots.press('approve')
    expect(await verdict(page)).toBeUndefined()
    await roots.armed()
    await roots.press('approve')
    expect(await verdictComes(page)).toEqual({ approved: true })
    await page.close()
  })

  it('comes back when the page takes it away, and gives up on a page that goes on', async () => {
    const { page, roots } = await open()
    await ask(page)
    await roots.armed()
    await page.evaluate(() => document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.remove())
    await roots.armed()
    await roots.press('approve')
    expect(await verdictComes(page)).toEqual({ approved: true })

    await page.evaluate(() => {
      new MutationObserver((records) => {
        for (const { addedNodes } of records)
          for (const node of addedNodes) if (node instanceof HTMLDivElement) node.remove()
      }).observe(document.documentElement, { childList: true })
      for (const element of document.querySelectorAll('html > div')) element.remove()
      window.overlayTest.ask({ callId: 'tc_2' })
    })
    expect(await verdictComes(page, 'tc_2')).toMatchObject({ approved: false, why: 'unavailable' })
    await page.close()
  })

  it('wants the word typed for a critical call (CORE-HITL-5)', async () => {
    const { page, roots } = await open()
    await ask(page, { risk: 'critical' })
    await roots.press('approve')
    // A press that does not count yet leads to the field.
    await page.keyboard.type('approve')
    await roots.armed()
    await page.keyboard.press('Backspace')
    await roots.disarmed()
    const { x, y } = await roots.middleOf('approve')
    await page.mouse.click(x, y)
    expect(await verdict(page)).toBeUndefined()
    await page.keyboard.press('End')
    await page.keyboard.type('e')
    await roots.armed()
    await page.mouse.click(x, y)
    expect(await verdictComes(page)).toEqual({ approved: true })
    await page.close()
  })

  it('denies by itself when time is up, and goes when the question is withdrawn', async () => {
    const { page, roots } = await open()
    await ask(page, { leftMs: 300 })
    expect(await verdictComes(page)).toEqual({ approved: false, why: 'expired' })
    await ask(page, { callId: 'tc_2' })
    await roots.middleOf('approve')
    await page.evaluate(() => window.overlayTest.cancel('tc_2'))
    expect(await verdictComes(page, 'tc_2')).toEqual({ approved: false, why: 'cancelled' })
    await roots.gone('approve')
    await page.close()
  })

  it('shows every character of the arguments, hidden ones by their number', async () => {
    const { page, roots } = await open()
    const long = 'x'.repeat(10_000)
    await ask(page, {
      args: { note: `a\u202Eb\u200Bc\u0000`, long, '<b>': '<img src=x onerror=alert(1)>', list: [1, true, null, ''] },
    })
    const text = await roots.text('card')
    expect(text).toContain('aU+202EbU+200BcU+0000')
    expect(text).toContain(long)
    expect(text).toContain('<b><img src=x onerror=alert(1)>')
    expect(text).toContain('1yesnothingempty text')
    await page.close()
  })

  it.each([
    ['high', 'light', {}],
    ['critical', 'light', {}],
    ['high', 'dark', {}],
    ['critical', 'dark', { language: 'de' }],
  ] as const)('has no accessibility findings: %s, %s', async (risk, colorScheme, options) => {
    // axe cannot look into a closed root, so the same dialog is built with an open one, by a door no export leads to.
    const { page, roots } = await open('/', { ...options, open: true })
    await page.emulateMedia({ colorScheme })
    await ask(page, { risk, args: { quantity: 2, list: [{ id: 'a' }], empty: '' }, text: 'You pay 10 €.' })
    await ask(page, { callId: 'tc_2' })
    await page.evaluate(() => window.overlayTest.notify('add_to_cart'))
    if (risk === 'high') await roots.armed()
    await page.evaluate(axe.source)
    const { violations, passes } = await page.evaluate(() => (window as unknown as { axe: typeof axe }).axe.run())
    expect(violations.map(({ id, nodes }) => ({ id, html: nodes.map((node) => node.html) }))).toEqual([])
    expect(
      passes.some(
        ({ id, nodes }) => id === 'button-name' && nodes.some(({ target }) => target.flat().includes('.approve')),
      ),
    ).toBe(true)
    await page.close()
  })

  it('works under a strict Content-Security-Policy with Trusted Types', async () => {
    const { page, roots } = await open('/strict')
    const violations: string[] = []
    page.on('console', (message) => violations.push(message.text()))
    await ask(page, { risk: 'critical' })
    await page.evaluate(() => window.overlayTest.notify('add_to_cart'))
    await roots.press('approve')
    await page.keyboard.type('APPROVE')
    await roots.armed()
    await roots.press('approve')
    expect(await verdictComes(page)).toEqual({ approved: true })
    expect(violations).toEqual([])
    await page.close()
  })
})
