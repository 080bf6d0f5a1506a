import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPocketsphinx } from '@domos/stt-pocketsphinx'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium } from './browser.ts'
import { launchWithMicrophone, listenToPage, recordVoice } from './microphone.ts'
import { ShopPage } from './shop-page.ts'
import { type BuiltShop, buildShop, type ShopServer, serveShop } from './shop-server.ts'

const recognition = createPocketsphinx()
const health = await recognition.health(AbortSignal.timeout(30_000))
await recognition.close()
if (health.state === 'unavailable') console.warn(`Speech in the shop is not tested here: ${health.detail}`)

const folder = mkdtempSync(join(tmpdir(), 'domos-shop-voice-'))
const SLOW = { timeout: 40_000 }

let files: BuiltShop
let server: ShopServer

beforeAll(async () => {
  files = await buildShop()
  server = await serveShop(files)
}, 180_000)

afterAll(async () => {
  await server?.close()
  await files?.remove()
  rmSync(folder, { recursive: true, force: true })
})

const talk = (page: Page) => page.getByRole('button', { name: 'Talk: hold, or press once' })
const handsFree = (page: Page) => page.getByRole('switch', { name: 'Hands-free' })

describe.skipIf(health.state === 'unavailable')('a person talks to the shop', () => {
  let browser: Browser | undefined

  afterEach(async () => {
    await browser?.close()
  })

  it('hands-free: the words are shown, the cart changes, and an answer is heard', async () => {
    const wav = join(folder, 'clear-hands-free.wav')
    await recordVoice(wav, [2_000, 'clear my cart', 60_000])
    browser = await launchWithMicrophone(wav)
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    const ears = await listenToPage(page)
    const shop = await ShopPage.open(browser, server.url, {}, page)
    await shop.say('add two headphones to my cart')
    await handsFree(page).click()
    await page.locator('.voice-words').waitFor(SLOW)
    await page.locator('.entry.person', { hasText: 'clear my cart' }).waitFor(SLOW)
    await shop.callIs('asking')
    await shop.dialog.armed()
    await shop.dialog.press('approve')
    // An earlier call ended well too, so only the cart tells.
    await expect.poll(() => shop.cart(), SLOW).toBe('Cart, 0 items')
    await expect.poll(() => ears.loudness(), SLOW).toBeGreaterThan(0.02)
    await page.getByRole('button', { name: 'Be quiet' }).click()
    await page.getByRole('button', { name: 'Be quiet' }).waitFor({ state: 'detached' })
    expect(await shop.faults()).toEqual([])
    await handsFree(page).click()
    await talk(page).waitFor()
    await page.getByRole('button', { name: 'Turn the microphone off' }).click()
    await page.locator('.voice-bar').waitFor({ state: 'detached' })
    expect(shop.complaints).toEqual([])
  }, 90_000)

  it('holding the button: a risky wish is asked about on the page', async () => {
    const wav = join(folder, 'clear.wav')
    await recordVoice(wav, [1_000, 'clear my cart', 60_000])
    browser = await launchWithMicrophone(wav)
    const shop = await ShopPage.open(browser, server.url)
    const { page } = shop
    await shop.say('add two headphones to my cart')
    await talk(page).hover()
    await page.mouse.down()
    await page.getByRole('button', { name: 'Send what you said' }).waitFor()
    // What is understood so far stands there while the button is held.
    await page.locator('.voice-words', { hasText: 'cart' }).waitFor(SLOW)
    await page.mouse.up()
    await shop.callIs('asking')
    expect(await shop.cart()).toBe('Cart, 2 items')
    await shop.dialog.armed()
    await shop.dialog.press('approve')
    // An earlier call ended well too, so only the cart tells.
    await expect.poll(() => shop.cart(), SLOW).toBe('Cart, 0 items')
    expect(shop.complaints).toEqual([])
  }, 90_000)

  it('by keyboard: one press begins, one more sends', async () => {
    const wav = join(folder, 'what.wav')
    await recordVoice(wav, [1_000, 'clear my cart', 60_000])
    browser = await launchWithMicrophone(wav)
    const shop = await ShopPage.open(browser, server.url)
    const { page } = shop
    await shop.say('add two headphones to my cart')
    await talk(page).focus()
    await page.keyboard.press('Space')
    const sending = page.getByRole('button', { name: 'Send what you said' })
    await sending.waitFor()
    expect(await sending.getAttribute('aria-pressed')).toBe('true')
    await page.locator('.voice-words', { hasText: 'cart' }).waitFor(SLOW)
    await page.keyboard.press('Space')
    await shop.callIs('asking')
    await shop.dialog.press('deny')
    await shop.callIs('denied')
    expect(await shop.cart()).toBe('Cart, 2 items')
  }, 90_000)
})

describe('what is in the way of talking is said, with what to do', () => {
  let browser: Browser | undefined

  afterEach(async () => {
    await browser?.close()
  })

  async function problem(at: ShopServer, options: BrowserContextOptions = {}): Promise<string> {
    const shop = await ShopPage.open(browser as Browser, at.url, options)
    await talk(shop.page).click()
    const said = await shop.page.locator('.voice-problem').innerText()
    // Typing goes on as before.
    expect(await shop.say('add two headphones to my cart')).toContain('Pro Headphones')
    expect(await shop.faults()).toEqual([])
    return said
  }

  it('a microphone that is not allowed', async () => {
    browser = await launchChromium(['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream=deny'])
    expect(await problem(server)).toMatch(/blocked for this page.*Allow it/s)
  })

  it('no microphone at all', async () => {
    browser = await launchChromium(['--use-fake-ui-for-media-stream'])
    expect(await problem(server)).toMatch(/No microphone was found.*use your phone/s)
  })

  it('a server that cannot hear', async () => {
    const deaf = await serveShop(files, { recognition: ['sherpa:/nowhere'] })
    try {
      browser = await launchWithMicrophone('/dev/null')
      expect(await problem(deaf)).toMatch(/cannot recognize speech.*Typing works/s)
    } finally {
      await deaf.close()
    }
  })

  it('a server without a voice door', async () => {
    const silent = await serveShop(files, { doors: 'adtp' })
    try {
      browser = await launchWithMicrophone('/dev/null')
      expect(await problem(silent)).toMatch(/no voice door.*--doors/s)
    } finally {
      await silent.close()
    }
  })
})

describe('a phone becomes the microphone of the page', () => {
  let browser: Browser
  let shop: ShopPage
  let phone: Page

  beforeAll(async () => {
    browser = await launchChromium(['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'])
  }, 60_000)

  afterAll(async () => {
    await browser?.close()
  })

  it('by the code that the page shows; what is said there acts here, and risk is asked about here', async () => {
    shop = await ShopPage.open(browser, server.url)
    await shop.page.getByRole('button', { name: 'Use your phone' }).click()
    const code = (await shop.page.locator('.join-code .hidden').innerText()).replace(/\D/g, '')
    expect(code).toMatch(/^\d{6}$/)
    expect(await shop.faults()).toEqual([])

    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
    phone = await context.newPage()
    await phone.goto(`${server.url}phone`)
    expect(await phone.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
    await phone.getByLabel('Six-digit code').fill(`${code.slice(0, 3)} ${code.slice(3)}`)
    await phone.getByRole('button', { name: 'Connect' }).click()
    await phone.getByRole('heading', { name: 'Talk to your page' }).waitFor()
    await shop.page.locator('.phone-joined').waitFor()
    await shop.page.getByRole('button', { name: 'Done' }).click()

    await phone.getByRole('textbox', { name: 'Type instead' }).fill('add a kettle to my cart')
    await phone.keyboard.press('Enter')
    await phone.locator('.entry.agent', { hasText: 'Kettle' }).waitFor()
    expect(await shop.cart()).toBe('Cart, 1 item')
    await shop.page.locator('.entry.person', { hasText: 'add a kettle to my cart' }).waitFor()
    await shop.page.locator('.entry.agent', { hasText: 'Kettle' }).waitFor()

    await phone.getByRole('textbox', { name: 'Type instead' }).fill('clear my cart')
    await phone.keyboard.press('Enter')
    await shop.callIs('asking')
    await shop.dialog.armed()
    await shop.dialog.press('approve')
    // An earlier call ended well too, so only the cart tells.
    await expect.poll(() => shop.cart(), SLOW).toBe('Cart, 0 items')
  }, 60_000)

  it('which may be reloaded meanwhile: the phone finds it again', async () => {
    await shop.page.reload()
    await shop.ready()
    await phone.getByRole('textbox', { name: 'Type instead' }).fill('add a kettle to my cart')
    await phone.keyboard.press('Enter')
    await expect.poll(() => shop.cart(), SLOW).toBe('Cart, 1 item')
    expect(shop.complaints).toEqual([])
    await shop.close()
    await phone.context().close()
  }, 60_000)

  it('by nothing else: a wrong code is refused in words', async () => {
    const page = await (await browser.newContext()).newPage()
    await page.goto(`${server.url}phone`)
    await page.getByLabel('Six-digit code').fill('000000')
    await page.getByRole('button', { name: 'Connect' }).click()
    expect(await page.locator('.voice-problem').innerText()).toMatch(/unknown, used or expired/)
    expect(await page.getByLabel('Six-digit code').inputValue()).toBe('')
  })
})
