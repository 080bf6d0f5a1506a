import { createProviderServer, type ProviderServer } from '@domos/testing/provider-server'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launchChromium } from './browser.ts'
import { ShopPage } from './shop-page.ts'
import { type BuiltShop, buildShop, type ShopServer, serveShop } from './shop-server.ts'

let browser: Browser
let files: BuiltShop
let server: ShopServer
let shop: ShopPage

beforeAll(async () => {
  files = await buildShop()
  browser = await launchChromium()
  server = await serveShop(files)
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await server?.close()
  await files?.remove()
})

describe('a person shops by saying so', () => {
  beforeEach(async () => {
    shop = await ShopPage.open(browser, server.url)
  })

  afterEach(async () => {
    const { complaints } = shop
    await shop.close()
    expect(complaints).toEqual([])
  })

  it('"add two headphones to my cart" puts two of them in, by the tool of the page', async () => {
    const answer = await shop.say('add two headphones to my cart')
    expect(await shop.cart()).toBe('Cart, 2 items')
    expect(await shop.lastCall()).toMatch(/^add_to_cart low .*productId: pro-headphones.*Done/)
    expect(await shop.lastCall()).toContain('quantity: 2')
    expect(answer).toContain('Pro Headphones')
    await shop.page.getByRole('link', { name: /^Cart,/ }).click()
    expect(await shop.page.locator('.summary .total').textContent()).toContain('€299.98')
  })

  it('asks before it clears the cart: a no changes nothing, a yes by a real click does it', async () => {
    await shop.say('add two headphones to my cart')
    await shop.type('clear my cart')
    await shop.callIs('asking')
    await shop.dialog.press('deny')
    await shop.callIs('denied')
    await shop.answered()
    expect(await shop.cart()).toBe('Cart, 2 items')

    await shop.type('clear my cart')
    await shop.callIs('asking')
    await shop.dialog.armed()
    expect(await shop.cart()).toBe('Cart, 2 items')
    await shop.dialog.press('approve')
    await shop.answered()
    expect(await shop.lastCall()).toMatch(/^clear_cart high .*Done/)
    expect(await shop.cart()).toBe('Cart, 0 items')
  })

  it('places an order only after the word is typed, and shows it', async () => {
    await shop.say('add two headphones to my cart')
    await shop.say('go to the checkout')
    await shop.type('confirm the order')
    await shop.callIs('asking')
    expect(await shop.dialog.text('scroll')).toContain('€299.98 in all')
    await shop.page.keyboard.press('Shift+Tab')
    await shop.page.keyboard.type('APPROVE')
    await shop.dialog.armed()
    await shop.dialog.press('approve')
    await shop.page.waitForURL(/\/demo\/order\/HH-/)
    await shop.answered()
    expect(await shop.page.getByRole('heading', { level: 1 }).textContent()).toContain('Thank you')
    expect(await shop.lastCall()).toMatch(/^confirm_order critical .*Done/)
    expect(await shop.cart()).toBe('Cart, 0 items')
  })

  it('has other tools and other suggestions on other pages', async () => {
    const onList = await shop.tools()
    expect(onList).toEqual(['add_to_cart', 'get_cart', 'go_to', 'like_product', 'search_products', 'view_product'])
    const chips = await shop.chips()
    await shop.page.getByRole('link', { name: 'Account' }).click()
    await shop.page.waitForFunction(() => document.querySelector('.toolbox')?.textContent?.includes('delete_account'))
    expect(await shop.tools()).toEqual(['delete_account', 'get_cart', 'get_orders', 'go_to', 'search_products'])
    expect(await shop.chips()).not.toEqual(chips)
    await shop.page.goBack()
    await shop.page.waitForFunction(() => document.querySelector('.toolbox')?.textContent?.includes('add_to_cart'))
    expect(await shop.tools()).toEqual(onList)
  })

  it('takes a suggestion by one click', async () => {
    await shop.page.getByRole('button', { name: 'Add two headphones to my cart', exact: true }).click()
    await shop.callIs('success')
    await shop.answered()
    expect(await shop.cart()).toBe('Cart, 2 items')
  })

  it('searches, then adds the first that it found', async () => {
    await shop.say('search for coffee')
    expect(new URL(shop.page.url()).search).toBe('?q=coffee')
    await shop.say('add the first one to my cart')
    expect(await shop.lastCall()).toContain('productId: stoneware-mug')
    expect(await shop.cart()).toBe('Cart, 1 item')
  })

  it('says what went wrong when there is not enough', async () => {
    const answer = await shop.say('add nine mechanical keyboards to my cart')
    expect(answer).toContain('Only 4 of Mechanical Keyboard are left')
    expect(await shop.lastCall()).toContain('Failed')
    expect(await shop.cart()).toBe('Cart, 0 items')
  })

  it('asks again after a reload, and goes on with the answer', async () => {
    await shop.say('add two headphones to my cart')
    await shop.type('clear my cart')
    await shop.callIs('asking')
    await shop.page.reload()
    await shop.ready()
    await shop.callIs('asking')
    expect(await shop.page.locator('.entry.person').count()).toBe(2)
    await shop.dialog.armed()
    await shop.dialog.press('approve')
    await shop.callIs('success')
    await shop.answered()
    expect(await shop.cart()).toBe('Cart, 0 items')
    expect(await shop.page.locator('.tool-call').count()).toBe(2)
  })

  it('can be used by keyboard alone', async () => {
    const { page } = shop
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent)
    await page.keyboard.press('Tab')
    expect(await focused()).toContain('Skip to the products')
    for (let presses = 0; presses < 120 && (await focused()) !== 'Message to the assistant'; presses += 1) {
      await page.keyboard.press('Tab')
    }
    await page.keyboard.type('add two')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('headphones to my cart')
    expect(await page.locator('.composer textarea').inputValue()).toBe('add two\nheadphones to my cart')
    await page.keyboard.press('Enter')
    await shop.callIs('success')
    await shop.answered()
    expect(await shop.cart()).toBe('Cart, 2 items')
    expect(await focused()).toBe('Message to the assistant')
    await page.keyboard.type('clear my cart')
    await page.keyboard.press('Enter')
    await shop.callIs('asking')
    await shop.dialog.armed()
    await page.keyboard.press('Escape')
    await shop.callIs('denied')
    await shop.answered()
    expect(await focused()).toBe('Message to the assistant')
    await page.keyboard.press('Escape')
    await expect.poll(focused).toBe('Ask')
    expect(await page.locator('#assistant').isVisible()).toBe(false)
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('Message to the assistant')
  })
})

describe('a model that takes its time', () => {
  let provider: ProviderServer
  let slow: ShopServer

  beforeAll(async () => {
    provider = await createProviderServer()
    slow = await serveShop(files, { model: 'compatible/test', modelBaseUrl: provider.baseUrls.openai, port: '0' })
  })

  afterAll(async () => {
    await slow?.close()
    await provider?.close()
  })

  it('shows words as they come and stops at Escape', async () => {
    shop = await ShopPage.open(browser, slow.url)
    provider.queue({ type: 'stall', text: 'Let me think about ' }, { type: 'text', text: 'Here I am again.' })
    await shop.type('what should I buy?')
    await shop.page.getByText('Let me think about').first().waitFor()
    expect(await shop.page.locator('.send.stop').isVisible()).toBe(true)
    await shop.page.keyboard.press('Escape')
    await shop.answered()
    expect(await shop.page.locator('.entry.agent').last().textContent()).toContain('Stopped here.')
    await provider.requests[0]?.aborted
    expect(await shop.say('still there?')).toBe('Here I am again.')
    await shop.close()
  })

  it('gives its answer once to a page that was reloaded meanwhile', async () => {
    shop = await ShopPage.open(browser, slow.url)
    const reloaded = Promise.withResolvers<void>()
    const index = provider.requests.length
    provider.queue({ type: 'text', text: 'A lamp would be nice.', after: reloaded.promise })
    await shop.type('what should I buy?')
    await provider.waitForRequest(index)
    await shop.page.reload()
    await shop.ready()
    await shop.page.getByRole('button', { name: 'Stop' }).waitFor()
    reloaded.resolve()
    await shop.page.getByText('A lamp would be nice.').first().waitFor()
    await shop.answered()
    expect(await shop.page.locator('.entry.person').count()).toBe(1)
    expect(await shop.page.locator('.entry.agent').count()).toBe(1)
    await shop.close()
  })

  it('sees the whole page as data: what is shown, the cart, the person', async () => {
    shop = await ShopPage.open(browser, `${slow.url}product/mechanical-keyboard`)
    provider.queue({ type: 'text', text: 'It is a keyboard.' })
    await shop.say('what is this?')
    const request = provider.requests.at(-1)
    expect(request?.text).toContain('mechanical-keyboard')
    expect(request?.text).toContain('89.99')
    expect(request?.tools).toHaveLength(6)
    await shop.close()
  })
})

it('says that the connection is down, and sends what was typed once it is back', async () => {
  const first = await serveShop(files)
  shop = await ShopPage.open(browser, first.url)
  await first.close()
  await shop.page.getByText('The connection is down.').waitFor()
  await shop.type('add two headphones to my cart')
  const second = await serveShop(files, { port: String(first.port) })
  await shop.callIs('success')
  await shop.answered()
  expect(await shop.cart()).toBe('Cart, 2 items')
  expect(await shop.page.getByText('The connection is down.').count()).toBe(0)
  await shop.close()
  await second.close()
}, 60_000)

const KEPT = JSON.stringify({
  cart: [{ productId: 'pro-headphones', quantity: 2 }],
  likes: ['potted-monstera'],
  orders: [
    {
      id: 'HH-1',
      placedAt: 1_795_000_000_000,
      delivery: 'standard',
      totalCents: 2_800,
      lines: [{ productId: 'brass-pen', quantity: 1, priceCents: 2_800 }],
    },
  ],
  delivery: 'standard',
})
const PAGES = [
  '',
  '?q=coffee',
  '?q=submarine',
  'product/mechanical-keyboard',
  'cart',
  'checkout',
  'account',
  'order/HH-1',
  'nowhere',
]

describe.each(['light', 'dark'] as const)('every page in %s colours', (colorScheme) => {
  it.each([360, 1600])(
    'is free of faults that axe knows and fits a window of %d pixels',
    async (width) => {
      shop = await ShopPage.open(browser, server.url, { colorScheme, viewport: { width, height: 900 } })
      await shop.page.evaluate((kept) => localStorage.setItem('hearth-and-hum/shop', kept), KEPT)
      const found: string[] = []
      for (const path of PAGES) {
        await shop.page.goto(server.url + path)
        await shop.ready()
        found.push(...(await shop.faults()).map((fault) => `/${path} ${fault}`))
        if ((await shop.overflow()) > 0) found.push(`/${path} is ${await shop.overflow()} pixels too wide`)
      }
      await shop.close()
      expect(found).toEqual([])
    },
    60_000,
  )
})
