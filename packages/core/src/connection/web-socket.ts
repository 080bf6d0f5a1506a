import { DomosError } from '@domos/spec'
import type { Connection } from '@domos/wire'

/** Opens a connection to the endpoint. Rejects when it cannot be opened or `signal` aborts. */
export type Transport = (url: string, signal: AbortSignal) => Promise<Connection>

/** A WebSocket class: the browser's, Node's, or that of a library. */
export type WebSocketConstructor = new (url: string) => WebSocket

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
    socket.binaryType = 'arraybuffer'
    const aborted = () => socket.close()
    signal.addEventListener('abort', aborted)
    let connection: SocketConnection | undefined
    socket.onopen = () => {
      signal.removeEventListener('abort', aborted)
      connection = new SocketConnection(socket)
      resolve(connection)
    }
    socket.onmessage = ({ data }: MessageEvent) =>
      connection?.receive(typeof data === 'string' ? data : new Uint8Array(data))
    // An error event says nothing; the close event that follows has code and reason.
    socket.onclose = ({ code, reason }: CloseEvent) => {
      signal.removeEventListener('abort', aborted)
      if (connection) return connection.end(code, reason)
      const hint = 'Check the option "endpoint", and that the server allows this origin.'
      const details = { closeCode: code, reason }
      return reject(
        new DomosError('unavailable', `No connection (${code}${reason && `: ${reason}`}). ${hint}`, { details }),
      )
    }
  })
}

let opened = 0

class SocketConnection implements Connection {
  readonly id = `socket-${++opened}`
  readonly #socket: WebSocket
  readonly #onClose: ((code: number, reason: string) => void)[] = []
  #ended: [code: number, reason: string] | undefined
  /** Whoever opened the connection sets it before the next frame can come. */
  receive: (frame: string | Uint8Array) => void = () => {}

  constructor(socket: WebSocket) {
    this.#socket = socket
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount
  }

  get isOpen(): boolean {
    return !this.#ended && this.#socket.readyState === 1
  }

  send(frame: string | Uint8Array): void {
    if (this.isOpen) this.#socket.send(frame as string | Uint8Array<ArrayBuffer>)
  }

  /** Ends it for this side at once: a peer that never answers the close must not hold up the reconnection. */
  close(code: number, reason: string): void {
    if (this.#ended) return
    // A page may send 1000 and its own range only.
    this.#socket.close(code === 1000 || code >= 3000 ? code : 1000, reason)
    this.end(code, reason)
  }

  onFrame(receive: (frame: string | Uint8Array) => void): void {
    this.receive = (frame) => {
      if (!this.#ended) receive(frame)
    }
  }

  onClose(closed: (code: number, reason: string) => void): void {
    if (this.#ended) closed(...this.#ended)
    else this.#onClose.push(closed)
  }

  end(code: number, reason: string): void {
    if (this.#ended) return
    this.#ended = [code, reason]
    for (const closed of this.#onClose) closed(code, reason)
  }
}
