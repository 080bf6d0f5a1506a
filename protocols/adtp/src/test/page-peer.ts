import type { Connection, Door, JsonObject, Upgrade } from '@domos/spec'
import { createLinkedConnections } from '@domos/wire'
import { settle } from './manual-clock.ts'

/** Any frame of the server as parsed JSON. */
export interface SeenFrame {
  readonly type: string
  readonly payload: JsonObject & { readonly data?: JsonObject }
  readonly id?: string
  readonly meta?: JsonObject
}

/** A page at the far end of a connection, that writes raw frames and keeps what it gets. */
export interface PagePeer {
  readonly connection: Connection
  readonly seen: SeenFrame[]
  readonly closed: { readonly code: number; readonly reason: string } | undefined
  /** Sends a frame and lets the door work. */
  send(frame: unknown): Promise<void>
  of(type: string): SeenFrame[]
  errors(): (string | undefined)[]
  last(type: string): SeenFrame
}

let count = 0

/** Opens a connection to the door. */
export function openPage(door: Door, upgrade: Partial<Upgrade> = {}): PagePeer {
  const [near, far] = createLinkedConnections({ id: `page-${++count}` })
  const seen: SeenFrame[] = []
  let closed: PagePeer['closed']
  near.onFrame((frame) => seen.push(JSON.parse(String(frame)) as SeenFrame))
  near.onClose((code, reason) => {
    closed = { code, reason }
  })
  door.accept(far, {
    path: '/adtp',
    query: new URLSearchParams(),
    remoteAddress: '127.0.0.1',
    isLoopback: true,
    ...upgrade,
  })
  const peer: PagePeer = {
    connection: near,
    seen,
    get closed() {
      return closed
    },
    async send(frame) {
      near.send(typeof frame === 'string' || frame instanceof Uint8Array ? frame : JSON.stringify(frame))
      await settle()
    },
    of: (type) => seen.filter((frame) => frame.type === type),
    errors: () =>
      seen.filter(({ payload }) => payload.kind === 'error').map(({ payload }) => payload.data?.code as string),
    last(type) {
      const found = peer.of(type).at(-1)
      if (found === undefined) throw new Error(`no ${type} among ${seen.map((frame) => frame.type).join(', ')}`)
      return found
    },
  }
  return peer
}

/** The handshake of a page that speaks the document. */
export function init(capabilities: readonly string[] = ['text', 'tools'], more: JsonObject = {}): JsonObject {
  return {
    type: 'HANDSHAKE_INIT',
    payload: { protocolVersion: '1.0.0', capabilities: [...capabilities], ...more },
    meta: { id: 'msg_init', timestamp: 1, version: '1.0.0' },
  }
}

/** A frame in the document's envelope. */
export function frame(type: string, payload: JsonObject, id = `msg_${++count}`): JsonObject {
  return { type, payload, meta: { id, timestamp: 1, version: '1.0.0' } }
}

/** A frame in the spoken dialect's envelope. */
export function spoken(type: string, payload: JsonObject, id = `7b0e6c1e-3f0b-4c55-9a10-${++count}`): JsonObject {
  return { id, type, timestamp: 1, payload }
}
