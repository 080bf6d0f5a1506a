// node scripts/screenshot.ts: takes the pictures of README.md anew, from the built shop in a real browser.

import { fileURLToPath } from 'node:url'
import { launchChromium } from '../test/e2e/browser.ts'
import { ShopPage } from '../test/e2e/shop-page.ts'
import { serveShop } from '../test/e2e/shop-server.ts'

const server = await serveShop()
const browser = await launchChromium()
try {
  const shop = await ShopPage.open(browser, server.url, { viewport: { width: 1280, height: 800 } })
  await shop.say('add two headphones to my cart')
  await picture('shop')
  await shop.say('go to the checkout')
  await shop.type('confirm the order')
  await shop.callIs('asking')
  await shop.dialog.text('scroll')
  await picture('approval')

  async function picture(name: string): Promise<void> {
    await shop.page.screenshot({ path: fileURLToPath(new URL(`../docs/images/${name}.png`, import.meta.url)) })
  }
} finally {
  await browser.close()
  await server.close()
}
