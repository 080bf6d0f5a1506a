import type { Connection } from '@domos/spec'
import { createLinkedConnections } from '@domos/wire'
import type { WebSocketLike } from '../client/socket.ts'
import type { TestHouse } from './peer.ts'

/** The network between clients and a door: sockets that a test can break, and an outage it can switch. */
export interface TestNetwork {
  readonly webSocket: (url: string) => WebSocketLike
  /** Frames the client sent, by connection. */
  readonly sent: (string | Uint8Array)[][]
  /** Drops every connection as a broken line does. */
  drop(): void
  isDown: boolean
  /** Loses everything the server sends from now on. */
  isDeaf: boolean
}

/** Connects clients to a door in one process. */
export function createNetwork(house: TestHouse): TestNetwork {
  const open = new Set<Connection>()
  const network: TestNetwork = {
    sent: [],
    isDown: false,
    isDeaf: false,
    drop() {
      for (const connection of [...open]) connection.close(1006, '')
    },
    webSocket() {
      const listeners = new Map<string, ((event: unknown) => void)[]>()
      const fire = (type: string, event: unknown): void => {
        for (const listener of listeners.get(type) ?? []) listener(event)
      }
      const frames: (string | Uint8Array)[] = []
      let near: Connection | undefined
      queueMicrotask(() => {
        if (network.isDown) {
          fire('error', {})
          fire('close', { code: 1006, reason: '' })
          return
        }
        const [end, far] = createLinkedConnections()
        near = end
        open.add(end)
        network.sent.push(frames)
        house.door.accept(far, {
          path: '/awp',
          query: new URLSearchParams(),
          remoteAddress: '127.0.0.1',
          isLoopback: true,
        })
        end.onFrame((frame) => {
          if (network.isDeaf) return
          fire('message', { data: typeof frame === 'string' ? frame : new Uint8Array(frame).buffer })
        })
        end.onClose((code, reason) => {
          open.delete(end)
          fire('close', { code, reason })
        })
        fire('open', {})
      })
      return {
        binaryType: '',
        readyState: 1,
        bufferedAmount: 0,
        send(data) {
          frames.push(data)
          near?.send(data)
        },
        close: (code = 1000, reason = '') => near?.close(code, reason),
        addEventListener(type: string, listener: (event: never) => void) {
          listeners.set(type, [...(listeners.get(type) ?? []), listener as (event: unknown) => void])
        },
      } as WebSocketLike
    },
  }
  return network
}
