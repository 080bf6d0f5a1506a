// node scripts/screenshot.ts: takes the pictures of README.md anew, from the shop in a real browser.

import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { launchChromium } from '../test/e2e/browser.ts'
import { ShopPage } from '../test/e2e/shop-page.ts'
import { buildShop, serveShop } from '../test/e2e/shop-server.ts'

const noticeMs = 8_000

const files = await buildShop()
const server = await serveShop(files)
const browser = await launchChromium()
try {
  const shop = await ShopPage.open(browser, server.url, { deviceScaleFactor: 1.5 })
  await shop.say('Add two headphones to my cart')
  await shop.say('What is in my cart?')
  await delay(noticeMs)
  await picture('shop')
  await shop.say('Go to the checkout')
  await shop.type('Confirm the order')
  await shop.callIs('asking')
  await shop.dialog.text('scroll')
  await picture('approval')

  async function picture(name: string): Promise<void> {
    await shop.page.screenshot({ path: fileURLToPath(new URL(`../docs/images/${name}.png`, import.meta.url)) })
  }
} finally {
  await browser.close()
  await server.close()
  await files.remove()
}
