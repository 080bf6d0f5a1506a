import { createServer, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { DomosError, type NetworkPolicy } from '@domos/spec'
import { afterEach, describe, expect, it } from 'vitest'
import { type EgressProxy, openEgressProxy } from './proxy.ts'

const cleanup: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const task of cleanup.splice(0).reverse()) await task()
})

const denied = (): never => {
  throw new DomosError('forbidden', 'no', { details: { reason: 'POLICY_DENIED' } })
}
const open: NetworkPolicy = { checkUrl() {}, checkAddress() {} }

async function serve(body: string): Promise<{ port: number; hits: () => number }> {
  let hits = 0
  const server: Server = createServer((_request, response) => {
    hits += 1
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanup.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { port: (server.address() as AddressInfo).port, hits: () => hits }
}

async function proxyWith(policy: NetworkPolicy, limits = {}): Promise<EgressProxy> {
  const proxy = await openEgressProxy(policy, limits)
  cleanup.push(() => proxy.close())
  return proxy
}

function viaProxy(proxy: EgressProxy, url: string): Promise<{ status: number; body: string }> {
  const [host, port] = proxy.address.split(':')
  return new Promise((resolve, reject) => {
    const outgoing = request({ host, port, path: url, agent: false }, (response) => {
      let body = ''
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString()
      })
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
    })
    // What is not reached gets no answer, as from a host that is not there.
    outgoing.on('error', () => resolve({ status: 0, body: '' }))
    outgoing.end()
  })
}

function rawConnect(proxy: EgressProxy, target: string, then = ''): Promise<string> {
  const [host, port] = proxy.address.split(':')
  return new Promise((resolve) => {
    const socket = connect(Number(port), host as string)
    let text = ''
    socket.on('data', (chunk) => {
      const isFirst = text === ''
      text += chunk.toString()
      if (isFirst && text.includes(' 200 ') && then !== '') socket.write(then)
      else if (then === '') socket.end()
    })
    socket.on('close', () => resolve(text))
    socket.on('error', () => resolve(text))
    socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n\r\n`)
  })
}

describe('the egress proxy', () => {
  it('forwards plain http and counts it', async () => {
    const site = await serve('hello')
    const proxy = await proxyWith(open)
    expect(await viaProxy(proxy, `http://127.0.0.1:${site.port}/x`)).toEqual({ status: 200, body: 'hello' })
    expect(proxy.traffic).toMatchObject({ requests: 1, bytesIn: 5, refused: 0 })
  })

  it('tunnels everything else', async () => {
    const site = await serve('inside')
    const proxy = await proxyWith(open)
    const text = await rawConnect(
      proxy,
      `127.0.0.1:${site.port}`,
      'GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    )
    expect(text).toContain('200 Connection Established')
    expect(text).toContain('inside')
  })

  it('gives what is refused and what is closed the same answer, and reaches nothing', async () => {
    const site = await serve('secret')
    const refusing = await proxyWith({ checkUrl() {}, checkAddress: denied })
    const closed = await proxyWith(open)
    const refusedAnswer = await viaProxy(refusing, `http://127.0.0.1:${site.port}/`)
    expect(refusedAnswer).toEqual(await viaProxy(closed, 'http://127.0.0.1:1/'))
    expect(refusedAnswer.status).toBe(0)
    expect(await rawConnect(refusing, `127.0.0.1:${site.port}`)).toBe(await rawConnect(closed, '127.0.0.1:1'))
    expect(site.hits()).toBe(0)
    expect(refusing.traffic.refused).toBe(2)
    expect(refusing.refusals).toHaveLength(2)
    expect(refusing.failureOf(`http://127.0.0.1:${site.port}/`)).toEqual({ reason: 'POLICY_DENIED', isPolicy: true })
    expect(closed.failureOf('http://127.0.0.1:1/')).toMatchObject({ reason: 'CONNECTION_REFUSED', isPolicy: false })
  })

  it('checks every DNS answer of a name and connects to exactly what passed', async () => {
    const site = await serve('by name')
    const asked: string[] = []
    const proxy = await proxyWith({
      checkUrl() {},
      checkAddress(host, address) {
        asked.push(`${host} ${address}`)
      },
    })
    expect((await viaProxy(proxy, `http://localhost:${site.port}/`)).body).toBe('by name')
    expect(asked.every((entry) => /^localhost (127\.0\.0\.1|::1)$/.test(entry))).toBe(true)
    // Once for each answer, once more for the address the socket really reached.
    expect(asked.length).toBeGreaterThanOrEqual(2)
  })

  it.each(['nonsense', 'host', 'host:99999', ':80', 'host:80/path', 'a b:80'])(
    'refuses to tunnel to %j',
    async (target) => {
      const proxy = await proxyWith(open)
      expect(await rawConnect(proxy, target)).not.toContain('200')
    },
  )

  it('refuses schemes other than http in plain requests', async () => {
    const proxy = await proxyWith(open)
    expect((await viaProxy(proxy, 'ftp://127.0.0.1/')).status).toBe(0)
    expect((await viaProxy(proxy, '/etc/passwd')).status).toBe(0)
  })

  it('stops at the bytes a context may receive', async () => {
    const site = await serve('x'.repeat(100_000))
    const proxy = await proxyWith(open, { maxBytesIn: 1_000 })
    await viaProxy(proxy, `http://127.0.0.1:${site.port}/`).catch(() => {})
    expect((await viaProxy(proxy, `http://127.0.0.1:${site.port}/`)).status).toBe(0)
    expect(site.hits()).toBe(1)
  })
})
