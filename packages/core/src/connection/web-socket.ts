import { DomosError } from '@domos/spec'
import type { Connection } from '@domos/wire'

/** Opens a connection to the endpoint. Rejects when it cannot be opened or `signal` aborts. */
export type Transport = (url: string, signal: AbortSignal) => Promise<Connection>

/** A WebSocket class: the browser's, Node's, or that of a library. */
export type WebSocketConstructor = new (url: string) => WebSocket

let opened = 0

/**
 * Opens a WebSocket and gives it as a {@link Connection}.
 * @throws DomosError `unavailable` when there is no WebSocket here or the endpoint does not answer
 */
export function openWebSocket(url: string, signal: AbortSignal, Socket?: WebSocketConstructor): Promise<Connection> {
  const Constructor = Socket ?? globalThis.WebSocket
  if (Constructor === undefined) {
    const message = 'There is no WebSocket in this environment. Set the client option "webSocket".'
    return Promise.reject(new DomosError('unsupported', message))
  }
  return new Promise((resolve, reject) => {
    const socket = new Constructor(url)
    const failed = (code: number, reason: string) => {
      const why = reason ? `: ${reason}` : ''
      const hint = 'Check the option "endpoint", that the server runs, and that it allows this origin.'
      reject(
        new DomosError('unavailable', `No connection (${code}${why}). ${hint}`, {
          details: { closeCode: code, reason },
        }),
      )
    }
    const aborted = () => socket.close()
    signal.addEventListener('abort', aborted, { once: true })
    if (signal.aborted) aborted()
    let connection: SocketConnection | undefined
    socket.binaryType = 'arraybuffer'
    socket.onopen = () => {
      signal.removeEventListener('abort', aborted)
      opened += 1
      connection = new SocketConnection(`socket-${opened}`, socket)
      resolve(connection)
    }
    socket.onmessage = (event: MessageEvent) => {
      const data: unknown = event.data
      if (typeof data === 'string') connection?.received(data)
      else if (data instanceof ArrayBuffer) connection?.received(new Uint8Array(data))
    }
    // An error event says nothing; the close event that follows has code and reason.
    socket.onerror = () => {}
    socket.onclose = (event: CloseEvent) => {
      signal.removeEventListener('abort', aborted)
      if (connection) connection.closed(event.code, event.reason)
      else failed(event.code, event.reason)
    }
  })
}

/** Frames kept between the opening and the first receiver. */
const EARLY_FRAMES_MAX = 64

class SocketConnection implements Connection {
  readonly id: string
  readonly #socket: WebSocket
  readonly #early: (string | Uint8Array)[] = []
  #receive: ((frame: string | Uint8Array) => void) | undefined
  readonly #onClosed: ((code: number, reason: string) => void)[] = []
  #end: { readonly code: number; readonly reason: string } | undefined

  constructor(id: string, socket: WebSocket) {
    this.id = id
    this.#socket = socket
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount
  }

  get isOpen(): boolean {
    return this.#end === undefined && this.#socket.readyState === 1
  }

  send(frame: string | Uint8Array): void {
    if (this.isOpen) this.#socket.send(frame as string | Uint8Array<ArrayBuffer>)
  }

  /** Ends it for this side at once: a peer that never answers the close must not hold up the reconnection. */
  close(code: number, reason: string): void {
    if (this.#end) return
    this.#socket.close(code, reason)
    this.closed(code, reason)
  }

  onFrame(receive: (frame: string | Uint8Array) => void): void {
    this.#receive = receive
    for (const frame of this.#early.splice(0)) receive(frame)
  }

  onClose(closed: (code: number, reason: string) => void): void {
    if (this.#end) closed(this.#end.code, this.#end.reason)
    else this.#onClosed.push(closed)
  }

  received(frame: string | Uint8Array): void {
    if (this.#end) return
    if (this.#receive) this.#receive(frame)
    else if (this.#early.length < EARLY_FRAMES_MAX) this.#early.push(frame)
    else this.close(1009, 'Too many early frames')
  }

  closed(code: number, reason: string): void {
    if (this.#end) return
    this.#end = { code, reason }
    for (const listener of this.#onClosed) listener(code, reason)
  }
}
