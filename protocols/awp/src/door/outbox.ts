import { type Connection, DomosError, type JsonObject } from '@domos/spec'
import { randomHex } from '@domos/wire'
import type { FrameCodec, WireFormat } from '../codec.ts'
import type { Dialect } from '../dialect.ts'
import type { OutgoingEnvelope, RequestId } from '../envelope.ts'
import { toAwpError } from '../errors.ts'
import type { AwpLimits } from '../limits.ts'
import type { Outcome } from './idempotency.ts'

/** Trace and span of one message ("Tracing"). */
export function messageMeta(trace: string | undefined): { readonly trace_id: string; readonly span_id: string } {
  return { trace_id: trace ?? randomHex(16), span_id: randomHex(8) }
}

/** Writes the messages of one connection; never throws. */
export class Outbox {
  readonly #connection: Connection
  readonly #codec: FrameCodec
  readonly #limits: AwpLimits
  format: WireFormat = { encoding: 'json', compression: 'none' }
  dialect: Dialect = 'draft'

  constructor(connection: Connection, codec: FrameCodec, limits: AwpLimits) {
    this.#connection = connection
    this.#codec = codec
    this.#limits = limits
  }

  /** The peer reads so slowly that what can be told again later is held back. */
  get isBehind(): boolean {
    return this.#connection.bufferedBytes > this.#limits.eventBufferBytes
  }

  /** Answers a request. An answer that is no frame, or too large for one, becomes an error that says so. */
  respond(id: RequestId, outcome: Outcome, trace: string | undefined, method?: string, format = this.format): void {
    const meta = messageMeta(trace)
    const encoded = this.#codec.encode({ id, type: 'response', ...outcome, meta } satisfies OutgoingEnvelope, format)
    if (encoded.ok) {
      this.#write(encoded.frame)
      return
    }
    const error =
      encoded.code === 'too_large'
        ? new DomosError('too_large', 'The answer is larger than a frame. Ask for less with max_bytes or max_tokens.', {
            details: { bytes: encoded.bytes, maxBytes: this.#limits.maxFrameBytes },
          })
        : new DomosError('internal', 'The answer has no form on the wire.')
    const small = { id, type: 'response', error: toAwpError(error, this.dialect, method), meta } as const
    const frame = this.#codec.encode(small satisfies OutgoingEnvelope, format)
    if (frame.ok) this.#write(frame.frame)
  }

  /** Sends an event; false when it is larger than a frame. */
  event(method: string, params: JsonObject, trace: string | undefined): boolean {
    const message: OutgoingEnvelope = { type: 'event', method, params, meta: messageMeta(trace) }
    const encoded = this.#codec.encode(message, this.format)
    if (encoded.ok) this.#write(encoded.frame)
    return encoded.ok
  }

  #write(frame: string | Uint8Array): void {
    this.#connection.send(frame)
    if (this.#connection.bufferedBytes > this.#limits.maxBufferedBytes) {
      this.#connection.close(1013, 'The client does not read its messages')
    }
  }
}
