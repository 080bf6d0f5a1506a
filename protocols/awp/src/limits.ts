/** Numbers of the browser door. All configurable; defaults in {@link defaultAwpLimits}. */
export interface AwpLimits {
  /** Largest frame. @default 1048576 */
  readonly maxFrameBytes: number
  /** Largest message after decompression. @default 8388608 */
  readonly maxInflatedBytes: number
  /** Deepest nesting of a message. @default 64 */
  readonly maxDepth: number
  /** Time for awp.hello to arrive. @default 5000 */
  readonly helloTimeoutMs: number
  /** Largest frame before hello. @default 16384 */
  readonly maxHelloBytes: number
  /** Requests of one connection in work at once. @default 64 */
  readonly maxInFlight: number
  /** How long an idempotency key is remembered. @default 600000 */
  readonly idempotencyTtlMs: number
  /** Idempotency keys remembered for one principal; the oldest is forgotten. @default 1000 */
  readonly maxIdempotencyKeys: number
  /** Bytes of remembered idempotent responses for one principal. @default 8388608 */
  readonly maxIdempotencyBytes: number
  /** Messages smaller than this are not compressed. @default 1024 */
  readonly compressFromBytes: number
  /** Unsent bytes from which mutation events are dropped and one resync is sent instead. @default 1048576 */
  readonly eventBufferBytes: number
  /** Unsent bytes from which a peer that does not read is dropped with close code 1013. @default 16777216 */
  readonly maxBufferedBytes: number
  /** How often an owed resync looks whether the peer has caught up. @default 100 */
  readonly resyncCheckMs: number
  /** How far a signed hello's timestamp may be off. @default 300000 */
  readonly signatureWindowMs: number
  /** Nonces remembered within the window; one more is refused until some expire. @default 100000 */
  readonly maxNonces: number
  /** Malformed frames in ten seconds before the connection is closed with 1008. @default 20 */
  readonly maxMalformedFrames: number
}

/** The documented defaults. */
export const defaultAwpLimits: AwpLimits = {
  maxFrameBytes: 1_048_576,
  maxInflatedBytes: 8_388_608,
  maxDepth: 64,
  helloTimeoutMs: 5_000,
  maxHelloBytes: 16_384,
  maxInFlight: 64,
  idempotencyTtlMs: 600_000,
  maxIdempotencyKeys: 1_000,
  maxIdempotencyBytes: 8_388_608,
  compressFromBytes: 1_024,
  eventBufferBytes: 1_048_576,
  maxBufferedBytes: 16_777_216,
  resyncCheckMs: 100,
  signatureWindowMs: 300_000,
  maxNonces: 100_000,
  maxMalformedFrames: 20,
}

/** The protocol versions this build speaks, newest last (Versioning and Capability Negotiation). */
export const AWP_VERSIONS = ['0.1'] as const
