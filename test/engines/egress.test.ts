import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChromiumEngine, findBrowser, HOW_TO_GET_A_BROWSER } from '@domos/engine-chromium'
import { createNetworkPolicy } from '@domos/headless'
import type { BrowserEngine, EngineContext, EnginePage } from '@domos/spec'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const hasBrowser = findBrowser() !== undefined
if (!hasBrowser) console.warn(`The way out of pages is not tested here. ${HOW_TO_GET_A_BROWSER}`)

/** Connections that reached a server nobody may reach. */
interface Sink {
  readonly server: Server
  readonly port: number
  hits: number
}

async function openSink(
  handler: Parameters<typeof createServer>[1] = (_request, response) => response.end('secret'),
): Promise<Sink> {
  const server = createServer(handler)
  const sink: Sink = { server, port: 0, hits: 0 }
  server.on('connection', () => {
    sink.hits += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '::', resolve))
  return Object.assign(sink, { port: (server.address() as AddressInfo).port })
}

/** Where the hostile page comes from, allowed by name; everything else goes by the rules as they are. */
const HOSTILE = '127.0.0.2'

describe.runIf(hasBrowser)('what a hostile page can reach', () => {
  const downloadDirectory = mkdtempSync(join(tmpdir(), 'domos-egress-'))
  let engine: BrowserEngine
  let sink: Sink
  let hostile: Sink
  let script = ''
  let context: EngineContext
  let page: EnginePage

  beforeAll(async () => {
    engine = createChromiumEngine({ evaluate: true })
    sink = await openSink()
    hostile = await openSink((request, response) => {
      const url = new URL(request.url ?? '/', 'http://x')
      if (url.pathname === '/to') {
        response.writeHead(302, { location: url.searchParams.get('url') ?? '' })
        response.end()
        return
      }
      if (url.pathname === '/worker.js') {
        response.writeHead(200, { 'content-type': 'text/javascript' })
        response.end(url.searchParams.get('code') ?? '')
        return
      }
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(`<!doctype html><title>Hostile</title><body><script>
        window.done = (async () => { try { ${script} } catch (error) { return 'failed ' + error } })()
      </script>`)
    })
  })
  afterAll(async () => {
    await engine.close()
    sink.server.close()
    hostile.server.close()
    rmSync(downloadDirectory, { recursive: true, force: true })
  })
  beforeEach(async () => {
    sink.hits = 0
    const policy = createNetworkPolicy({ allowedHosts: [HOSTILE] })
    context = await engine.openContext({
      policy,
      downloadDirectory,
      limits: {
        maxResponseBytes: 1e7,
        maxDecodedBytes: 1e7,
        maxRedirects: 10,
        requestTimeoutMs: 10_000,
        maxDownloadBytes: 1e6,
        maxHistoryEntries: 50,
      },
    })
    page = await context.openPage()
  })
  afterEach(async () => {
    await context.close()
    expect(sink.hits).toBe(0)
  })

  const signal = (): AbortSignal => AbortSignal.timeout(10_000)
  const home = (): string => `http://${HOSTILE}:${hostile.port}`
  const visit = async (code: string): Promise<unknown> => {
    script = code
    const before = hostile.hits
    await page.navigate({ url: `${home()}/` }, signal()).catch(() => {})
    // A page that was never loaded reaches nothing either.
    expect(hostile.hits).toBeGreaterThan(before)
    return page
      .evaluate('Promise.race([window.done, new Promise((resolve) => setTimeout(resolve, 700))])', signal())
      .catch(() => undefined)
  }
  const aims = (): readonly string[] => [
    `http://127.0.0.1:${sink.port}/x`,
    `http://localhost:${sink.port}/x`,
    `http://[::1]:${sink.port}/x`,
  ]
  const toEach = (code: (url: string) => string): string =>
    aims()
      .map((url) => code(JSON.stringify(url)))
      .join(';')

  it.each([
    '169.254.169.254',
    '[fd00:ec2::254]',
    '100.100.100.200',
    '168.63.129.16',
    '0.0.0.0',
    '127.1',
    '0x7f.1',
    '2130706433',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    'localhost',
    'user:pw@127.0.0.1',
    'example.com:pw@127.0.0.1',
  ])('navigating to %s is refused', async (host) => {
    await expect(page.navigate({ url: `http://${host}:${sink.port}/` }, signal())).rejects.toMatchObject({
      code: 'forbidden',
      details: { reason: 'POLICY_DENIED' },
    })
  })

  it.each([
    'file:///etc/passwd',
    'ftp://127.0.0.1/',
    'chrome://version',
    'view-source:http://127.0.0.1/',
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:http://x/1',
    'about:blank',
  ])('navigating to %s is refused', async (url) => {
    await expect(page.navigate({ url }, signal())).rejects.toMatchObject({ code: 'forbidden' })
    expect(page.state().ready).toBe('empty')
  })

  it('a redirect to a private address is refused, and says so', async () => {
    await expect(
      page.navigate({ url: `${home()}/to?url=${encodeURIComponent(`http://127.0.0.1:${sink.port}/`)}` }, signal()),
    ).rejects.toMatchObject({
      code: 'forbidden',
      details: { reason: 'POLICY_DENIED' },
    })
    const three = `${home()}/to?url=`
    const chain =
      three +
      encodeURIComponent(three + encodeURIComponent(three + encodeURIComponent(`http://localhost:${sink.port}/`)))
    await expect(page.navigate({ url: chain }, signal())).rejects.toMatchObject({ code: 'forbidden' })
  })

  const redirected = (url: string): string => `'/to?url=' + encodeURIComponent(${url})`
  it.each<readonly [string, (url: string) => string]>([
    ['fetch', (url) => `await fetch(${url}, { mode: 'no-cors' }).catch(() => {})`],
    ['redirected fetch', (url) => `await fetch(${redirected(url)}, { mode: 'no-cors' }).catch(() => {})`],
    ['image', (url) => `new Image().src = ${url}`],
    ['redirected image', (url) => `new Image().src = ${redirected(url)}`],
    ['script', (url) => `document.body.append(Object.assign(document.createElement('script'), { src: ${url} }))`],
    [
      'style',
      (url) =>
        `document.body.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: ${url} }))`,
    ],
    [
      'prefetch',
      (url) => `document.body.append(Object.assign(document.createElement('link'), { rel: 'prefetch', href: ${url} }))`,
    ],
    [
      'preconnect',
      (url) =>
        `document.body.append(Object.assign(document.createElement('link'), { rel: 'preconnect', href: ${url} }))`,
    ],
    ['frame', (url) => `document.body.append(Object.assign(document.createElement('iframe'), { src: ${url} }))`],
    ['object', (url) => `document.body.append(Object.assign(document.createElement('object'), { data: ${url} }))`],
    [
      'media',
      (url) => `document.body.append(Object.assign(document.createElement('video'), { src: ${url}, autoplay: true }))`,
    ],
    ['socket', (url) => `new WebSocket(${url}.replace('http', 'ws'))`],
    ['event stream', (url) => `new EventSource(${url})`],
    ['beacon', (url) => `navigator.sendBeacon(${url}, 'x')`],
    ['keepalive', (url) => `fetch(${url}, { keepalive: true, mode: 'no-cors' }).catch(() => {})`],
    [
      'worker fetch',
      (url) =>
        `new Worker('/worker.js?code=' + encodeURIComponent('fetch(' + JSON.stringify(${url}) + ', { mode: "no-cors" })'))`,
    ],
    [
      'worker socket',
      (url) =>
        `new Worker('/worker.js?code=' + encodeURIComponent('new WebSocket(' + JSON.stringify(${url}.replace('http', 'ws')) + ')'))`,
    ],
    [
      'shared worker',
      (url) =>
        `new SharedWorker('/worker.js?code=' + encodeURIComponent('fetch(' + JSON.stringify(${url}) + ', { mode: "no-cors" })'))`,
    ],
    ['popup', (url) => `window.open(${url})`],
    [
      'form post',
      (url) =>
        `{ const form = Object.assign(document.createElement('form'), { method: 'post', action: ${url}, target: '_blank' }); document.body.append(form); form.submit() }`,
    ],
    ['location', (url) => `location.href = ${url}`],
    [
      'refresh',
      (url) =>
        `document.head.append(Object.assign(document.createElement('meta'), { httpEquiv: 'refresh', content: '0;url=' + ${url} }))`,
    ],
    [
      'peer connection',
      (url) =>
        `{ const peer = new RTCPeerConnection({ iceServers: [{ urls: 'turn:127.0.0.1:' + new URL(${url}).port + '?transport=tcp', username: 'u', credential: 'c' }] }); peer.createDataChannel('x'); await peer.setLocalDescription(await peer.createOffer()) }`,
    ],
    ['web transport', (url) => `try { new WebTransport(${url}.replace('http:', 'https:')) } catch {}`],
    [
      'names',
      () =>
        `document.head.append(Object.assign(document.createElement('link'), { rel: 'dns-prefetch', href: 'http://leak.example' }))`,
    ],
  ])('a %s of the page reaches nothing', async (_name, code) => {
    await visit(toEach(code))
  })

  it('what a page learns of a refused address is what it learns of a closed one', async () => {
    const code = `const told = async (url) => { try { await fetch(url, { mode: 'no-cors' }); return 'answered' } catch (error) { return error.name + error.message } }
      return [await told(${JSON.stringify(aims()[0])}), await told('http://127.0.0.1:9999/')]`
    const [refused, closed] = (await visit(code)) as [string, string]
    expect(refused).toBe(closed)
    expect(refused).not.toBe('answered')
  })

  it('files of this machine are neither frames nor links of a page', async () => {
    await visit(
      `document.body.append(Object.assign(document.createElement('iframe'), { src: 'file:///etc/hostname' })); document.body.append(Object.assign(document.createElement('a'), { href: 'file:///etc/hostname', textContent: 'Local file' }))`,
    )
    const { elementId } = await page.resolve({ query: { role: 'link', text: 'Local file' } })
    await page.perform({ type: 'click', elementId }, signal()).catch(() => {})
    expect(page.state().url).toBe(`${home()}/`)
  })

  it('counts what went through and what was refused', async () => {
    await visit(toEach((url) => `await fetch(${url}, { mode: 'no-cors' }).catch(() => {})`))
    const traffic = context.traffic()
    expect(traffic.refused).toBeGreaterThanOrEqual(3)
    expect(traffic.bytesIn).toBeGreaterThan(0)
  })
})
