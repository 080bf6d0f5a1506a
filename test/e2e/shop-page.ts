import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { type ClosedRoots, openDebugger } from './closed-root.ts'

const CALL_PARTS = 5

/** What a person sees of the shop and does to it. Complaints of the page's console are kept. */
export class ShopPage {
  readonly page: Page
  readonly dialog: ClosedRoots
  readonly complaints: string[] = []

  private constructor(page: Page, dialog: ClosedRoots) {
    this.page = page
    this.dialog = dialog
    page.on('pageerror', (error) => this.complaints.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.complaints.push(message.text())
    })
  }

  /** Opens a page of the shop in a browser of its own and waits until the assistant is ready. */
  static async open(
    browser: Browser,
    url: string,
    options: BrowserContextOptions = {},
    prepared?: Page,
  ): Promise<ShopPage> {
    const page = prepared ?? (await newPage(browser, options))
    const shop = new ShopPage(page, await openDebugger(page))
    await page.goto(url)
    await shop.ready()
    return shop
  }

  async ready(): Promise<void> {
    await this.page.locator('.badge.on').waitFor({ state: 'attached' })
  }

  async type(text: string): Promise<void> {
    await this.page.getByRole('textbox', { name: 'Message to the assistant' }).fill(text)
    await this.page.keyboard.press('Enter')
  }

  /** Says something and waits for the end of the answer, which it returns. */
  async say(text: string): Promise<string> {
    const before = await this.page.locator('.entry.person').count()
    await this.type(text)
    await this.page.locator('.entry.person').nth(before).waitFor()
    return this.answered()
  }

  /** Waits until no turn is under way; the last words of the assistant. */
  async answered(): Promise<string> {
    await this.page.getByRole('button', { name: 'Send' }).waitFor()
    return ((await this.page.locator('.entry.agent .bubble').last().textContent()) ?? '').replace(/^Assistant:\s*/, '')
  }

  /** The last call in the log, as a person reads it. */
  async lastCall(): Promise<string> {
    return (await this.page.locator('.tool-call summary > *').allTextContents())
      .slice(-CALL_PARTS)
      .filter(Boolean)
      .join(' ')
  }

  async callIs(state: string): Promise<void> {
    await this.page.locator(`.tool-call.${state}`).last().waitFor()
  }

  async cart(): Promise<string | null> {
    return this.page.getByRole('link', { name: /^Cart,/ }).getAttribute('aria-label')
  }

  /** The tools that the panel lists. */
  async tools(): Promise<readonly string[]> {
    return (await this.page.locator('.toolbox li').allTextContents()).sort()
  }

  async chips(): Promise<readonly string[]> {
    return this.page.locator('.chips button').allInnerTexts()
  }

  /** What axe finds wrong, one line a finding. */
  async faults(): Promise<readonly string[]> {
    // The page's own policy lets no text become code; a debugger's evaluation is not the page's.
    await this.page.evaluate(axe.source)
    const { violations } = await this.page.evaluate(() => (window as unknown as { axe: typeof axe }).axe.run())
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
  }

  /** By how many pixels the page is wider than its window. */
  async overflow(): Promise<number> {
    return this.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  }

  async close(): Promise<void> {
    await this.page.context().close()
  }
}

async function newPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  })
  return context.newPage()
}
