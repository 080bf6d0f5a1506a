import { type Clock, DomosError, type JsonObject } from '@domos/spec'
import { type BackOffOptions, createBackOff, PendingCalls, randomHex } from '@domos/wire'
import { createFrameCodec, type FrameCodec, type WireFormat, type Zstd } from '../codec.ts'
import type { AwpError } from '../errors.ts'
import { defaultAwpLimits } from '../limits.ts'
import { AwpClientError } from './client-error.ts'

/** The part of the WebSocket interface that is used; the browser's, Node's own and that of `ws` have it. */
export interface WebSocketLike {
  binaryType: string
  readonly readyState: number
  readonly bufferedAmount: number
  send(data: string | Uint8Array): void
  close(code?: number, reason?: string): void
  addEventListener(type: 'open' | 'close' | 'error' | 'message', listener: (event: never) => void): void
}

/** How a client reaches its server. */
export interface AwpConnectionOptions {
  /** Such as `ws://localhost:3000/awp`. */
  readonly url: string
  /** Sent in hello as `auth {method: "bearer"}`. */
  readonly token?: string
  /** @default 'msgpack' */
  readonly encoding?: 'json' | 'msgpack'
  /** zstd for both directions, where the platform has it. */
  readonly zstd?: Zstd
  readonly webSocket: (url: string) => WebSocketLike
  readonly clock: Clock
  readonly clientName: string
  readonly clientVersion: string
  readonly features: readonly string[]
  /** `false` gives up when the connection drops. @default exponential with full jitter, 500 ms to 30 s */
  readonly reconnect?: BackOffOptions | false
  /** Time for a request to be answered. @default 120000 */
  readonly requestTimeoutMs?: number
  /** Time for hello to be answered. @default 5000 */
  readonly helloTimeoutMs?: number
  readonly onEvent: (method: string, params: JsonObject) => void
  /** After a reconnection and its hello, before waiting requests are sent again: take the sessions back. */
  readonly onReconnected: () => Promise<void>
  readonly onState: (state: 'connecting' | 'open' | 'lost' | 'closed') => void
}

/** How one request is made. */
export interface RequestOptions {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  readonly traceId?: string
  /** With it a request whose connection broke is sent again, and done once. @default a fresh one for every request */
  readonly idempotencyKey?: string
}

interface Waiting {
  readonly id: string
  readonly method: string
  readonly params: JsonObject
  readonly meta: JsonObject
}

/** A connection that says hello, matches answers to requests, and comes back after a drop. */
export class AwpConnection {
  readonly #options: AwpConnectionOptions
  readonly #codec: FrameCodec
  readonly #pending: PendingCalls<JsonObject>
  readonly #unanswered = new Map<string, Waiting>()
  #socket: WebSocketLike | undefined
  #format: WireFormat = { encoding: 'json', compression: 'none' }
  #isOpen = false
  #isClosed = false
  #nextId = 1
  hello: JsonObject = {}

  constructor(options: AwpConnectionOptions) {
    this.#options = options
    this.#codec = createFrameCodec(defaultAwpLimits, options.zstd)
    this.#pending = new PendingCalls<JsonObject>({ clock: options.clock, maxOpen: 4_096 })
  }

  /** Connects and says hello. @throws DomosError `unavailable`, or what the server refused with */
  async connect(): Promise<void> {
    this.#options.onState('connecting')
    const socket = this.#options.webSocket(this.#options.url)
    socket.binaryType = 'arraybuffer'
    this.#socket = socket
    this.#format = { encoding: 'json', compression: 'none' }
    await new Promise<void>((resolve, reject) => {
      const failed = (): void =>
        reject(new DomosError('unavailable', `Cannot connect to ${withoutQuery(this.#options.url)}.`))
      socket.addEventListener('open', () => resolve())
      socket.addEventListener('error', failed)
      socket.addEventListener('close', failed)
    })
    socket.addEventListener('message', (event: { data: string | ArrayBuffer }) => this.#receive(event.data))
    socket.addEventListener('close', (event: { code: number; reason: string }) =>
      this.#lost(socket, event.code, event.reason),
    )
    const {
      token,
      encoding = 'msgpack',
      zstd,
      clientName,
      clientVersion,
      features,
      helloTimeoutMs = 5_000,
    } = this.#options
    this.hello = await this.#send(
      'awp.hello',
      {
        client: { name: clientName, version: clientVersion },
        awp: { versions: ['0.1'] },
        wants: {
          encoding: [encoding],
          compression: zstd === undefined ? ['none'] : ['zstd', 'none'],
          features: [...features],
        },
        ...(token === undefined ? {} : { auth: { method: 'bearer', token } }),
      },
      {},
      helloTimeoutMs,
      undefined,
    )
    this.#format = {
      encoding: (this.hello['encoding'] as { selected: 'json' | 'msgpack' }).selected,
      compression: (this.hello['compression'] as { selected: 'none' | 'zstd' }).selected,
    }
    this.#isOpen = true
    this.#options.onState('open')
  }

  /** Sends a request and waits for its result. */
  async request(method: string, params: JsonObject, options: RequestOptions = {}): Promise<JsonObject> {
    if (this.#isClosed) throw new DomosError('unavailable', 'This client is closed.')
    const meta: Record<string, string> = { idempotency_key: options.idempotencyKey ?? randomHex(16) }
    if (options.traceId !== undefined) meta['trace_id'] = options.traceId
    return this.#send(
      method,
      params,
      meta,
      options.timeoutMs ?? this.#options.requestTimeoutMs ?? 120_000,
      options.signal,
    )
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#isOpen = false
    this.#socket?.close(1000, 'Client closed')
    this.#pending.rejectAll(new DomosError('cancelled', 'The client was closed.'))
    this.#unanswered.clear()
    this.#options.onState('closed')
  }

  async #send(
    method: string,
    params: JsonObject,
    meta: JsonObject,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<JsonObject> {
    const id = String(this.#nextId++)
    const message: Waiting = { id, method, params, meta }
    const answer = this.#pending.open(id, { timeoutMs, ...(signal === undefined ? {} : { signal }) })
    const onAbort = (): void => {
      if (this.#isOpen)
        this.#write({ id: String(this.#nextId++), method: 'awp.cancel', params: { request_id: id }, meta: {} })
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    if (method !== 'awp.hello') this.#unanswered.set(id, message)
    if (this.#isOpen || method === 'awp.hello') this.#write(message)
    try {
      return await answer
    } finally {
      this.#unanswered.delete(id)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  #write({ id, method, params, meta }: Waiting): void {
    this.#socket?.send(this.#codec.encode({ id, type: 'request', method, params, meta }, this.#format))
  }

  #receive(data: string | ArrayBuffer): void {
    const decoded = this.#codec.decode(typeof data === 'string' ? data : new Uint8Array(data))
    if (!decoded.ok) return
    const message = decoded.value as JsonObject
    if (message['type'] === 'event') {
      this.#options.onEvent(message['method'] as string, (message['params'] ?? {}) as JsonObject)
      return
    }
    const id = String(message['id'])
    if (message['error'] !== undefined)
      this.#pending.reject(id, new AwpClientError(message['error'] as unknown as AwpError))
    else this.#pending.resolve(id, (message['result'] ?? {}) as JsonObject)
  }

  #lost(socket: WebSocketLike, code: number, reason: string): void {
    if (this.#isClosed || socket !== this.#socket) return
    const wasOpen = this.#isOpen
    this.#isOpen = false
    const permanent = code === 1008 || code === 1003
    if (this.#options.reconnect === false || permanent || !wasOpen) {
      const error = new DomosError('unavailable', `The connection ended (${code}${reason === '' ? '' : ` ${reason}`}).`)
      this.#pending.rejectAll(error)
      if (permanent || this.#options.reconnect === false) {
        this.#isClosed = true
        this.#options.onState('closed')
      }
      return
    }
    this.#options.onState('lost')
    void this.#reconnect()
  }

  async #reconnect(): Promise<void> {
    const backOff = createBackOff(this.#options.reconnect || {})
    while (!this.#isClosed) {
      const delayMs = backOff.next()
      await new Promise<void>((resolve) => {
        this.#options.clock.schedule(delayMs, resolve)
      })
      if (this.#isClosed) return
      const waiting = [...this.#unanswered.values()]
      try {
        await this.connect()
        await this.#options.onReconnected()
        for (const message of waiting) if (this.#pending.has(message.id)) this.#write(message)
        return
      } catch {
        this.#isOpen = false
      }
    }
  }
}

function withoutQuery(url: string): string {
  return url.split(/[?#]/)[0] ?? url
}
