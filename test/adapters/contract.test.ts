import type { ContractCase } from '@domos/testing/adapter'
import type { Plugin } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium, servePages } from '../e2e/browser.ts'
import { bundleContract, react18, svelte } from './bundle.ts'

declare global {
  interface Window {
    contract: readonly ContractCase[]
  }
}

interface Adapter {
  readonly name: string
  /** Path of its harness in this repository. */
  readonly harness: string
  readonly plugins?: readonly Plugin[]
}

const adapters: readonly Adapter[] = [
  { name: 'React', harness: 'adapters/react/src/test/harness.tsx' },
  { name: 'React 18', harness: 'adapters/react/src/test/harness.tsx', plugins: [react18] },
  { name: 'Vue', harness: 'adapters/vue/src/test/harness.ts' },
  { name: 'Svelte', harness: 'adapters/svelte/src/test/harness.ts', plugins: [svelte] },
  { name: 'Angular', harness: 'adapters/angular/src/test/harness.ts' },
  { name: 'HTML attributes', harness: 'adapters/browser/src/test/harness.ts' },
]

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
}, 60_000)
afterAll(() => browser?.close())

describe.each(adapters)('the contract in Chromium with $name', ({ harness, plugins }) => {
  let page: Page
  let server: Awaited<ReturnType<typeof servePages>>
  const complaints: string[] = []

  beforeAll(async () => {
    const script = await bundleContract(harness, plugins)
    server = await servePages({
      '/': { body: '<!doctype html><title>Contract</title><body><script src="/page.js"></script>' },
      '/page.js': { body: script, type: 'text/javascript' },
    })
    page = await browser.newPage()
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    await page.goto(server.origin)
  }, 60_000)
  afterAll(async () => {
    await page?.close()
    await server?.close()
  })

  it('is kept, case by case, without a complaint on the console', async () => {
    const results = await page.evaluate(async () => {
      const found: { title: string; failure: string }[] = []
      for (const { title, run } of window.contract) {
        const failure = await run().then(
          () => '',
          (error) => String(error),
        )
        found.push({ title, failure })
      }
      return found
    })
    expect(results.filter(({ failure }) => failure !== '')).toEqual([])
    expect(results.length).toBeGreaterThan(25)
    expect(complaints.filter((text) => !text.includes('favicon'))).toEqual([])
  }, 60_000)
})
