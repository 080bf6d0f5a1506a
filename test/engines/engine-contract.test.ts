import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAutoEngine } from '@domos/engine-auto'
import { createChromiumEngine, findBrowser, HOW_TO_GET_A_BROWSER } from '@domos/engine-chromium'
import { createStaticEngine } from '@domos/engine-static'
import type { BrowserEngine } from '@domos/spec'
import { type ContractSite, engineContract, openContractSite } from '@domos/testing/engine'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { AUTO_GAPS, CHROMIUM_GAPS, STATIC_GAPS } from './engine-gaps.ts'

const downloadDirectory = mkdtempSync(join(tmpdir(), 'domos-contract-'))
/** The page of 5 MB takes its time on a busy machine. */
const CASE_TIMEOUT_MS = 90_000
let site: ContractSite
beforeAll(async () => {
  site = await openContractSite()
})
afterAll(async () => {
  await site.close()
  rmSync(downloadDirectory, { recursive: true, force: true })
})

function suite(name: string, create: () => BrowserEngine, gaps: Readonly<Record<string, string>>): void {
  describe(name, () => {
    let engine: BrowserEngine
    beforeAll(() => {
      engine = create()
    })
    afterAll(() => engine.close())
    for (const { title, run } of engineContract({ engine: () => engine, site: () => site, downloadDirectory, gaps }))
      it(title, run, CASE_TIMEOUT_MS)
  })
}

suite('the static engine', () => createStaticEngine(), STATIC_GAPS)
const hasBrowser = findBrowser() !== undefined
if (!hasBrowser) console.warn(`The Chromium engine is not tested here. ${HOW_TO_GET_A_BROWSER}`)
describe.runIf(hasBrowser)('with a browser', () => {
  suite('the chromium engine', () => createChromiumEngine(), CHROMIUM_GAPS)

  describe('the two together', () => {
    const plain = createStaticEngine()
    const script = createChromiumEngine()
    afterAll(() => Promise.all([plain.close(), script.close()]))
    suite('the auto engine', () => createAutoEngine({ plain, script }), AUTO_GAPS)
  })
})
