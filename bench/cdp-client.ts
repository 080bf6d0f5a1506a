// What our DevTools client costs beside playwright-core: the same browser, the same pages, the same proxy, rounds
// interleaved. Run: node --conditions=@domos/source bench/cdp-client.ts
//
// The control is playwright-core alone; its snapshot is `ariaSnapshot`, ours the SOM with its outline. Medians of wall
// time and of CPU time of this process (the browser's own work is in the wall time).

import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { createChromiumEngine, findBrowser, openEgressProxy } from '@domos/engine-chromium'
import type { NetworkPolicy } from '@domos/spec'
import { chromium } from 'playwright-core'

const ROUNDS = Number(process.env['ROUNDS'] ?? 9)
const PAGES = new URL('../../shared/pages/', import.meta.url)
const names = ['hn.html', 'lobsters.html', 'wiki.html'].filter((name) => existsSync(new URL(name, PAGES)))
const sources = new Map<string, string>([
  ['plain', '<!doctype html><title>Plain</title><h1>Plain</h1><button onclick="document.title=1">Press</button>'],
  ...names.map(
    (name) =>
      [name, `${readFileSync(new URL(name, PAGES), 'utf8')}<button onclick="document.title=1">Press</button>`] as const,
  ),
])
const open: NetworkPolicy = { checkUrl() {}, checkAddress() {} }
const limits = {
  maxResponseBytes: 1e8,
  maxDecodedBytes: 1e8,
  maxRedirects: 10,
  requestTimeoutMs: 30_000,
  maxDownloadBytes: 1e7,
  maxHistoryEntries: 50,
}

const server = createServer((request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(sources.get((request.url ?? '/').slice(1)) ?? '')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const executablePath = findBrowser() ?? ''

interface Sample {
  wall: number[]
  cpu: number[]
}
const samples = new Map<string, Sample>()

async function measure<T>(name: string, work: () => Promise<T>): Promise<T> {
  const cpuBefore = process.cpuUsage()
  const before = performance.now()
  const result = await work()
  const sample = samples.get(name) ?? { wall: [], cpu: [] }
  sample.wall.push(performance.now() - before)
  const { user, system } = process.cpuUsage(cpuBefore)
  sample.cpu.push((user + system) / 1_000)
  samples.set(name, sample)
  return result
}

const engine = createChromiumEngine()
const browser = await chromium.launch({ executablePath, chromiumSandbox: false })
const signal = (): AbortSignal => AbortSignal.timeout(60_000)

async function ours(page: string): Promise<void> {
  const { context, tab } = await measure(`${page} page ours`, async () => {
    const context = await engine.openContext({ policy: open, downloadDirectory: tmpdir(), limits })
    const tab = await context.openPage()
    await tab.navigate({ url: `${origin}/${page}` }, signal())
    return { context, tab }
  })
  await measure(`${page} snapshot ours`, () => tab.compile({ outline: true }))
  await measure(`${page} snapshot again ours`, () => tab.compile({ outline: true }))
  const { elementId } = await tab.resolve({ query: { role: 'button', text: 'Press' } })
  await measure(`${page} click ours`, () => tab.perform({ type: 'click', elementId }, signal()))
  await context.close()
}

async function theirs(page: string): Promise<void> {
  const proxy = await openEgressProxy(open)
  const { context, tab } = await measure(`${page} page playwright`, async () => {
    const context = await browser.newContext({ proxy: { server: `http://${proxy.address}`, bypass: '<-loopback>' } })
    const tab = await context.newPage()
    await tab.goto(`${origin}/${page}`, { waitUntil: 'domcontentloaded' })
    return { context, tab }
  })
  await measure(`${page} snapshot playwright`, () => tab.locator('body').ariaSnapshot())
  await measure(`${page} snapshot again playwright`, () => tab.locator('body').ariaSnapshot())
  const press = tab.getByRole('button', { name: 'Press', exact: true })
  await measure(`${page} click playwright`, () => press.click())
  await context.close()
  await proxy.close()
}

for (let round = -1; round < ROUNDS; round += 1) {
  // The first round warms up and does not count.
  if (round === 0) samples.clear()
  for (const page of sources.keys()) {
    await ours(page)
    await theirs(page)
  }
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
console.log(`${browser.version()}, node ${process.version}, ${ROUNDS} rounds; ms wall (CPU of this process)`)
for (const page of sources.keys()) {
  for (const step of ['page', 'snapshot', 'snapshot again', 'click']) {
    const [one, two] = ['ours', 'playwright'].map(
      (who) => samples.get(`${page} ${step} ${who}`) ?? { wall: [], cpu: [] },
    )
    if (one === undefined || two === undefined) continue
    const ratio = median(one.wall) / median(two.wall)
    const cell = ({ wall, cpu }: Sample): string => `${median(wall).toFixed(1)} (${median(cpu).toFixed(1)})`
    console.log(
      `${page.padEnd(14)} ${step.padEnd(15)} ours ${cell(one).padEnd(16)} playwright ${cell(two).padEnd(16)} ratio ${ratio.toFixed(2)}`,
    )
  }
}
await browser.close()
await engine.close()
server.close()
