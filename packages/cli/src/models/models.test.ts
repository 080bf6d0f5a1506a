import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { printModels, pullModel } from '../commands/models.ts'
import { download } from './download.ts'

const content = randomBytes(300_000)
const sha256 = createHash('sha256').update(content).digest('hex')
const limits = { retryDelayMs: 1, idleTimeoutMs: 2_000 }

function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0
}

describe('models', () => {
  let folder: string
  let base: string
  let server: ReturnType<typeof createServer>
  let handle: (request: IncomingMessage, response: ServerResponse) => void
  const ranges: (string | undefined)[] = []
  const lines: string[] = []
  const errors: string[] = []
  const io = {
    out: (line: string) => lines.push(line),
    err: (line: string) => errors.push(line),
    env: {},
    directory: '.',
  }

  /** Serves the file; `breakAt` says after how many bytes each answer breaks off. */
  function serve(breakAt: readonly number[] = [], mayResume = true): void {
    let answers = 0
    handle = (request, response) => {
      ranges.push(request.headers.range)
      const from = mayResume ? Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0) : 0
      const body = content.subarray(from)
      response.writeHead(from > 0 ? 206 : 200, {
        'content-length': body.length,
        ...(from > 0 ? { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` } : {}),
      })
      const cut = breakAt[answers++]
      if (cut === undefined) response.end(body)
      else {
        response.write(body.subarray(0, cut))
        // A broken connection takes along what was not read yet, so the break waits until some of it was.
        const have = sizeOf(join(folder, 'a.part'))
        const breakOff = (): unknown =>
          sizeOf(join(folder, 'a.part')) > have ? response.destroy() : setImmediate(breakOff)
        breakOff()
      }
    }
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'domos-models-'))
    for (const list of [ranges, lines, errors]) list.length = 0
    server = createServer((request, response) => handle(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    rmSync(folder, { recursive: true, force: true })
  })

  it('pulls a file, checks its sum, tells how far it is, and lists it', async () => {
    serve()
    await pullModel({ dataDir: folder, source: `${base}/tiny.onnx`, sha256, name: undefined, limits }, io)
    expect(lines).toEqual([join(folder, 'models', 'tiny')])
    expect(readFileSync(join(folder, 'models', 'tiny', 'tiny.onnx')).equals(content)).toBe(true)
    expect(errors.at(-1)).toContain('100 %')
    await printModels(folder, io)
    expect(lines.join('\n')).toContain(`sha256:${sha256}`)
  })

  it('goes on where a connection broke, within one pull', async () => {
    serve([100_000, 50_000])
    await download({ url: `${base}/a`, sha256, path: join(folder, 'a'), limits })
    expect(readFileSync(join(folder, 'a')).equals(content)).toBe(true)
    expect(ranges[0]).toBeUndefined()
    expect(ranges[1]).toMatch(/^bytes=[1-9]\d*-$/)
  })

  it('keeps what came when it gives up, and the next pull goes on with it', async () => {
    serve([100_000])
    const options = { url: `${base}/a`, sha256, path: join(folder, 'a'), limits: { ...limits, maxRetries: 0 } }
    // Progress counts as a first try, so one break is taken up; here the server is gone by then.
    const broken = handle
    handle = (request, response) => {
      broken(request, response)
      handle = (_request, next) => next.destroy()
    }
    await expect(download(options)).rejects.toMatchObject({ code: 'unavailable' })
    expect(existsSync(join(folder, 'a.part'))).toBe(true)
    ranges.length = 0
    serve()
    await download(options)
    expect(ranges[0]).toMatch(/^bytes=[1-9]\d*-$/)
    expect(readFileSync(join(folder, 'a')).equals(content)).toBe(true)
  })

  it('begins anew with a server that cannot go on', async () => {
    serve([100_000], false)
    await download({ url: `${base}/a`, sha256, path: join(folder, 'a'), limits })
    expect(readFileSync(join(folder, 'a')).equals(content)).toBe(true)
  })

  it('removes a file with another sum, and never puts it in its place', async () => {
    serve()
    const wrong = 'ab'.repeat(32)
    await expect(download({ url: `${base}/a`, sha256: wrong, path: join(folder, 'a'), limits })).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(existsSync(join(folder, 'a'))).toBe(false)
    expect(existsSync(join(folder, 'a.part'))).toBe(false)
  })

  it('stops at the bound, and at a file that is not there', async () => {
    serve()
    await expect(
      download({ url: `${base}/a`, sha256, path: join(folder, 'a'), limits: { ...limits, maxBytes: 1_000 } }),
    ).rejects.toMatchObject({ code: 'too_large' })
    handle = (_request, response) => response.writeHead(404).end()
    await expect(download({ url: `${base}/b`, sha256, path: join(folder, 'b'), limits })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('pulls every file of a manifest', async () => {
    serve()
    const manifest = join(folder, 'm.json')
    const files = ['model.onnx', 'data/tokens.txt'].map((path) => ({ url: `${base}/${path}`, sha256, path }))
    writeFileSync(manifest, JSON.stringify({ name: 'tiny', files }))
    await pullModel({ dataDir: folder, source: manifest, sha256: undefined, name: undefined, limits }, io)
    expect(existsSync(join(folder, 'models', 'tiny', 'data', 'tokens.txt'))).toBe(true)
  })

  it.each([
    [{ name: '../x', files: [{ url: 'http://a/b', sha256, path: 'b' }] }],
    [{ name: 'x', files: [{ url: 'http://a/b', sha256, path: '../../b' }] }],
    [{ name: 'x', files: [{ url: 'file:///etc/passwd', sha256, path: 'b' }] }],
    [{ name: 'x', files: [{ url: 'http://a/b', sha256: 'abc', path: 'b' }] }],
    [{ name: 'x', files: [] }],
  ])('refuses the manifest %j', async (manifest) => {
    const path = join(folder, 'm.json')
    writeFileSync(path, JSON.stringify(manifest))
    await expect(
      pullModel({ dataDir: folder, source: path, sha256: undefined, name: undefined }, io),
    ).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('wants a sum with an address', async () => {
    await expect(
      pullModel({ dataDir: folder, source: `${base}/a`, sha256: undefined, name: undefined }, io),
    ).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining('--sha256') })
  })
})
