import type { Connection } from '@domos/spec'
import type { WebSocket } from 'ws'
import type { ServerLimits } from './limits.ts'

/** What the listener needs of a connection beyond what a door sees. */
export interface ManagedConnection extends Connection {
  /** Pings the peer, or terminates it when nothing came since the last ping. Returns false when it was terminated. */
  checkAlive(): boolean
  terminate(): void
}

/** Wraps a WebSocket of `ws` as a {@link Connection}. */
export function createWsConnection(socket: WebSocket, id: string, limits: ServerLimits): ManagedConnection {
  let receive: ((frame: string | Uint8Array) => void) | undefined
  let early: (string | Uint8Array)[] = []
  let isAlive = true
  let end: { code: number; reason: string } | undefined
  const closeListeners: ((code: number, reason: string) => void)[] = []

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    isAlive = true
    const frame = isBinary ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : data.toString('utf8')
    if (receive !== undefined) receive(frame)
    else if (early.length < limits.maxEarlyFrames) early.push(frame)
    else connection.close(1008, 'Too many frames before the handshake')
  })
  socket.on('pong', () => {
    isAlive = true
  })
  socket.on('ping', () => {
    isAlive = true
  })
  // Parser errors (too large, bad UTF-8, …) are followed by 'close' with their code; nothing else to do here.
  socket.on('error', () => {})
  socket.on('close', (code, reason) => {
    end = { code, reason: reason.toString('utf8') }
    early = []
    for (const listener of closeListeners.splice(0)) listener(end.code, end.reason)
  })

  const connection: ManagedConnection = {
    id,
    get bufferedBytes() {
      return socket.bufferedAmount
    },
    get isOpen() {
      return socket.readyState === socket.OPEN
    },
    send(frame) {
      if (socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount > limits.maxSendBufferBytes) {
        connection.close(1013, 'Reading too slowly')
        return
      }
      socket.send(frame)
    },
    close(code, reason) {
      if (socket.readyState === socket.OPEN || socket.readyState === socket.CONNECTING) socket.close(code, reason)
    },
    onFrame(next) {
      receive = next
      const waiting = early
      early = []
      for (const frame of waiting) next(frame)
    },
    onClose(listener) {
      if (end !== undefined) listener(end.code, end.reason)
      else closeListeners.push(listener)
    },
    checkAlive() {
      if (!isAlive) {
        socket.terminate()
        return false
      }
      isAlive = false
      if (socket.readyState === socket.OPEN) socket.ping()
      return true
    },
    terminate() {
      socket.terminate()
    },
  }
  return connection
}
