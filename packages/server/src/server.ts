import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import {
  type Clock,
  DomosError,
  type Door,
  type DoorName,
  type Host,
  type JsonObject,
  mergeLimits,
  systemClock,
} from '@domos/spec'
import { endSocket, type HttpHandler, refuseUpgrade, requestPath, sendError, sendJson } from './http.ts'
import { defaultServerLimits, type ServerLimits } from './limits.ts'
import { checkHost, checkOrigin, type OriginPolicy } from './origin.ts'
import type { PrometheusMetrics } from './prometheus.ts'
import { createUpgradeHandler } from './upgrades.ts'

/** What a server is made of. */
export interface ServerOptions {
  readonly host: Host
  readonly doors: readonly Door[]
  /** HTTP handlers asked in order after the built-in /healthz, /readyz and /metrics. */
  readonly routes?: readonly HttpHandler[]
  readonly allowedOrigins?: readonly string[]
  /** Our own host names besides loopback and IP literals. */
  readonly publicHosts?: readonly string[]
  readonly limits?: Partial<ServerLimits>
  readonly metrics?: PrometheusMetrics
  /** PEM texts; with them the listener speaks https and wss. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** More facts for /healthz. */
  readonly health?: () => JsonObject
  readonly clock?: Clock
}

/** Where a server listens. */
export interface ListenOptions {
  /** @default '127.0.0.1' */
  readonly address?: string
  /** 0 takes a free port. */
  readonly port: number
}

/** One listener with doors. */
export interface Server {
  /** Listens on a server of its own. @throws DomosError `conflict` when the port is taken */
  listen(options: ListenOptions): Promise<{ readonly address: string; readonly port: number; readonly isTls: boolean }>
  /**
   * Serves on somebody else's http server: takes the upgrades of its doors and the paths it knows, and leaves
   * everything else to the listeners that are there. Returns the function that detaches it.
   */
  attach(server: HttpServer): () => void
  /** Handles one request; returns false, touching nothing, when the path is not ours. */
  handleRequest(request: IncomingMessage, response: ServerResponse): Promise<boolean>
  connectionCounts(): Readonly<Record<DoorName, number>>
  /** Says goodbye at every door (1001), waits within the limit, then closes. Safe to call twice. */
  close(): Promise<void>
}

/** Creates a server; nothing is opened until {@link Server.listen} or {@link Server.attach}. */
export function createServer(options: ServerOptions): Server {
  const { host, doors } = options
  const limits: ServerLimits = mergeLimits(defaultServerLimits, options.limits)
  const clock = options.clock ?? systemClock
  const origins: OriginPolicy = {
    allowedOrigins: options.allowedOrigins ?? [],
    publicHosts: (options.publicHosts ?? []).map((name) => name.toLowerCase()),
  }
  const upgrades = createUpgradeHandler({ doors, host, origins, limits, clock })
  const startedAt = clock.now()
  const detachers: (() => void)[] = []
  let ownServer: HttpServer | undefined
  let isReady = false
  let closing: Promise<void> | undefined

  const healthBody = (): JsonObject => ({
    status: closing === undefined ? 'ok' : 'stopping',
    uptimeMs: clock.now() - startedAt,
    doors: Object.fromEntries(
      doors.map((door) => [
        door.name,
        { paths: [...door.paths], connections: upgrades.counts()[door.name], ...door.health() },
      ]),
    ),
    ...options.health?.(),
  })

  const builtIn = async (request: IncomingMessage, response: ServerResponse, path: string): Promise<boolean> => {
    if (path !== '/healthz' && path !== '/readyz' && (path !== '/metrics' || options.metrics === undefined))
      return false
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      sendError(response, 405, 'method_not_allowed', 'Use GET.', { allow: 'GET, HEAD' })
    } else if (path === '/healthz') {
      sendJson(response, 200, healthBody())
    } else if (path === '/readyz') {
      const ready = isReady && closing === undefined
      sendJson(response, ready ? 200 : 503, { ready })
    } else if (options.metrics !== undefined) {
      const text = await options.metrics.render()
      response.writeHead(200, { 'content-type': options.metrics.contentType, 'cache-control': 'no-store' })
      response.end(text)
    }
    return true
  }

  const handleRequest = async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const path = requestPath(request.url)
    if (path === undefined) return false
    const hostHeader = request.headers.host
    const isOurs = checkHost(origins, hostHeader) === undefined
    const isSafeRead = request.method === 'GET' || request.method === 'HEAD'
    const handlers: readonly HttpHandler[] = [builtIn, ...(options.routes ?? [])]
    if (!isOurs || (!isSafeRead && checkOrigin(origins, 'http', request.headers.origin, hostHeader) !== undefined)) {
      // A health probe by a name we do not know is harmless; everything else would let a foreign page in.
      if (path === '/healthz' || path === '/readyz') return builtIn(request, response, path)
      if (ownServer === undefined) return false
      sendError(
        response,
        403,
        'host_refused',
        'This name or origin may not reach the server; see publicHosts and allowedOrigins.',
      )
      return true
    }
    for (const handler of handlers) {
      if (await handler(request, response, path)) return true
    }
    const door = doors.find((candidate) => candidate.paths.includes(path))
    if (door !== undefined) {
      sendError(response, 426, 'upgrade_required', `This is a WebSocket door (${door.name}).`, { upgrade: 'websocket' })
      return true
    }
    return false
  }

  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    handleRequest(request, response)
      .then((isHandled) => {
        if (isHandled || response.headersSent) return
        sendError(response, 404, 'not_found', 'There is nothing here.')
      })
      .catch(() => {
        host.log.error('http-request-failed', { path: requestPath(request.url) ?? '' })
        if (response.headersSent) response.destroy()
        else sendError(response, 500, 'internal', 'The request failed inside the server.')
      })
  }

  return {
    listen({ address = '127.0.0.1', port }) {
      if (ownServer !== undefined) throw new DomosError('conflict', 'This server is listening already.')
      const settings = {
        headersTimeout: limits.headersTimeoutMs,
        connectionsCheckingInterval: 1_000,
        requestTimeout: 30_000,
      }
      const server =
        options.tls === undefined ? createHttpServer(settings) : createHttpsServer({ ...settings, ...options.tls })
      ownServer = server
      server.on('request', onRequest)
      server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
        if (upgrades.handle(request, socket, head)) return
        refuseUpgrade(socket, 404, 'Not Found', 'not_found', 'There is no door here.')
      })
      server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
        if (!socket.writable) return
        const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request'
        endSocket(socket, `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
      })
      return new Promise((resolve, reject) => {
        server.once('error', (error: NodeJS.ErrnoException) => {
          ownServer = undefined
          reject(listenError(error, address, port))
        })
        server.listen(port, address, () => {
          server.removeAllListeners('error')
          server.on('error', () => host.log.error('listener-failed'))
          isReady = true
          const bound = server.address() as AddressInfo
          resolve({ address: bound.address, port: bound.port, isTls: options.tls !== undefined })
        })
      })
    },
    attach(server) {
      const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
        if (upgrades.handle(request, socket, head) || server.listenerCount('upgrade') > 1) return
        // Nobody else answers upgrades here, and one without an answer would stay open.
        refuseUpgrade(socket, 404, 'Not Found', 'not_found', 'There is no door here.')
      }
      // The owner's request listeners stay; ours goes first and passes on what is not for us.
      const theirs = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[]
      const request = (incoming: IncomingMessage, response: ServerResponse): void => {
        handleRequest(incoming, response)
          .then((isHandled) => {
            if (isHandled) return
            for (const listener of theirs) listener.call(server, incoming, response)
          })
          .catch(() => {
            if (!response.headersSent) sendError(response, 500, 'internal', 'The request failed inside the server.')
          })
      }
      server.removeAllListeners('request')
      server.on('request', request)
      server.on('upgrade', upgrade)
      isReady = true
      const detach = (): void => {
        server.off('upgrade', upgrade)
        server.off('request', request)
        for (const listener of theirs)
          if (!server.listeners('request').includes(listener)) server.on('request', listener)
      }
      detachers.push(detach)
      return detach
    },
    handleRequest,
    connectionCounts: () => upgrades.counts(),
    close() {
      closing ??= shutDown()
      return closing
    },
  }

  async function shutDown(): Promise<void> {
    upgrades.drain()
    const server = ownServer
    const closed = server === undefined ? undefined : new Promise<void>((resolve) => server.close(() => resolve()))
    server?.closeIdleConnections()
    const timeout = new AbortController()
    const stopTimer = clock.schedule(limits.shutdownTimeoutMs, () => timeout.abort())
    const aborted = new Promise<void>((resolve) =>
      timeout.signal.addEventListener('abort', () => resolve(), { once: true }),
    )
    await Promise.race([Promise.allSettled(doors.map((door) => door.close(timeout.signal))), aborted])
    for (const detach of detachers.splice(0)) detach()
    await upgrades.destroy()
    server?.closeAllConnections()
    if (closed !== undefined) await closed
    stopTimer()
  }
}

function listenError(error: NodeJS.ErrnoException, address: string, port: number): DomosError {
  if (error.code === 'EADDRINUSE') {
    return new DomosError('conflict', `Port ${port} on ${address} is taken. Choose another with --port.`, {
      details: { port, address, reason: 'port-taken' },
      cause: error,
    })
  }
  if (error.code === 'EACCES') {
    return new DomosError(
      'forbidden',
      `Port ${port} needs more rights than this user has. Choose one above 1023 with --port.`,
      {
        details: { port, address },
        cause: error,
      },
    )
  }
  return new DomosError(
    'unavailable',
    `Cannot listen on ${address}:${port}: ${error.code ?? error.message}. See --host and --port.`,
    {
      details: { port, address },
      cause: error,
    },
  )
}
