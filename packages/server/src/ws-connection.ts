import type { Connection } from '@domos/spec'
import type { WebSocket } from 'ws'
import type { ServerLimits } from './limits.ts'

/** What the listener needs of a connection beyond what a door sees. */
export interface ManagedConnection extends Connection {
  /** Pings the peer, or terminates it when nothing came since the last ping. Returns false when it was terminated. */
  checkAlive(): boolean
  terminate(): void
}

/** Wraps a WebSocket of `ws` as a {@link Connection}. `onError` is told what the parser refused; one for many saves memory. */
export function createWsConnection(
  socket: WebSocket,
  id: string,
  limits: ServerLimits,
  onError: (error: NodeJS.ErrnoException) => void,
): ManagedConnection {
  return new WsConnection(socket, id, limits, onError)
}

type CloseListener = (code: number, reason: string) => void

/** A class, not closures: there may be many thousands that do nothing but wait. */
class WsConnection implements ManagedConnection {
  readonly id: string
  readonly #socket: WebSocket
  readonly #limits: ServerLimits
  #receive: ((frame: string | Uint8Array) => void) | undefined
  #early: (string | Uint8Array)[] | undefined
  #isAlive = true
  #end: { readonly code: number; readonly reason: string } | undefined
  #closeListeners: CloseListener[] = []

  constructor(socket: WebSocket, id: string, limits: ServerLimits, onError: (error: NodeJS.ErrnoException) => void) {
    this.id = id
    this.#socket = socket
    this.#limits = limits
    const alive = (): void => {
      this.#isAlive = true
    }
    socket.on('message', (data: Buffer, isBinary: boolean) => this.#take(data, isBinary))
    socket.on('pong', alive)
    socket.on('ping', alive)
    // Parser errors (too large, bad UTF-8, …) are followed by 'close', which says 1006 here whatever the peer is told.
    socket.on('error', onError)
    socket.on('close', (code, reason) => this.#closed(code, reason))
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN
  }

  send(frame: string | Uint8Array): void {
    if (!this.isOpen) return
    if (this.#socket.bufferedAmount > this.#limits.maxSendBufferBytes) {
      this.close(1013, 'Reading too slowly')
      return
    }
    this.#socket.send(frame)
  }

  close(code: number, reason: string): void {
    const { readyState, OPEN, CONNECTING } = this.#socket
    if (readyState === OPEN || readyState === CONNECTING) this.#socket.close(code, reason)
  }

  onFrame(next: (frame: string | Uint8Array) => void): void {
    this.#receive = next
    const waiting = this.#early ?? []
    this.#early = undefined
    for (const frame of waiting) next(frame)
  }

  onClose(listener: CloseListener): void {
    if (this.#end !== undefined) listener(this.#end.code, this.#end.reason)
    else this.#closeListeners.push(listener)
  }

  checkAlive(): boolean {
    if (!this.#isAlive) {
      this.#socket.terminate()
      return false
    }
    this.#isAlive = false
    if (this.isOpen) this.#socket.ping()
    return true
  }

  terminate(): void {
    this.#socket.terminate()
  }

  #take(data: Buffer, isBinary: boolean): void {
    this.#isAlive = true
    const frame = isBinary ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : data.toString('utf8')
    if (this.#receive !== undefined) {
      this.#receive(frame)
      return
    }
    this.#early ??= []
    if (this.#early.length < this.#limits.maxEarlyFrames) this.#early.push(frame)
    else this.close(1008, 'Too many frames before the handshake')
  }

  #closed(code: number, reason: Buffer): void {
    this.#end = { code, reason: reason.toString('utf8') }
    this.#early = undefined
    const listeners = this.#closeListeners
    this.#closeListeners = []
    for (const listener of listeners) listener(code, this.#end.reason)
  }
}
