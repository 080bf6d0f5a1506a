import type { Connection, Door, JsonObject, Upgrade } from '@domos/spec'
import { createLinkedConnections } from '@domos/wire'
import { settle } from './manual-clock.ts'

/** A text frame of the server as parsed JSON. */
export type SeenMessage = JsonObject & { readonly type: string }

/** A client at the far end of a connection, that writes raw frames and keeps what it gets. */
export interface VoicePeer {
  readonly connection: Connection
  /** Everything that came, in order; binary frames as they are. */
  readonly seen: (SeenMessage | Uint8Array)[]
  readonly messages: SeenMessage[]
  readonly audio: Uint8Array[]
  readonly closed: { readonly code: number; readonly reason: string } | undefined
  /** Sends a frame, objects as JSON, and lets the door work. */
  send(frame: unknown): Promise<void>
  of(type: string): SeenMessage[]
  last(type: string): SeenMessage
  /** Types of text frames, and `audio` for runs of binary ones. */
  order(): string[]
}

let count = 0

/** Opens a connection to the door and lets it be admitted. */
export async function openVoice(door: Door, upgrade: Partial<Upgrade> = {}): Promise<VoicePeer> {
  const peer = openVoiceNow(door, upgrade)
  await settle()
  return peer
}

/** Opens a connection without waiting for the door; `wrap` may change the door's end, e.g. to stop reading. */
export function openVoiceNow(
  door: Door,
  upgrade: Partial<Upgrade> = {},
  wrap: (connection: Connection) => Connection = (connection) => connection,
): VoicePeer {
  const [near, far] = createLinkedConnections({ id: `voice-${++count}`, maxQueuedFrames: 100_000 })
  const seen: (SeenMessage | Uint8Array)[] = []
  let closed: VoicePeer['closed']
  near.onFrame((frame) => seen.push(typeof frame === 'string' ? (JSON.parse(frame) as SeenMessage) : frame))
  near.onClose((code, reason) => {
    closed = { code, reason }
  })
  door.accept(wrap(far), {
    path: '/audio',
    query: new URLSearchParams(),
    remoteAddress: '127.0.0.1',
    isLoopback: true,
    ...upgrade,
  })
  const peer: VoicePeer = {
    connection: near,
    seen,
    get messages() {
      return seen.filter((each) => !(each instanceof Uint8Array)) as SeenMessage[]
    },
    get audio() {
      return seen.filter((each) => each instanceof Uint8Array)
    },
    get closed() {
      return closed
    },
    async send(frame) {
      near.send(typeof frame === 'string' || frame instanceof Uint8Array ? frame : JSON.stringify(frame))
      await settle()
    },
    of: (type) => peer.messages.filter((message) => message.type === type),
    last(type) {
      const found = peer.of(type).at(-1)
      if (found === undefined) throw new Error(`no ${type} among ${peer.order().join(', ')}`)
      return found
    },
    order() {
      const names = seen.map((each) => (each instanceof Uint8Array ? 'audio' : each.type))
      return names.filter((name, index) => name !== 'audio' || names[index - 1] !== 'audio')
    },
  }
  return peer
}

/** Samples as bytes of the document's format. */
export function pcm(...samples: number[]): Uint8Array {
  const bytes = new Uint8Array(samples.length * 2)
  const view = new DataView(bytes.buffer)
  for (const [index, sample] of samples.entries()) view.setInt16(index * 2, sample, true)
  return bytes
}
