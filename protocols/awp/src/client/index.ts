import { type Clock, type CreateBrowsingSession, type JsonObject, type JsonValue, systemClock } from '@domos/spec'
import type { BackOffOptions } from '@domos/wire'
import type { Zstd } from '../codec.ts'
import { AwpConnection, type RequestOptions, type WebSocketLike } from './connection.ts'
import { AwpSession } from './session.ts'
import { fromWire, toWire } from './wire-values.ts'

export { AwpClientError } from './client-error.ts'
export type { RequestOptions, WebSocketLike } from './connection.ts'
export { AwpPage, type ClientMutations, type ClientSnapshot, type PageRequestOptions } from './page.ts'
export { type AwpEvent, AwpSession } from './session.ts'

/** Options of {@link connectAwp}; only the URL is needed. */
export interface ConnectAwpOptions {
  readonly token?: string
  /** @default 'msgpack' */
  readonly encoding?: 'json' | 'msgpack'
  readonly zstd?: Zstd
  /** @default the platform's WebSocket */
  readonly webSocket?: (url: string) => WebSocketLike
  readonly clock?: Clock
  readonly client?: { readonly name: string; readonly version: string }
  /** Capabilities to ask for. @default som.snapshots, som.ext, intents.level2 */
  readonly features?: readonly string[]
  /** `false` gives up when the connection drops. */
  readonly reconnect?: BackOffOptions | false
  readonly requestTimeoutMs?: number
  readonly onState?: (state: 'connecting' | 'open' | 'lost' | 'closed') => void
}

/** A client of the browser door. */
export interface AwpClient {
  /** What the server answered to hello. */
  readonly hello: JsonObject
  createSession(options?: CreateBrowsingSession, request?: RequestOptions): Promise<AwpSession>
  attachSession(sessionId: string, attachSecret: string): Promise<AwpSession>
  importSession(state: JsonValue, options?: CreateBrowsingSession): Promise<AwpSession>
  listSessions(): Promise<readonly JsonObject[]>
  /** Any method by its wire name, with parameters and result as the wire spells them. */
  request(method: string, params: JsonObject, options?: RequestOptions): Promise<JsonObject>
  ping(): Promise<void>
  close(): void
}

/**
 * Connects to a browser door and says hello. After a drop the client comes back by itself, takes its sessions back
 * with their secrets, and sends unanswered requests again under the same idempotency keys, so that each is done once.
 */
export async function connectAwp(url: string, options: ConnectAwpOptions = {}): Promise<AwpClient> {
  const sessions = new Map<string, AwpSession>()
  const connection: AwpConnection = new AwpConnection({
    url,
    webSocket: options.webSocket ?? platformWebSocket,
    clock: options.clock ?? systemClock,
    clientName: options.client?.name ?? 'domos-awp',
    clientVersion: options.client?.version ?? '0.1.0',
    features: options.features ?? ['som.snapshots', 'som.ext', 'intents.level2'],
    ...(options.token === undefined ? {} : { token: options.token }),
    ...(options.encoding === undefined ? {} : { encoding: options.encoding }),
    ...(options.zstd === undefined ? {} : { zstd: options.zstd }),
    ...(options.reconnect === undefined ? {} : { reconnect: options.reconnect }),
    ...(options.requestTimeoutMs === undefined ? {} : { requestTimeoutMs: options.requestTimeoutMs }),
    onState: options.onState ?? (() => {}),
    onEvent(method, params) {
      sessions.get(String(params['session_id']))?.deliver({ method, params: fromWire(params) as JsonObject })
    },
    async onReconnected() {
      for (const session of [...sessions.values()]) {
        try {
          await connection.request('session.attach', { session_id: session.id, attach_secret: session.attachSecret })
        } catch {
          session.deliver({
            method: 'session.closed',
            params: { sessionId: session.id, reason: 'lost while disconnected' },
          })
        }
      }
    },
  })
  const adopt = (result: JsonObject, secret?: string): AwpSession => {
    const id = String(result['session_id'])
    const created = {
      id,
      attachSecret: secret ?? String(result['attach_secret']),
      ignored: (result['ignored'] ?? []) as readonly string[],
    }
    const session = new AwpSession(connection, created, () => sessions.delete(id))
    sessions.set(id, session)
    return session
  }
  await connection.connect()
  return {
    get hello() {
      return connection.hello
    },
    async createSession(create = {}, request = {}) {
      return adopt(await connection.request('session.create', toWire(create) as JsonObject, request))
    },
    async attachSession(sessionId, attachSecret) {
      return adopt(
        await connection.request('session.attach', { session_id: sessionId, attach_secret: attachSecret }),
        attachSecret,
      )
    },
    async importSession(state, create = {}) {
      return adopt(await connection.request('session.import', { ...(toWire(create) as JsonObject), state }))
    },
    async listSessions() {
      return (await connection.request('session.list', {}))['sessions'] as readonly JsonObject[]
    },
    request: (method, params, request) => connection.request(method, params, request),
    async ping() {
      await connection.request('awp.ping', {})
    },
    close: () => connection.close(),
  }
}

function platformWebSocket(url: string): WebSocketLike {
  const Constructor = (globalThis as { WebSocket?: new (url: string) => WebSocketLike }).WebSocket
  if (Constructor === undefined)
    throw new TypeError('There is no WebSocket on this platform; pass the option webSocket.')
  return new Constructor(url)
}
