import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Clock, Door, DoorName, Host, Upgrade } from '@domos/spec'
import { WebSocketServer } from 'ws'
import { isLoopbackHost } from './address.ts'
import { createAddressQuota } from './address-quota.ts'
import { refuseUpgrade, requestPath } from './http.ts'
import type { ServerLimits } from './limits.ts'
import { checkHost, checkOrigin, type OriginPolicy } from './origin.ts'
import { createWsConnection, type ManagedConnection } from './ws-connection.ts'

/** What turns upgrade requests into connections of doors. */
export interface UpgradeHandler {
  /** Takes an upgrade whose path belongs to a door; returns false, touching nothing, when it does not. */
  handle(request: IncomingMessage, socket: Duplex, head: Buffer): boolean
  /** Open connections by door. */
  counts(): Readonly<Record<DoorName, number>>
  /** Refuses new upgrades from now on with 503. */
  drain(): void
  /** Destroys whatever is still open, stops the pings and settles when the last connection is gone. */
  destroy(): Promise<void>
}

/** What {@link createUpgradeHandler} needs. */
export interface UpgradeHandlerOptions {
  readonly doors: readonly Door[]
  readonly host: Host
  readonly origins: OriginPolicy
  readonly limits: ServerLimits
  readonly clock: Clock
}

interface Entry {
  readonly door: Door
  readonly webSockets: WebSocketServer
  readonly onError: (error: NodeJS.ErrnoException) => void
}

/** Creates the handler: Host and Origin, quota, token, then the WebSocket handshake, then the door. */
export function createUpgradeHandler(options: UpgradeHandlerOptions): UpgradeHandler {
  const { doors, host, limits, clock } = options
  const quota = createAddressQuota(limits, clock)
  const open = new Set<ManagedConnection>()
  const counts: Record<DoorName, number> = { adtp: 0, voice: 0, awp: 0 }
  const byPath = new Map<string, Entry>()
  let isDraining = false
  let nextId = 1

  for (const door of doors) {
    const webSockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: door.maxFrameBytes,
      maxFragments: limits.maxFragments,
      maxBufferedChunks: limits.maxBufferedChunks,
      closeTimeout: limits.shutdownTimeoutMs,
      handleProtocols: (offered) => [...offered].find((name) => door.subprotocols?.includes(name)) ?? false,
    } as ConstructorParameters<typeof WebSocketServer>[0])
    const onError = (error: NodeJS.ErrnoException): void => {
      host.metrics.count('frames_refused', { door: door.name, code: error.code ?? 'unknown' })
    }
    for (const path of door.paths) byPath.set(path, { door, webSockets, onError })
  }

  let stopPings: () => void
  const ping = (): void => {
    for (const connection of [...open]) connection.checkAlive()
    stopPings = clock.schedule(limits.pingIntervalMs, ping)
  }
  stopPings = clock.schedule(limits.pingIntervalMs, ping)

  const accept = (
    entry: Entry,
    upgrade: Upgrade,
    release: () => void,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): void => {
    const { door } = entry
    entry.webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      const connection = createWsConnection(webSocket, `c${nextId++}`, limits, entry.onError)
      // A second net under the pings, for peers whose network is gone.
      request.socket.setKeepAlive(true, limits.pingIntervalMs)
      open.add(connection)
      counts[door.name] += 1
      host.metrics.count('connections_opened', { door: door.name })
      host.metrics.gauge('connections', counts[door.name], { door: door.name })
      connection.onClose((code) => {
        open.delete(connection)
        counts[door.name] -= 1
        release()
        host.metrics.count('connections_closed', { door: door.name, code: String(code) })
        host.metrics.gauge('connections', counts[door.name], { door: door.name })
        host.log.debug('connection-close', { door: door.name, connection: connection.id, code })
      })
      host.log.debug('connection-open', { door: door.name, connection: connection.id })
      try {
        door.accept(connection, webSocket.protocol === '' ? upgrade : { ...upgrade, subprotocol: webSocket.protocol })
      } catch (thrown) {
        host.log.error('door-accept-failed', {
          door: door.name,
          error: thrown instanceof Error ? thrown.name : 'unknown',
        })
        connection.close(1011, 'Internal error')
      }
    })
  }

  return {
    handle(request, socket, head) {
      const path = requestPath(request.url)
      const entry = path === undefined ? undefined : byPath.get(path)
      if (path === undefined || entry === undefined) return false
      const { door } = entry
      socket.on('error', () => socket.destroy())
      if (isDraining) {
        refuseUpgrade(socket, 503, 'Service Unavailable', 'unavailable', 'The server is shutting down.', {
          'retry-after': '5',
        })
        return true
      }
      const origin = request.headers.origin
      const hostHeader = request.headers.host
      const refusal =
        checkHost(options.origins, hostHeader) ?? checkOrigin(options.origins, door.name, origin, hostHeader)
      if (refusal !== undefined) {
        host.metrics.count('upgrades_refused', { door: door.name, code: refusal.code })
        host.log.warn('upgrade-refused', { door: door.name, code: refusal.code, setting: refusal.setting })
        refuseUpgrade(socket, 403, 'Forbidden', refusal.code, refusal.message)
        return true
      }
      const remoteAddress = request.socket.remoteAddress ?? ''
      const slot = quota.take(remoteAddress)
      if ('refused' in slot) {
        host.metrics.count('upgrades_refused', { door: door.name, code: 'rate_limited' })
        refuseUpgrade(socket, 429, 'Too Many Requests', 'rate_limited', slot.refused, {
          'retry-after': String(slot.retryAfterS),
        })
        return true
      }
      // Covers a handshake that `ws` refuses; after a successful one the connection releases the slot (twice is safe).
      socket.once('close', slot.release)
      const query = new URL(request.url ?? '/', 'http://door').searchParams
      const token = bearerToken(request) ?? (door.allowsQueryToken ? queryToken(query) : undefined)
      const userAgent = request.headers['user-agent']
      const upgrade: Upgrade = {
        path,
        query,
        remoteAddress,
        isLoopback: isLoopbackHost(remoteAddress),
        ...(origin === undefined ? {} : { origin }),
        ...(token === undefined ? {} : { token }),
        ...(userAgent === undefined ? {} : { userAgent }),
      }
      accept(entry, upgrade, slot.release, request, socket, head)
      return true
    },
    counts() {
      return { ...counts }
    },
    drain() {
      isDraining = true
    },
    destroy() {
      isDraining = true
      stopPings()
      const gone = [...open].map((connection) => new Promise<void>((resolve) => connection.onClose(() => resolve())))
      for (const connection of [...open]) connection.terminate()
      return Promise.all(gone).then(() => {})
    },
  }
}

function bearerToken(request: IncomingMessage): string | undefined {
  const match = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')
  return match?.[1]
}

function queryToken(query: URLSearchParams): string | undefined {
  const token = query.get('apiKey') ?? query.get('token')
  return token === null || token === '' ? undefined : token
}
