import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server as SocketServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { requestPath } from './http.ts'
import { createStaticFiles } from './static-files.ts'

let home: string
let server: Server
let unreadable: SocketServer | undefined

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'domos-static-'))
  mkdirSync(join(home, 'dist/assets'), { recursive: true })
  mkdirSync(join(home, 'dist-secret'))
  writeFileSync(join(home, 'secret.txt'), 'secret')
  writeFileSync(join(home, 'dist-secret/secret.txt'), 'secret')
  writeFileSync(join(home, 'dist/.env'), 'secret')
  writeFileSync(join(home, 'dist/index.html'), '<h1>shop</h1>')
  writeFileSync(join(home, 'dist/assets/app-D5dFUTPF.css'), 'h1 {}')
  const files = createStaticFiles({ prefix: '/demo/', directory: join(home, 'dist'), singlePage: true })
  server = createServer((incoming, response) => {
    void Promise.resolve(files(incoming, response, requestPath(incoming.url) ?? '')).then((isHandled) => {
      if (!isHandled) response.writeHead(404).end('not ours')
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
})

afterEach(async () => {
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
  await new Promise<void>((closed) => (unreadable === undefined ? closed() : unreadable.close(() => closed())))
  unreadable = undefined
  rmSync(home, { recursive: true, force: true })
})

interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Sends the path as it is: fetch would tidy it. */
function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo
    request({ host: '127.0.0.1', port, path, headers }, (response) => {
      let body = ''
      response.on('data', (data: Buffer) => {
        body += data.toString()
      })
      response.once('end', () => resolve({ status: response.statusCode, headers: response.headers, body }))
    })
      .once('error', reject)
      .end()
  })
}

describe('createStaticFiles', () => {
  it('gives files with their type, revalidated, and those with a hash in their name for a year', async () => {
    const page = await get('/demo/')
    expect(page).toMatchObject({ status: 200, body: '<h1>shop</h1>' })
    expect(page.headers).toMatchObject({ 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' })
    expect(page.headers['content-type']).toContain('text/html')
    const again = await get('/demo/', { 'if-none-match': page.headers.etag ?? '' })
    expect(again).toMatchObject({ status: 304, body: '' })
    const style = await get('/demo/assets/app-D5dFUTPF.css')
    expect(style.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })

  it('gives the page for paths of its router, with the caching of the page, and nothing for files that are not there', async () => {
    expect(await get('/demo/product/lamp?x=1')).toMatchObject({ status: 200, body: '<h1>shop</h1>' })
    expect(await get('/demo/assets/gone-D5dFUTPF.css')).toMatchObject({ status: 404, body: 'not ours' })
    expect((await get('/demo')).headers.location).toBe('/demo/')
  })

  it.each([
    '/demo/../secret.txt',
    '/demo/..%2fsecret.txt',
    '/demo/%2e%2e/secret.txt',
    '/demo/..%2fdist-secret%2fsecret.txt',
    '/demo/%2e%2e%2fdist-secret/secret.txt',
    '/demo/..%5csecret.txt',
    '/demo//../secret.txt',
    '/demo/assets/..%2f..%2fsecret.txt',
    '/demo/.env',
    '/demo/%2eenv',
    '/demo/secret.txt%00.css',
    '/demo/%E0%A4%A.txt',
  ])('lets nothing out by %s', async (path) => {
    const { body } = await get(path)
    expect(body).not.toContain('secret')
    expect(body).toMatch(/^<h1>shop<\/h1>$|^not ours$|"error"/)
  })

  it('goes on after a file that vanishes or cannot be read', async () => {
    rmSync(join(home, 'dist/assets/app-D5dFUTPF.css'))
    expect((await get('/demo/assets/app-D5dFUTPF.css')).status).toBe(404)
    // A socket can be found and not be opened, as a file when descriptors run out.
    const socket = createSocketServer()
    unreadable = socket
    await new Promise<void>((listening) => socket.listen(join(home, 'dist/pipe.css'), listening))
    expect((await get('/demo/pipe.css')).status).toBe(500)
    expect((await get('/demo/')).status).toBe(200)
  })

  it('answers ranges, and those it cannot give with 416', async () => {
    expect(await get('/demo/index.html', { range: 'bytes=1-2' })).toMatchObject({ status: 206, body: 'h1' })
    expect((await get('/demo/index.html', { range: 'bytes=900-' })).status).toBe(416)
    expect((await get('/demo/index.html', { range: 'bytes=5-2' })).status).not.toBe(500)
  })
})
