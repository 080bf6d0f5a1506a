import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleForPage, launchChromium } from '../e2e/browser.ts'
import { openSite, type Site } from './site.ts'
import { checkTasks, TasksPage } from './tasks-page.ts'

const STRICT = [
  "default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'self'",
  "require-trusted-types-for 'script'; trusted-types 'none'",
].join('; ')

const EMPTY = '<!doctype html><title>Empty</title><script src="/fresh.js"></script><script src="/until.js"></script>'

/** Runs in the page: lets its event loop turn until something holds. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 500; turn += 1) {
    if (await holds()) return
    await new Promise((next) => setTimeout(next, 5))
  }
  throw new Error(`It never came to this: ${holds}`)
}

let browser: Browser
let site: Site

beforeAll(async () => {
  const script = await bundleForPage('../../adapters/browser/src/script.ts', import.meta.url, 'DomOS')
  // The door beside the pages hands out the bundle of the last build as /sdk/domos.js; what is tested are the sources.
  const example = async (name: string) => {
    const text = await readFile(new URL(`../../examples/tasks-browser/${name}`, import.meta.url), 'utf8')
    return text.replace('/sdk/domos.js', '/fresh.js')
  }
  const javascript = (body: string) => ({ body, type: 'text/javascript' })
  site = await openSite(async (path) => {
    if (path === '/fresh.js') return javascript(script)
    if (path === '/tasks.js') return javascript(await example('tasks.js'))
    if (path === '/') return { body: await example('index.html') }
    if (path === '/strict') return { body: await example('index.html'), headers: { 'content-security-policy': STRICT } }
    if (path === '/until.js') return javascript(`window.until = ${until}`)
    if (path === '/empty') return { body: EMPTY }
    return undefined
  })
  browser = await launchChromium(['--enable-features=WebMCP', '--enable-experimental-web-platform-features'])
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

describe('the script tag', () => {
  it.each([
    ['a plain page', '/'],
    ['a page with a strict Content-Security-Policy and Trusted Types', '/strict'],
  ])(
    'lets an agent work with %s whose HTML has attributes alone',
    async (_, path) => {
      const tasks = await TasksPage.open(browser, site.origin + path)
      await checkTasks(tasks)
      await tasks.page.close()
    },
    60_000,
  )

  it('without data-domos waits for the page to begin, and ends when it says so', async () => {
    const page = await open()
    const told = await page.evaluate(async () => {
      const ready = Promise.withResolvers<string | undefined>()
      const client = DomOS.init({ onReady: ({ sessionId }) => ready.resolve(sessionId) })
      const again = DomOS.init() === client
      const sessionId = await ready.promise
      DomOS.registerTool('greet', { description: 'Greets', handler: () => 'Hello' })
      const answer = await DomOS.getClient().callTool('greet')
      DomOS.destroy()
      return { again, sessionId, answer, state: client.state, count: client.toolCount }
    })
    expect(told).toEqual({
      again: true,
      sessionId: expect.stringMatching(/^ses_/),
      answer: 'Hello',
      state: 'disconnected',
      count: 0,
    })
    await page.close()
  })
})

declare const DomOS: typeof import('@domos/browser') & typeof import('@domos/core')

interface ModelContext {
  registerTool(tool: object, options?: object): Promise<void>
  getTools(): Promise<readonly { readonly name: string; readonly annotations: Record<string, boolean> }[]>
  executeTool(tool: object, input: object): Promise<string>
}

async function open(): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(`${site.origin}/empty`)
  return page
}

describe('WebMCP', () => {
  it('says what the browser does not take, and takes the page’s tool when the client’s own of that name has gone', async () => {
    const page = await open()
    const told = await page.evaluate(async () => {
      const context = (document as unknown as { modelContext: ModelContext }).modelContext
      await context.registerTool({ name: 'list', description: 'Of the page', execute: () => 'page' })
      const problems: string[] = []
      const client = new DomOS.DomOSClient({ approvals: 'none' })
      const end = client.registerTool('list', { description: 'Of the client', handler: () => 'client' })
      client.registerTool('no spaces', { description: 'Badly named', handler: () => 1 })
      const stop = DomOS.bridgeWebMcp(client, { onProblem: (sentence) => problems.push(sentence) })
      await until(() => problems.length === 2)
      const first = await client.callTool('list')
      end()
      await until(() => client.hasTool('list'))
      const second = await client.callTool('list')
      stop()
      return { first, second, problems: problems.map((sentence) => sentence.slice(0, 40)).sort() }
    })
    expect(told).toEqual({
      first: 'client',
      second: 'page',
      problems: ['Tool "list" is not offered to the browse', 'Tool "no spaces" has a name that WebMCP '],
    })
    await page.close()
  })

  it('offers the client’s tools to the browser, with their risks, and runs them through the same checks', async () => {
    const page = await open()
    const told = await page.evaluate(async () => {
      const context = (document as unknown as { modelContext: ModelContext }).modelContext
      const client = new DomOS.DomOSClient({ approvals: 'none' })
      const stop = DomOS.bridgeWebMcp(client)
      const seen = async () => (await context.getTools()).map(({ name }) => name)
      const add = client.registerTool('add', {
        description: 'Adds',
        parameters: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
        handler: ({ title }) => ({ added: title }),
      })
      client.registerTool('clear', { description: 'Clears', risk: 'critical', handler: () => 'cleared' })
      await until(async () => (await seen()).length === 2)
      const tools = await context.getTools()
      const risks = tools.map(({ name, annotations }) => [
        name,
        annotations.readOnlyHint,
        annotations.consequentialHint,
      ])
      const run = (name: string, input: object) =>
        context.executeTool(tools.find((tool) => tool.name === name) ?? {}, input).catch((error) => String(error))
      const results = [await run('add', { title: 'Milk' }), await run('add', {}), await run('clear', {})]
      add()
      await until(async () => (await seen()).length === 1)
      const left = await seen()
      stop()
      await until(async () => (await seen()).length === 0)
      return { risks, results, left, own: client.registeredTools.map(({ name }) => name) }
    })
    expect(told.risks).toEqual([
      ['add', true, false],
      ['clear', false, true],
    ])
    expect(JSON.parse(told.results[0] ?? '')).toEqual({ added: 'Milk' })
    expect(told.results.slice(1).join()).not.toContain('cleared')
    expect(told).toMatchObject({ left: ['clear'], own: ['clear'] })
    await page.close()
  })

  it('takes the page’s own tools, with a risk by their hints, and gives none of them back', async () => {
    const page = await open()
    const told = await page.evaluate(async () => {
      const context = (document as unknown as { modelContext: ModelContext }).modelContext
      const end = new AbortController()
      const tool = (name: string, annotations: object) =>
        context.registerTool(
          { name, description: `Does ${name}`, annotations, execute: (input: object) => ({ name, input }) },
          { signal: end.signal },
        )
      await tool('read', { readOnlyHint: true })
      const problems: string[] = []
      const client = new DomOS.DomOSClient({ approvals: 'none' })
      client.registerTool('mine', { description: 'Mine', handler: () => 1 })
      const stop = DomOS.bridgeWebMcp(client, { onProblem: (sentence) => problems.push(sentence) })
      await tool('write', {})
      await tool('pay', { consequentialHint: true })
      await until(() => client.toolCount === 4)
      const risks = client.registeredTools.map(({ name, risk }) => [name, risk])
      const all = (await context.getTools()).map(({ name }) => name).sort()
      const answer = await client.callTool('read', { page: 2 })
      const refused = await client.callTool('pay').catch((error: Error) => error.message)
      end.abort()
      await until(() => client.toolCount === 1)
      const left = client.registeredTools.map(({ name }) => name)
      stop()
      return { risks, all, answer, refused, left, problems }
    })
    expect(told).toEqual({
      risks: [
        ['mine', 'none'],
        ['read', 'none'],
        ['write', 'low'],
        ['pay', 'high'],
      ],
      all: ['mine', 'pay', 'read', 'write'],
      answer: { name: 'read', input: { page: 2 } },
      refused: expect.stringContaining('Nobody could be asked'),
      left: ['mine'],
      problems: [],
    })
    await page.close()
  })
})
