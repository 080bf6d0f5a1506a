import { type Clock, type CreateBrowsingSession, type JsonObject, type JsonValue, systemClock } from '@domos/spec'
import type { BackOffOptions } from '@domos/wire'
import type { Zstd } from '../codec.ts'
import { AwpClientError } from './client-error.ts'
import { AwpConnection, type RequestOptions } from './connection.ts'
import type { AwpEvent } from './event-queue.ts'
import type { AwpSigningKey } from './frame-signer.ts'
import { AwpSession } from './session.ts'
import type { WebSocketLike } from './socket.ts'
import { fromWire, toWire } from './wire-values.ts'

export { AwpClientError } from './client-error.ts'
export type { RequestOptions } from './connection.ts'
export type { AwpEvent } from './event-queue.ts'
export type { AwpSigningKey } from './frame-signer.ts'
export { AwpPage, type ClientMutations, type ClientSnapshot, type PageRequestOptions } from './page.ts'
export { AwpSession } from './session.ts'
export type { WebSocketLike } from './socket.ts'

/** Options of {@link connectAwp}; only the URL is needed. */
export interface ConnectAwpOptions {
  /** An API key, sent in hello (`auth.bearer`). */
  readonly token?: string
  /** Signs hello and every frame (`auth.hmac`) instead of sending a key. */
  readonly signing?: AwpSigningKey
  /** @default 'msgpack' */
  readonly encoding?: 'json' | 'msgpack'
  /** zstd for large messages, where the platform has it. @default none */
  readonly zstd?: Zstd
  /** @default the platform's WebSocket */
  readonly webSocket?: (url: string) => WebSocketLike
  readonly clock?: Clock
  readonly client?: { readonly name: string; readonly version: string }
  /** Capabilities to ask for; `som.mutations` brings mutation events of every page. @default som.snapshots, som.ext, intents.level2 */
  readonly features?: readonly string[]
  /** `false` gives up when the connection drops. @default exponential with full jitter, 500 ms to 30 s */
  readonly reconnect?: BackOffOptions | false
  /** Time for a request to be answered, reconnections included. @default 120000 */
  readonly requestTimeoutMs?: number
  /** Time for the socket to open, and again for hello to be answered. @default 5000 */
  readonly helloTimeoutMs?: number
  readonly onState?: (state: 'connecting' | 'open' | 'lost' | 'closed') => void
  /** Every event, also those of no session such as `awp.pong`. */
  readonly onEvent?: (event: AwpEvent) => void
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
    token: options.token,
    signing: options.signing,
    encoding: options.encoding ?? 'msgpack',
    zstd: options.zstd,
    reconnect: options.reconnect ?? {},
    requestTimeoutMs: options.requestTimeoutMs ?? 120_000,
    helloTimeoutMs: options.helloTimeoutMs ?? 5_000,
    onState: options.onState ?? (() => {}),
    onEvent(method, params) {
      const event: AwpEvent = { method, params: fromWire(params) as JsonObject }
      options.onEvent?.(event)
      sessions.get(String(params['session_id']))?.deliver(event)
    },
    async onReconnected() {
      for (const session of [...sessions.values()]) {
        try {
          await connection.request('session.attach', { session_id: session.id, attach_secret: session.attachSecret })
        } catch (thrown) {
          // Only an answer says that a session is gone; another drop is another reconnection.
          if (!(thrown instanceof AwpClientError)) throw thrown
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
