import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type ChromiumEngineOptions,
  createChromiumEngine,
  findBrowser,
  HOW_TO_GET_A_BROWSER,
} from '@domos/engine-chromium'
import type { BrowserEngine, EngineContext, EngineContextOptions, EnginePage } from '@domos/spec'
import { type ContractSite, openContractSite } from '@domos/testing/engine'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

const hasBrowser = findBrowser() !== undefined
if (!hasBrowser) console.warn(`Browser processes are not tested here. ${HOW_TO_GET_A_BROWSER}`)

const downloadDirectory = mkdtempSync(join(tmpdir(), 'domos-process-'))
let site: ContractSite
beforeAll(async () => {
  site = await openContractSite()
})
afterAll(async () => {
  await site.close()
  rmSync(downloadDirectory, { recursive: true, force: true })
})

const soon = (): AbortSignal => AbortSignal.timeout(15_000)

function start(options: ChromiumEngineOptions = {}): BrowserEngine {
  const engine = createChromiumEngine(options)
  onTestFinished(() => engine.close())
  return engine
}

async function open(
  engine: BrowserEngine,
  more: Partial<EngineContextOptions> = {},
): Promise<{ context: EngineContext; page: EnginePage }> {
  const context = await engine.openContext({
    policy: { checkUrl() {}, checkAddress() {} },
    downloadDirectory,
    limits: {
      maxResponseBytes: 1e7,
      maxDecodedBytes: 1e7,
      maxRedirects: 10,
      requestTimeoutMs: 10_000,
      maxDownloadBytes: 1e6,
      maxHistoryEntries: 50,
    },
    ...more,
  })
  return { context, page: await context.openPage() }
}

/** Processes below one, by pid, with their command lines. */
function below(pid: number): readonly { readonly pid: number; readonly command: string }[] {
  const found: { pid: number; command: string }[] = []
  const open = [pid]
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    let children = ''
    try {
      children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8')
    } catch {
      continue
    }
    for (const child of children.split(' ').filter(Boolean).map(Number)) {
      open.push(child)
      try {
        found.push({ pid: child, command: readFileSync(`/proc/${child}/cmdline`, 'utf8').replaceAll('\0', ' ') })
      } catch {
        // Gone meanwhile.
      }
    }
  }
  return found
}

const browserOf = (pid = process.pid) =>
  below(pid).find(({ command }) => command.includes('--remote-debugging-pipe') && !command.includes('--type='))

async function gone(pid: number): Promise<void> {
  await expect
    .poll(() => existsSync(`/proc/${pid}`) && !/State:\s+Z/.test(readFileSync(`/proc/${pid}/status`, 'utf8')), {
      timeout: 10_000,
    })
    .toBe(false)
}

describe.runIf(hasBrowser && process.platform === 'linux')('the process of the Chromium engine', () => {
  it('keeps the sandbox, as an unprivileged user where we are root, and says so', async () => {
    const engine = start()
    await open(engine)
    const health = await engine.health()
    expect(health).toMatchObject({ ready: true, sandbox: true, browsers: 1, contexts: 1 })
    const browser = browserOf()
    expect(browser?.command).not.toContain('--no-sandbox')
    const uid = /Uid:\s+(\d+)/.exec(readFileSync(`/proc/${browser?.pid}/status`, 'utf8'))?.[1]
    expect(Number(uid)).not.toBe(0)
  })

  it('says what is missing and what to do where there is no browser', async () => {
    const engine = start({ path: '/nowhere/chromium' })
    await expect(open(engine)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('DOMOS_CHROMIUM'),
    })
    expect(await engine.health()).toMatchObject({ ready: false })
  })

  it('tells every session when the browser is killed in the middle of an action, and the next session gets a new one', async () => {
    const engine = start()
    const one = await open(engine)
    const two = await open(engine)
    const lost: string[] = []
    one.context.onLost((reason) => lost.push(reason))
    two.context.onLost((reason) => lost.push(reason))
    const closed: string[] = []
    one.page.onEvent((event) => event.type === 'closed' && closed.push(event.reason))
    const going = one.page.navigate({ url: `${site.url}/never` }, soon())
    const { pid } = browserOf() ?? { pid: 0 }
    process.kill(pid, 'SIGKILL')
    await expect(going).rejects.toMatchObject({ code: 'unavailable' })
    await expect.poll(() => lost.length).toBe(2)
    expect(lost[0]).toContain('SIGKILL')
    expect(closed).toHaveLength(1)
    const three = await open(engine)
    expect((await three.page.navigate({ url: `${site.url}/plain` }, soon())).title).toBe('Plain')
    expect(await engine.health()).toMatchObject({ restarts: 1, browsers: 1, contexts: 1 })
  })

  it('leaves no browser behind when its own process is killed', async () => {
    const program = `
      import { createChromiumEngine } from '@domos/engine-chromium'
      const engine = createChromiumEngine()
      const context = await engine.openContext({ policy: { checkUrl() {}, checkAddress() {} }, downloadDirectory: '/tmp', limits: {} })
      await context.openPage()
      console.log('open')
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--conditions=@domos/source', '--input-type=module', '-e', program], {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    await new Promise<void>((resolve) =>
      child.stdout.on('data', (chunk: Buffer) => chunk.toString().includes('open') && resolve()),
    )
    const browser = browserOf(child.pid)
    expect(browser).toBeDefined()
    child.kill('SIGKILL')
    await gone(browser?.pid ?? 0)
  })

  it('ends a page that fills memory with buffers, and leaves the others alone', async () => {
    const engine = start({ evaluate: true, limits: { maxRendererMb: 300, memoryIntervalMs: 50 } })
    const bomb = await open(engine)
    const other = await open(engine)
    await other.page.navigate({ url: `${site.url}/plain` }, soon())
    const closed: string[] = []
    bomb.page.onEvent((event) => event.type === 'closed' && closed.push(event.reason))
    await bomb.page.navigate({ url: `${site.url}/plain` }, soon())
    const filling = bomb.page.evaluate(
      '(async () => { window.kept = []; for (let at = 0; at < 400; at += 1) { kept.push(new Uint8Array(10_000_000).fill(1)); await new Promise((resolve) => setTimeout(resolve, 10)) } })()',
      soon(),
    )
    await expect(filling).rejects.toMatchObject({ code: 'unavailable' })
    await expect.poll(() => closed[0]).toContain('300 MB')
    expect((await other.page.compile({ outline: true })).outline).toContain('Plain page')
    expect(await engine.health()).toMatchObject({ renderersEnded: 1, browsers: 1 })
  })

  it('ends a page whose script heap overflows, and leaves the others alone', async () => {
    const engine = start({ evaluate: true, limits: { maxJsHeapMb: 64 } })
    const bomb = await open(engine)
    const other = await open(engine)
    await bomb.page.navigate({ url: `${site.url}/plain` }, soon())
    await expect(
      bomb.page.evaluate('window.kept = []; for (;;) kept.push([1, 2, 3, { a: 1 }])', soon()),
    ).rejects.toMatchObject({ code: 'unavailable' })
    expect((await other.page.navigate({ url: `${site.url}/plain` }, soon())).title).toBe('Plain')
  })

  it('ends a page over the heap its session asked for, and says so', async () => {
    const { page } = await open(start({ evaluate: true, limits: { memoryIntervalMs: 50 } }), { maxJsHeapMb: 40 })
    const closed: string[] = []
    page.onEvent((event) => event.type === 'closed' && closed.push(event.reason))
    await page.navigate({ url: `${site.url}/plain` }, soon())
    await page.evaluate('window.kept = new Uint8Array(60_000_000).fill(1); 1', soon()).catch(() => {})
    await expect.poll(() => closed[0]).toContain('40 MB')
  })

  it('stops an endless script of the caller, and the page stays usable', async () => {
    const { page } = await open(start({ evaluate: true }))
    await page.navigate({ url: `${site.url}/plain` }, soon())
    await expect(page.evaluate('for (;;);', AbortSignal.timeout(300))).rejects.toThrow()
    expect(await page.evaluate('1 + 1', soon())).toBe(2)
    expect((await page.compile({ outline: true })).outline).toContain('Plain page')
  })

  it('caps what a script of the caller gives, tells what it threw, and refuses it where it is off', async () => {
    const { page } = await open(start({ evaluate: true, limits: { maxEvaluateBytes: 1_000 } }))
    await page.navigate({ url: `${site.url}/plain` }, soon())
    await expect(page.evaluate('"x".repeat(2000)', soon())).rejects.toMatchObject({ code: 'too_large' })
    await expect(page.evaluate('Array(2000).fill(1)', soon())).rejects.toMatchObject({ code: 'too_large' })
    await expect(page.evaluate('throw new Error("mine")', soon())).rejects.toMatchObject({
      code: 'script_failed',
      message: expect.stringContaining('mine'),
    })
    expect(await page.evaluate('Promise.resolve({ a: [1, null] })', soon())).toEqual({ a: [1, null] })
    const off = await open(start())
    await off.page.navigate({ url: `${site.url}/plain` }, soon())
    await expect(off.page.evaluate('1', soon())).rejects.toMatchObject({ code: 'unsupported' })
  })

  it('a page frozen by its own script answers nothing, and the other pages of the session go on', async () => {
    const { context, page } = await open(start({ limits: { blockedPageMs: 1_000 } }))
    const other = await context.openPage()
    await page.navigate({ url: `${site.url}/endless` }, soon())
    const { elementId } = await page.resolve({ query: { role: 'button', text: 'Freeze' } })
    await expect(page.perform({ type: 'click', elementId }, AbortSignal.timeout(500))).rejects.toThrow()
    expect((await other.navigate({ url: `${site.url}/plain` }, soon())).title).toBe('Plain')
    await expect(page.compile({})).rejects.toMatchObject({ code: 'timeout', details: { reason: 'PAGE_BLOCKED' } })
    // Its script was ended, so that it can be read again.
    expect((await page.compile({ outline: true })).outline).toContain('words')
  })

  it('opens another browser when one is full, and refuses beyond the last', async () => {
    const engine = start({ limits: { maxContextsPerBrowser: 1, maxBrowsers: 2 } })
    await open(engine)
    await open(engine)
    expect(await engine.health()).toMatchObject({ browsers: 2, contexts: 2 })
    await expect(open(engine)).rejects.toMatchObject({ code: 'busy' })
  })

  it('leaves no folder and no process behind when it is closed', async () => {
    const engine = createChromiumEngine()
    const { context } = await open(engine)
    const browser = browserOf()
    await context.close()
    await engine.close()
    await engine.close()
    await gone(browser?.pid ?? 0)
    expect(existsSync(/--user-data-dir=(\S+)/.exec(browser?.command ?? '')?.[1] ?? '/')).toBe(false)
  })
})
