import { type Clock, type JsonObject, systemClock } from '@domos/spec'
import { decode, encode } from '../codec.ts'
import { BYTES_PER_SECOND, DEFAULT_VOICE_URL } from '../limits.ts'
import type { ToClient, ToServer, ToServerMessage } from '../messages.ts'
import { createSampleBytes } from '../sample-bytes.ts'
import type { VoiceClientEvents } from './events.ts'
import { type LinkEvent, type LinkState, linkTable, mayReconnect } from './link-state.ts'
import { reconnectDelayMs } from './reconnect-delay.ts'
import { createHandlers } from './server-messages.ts'

/** The few things a client needs of a WebSocket; the global one fits. */
export interface SocketLike {
  binaryType: string
  readonly bufferedAmount: number
  readonly readyState: number
  send(data: string | ArrayBufferView<ArrayBuffer>): void
  close(code?: number, reason?: string): void
  onopen: ((event: never) => void) | null
  onmessage: ((event: never) => void) | null
  onclose: ((event: never) => void) | null
  onerror: ((event: never) => void) | null
}

/** Options of {@link createVoiceClient}. */
export interface VoiceClientOptions {
  /** @default ws://localhost:3000/audio */
  readonly url?: string
  /** Identifies the device. */
  readonly deviceId?: string
  /** API key or device secret; goes in the first frame, never in the URL. */
  readonly token?: string
  /** Enters the session it was issued for. */
  readonly joinToken?: string
  /**
   * Sent as `config` after each connection.
   * @default partials, turns, interruptions, states and resume on
   */
  readonly config?: JsonObject
  /** Audio in the socket's buffer from which on more is left out, in milliseconds. @default 5000 */
  readonly maxBacklogMs?: number
  /** @default the global WebSocket */
  readonly openSocket?: (url: string) => SocketLike
  /** @default the real clock */
  readonly clock?: Clock
}

/** A microphone's and a speaker's end of the WebSocket Voice Protocol, for browsers and Node. */
export interface VoiceClient {
  readonly link: LinkState
  /** Undefined until the first session. */
  readonly sessionId: string | undefined
  /** Opens the connection and keeps it open until {@link close}. */
  connect(): void
  /** Sends 16 kHz mono samples. Returns false when they were left out: not connected, or the network is too slow. */
  sendAudio(samples: Int16Array<ArrayBuffer>): boolean
  /** Changes settings; kept for later connections. The `config` event, or an `error`, answers. */
  configure(change: JsonObject): void
  /** Starts listening at once (button down). */
  listen(): void
  /** The person has finished (button up). */
  commit(): void
  /** Stops the answer. */
  interrupt(): void
  /** A typed sentence. */
  say(text: string): void
  /** Ends the session; the connection stays. */
  endSession(): void
  requestStatus(signal?: AbortSignal): Promise<ToClient<'status'>['details']>
  on<Name extends keyof VoiceClientEvents>(name: Name, listener: (event: VoiceClientEvents[Name]) => void): () => void
  /** Closes for good. */
  close(): void
}

const defaultConfig: JsonObject = { partials: true, turns: true, interruptions: true, states: true, resume: true }
const OPEN = 1

/** Makes a client; nothing is opened until `connect`. */
export function createVoiceClient(options: VoiceClientOptions = {}): VoiceClient {
  const { url = DEFAULT_VOICE_URL, clock = systemClock, maxBacklogMs = 5_000 } = options
  const openSocket = options.openSocket ?? ((target: string) => new WebSocket(target) as unknown as SocketLike)
  const listeners = new Map<keyof VoiceClientEvents, Set<(event: never) => void>>()
  const statusWaiters: ((details: ToClient<'status'>['details']) => void)[] = []
  let config: JsonObject = options.config ?? defaultConfig
  let state: LinkState = 'closed'
  let socket: SocketLike | undefined
  let sessionId: string | undefined
  let resumeToken: string | undefined
  /** What the first frame of this connection asked for beyond a session of its own. */
  let asked: 'join' | 'resume' | undefined
  let joinedId: string | undefined
  let failures = 0
  let stopWait = (): void => {}
  let wasSlow = false
  let cutter = createSampleBytes(2)

  function emit<Name extends keyof VoiceClientEvents>(name: Name, event: VoiceClientEvents[Name]): void {
    for (const listener of [...(listeners.get(name) ?? [])])
      (listener as (event: VoiceClientEvents[Name]) => void)(event)
  }

  function step(event: LinkEvent, facts: Omit<VoiceClientEvents['link'], 'state'> = {}): void {
    const next = linkTable[state][event]
    const isChange = next !== state
    state = next
    if (isChange) emit('link', { state, ...facts })
  }

  function send(message: ToServerMessage): boolean {
    if (socket === undefined || socket.readyState !== OPEN) return false
    socket.send(encode(message))
    return true
  }

  function open(): void {
    stopWait()
    let next: SocketLike
    try {
      next = openSocket(url)
    } catch (thrown) {
      emit('error', { code: 'client', message: thrown instanceof Error ? thrown.message : 'The URL cannot be used.' })
      step('refused')
      return
    }
    socket = next
    next.binaryType = 'arraybuffer'
    next.onopen = () => {
      if (socket === next) greet()
    }
    next.onmessage = (event: { readonly data: unknown }) => {
      if (socket === next) receive(event.data)
    }
    next.onerror = () => {}
    next.onclose = (event: { readonly code?: number; readonly reason?: string }) => {
      if (socket !== next) return
      socket = undefined
      lost(event.code ?? 1006, event.reason ?? '')
    }
  }

  function greet(): void {
    cutter = createSampleBytes(2)
    const mayJoin = options.joinToken !== undefined && joinedId === undefined
    asked = resumeToken !== undefined ? 'resume' : mayJoin ? 'join' : undefined
    const start: ToServer<'session_start'> = {
      type: 'session_start',
      ...(options.deviceId === undefined ? {} : { deviceId: options.deviceId }),
      ...(options.token === undefined ? {} : { token: options.token }),
      ...(resumeToken === undefined ? {} : { resumeToken }),
      ...(asked === 'join' && options.joinToken !== undefined ? { joinToken: options.joinToken } : {}),
    }
    send(start)
    resumeToken = undefined
    if (Object.keys(config).length > 0) send({ type: 'config', config: { ...config } })
  }

  function lost(code: number, reason: string): void {
    if (!mayReconnect(code)) {
      step('refused', { code, reason })
      return
    }
    failures += 1
    const retryInMs = reconnectDelayMs(failures)
    step('lost', { code, reason, retryInMs })
    if (state !== 'waiting') return
    stopWait = clock.schedule(retryInMs, () => {
      if (state !== 'waiting') return
      step('wait-over')
      open()
    })
  }

  function receive(data: unknown): void {
    if (typeof data === 'string') {
      const decoded = decode(data, 'to-client')
      if (decoded.ok) handle(decoded.message)
      return
    }
    if (!(data instanceof ArrayBuffer)) return
    const { bytes } = cutter.take(new Uint8Array(data))
    if (bytes.length === 0) return
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const samples = new Int16Array(bytes.length / 2)
    for (let index = 0; index < samples.length; index++) samples[index] = view.getInt16(index * 2, true)
    emit('audio', samples)
  }

  const handle = createHandlers(emit, {
    onSessionAck({ sessionId: id, details }) {
      sessionId = id
      if (details.resumeToken !== undefined) resumeToken = details.resumeToken
      // The first acknowledgement of a connection is for its own session.
      if (asked === 'join' && state === 'ready') joinedId = id
      if (state === 'ready') asked = undefined
      failures = 0
      step('acknowledged')
      emit('session', {
        sessionId: id,
        resumed: details.resumed === true,
        joined: id === joinedId,
        lost: joinedId !== undefined && id !== joinedId && asked === undefined,
      })
    },
    onResumeToken(token) {
      resumeToken = token
    },
    onAnswerStart: () => cutter.reset(),
    onStatus: (details) => statusWaiters.shift()?.(details),
  })

  return {
    get link() {
      return state
    },
    get sessionId() {
      return sessionId
    },
    connect() {
      if (state === 'connecting' || state === 'ready') return
      step('open')
      open()
    },
    sendAudio(samples) {
      if (socket === undefined || socket.readyState !== OPEN || state !== 'ready') return false
      const isSlow = socket.bufferedAmount > (maxBacklogMs / 1_000) * BYTES_PER_SECOND
      if (isSlow && !wasSlow) {
        emit('error', {
          code: 'client',
          message: 'The network is too slow for the microphone; some of it is left out.',
        })
      }
      wasSlow = isSlow
      if (isSlow) return false
      socket.send(littleEndian(samples))
      return true
    },
    configure(change) {
      config = { ...config, ...change }
      send({ type: 'config', config: { ...change } })
    },
    listen: () => void send({ type: 'listen' }),
    commit: () => void send({ type: 'commit' }),
    interrupt: () => void send({ type: 'interrupt' }),
    say: (text) => void send({ type: 'text', text }),
    endSession: () => void send({ type: 'session_end' }),
    requestStatus(signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted === true || !send({ type: 'status' })) {
          reject(new Error('The client is not connected.'))
          return
        }
        statusWaiters.push(resolve)
        signal?.addEventListener('abort', () => reject(new Error('The status was not awaited.')), { once: true })
      })
    },
    on(name, listener) {
      const set = listeners.get(name) ?? new Set()
      listeners.set(name, set)
      set.add(listener as (event: never) => void)
      return () => set.delete(listener as (event: never) => void)
    },
    close() {
      stopWait()
      const closing = socket
      socket = undefined
      closing?.close(1000, 'Done')
      resumeToken = undefined
      step('close')
    },
  }
}

/** The samples as they go on the wire; every machine of today stores them that way already. */
function littleEndian(samples: Int16Array<ArrayBuffer>): ArrayBufferView<ArrayBuffer> {
  if (isLittleEndian) return samples
  const bytes = new DataView(new ArrayBuffer(samples.length * 2))
  for (let index = 0; index < samples.length; index++) bytes.setInt16(index * 2, samples[index] ?? 0, true)
  return bytes
}

const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1
