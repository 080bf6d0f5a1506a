import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { DomosError, type NetworkPolicy } from '@domos/spec'
import { resolvePinned } from './resolve.ts'

/** Bounds of one proxy. */
export interface EgressLimits {
  /** Tunnels and requests at once. @default 256 */
  readonly maxConnections: number
  /** Time to reach a host. @default 10000 */
  readonly connectTimeoutMs: number
  /** Silence after which a tunnel is closed; sockets and event streams are silent for long. @default 300000 */
  readonly idleTimeoutMs: number
  /** Bytes a context may receive in all; more are refused. @default 2147483648 */
  readonly maxBytesIn: number
}

/** The documented defaults. */
export const defaultEgressLimits: EgressLimits = {
  maxConnections: 256,
  connectTimeoutMs: 10_000,
  idleTimeoutMs: 300_000,
  maxBytesIn: 2_147_483_648,
}

/** What went through, and what did not. */
export interface EgressTraffic {
  requests: number
  bytesIn: number
  bytesOut: number
  refused: number
}

/** The only way out for the pages of one context. */
export interface EgressProxy {
  /** `host:port` on loopback, for the browser's proxy setting. */
  readonly address: string
  readonly traffic: Readonly<EgressTraffic>
  /** Host and reason of refused requests, newest last; bounded. */
  readonly refusals: readonly { readonly host: string; readonly reason: string }[]
  /** Why the host of a URL was not reached, when that happened lately. */
  failureOf(url: string): { readonly reason: string; readonly isPolicy: boolean } | undefined
  close(): Promise<void>
}

const MAX_REFUSALS = 100
const MAX_FAILURES = 200
/** Reasons of failures that say more than that it failed. */
const FAILURE_REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'DNS_FAILED',
  EAI_AGAIN: 'DNS_FAILED',
  ECONNREFUSED: 'CONNECTION_REFUSED',
  ECONNRESET: 'CONNECTION_LOST',
  ETIMEDOUT: 'REQUEST_TIMEOUT',
  EHOSTUNREACH: 'UNREACHABLE',
  ENETUNREACH: 'UNREACHABLE',
}
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * Opens an HTTP proxy on loopback that every request of a context passes: documents, redirects, fetches, sockets,
 * workers, beacons. Each target is put to the policy, resolved once, and reached at exactly the address that passed.
 * What is refused and what cannot be reached look the same from inside a page.
 */
export async function openEgressProxy(policy: NetworkPolicy, over: Partial<EgressLimits> = {}): Promise<EgressProxy> {
  const limits: EgressLimits = { ...defaultEgressLimits, ...over }
  const traffic: EgressTraffic = { requests: 0, bytesIn: 0, bytesOut: 0, refused: 0 }
  const refusals: { host: string; reason: string }[] = []
  const sockets = new Set<Socket | Duplex>()
  let active = 0

  const track = <S extends Socket | Duplex>(socket: S): S => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    return socket
  }
  const failures = new Map<string, { readonly reason: string; readonly isPolicy: boolean }>()
  const refuse = (host: string, thrown: unknown): void => {
    const isPolicy = thrown instanceof DomosError && thrown.code === 'forbidden'
    failures.delete(host)
    failures.set(host, { reason: reasonOf(thrown), isPolicy })
    for (const first of failures.keys()) {
      if (failures.size <= MAX_FAILURES) break
      failures.delete(first)
    }
    if (!isPolicy) return
    traffic.refused += 1
    refusals.push({ host, reason: reasonOf(thrown) })
    if (refusals.length > MAX_REFUSALS) refusals.shift()
  }
  /** Checks a target and opens a socket to it. */
  const reach = async (url: URL, port: number): Promise<Socket> => {
    traffic.requests += 1
    if (active >= limits.maxConnections || traffic.bytesIn > limits.maxBytesIn) {
      throw new DomosError('rate_limited', 'The session has used up its network limits.')
    }
    policy.checkUrl(url)
    const addresses = await resolvePinned(url.hostname, policy)
    let failure: unknown
    for (const { address, family } of addresses) {
      try {
        const socket = await open(address, family, port, limits.connectTimeoutMs)
        policy.checkAddress(url.hostname, socket.remoteAddress ?? '')
        active += 1
        socket.once('close', () => {
          active -= 1
        })
        return track(socket)
      } catch (thrown) {
        failure = thrown
        if (thrown instanceof DomosError) throw thrown
      }
    }
    throw failure
  }

  const server = createServer((incoming: IncomingMessage, response: ServerResponse) => {
    forward(incoming, response).catch((thrown: unknown) => {
      refuse(hostAndPort(incoming.url), thrown)
      unreachable(response)
    })
  })

  /** Plain http: the browser names the whole URL. */
  const forward = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (incoming.url === undefined || !URL.canParse(incoming.url))
      throw new DomosError('invalid_request', 'Not a proxy request.')
    const url = new URL(incoming.url)
    if (url.protocol !== 'http:')
      throw new DomosError('forbidden', 'Only http is forwarded.', { details: { reason: 'POLICY_DENIED' } })
    const socket = await reach(url, Number(url.port || 80))
    socket.setTimeout(limits.idleTimeoutMs, () => socket.destroy())
    const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !HOP_BY_HOP.has(name)))
    const outgoing = httpRequest({
      createConnection: () => socket,
      method: incoming.method ?? 'GET',
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, connection: 'close' },
    })
    incoming.on('data', (chunk: Buffer) => {
      traffic.bytesOut += chunk.length
    })
    incoming.pipe(outgoing)
    response.once('close', () => socket.destroy())
    outgoing.once('error', () => {
      unreachable(response)
    })
    outgoing.once('response', (answer) => {
      const kept = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !HOP_BY_HOP.has(name)))
      response.writeHead(answer.statusCode ?? 502, kept)
      answer.on('data', (chunk: Buffer) => {
        traffic.bytesIn += chunk.length
        if (traffic.bytesIn > limits.maxBytesIn) socket.destroy()
      })
      answer.pipe(response)
      answer.once('error', () => response.destroy())
    })
  }

  /** Everything else (https, ws, wss) is a tunnel whose inside we do not see. */
  server.on('connect', (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    track(client)
    const target = incoming.url ?? ''
    tunnel(target, client, head).catch((thrown: unknown) => {
      refuse(target, thrown)
      client.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
    })
  })
  const tunnel = async (target: string, client: Duplex, head: Buffer): Promise<void> => {
    const match = /^(\[[0-9a-f:.]+\]|[^:]+):(\d{1,5})$/i.exec(target)
    const port = Number(match?.[2])
    if (match === null || port < 1 || port > 65_535 || !URL.canParse(`https://${target}`)) {
      throw new DomosError('invalid_request', 'Not a host and port.')
    }
    const socket = await reach(new URL(`https://${target}`), port)
    socket.setTimeout(limits.idleTimeoutMs, () => socket.destroy())
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    if (head.length > 0) socket.write(head)
    socket.on('data', (chunk: Buffer) => {
      traffic.bytesIn += chunk.length
      if (traffic.bytesIn > limits.maxBytesIn) socket.destroy()
    })
    client.on('data', (chunk: Buffer) => {
      traffic.bytesOut += chunk.length
    })
    socket.pipe(client)
    client.pipe(socket)
    socket.once('close', () => client.destroy())
    client.once('close', () => socket.destroy())
  }

  server.on('connection', (socket) => track(socket))
  server.on('clientError', (_error, socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve())
  })
  let closing: Promise<void> | undefined
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    traffic,
    refusals,
    failureOf: (url) => failures.get(hostAndPort(url)),
    close() {
      closing ??= new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
      return closing
    },
  }
}

function open(host: string, family: 4 | 6, port: number, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, family, noDelay: true })
    const timer = setTimeout(() => socket.destroy(new Error('connect timeout')), timeoutMs)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.removeAllListeners('error')
      resolve(socket)
    })
    socket.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
  })
}

/** The one answer for what is refused and for what cannot be reached: none, as from a host that is not there. */
function unreachable(response: ServerResponse): void {
  response.destroy()
}

function hostAndPort(url: string | undefined): string {
  if (url === undefined || !URL.canParse(url)) return ''
  const { hostname, port, protocol } = new URL(url)
  return `${hostname}:${port || (protocol === 'https:' || protocol === 'wss:' ? '443' : '80')}`
}

function reasonOf(thrown: unknown): string {
  if (thrown instanceof DomosError) return String(thrown.details['reason'] ?? thrown.code)
  const code = String((thrown as { code?: unknown } | undefined)?.code ?? '')
  if (Object.hasOwn(FAILURE_REASONS, code)) return FAILURE_REASONS[code] as string
  return thrown instanceof Error && thrown.message === 'connect timeout' ? 'REQUEST_TIMEOUT' : 'UNREACHABLE'
}
