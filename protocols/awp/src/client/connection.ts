import { type Clock, DomosError, type JsonObject, toDomosError } from '@domos/spec'
import { type BackOffOptions, createBackOff, PendingCalls, randomHex } from '@domos/wire'
import { createFrameCodec, type FrameCodec, type WireFormat, type Zstd } from '../codec.ts'
import type { AwpError } from '../errors.ts'
import { defaultAwpLimits } from '../limits.ts'
import { AwpClientError } from './client-error.ts'
import { type AwpSigningKey, FrameSigner } from './frame-signer.ts'
import { isRepeatable } from './repeatable.ts'
import { openSocket, type WebSocketLike } from './socket.ts'

/** How a client reaches its server. */
export interface AwpConnectionOptions {
  /** Such as `ws://localhost:3000/awp`. */
  readonly url: string
  /** Sent in hello as `auth {method: "bearer"}`. */
  readonly token: string | undefined
  /** Signs hello and every frame with `auth.hmac` instead. */
  readonly signing: AwpSigningKey | undefined
  readonly encoding: 'json' | 'msgpack'
  /** zstd for both directions, where the platform has it. */
  readonly zstd: Zstd | undefined
  readonly webSocket: (url: string) => WebSocketLike
  readonly clock: Clock
  readonly clientName: string
  readonly clientVersion: string
  readonly features: readonly string[]
  readonly reconnect: BackOffOptions | false
  readonly requestTimeoutMs: number
  /** Time for the socket to open, and again for hello to be answered. */
  readonly helloTimeoutMs: number
  readonly onEvent: (method: string, params: JsonObject) => void
  /** After a reconnection and its hello, before waiting requests are sent again: take the sessions back. */
  readonly onReconnected: () => Promise<void>
  readonly onState: (state: 'connecting' | 'open' | 'lost' | 'closed') => void
}

/** How one request is made. */
export interface RequestOptions {
  readonly signal?: AbortSignal
  /** @default the client's `requestTimeoutMs` */
  readonly timeoutMs?: number
  readonly traceId?: string
  /**
   * With it a request whose connection broke is sent again, and done once.
   * @default a fresh one for every request that does something; reading again needs none
   */
  readonly idempotencyKey?: string
}

interface Waiting {
  readonly id: string
  readonly method: string
  readonly params: JsonObject
  readonly meta: JsonObject
  /** The socket it was last written to. */
  sentOn: WebSocketLike | undefined
}

/** Close codes after which the same connection would be refused again. */
const PERMANENT: ReadonlySet<number> = new Set([1003, 1008])
/** Refusals of hello that another attempt would not change. */
const HOPELESS: ReadonlySet<string> = new Set(['unauthorized', 'forbidden', 'unsupported', 'invalid_request'])

/** A connection that says hello, matches answers to requests, and comes back after a drop. */
export class AwpConnection {
  readonly #options: AwpConnectionOptions
  readonly #codec: FrameCodec
  readonly #pending: PendingCalls<JsonObject>
  readonly #unanswered = new Map<string, Waiting>()
  #socket: WebSocketLike | undefined
  #signer: FrameSigner | undefined
  #sealing: Promise<void> = Promise.resolve()
  #format: WireFormat = { encoding: 'json', compression: 'none' }
  #helloId: string | undefined
  /** `greeting`: only hello may go out. `returning`: sessions are taken back. `ready`: everything goes out. */
  #phase: 'down' | 'greeting' | 'returning' | 'ready' | 'closed' = 'down'
  #stopBackOff: (() => void) | undefined
  #nextId = 1
  hello: JsonObject = {}

  constructor(options: AwpConnectionOptions) {
    this.#options = options
    this.#codec = createFrameCodec(defaultAwpLimits, options.zstd)
    this.#pending = new PendingCalls<JsonObject>({ clock: options.clock, maxOpen: 4_096 })
  }

  /** Whether hello lists intents above primitives; servers that do not say are taken at their actions' answers. */
  get hasLevel2(): boolean {
    const features = this.hello['features'] as JsonObject | undefined
    return (features?.['intents'] as JsonObject | undefined)?.['level2'] !== false
  }

  /** Connects and says hello. @throws DomosError `unavailable`, `timeout`, or what the server refused with */
  async connect(): Promise<void> {
    await this.#greet()
    this.#phase = 'ready'
    this.#options.onState('open')
  }

  /** Sends a request and waits for its result; during a reconnection it waits for that first. */
  async request(method: string, params: JsonObject, options: RequestOptions = {}): Promise<JsonObject> {
    if (this.#phase === 'closed') throw new DomosError('unavailable', 'This client is closed.')
    const meta: Record<string, string> = {}
    const key = options.idempotencyKey ?? (isRepeatable(method) ? undefined : randomHex(16))
    if (key !== undefined) meta['idempotency_key'] = key
    if (options.traceId !== undefined) meta['trace_id'] = options.traceId
    return this.#send(method, params, meta, options.timeoutMs ?? this.#options.requestTimeoutMs, options.signal)
  }

  close(): void {
    if (this.#phase === 'closed') return
    const socket = this.#socket
    this.#end(new DomosError('cancelled', 'The client was closed.'))
    socket?.close(1000, 'Client closed')
  }

  async #greet(): Promise<void> {
    const { url, token, signing, encoding, zstd, clientName, clientVersion, features, clock } = this.#options
    this.#options.onState('connecting')
    const socket = await openSocket(url, this.#options.webSocket, clock, this.#options.helloTimeoutMs)
    if (this.#phase === 'closed') {
      socket.close(1000, 'Client closed')
      throw new DomosError('cancelled', 'The client was closed.')
    }
    this.#socket = socket
    this.#phase = 'greeting'
    this.#format = { encoding: 'json', compression: 'none' }
    this.#signer = signing === undefined ? undefined : new FrameSigner(signing)
    this.#sealing = Promise.resolve()
    socket.addEventListener('message', (event: { data: string | ArrayBuffer }) => this.#receive(socket, event.data))
    socket.addEventListener('close', (event: { code: number; reason: string }) =>
      this.#lost(socket, event.code, event.reason),
    )
    const auth =
      this.#signer !== undefined
        ? { auth: await this.#signer.hello(clock.now()) }
        : token === undefined
          ? {}
          : { auth: { method: 'bearer', token } }
    const params: JsonObject = {
      client: { name: clientName, version: clientVersion },
      awp: { versions: ['0.1'] },
      wants: {
        encoding: [encoding],
        compression: zstd === undefined ? ['none'] : ['zstd', 'none'],
        features: [...features],
      },
      ...auth,
    }
    try {
      this.hello = await this.#send('awp.hello', params, {}, this.#options.helloTimeoutMs, undefined)
      const serverNonce = (this.hello['auth'] as JsonObject | undefined)?.['server_nonce']
      if (this.#signer !== undefined) await this.#signer.open(String(serverNonce))
    } catch (thrown) {
      socket.close(1000, 'Greeting failed')
      throw thrown
    }
    this.#format = {
      encoding: (this.hello['encoding'] as { selected: 'json' | 'msgpack' }).selected,
      compression: (this.hello['compression'] as { selected: 'none' | 'zstd' }).selected,
    }
    this.#phase = 'returning'
  }

  async #send(
    method: string,
    params: JsonObject,
    meta: JsonObject,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<JsonObject> {
    const id = String(this.#nextId++)
    const message: Waiting = { id, method, params, meta, sentOn: undefined }
    const answer = this.#pending.open(id, { timeoutMs, ...(signal === undefined ? {} : { signal }) })
    if (method === 'awp.hello') this.#helloId = id
    else this.#unanswered.set(id, message)
    if (this.#mayGoOut(method)) this.#write(message)
    try {
      return await answer
    } catch (thrown) {
      // Whoever no longer waits says so, so that the server stops working for nobody.
      const isGivenUp = signal?.aborted === true || (thrown instanceof DomosError && thrown.code === 'timeout')
      if (
        isGivenUp &&
        message.sentOn === this.#socket &&
        this.#phase === 'ready' &&
        !(thrown instanceof AwpClientError)
      ) {
        const cancel = { id: String(this.#nextId++), method: 'awp.cancel', params: { request_id: id }, meta: {} }
        this.#write({ ...cancel, sentOn: undefined })
      }
      throw thrown
    } finally {
      this.#unanswered.delete(id)
    }
  }

  #mayGoOut(method: string): boolean {
    if (this.#phase === 'ready') return true
    if (this.#phase === 'returning') return method === 'session.attach'
    return this.#phase === 'greeting' && method === 'awp.hello'
  }

  #write(message: Waiting): void {
    const socket = this.#socket
    if (socket === undefined) return
    const { id, method, params, meta } = message
    message.sentOn = socket
    const encoded = this.#codec.encode({ id, type: 'request', method, params, meta }, this.#format)
    if (!encoded.ok) {
      const text =
        encoded.code === 'too_large'
          ? `The request is larger than a frame (${encoded.bytes} bytes).`
          : 'The parameters have no form on the wire.'
      this.#pending.reject(id, new DomosError(encoded.code === 'too_large' ? 'too_large' : 'invalid_request', text))
      return
    }
    const signer = this.#signer
    if (signer === undefined) {
      socket.send(encoded.frame)
      return
    }
    this.#sealing = this.#sealing
      .then(() => signer.seal(encoded.frame))
      .then((sealed) => socket.send(sealed))
      .catch((thrown: unknown) => {
        this.#pending.reject(id, toDomosError(thrown, 'The frame could not be signed.'))
      })
  }

  #receive(socket: WebSocketLike, data: string | ArrayBuffer): void {
    if (socket !== this.#socket) return
    const decoded = this.#codec.decode(typeof data === 'string' ? data : new Uint8Array(data))
    // A frame that cannot be read may have been an answer: only a new connection makes sure that none is missing.
    if (!decoded.ok || typeof decoded.value !== 'object' || decoded.value === null) {
      socket.close(4000, 'Unreadable frame')
      return
    }
    const message = decoded.value as JsonObject
    if (message['type'] === 'event') {
      this.#options.onEvent(String(message['method']), (message['params'] ?? {}) as JsonObject)
      return
    }
    const id = String(message['id'])
    if (message['error'] === undefined) this.#pending.resolve(id, (message['result'] ?? {}) as JsonObject)
    else this.#pending.reject(id, new AwpClientError(message['error'] as unknown as AwpError))
  }

  #lost(socket: WebSocketLike, code: number, reason: string): void {
    if (this.#phase === 'closed' || socket !== this.#socket) return
    const wasReady = this.#phase === 'ready'
    const error = new DomosError('unavailable', `The connection ended (${code}${reason === '' ? '' : ` ${reason}`}).`)
    this.#phase = 'down'
    this.#socket = undefined
    if (this.#helloId !== undefined) this.#pending.reject(this.#helloId, error)
    if (this.#options.reconnect === false || PERMANENT.has(code)) {
      this.#end(error)
      return
    }
    // A drop while greeting or returning is seen by the loop that runs already, or by whoever called connect.
    if (!wasReady) {
      for (const { id, sentOn } of this.#unanswered.values()) {
        if (sentOn === socket && this.#unanswered.get(id)?.method === 'session.attach') this.#pending.reject(id, error)
      }
      return
    }
    this.#options.onState('lost')
    void this.#reconnect(this.#options.reconnect)
  }

  async #reconnect(options: BackOffOptions): Promise<void> {
    const backOff = createBackOff(options)
    while (this.#phase !== 'closed') {
      await new Promise<void>((resolve) => {
        const stop = this.#options.clock.schedule(backOff.next(), resolve)
        this.#stopBackOff = () => {
          stop()
          resolve()
        }
      })
      if (this.#isClosed()) return
      try {
        await this.#greet()
        await this.#options.onReconnected()
        if (this.#phase !== 'returning') continue
        this.#phase = 'ready'
        this.#options.onState('open')
        for (const message of [...this.#unanswered.values()]) {
          if (message.sentOn !== this.#socket) this.#write(message)
        }
        return
      } catch (thrown) {
        if (thrown instanceof AwpClientError && HOPELESS.has(thrown.code)) this.#end(thrown)
      }
    }
  }

  #isClosed(): boolean {
    return this.#phase === 'closed'
  }

  #end(reason: unknown): void {
    if (this.#phase === 'closed') return
    this.#phase = 'closed'
    this.#socket = undefined
    this.#stopBackOff?.()
    this.#pending.rejectAll(reason)
    this.#unanswered.clear()
    this.#options.onState('closed')
  }
}
