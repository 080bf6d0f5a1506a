import type { WebSocketLike } from '@domos/awp/client'
import type { Door } from '@domos/spec'
import { createLinkedConnections } from '@domos/wire'

/** A socket to a door in this process, for a client of the same protocol. */
export function openLinkedSocket(door: Door, token: string | undefined): WebSocketLike {
  const [near, far] = createLinkedConnections()
  const listeners = new Map<string, ((event: unknown) => void)[]>()
  const fire = (type: string, event: unknown): void => {
    for (const listener of listeners.get(type) ?? []) listener(event)
  }
  door.accept(far, {
    path: '/awp',
    query: new URLSearchParams(),
    remoteAddress: '127.0.0.1',
    isLoopback: true,
    ...(token === undefined ? {} : { token }),
  })
  near.onFrame((frame) => fire('message', { data: typeof frame === 'string' ? frame : Uint8Array.from(frame).buffer }))
  near.onClose((code, reason) => fire('close', { code, reason }))
  queueMicrotask(() => fire('open', {}))
  return {
    binaryType: 'arraybuffer',
    readyState: 1,
    bufferedAmount: 0,
    send: (data) => near.send(data),
    close: (code = 1000, reason = '') => near.close(code, reason),
    addEventListener(type: string, listener: (event: never) => void) {
      listeners.set(type, [...(listeners.get(type) ?? []), listener as (event: unknown) => void])
    },
  }
}
