import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { DomosError, type EngineLimits, type NetworkPolicy } from '@domos/spec'
import { afterEach, describe, expect, it } from 'vitest'
import { decodeHtml, parseContentType } from './charset.ts'
import { createCookies } from './cookies.ts'
import { createDispatcher } from './dispatcher.ts'
import { type DocumentRequest, type DocumentResponse, type FetchEnvironment, fetchDocument } from './fetch-document.ts'

const limits: EngineLimits = {
  maxResponseBytes: 1_000_000,
  maxDecodedBytes: 2_000_000,
  maxRedirects: 5,
  requestTimeoutMs: 5_000,
  maxDownloadBytes: 1_000_000,
  maxHistoryEntries: 50,
}
const open: NetworkPolicy = { checkUrl() {}, checkAddress() {} }

const cleanup: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const task of cleanup.splice(0)) await task()
})

async function serve(handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<URL> {
  const server: Server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanup.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
}

function environment(policy: NetworkPolicy = open, over: Partial<EngineLimits> = {}): FetchEnvironment {
  const dispatcher = createDispatcher(policy)
  cleanup.push(() => dispatcher.close())
  return {
    policy,
    dispatcher,
    cookies: createCookies(),
    headers: { 'user-agent': 'test', 'accept-language': 'de' },
    limits: { ...limits, ...over },
    traffic: { requests: 0, bytesIn: 0, bytesOut: 0, refused: 0 },
  }
}

const never = new AbortController().signal
const get = (url: URL, more: Partial<DocumentRequest> = {}): DocumentRequest => ({ url, method: 'GET', ...more })
async function text(response: DocumentResponse): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of response.body) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

describe('bodies', () => {
  const encodings: [string, (data: Buffer) => Buffer][] = [
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['identity', (data) => data],
    ['gzip, br', (data) => brotliCompressSync(gzipSync(data))],
  ]
  it.each(encodings)('are decoded from %s', async (encoding, encode) => {
    const url = await serve((_request, response) => {
      response.setHeader('content-encoding', encoding)
      response.end(encode(Buffer.from('<p>héllo</p>')))
    })
    expect(await text(await fetchDocument(environment(), get(url), never))).toBe('<p>héllo</p>')
  })

  it('stop at the bound although a small body grows without end', async () => {
    const url = await serve((_request, response) => {
      response.setHeader('content-encoding', 'gzip')
      response.end(gzipSync(Buffer.alloc(50_000_000)))
    })
    const response = await fetchDocument(environment(), get(url), never)
    await expect(text(response)).rejects.toMatchObject({ code: 'too_large', details: { maxBytes: 2_000_000 } })
  })

  it('stop at the bound of the wire, whatever Content-Length says', async () => {
    const url = await serve((_request, response) => {
      response.end(Buffer.alloc(1_500_000))
    })
    await expect(text(await fetchDocument(environment(), get(url), never))).rejects.toMatchObject({ code: 'too_large' })
  })

  it('that are damaged or of an unknown encoding are a coded error', async () => {
    const url = await serve((request, response) => {
      response.setHeader('content-encoding', request.url === '/unknown' ? 'rot13' : 'gzip')
      response.end('not compressed at all')
    })
    for (const path of ['/unknown', '/damaged']) {
      const response = await fetchDocument(environment(), get(new URL(path, url)), never)
      await expect(text(response)).rejects.toMatchObject({
        code: 'navigation_failed',
        details: { reason: 'BAD_ENCODING' },
      })
    }
  })
})

describe('redirects', () => {
  it('are followed with the cookies each hop sets', async () => {
    const seen: (string | undefined)[] = []
    const url = await serve((request, response) => {
      seen.push(request.headers.cookie)
      if (request.url === '/') {
        response.writeHead(302, { location: '/two', 'set-cookie': ['a=1; Path=/', 'b=2; Path=/two'] }).end()
      } else if (request.url === '/two') {
        response.writeHead(307, { location: 'three#part', 'set-cookie': 'c=3; Path=/' }).end()
      } else response.end('there')
    })
    const response = await fetchDocument(environment(), get(url), never)
    expect(await text(response)).toBe('there')
    expect(response.url.href).toBe(new URL('/three#part', url).href)
    expect(response.redirects).toEqual([url.href, new URL('/two', url).href])
    expect(seen).toEqual([undefined, 'b=2; a=1', 'a=1; c=3'])
  })

  it('turn POST into GET at 303 and 302, and keep it at 307', async () => {
    const seen: string[] = []
    const url = await serve((request, response) => {
      seen.push(`${request.method} ${request.url}`)
      const status = Number(request.url?.slice(1))
      if (status > 0) response.writeHead(status, { location: '/' }).end()
      else response.end('x')
    })
    for (const status of [303, 302, 307]) {
      const post: DocumentRequest = {
        url: new URL(`/${status}`, url),
        method: 'POST',
        body: Buffer.from('a=1'),
        contentType: 'application/x-www-form-urlencoded',
      }
      await text(await fetchDocument(environment(), post, never))
    }
    expect(seen).toEqual(['POST /303', 'GET /', 'POST /302', 'GET /', 'POST /307', 'POST /'])
  })

  it('end after the limit with a code', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(302, { location: '/' }).end()
    })
    await expect(fetchDocument(environment(), get(url), never)).rejects.toMatchObject({
      code: 'navigation_failed',
      details: { reason: 'TOO_MANY_REDIRECTS' },
    })
  })

  it('are put to the policy at every hop', async () => {
    let reached = 0
    const sink = await serve((_request, response) => {
      reached += 1
      response.end('secret')
    })
    const url = await serve((_request, response) => {
      response.writeHead(302, { location: sink.href }).end()
    })
    const policy: NetworkPolicy = {
      checkUrl(candidate) {
        if (candidate.port === sink.port)
          throw new DomosError('forbidden', 'no', { details: { reason: 'POLICY_DENIED' } })
      },
      checkAddress() {},
    }
    const env = environment(policy)
    await expect(fetchDocument(env, get(url), never)).rejects.toMatchObject({ code: 'forbidden' })
    expect(reached).toBe(0)
    expect(env.traffic.refused).toBe(1)
  })
})

describe('addresses', () => {
  it('are checked for every DNS answer before anything is sent', async () => {
    let reached = 0
    const url = await serve((_request, response) => {
      reached += 1
      response.end()
    })
    const asked: string[] = []
    const policy: NetworkPolicy = {
      checkUrl() {},
      checkAddress(host, address) {
        asked.push(`${host} ${address}`)
        throw new DomosError('forbidden', 'no', { details: { reason: 'POLICY_DENIED' } })
      },
    }
    const byName = new URL(url)
    byName.hostname = 'localhost'
    await expect(fetchDocument(environment(policy), get(byName), never)).rejects.toMatchObject({ code: 'forbidden' })
    expect(asked[0]).toMatch(/^localhost (127\.0\.0\.1|::1)$/)
    expect(reached).toBe(0)
  })
})

describe('failures', () => {
  it('tell a host without address from one that does not answer, and nothing about closed ports', async () => {
    const env = environment()
    await expect(fetchDocument(env, get(new URL('http://nowhere.invalid/')), never)).rejects.toMatchObject({
      code: 'navigation_failed',
      details: { reason: 'DNS_FAILED' },
    })
    await expect(fetchDocument(env, get(new URL('http://127.0.0.1:1/')), never)).rejects.toMatchObject({
      code: 'navigation_failed',
      details: { reason: 'NETWORK_FAILED' },
    })
  })

  it('end in time when a server never answers or drips', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/drip') {
        response.writeHead(200)
        response.write('x')
      }
    })
    const env = environment(open, { requestTimeoutMs: 200 })
    await expect(fetchDocument(env, get(url), never)).rejects.toMatchObject({ code: 'timeout' })
    const response = await fetchDocument(env, get(new URL('/drip', url)), never)
    await expect(text(response)).rejects.toMatchObject({ code: 'timeout' })
  })

  it('leave at once when the caller aborts', async () => {
    const url = await serve(() => {})
    const abort = new AbortController()
    const pending = fetchDocument(environment(), get(url), abort.signal)
    abort.abort(new DomosError('cancelled', 'stop'))
    await expect(pending).rejects.toMatchObject({ code: 'cancelled' })
  })
})

describe('headers', () => {
  it('send Referer and Origin as browsers do', async () => {
    const seen: Record<string, unknown>[] = []
    const url = await serve((request, response) => {
      seen.push({
        referer: request.headers.referer,
        origin: request.headers.origin,
        language: request.headers['accept-language'],
      })
      response.end()
    })
    const page = new URL('/page?secret=1#here', url)
    await text(await fetchDocument(environment(), get(url, { initiator: page }), never))
    await text(await fetchDocument(environment(), get(url, { initiator: new URL('http://other.example/path') }), never))
    await text(
      await fetchDocument(environment(), { url, method: 'POST', body: Buffer.from(''), initiator: page }, never),
    )
    expect(seen).toEqual([
      { referer: new URL('/page?secret=1', url).href, origin: undefined, language: 'de' },
      { referer: 'http://other.example/', origin: undefined, language: 'de' },
      { referer: new URL('/page?secret=1', url).href, origin: url.origin, language: 'de' },
    ])
  })
})

describe('charsets', () => {
  const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values)
  it.each([
    ['a byte order mark before everything', bytes(0xef, 0xbb, 0xbf, 0xc3, 0xa9), 'windows-1252', 'é'],
    ['the header', bytes(0xe9), 'iso-8859-1', 'é'],
    [
      'a meta element',
      Buffer.concat([Buffer.from('<meta charset=windows-1251>'), bytes(0xe9)]),
      undefined,
      '<meta charset=windows-1251>й',
    ],
    ['windows-1252 where nothing is said', bytes(0x80, 0xe9), undefined, '€é'],
    ['Shift_JIS', bytes(0x83, 0x65), 'shift_jis', 'テ'],
  ])('are read from %s', (_title, data, charset, expected) => {
    expect(decodeHtml(data, charset).html).toBe(expected)
  })

  it('are read from a Content-Type header in any spelling', () => {
    expect(parseContentType('Text/HTML; Charset="UTF-8"')).toEqual({ type: 'text/html', charset: 'UTF-8' })
    expect(parseContentType(undefined)).toEqual({ type: '', charset: undefined })
  })
})

describe('cookies', () => {
  it('refuse a public suffix and keep host-only cookies to their host', async () => {
    const cookies = createCookies()
    const context = { initiator: undefined, isTopNavigation: true, isSafeMethod: true }
    await cookies.store(
      new URL('https://shop.example.co.uk/'),
      ['evil=1; Domain=co.uk', 'own=1', 'wide=1; Domain=example.co.uk'],
      context,
    )
    expect(await cookies.header(new URL('https://example.co.uk/'), context)).toBe('wide=1')
    expect(await cookies.header(new URL('https://shop.example.co.uk/'), context)).toBe('own=1; wide=1')
  })

  it('hold SameSite back from another site', async () => {
    const cookies = createCookies()
    const url = new URL('https://bank.example/')
    const direct = { initiator: undefined, isTopNavigation: true, isSafeMethod: true }
    await cookies.store(url, ['s=1; SameSite=Strict', 'l=1; SameSite=Lax', 'n=1; SameSite=None; Secure'], direct)
    const foreign = { initiator: new URL('https://evil.example/'), isTopNavigation: true }
    expect(await cookies.header(url, { ...foreign, isSafeMethod: true })).toBe('l=1; n=1')
    expect(await cookies.header(url, { ...foreign, isSafeMethod: false })).toBe('n=1')
  })

  it('set by an agent come back as they were, and one that is wrong is named', async () => {
    const cookies = createCookies()
    await cookies.set([{ name: 'a', value: '1', url: 'http://127.0.0.1:8080/x', httpOnly: true }])
    expect(await cookies.get(undefined)).toMatchObject([{ name: 'a', value: '1', domain: '127.0.0.1', httpOnly: true }])
    await expect(cookies.set([{ name: 'b', value: '1' }])).rejects.toMatchObject({
      code: 'invalid_request',
      details: { cookie: 'b' },
    })
    expect(await cookies.clear({ name: 'a' })).toBe(1)
    expect(await cookies.get(undefined)).toEqual([])
  })
})
