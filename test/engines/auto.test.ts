import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAutoEngine } from '@domos/engine-auto'
import { createChromiumEngine, findBrowser, HOW_TO_GET_A_BROWSER } from '@domos/engine-chromium'
import { createStaticEngine } from '@domos/engine-static'
import type { BrowserEngine, EngineContext, EngineNavigation, EnginePage } from '@domos/spec'
import { CONTRACT_PATHS, type ContractSite, openContractSite } from '@domos/testing/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFixtureSite } from '../browser/fixture-site.ts'

const hasBrowser = findBrowser() !== undefined
if (!hasBrowser) console.warn(`The choice between engines is not tested here. ${HOW_TO_GET_A_BROWSER}`)

const downloadDirectory = mkdtempSync(join(tmpdir(), 'domos-auto-'))
const limits = {
  maxResponseBytes: 1e7,
  maxDecodedBytes: 2e7,
  maxRedirects: 10,
  requestTimeoutMs: 10_000,
  maxDownloadBytes: 1e6,
  maxHistoryEntries: 50,
}
const PAGES = new URL('../../../shared/pages/', import.meta.url)
const signal = (): AbortSignal => AbortSignal.timeout(30_000)
/** Pages that change by the second, or that take the caller elsewhere, cannot be compared word by word. */
const NOT_COMPARED: ReadonlySet<string> = new Set(['/busy', '/environment'])

describe.runIf(hasBrowser)('the auto engine', () => {
  const plain = createStaticEngine()
  const script = createChromiumEngine()
  let site: ContractSite
  beforeAll(async () => {
    site = await openContractSite()
  })
  afterAll(async () => {
    await Promise.all([plain.close(), script.close()])
    await site.close()
    rmSync(downloadDirectory, { recursive: true, force: true })
  })

  const open = (engine: BrowserEngine): Promise<EngineContext> =>
    engine.openContext({ policy: { checkUrl() {}, checkAddress() {} }, downloadDirectory, limits })

  async function show(
    engine: BrowserEngine,
    url: string,
  ): Promise<{ words: ReadonlySet<string>; navigation: EngineNavigation }> {
    const context = await open(engine)
    try {
      const page = await context.openPage()
      const navigation = await page.navigate({ url }, signal())
      await quiet(page)
      const { outline = '' } = await page.compile({ outline: true })
      return { words: new Set(outline.match(/\p{L}{3,}/gu) ?? []), navigation }
    } finally {
      await context.close()
    }
  }

  /** Until nothing that counts is under way. */
  async function quiet(page: EnginePage): Promise<void> {
    await expect.poll(() => page.state().pendingRequests.length, { timeout: 15_000 }).toBe(0)
  }

  it('never shows a word less than Chromium does, on every page of the contract and on the real ones', async () => {
    const folder = existsSync(PAGES) ? readdirSync(PAGES).filter((name) => name.endsWith('.html')) : []
    const real = await openFixtureSite(
      Object.fromEntries(
        folder.map((name) => [`/${name}`, async () => ({ body: readFileSync(new URL(name, PAGES)) })]),
      ),
    )
    try {
      const urls = [
        ...CONTRACT_PATHS.filter((path) => !NOT_COMPARED.has(path)).map((path) => site.url + path),
        ...folder.map((name) => `${real.url}/${name}`),
      ]
      const rows: string[] = []
      for (const url of urls) {
        const auto = await show(createAutoEngine({ plain, script }), url)
        const whole = await show(script, url)
        expect(
          [...whole.words].filter((word) => !auto.words.has(word)),
          url,
        ).toEqual([])
        expect(auto.navigation.engineReason).toBeTruthy()
        rows.push(`${new URL(url).pathname} ${auto.navigation.engine} ${auto.navigation.engineReason}`)
      }
      if (process.env['DOMOS_PRINT_CHOICES'] !== undefined) console.log(rows.join('\n'))
      expect(rows.some((row) => row.includes(' static '))).toBe(true)
    } finally {
      await real.close()
    }
  }, 180_000)

  it('takes cookies and history along when it moves, and stays moved', async () => {
    const context = await open(createAutoEngine({ plain, script }))
    const page = await context.openPage()
    expect((await page.navigate({ url: `${site.url}/redirect` }, signal())).engine).toBe('static')
    const before = site.seen.length
    expect(await page.navigate({ url: `${site.url}/app` }, signal())).toMatchObject({ engine: 'chromium' })
    expect(site.seen.slice(before).findLast(({ url }) => url === '/app')?.headers.cookie).toBe('hop=1; secret=2')
    expect(page.state()).toMatchObject({ historyLength: 2, historyIndex: 1 })
    const back = await page.traverse(-1, signal())
    expect(back).toMatchObject({ url: `${site.url}/plain`, title: 'Plain', engine: 'chromium' })
    await expect(page.traverse(-1, signal())).rejects.toMatchObject({ code: 'conflict' })
    expect((await page.navigate({ url: `${site.url}/second` }, signal())).engine).toBe('chromium')
    await context.close()
  })

  it('keeps to an engine that a domain is pinned to', async () => {
    const pinned = createAutoEngine({
      plain,
      script,
      pinned: { '127.0.0.1': 'static', '*.localhost': 'chromium', localhost: 'chromium' },
    })
    const context = await open(pinned)
    const page = await context.openPage()
    expect(await page.navigate({ url: `${site.url}/app` }, signal())).toMatchObject({
      engine: 'static',
      engineReason: expect.stringContaining('pinned'),
    })
    expect(await page.navigate({ url: `${site.otherUrl}/plain` }, signal())).toMatchObject({
      engine: 'chromium',
      engineReason: expect.stringContaining('pinned'),
    })
    await context.close()
  })

  it('shows what the source holds where there is no browser, and says that it may not be all', async () => {
    const context = await open(createAutoEngine({ plain, script: createChromiumEngine({ path: '/nowhere/chromium' }) }))
    const page = await context.openPage()
    const navigation = await page.navigate({ url: `${site.url}/app` }, signal())
    expect(navigation).toMatchObject({ engine: 'static', engineReason: expect.stringContaining('without script') })
    expect((await page.compile({ outline: true })).outline).toContain('Shop')
    await context.close()
  })

  it('does again with script what had no effect without, and says so', async () => {
    const context = await open(createAutoEngine({ plain, script, pinned: {} }))
    const page = await context.openPage()
    await page.navigate({ url: `${site.url}/handlers` }, signal())
    const { elementId } = await page.resolve({ query: { role: 'button', text: 'Quiet one' } })
    const { notes } = await page.perform({ type: 'click', elementId }, signal())
    expect(notes?.join()).toContain('loaded again')
    expect((await page.compile({})).som['title']).toBe('heard')
    await context.close()
  })
})
