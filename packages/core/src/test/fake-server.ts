import {
  decode,
  encode,
  type ToClientPayload,
  type ToClientType,
  type ToServerMessage,
  type ToServerType,
} from '@domos/adtp'
import type { Connection } from '@domos/wire'
import { createLinkedConnections } from '@domos/wire'
import type { Transport } from '../connection/web-socket.ts'

type Received<T extends ToServerType> = Extract<ToServerMessage, { readonly type: T }>

/** The far end of the wire for tests: real frames through the protocol's own codec, and a memory of what came. */
export class FakeServer {
  readonly received: ToServerMessage[] = []
  readonly raw: string[] = []
  readonly connections: Connection[] = []
  readonly closes: { readonly code: number; readonly reason: string }[] = []
  /** Sent in answer to HANDSHAKE_INIT; undefined = silence. */
  acknowledge: ((init: Received<'HANDSHAKE_INIT'>) => ToClientPayload<'HANDSHAKE_ACK'>) | undefined
  /** What happens to the next attempts; empty = accepted. */
  readonly refusals: Error[] = []
  attempts = 0
  seq = 0
  readonly urls: string[] = []
  dialect: 'document' | 'spoken' = 'document'

  constructor(capabilities: readonly string[] = ALL) {
    this.acknowledge = () => ({
      sessionId: this.attempts === 1 ? 'ses_9e210bbf' : `ses_${this.attempts}`,
      protocolVersion: '1.0.0',
      capabilities: [...capabilities],
      ...(capabilities.includes('resume') && { resumeToken: `token-${this.attempts}`, resumed: false }),
    })
  }

  readonly transport: Transport = async (url) => {
    this.attempts += 1
    this.urls.push(url)
    const refusal = this.refusals.shift()
    if (refusal) throw refusal
    const [near, far] = createLinkedConnections()
    this.connections.push(far)
    far.onClose((code, reason) => this.closes.push({ code, reason }))
    far.onFrame((frame) => this.#take(String(frame)))
    return near
  }

  get connection(): Connection {
    const last = this.connections.at(-1)
    if (!last) throw new Error('No connection yet.')
    return last
  }

  of<T extends ToServerType>(type: T): Received<T>[] {
    return this.received.filter((message): message is Received<T> => message.type === type)
  }

  send<T extends ToClientType>(type: T, payload: ToClientPayload<T>, seq?: number): void {
    const message = { type, payload, ...(seq !== undefined && { seq }) } as Parameters<typeof encode>[0]
    this.connection.send(encode(message, this.dialect))
  }

  #take(frame: string): void {
    this.raw.push(frame)
    const decoded = decode(frame, { direction: 'to-server' })
    if (!decoded.ok)
      throw new Error(`The client sent a frame that cannot be read: ${decoded.message} (${decoded.path})`)
    this.received.push(decoded.message)
    if (decoded.message.type === 'HANDSHAKE_INIT' && this.acknowledge) {
      this.send('HANDSHAKE_ACK', this.acknowledge(decoded.message as Received<'HANDSHAKE_INIT'>))
    }
  }
}

/** Everything our server announces. */
export const ALL = [
  'text',
  'audio',
  'tools',
  'resume',
  'stream',
  'tool_cancel',
  'tool_progress',
  'approval',
  'jsonschema',
]
/** What the documents print. */
export const BASE = ['text', 'audio', 'tools']
