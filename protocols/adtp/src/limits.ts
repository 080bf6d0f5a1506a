/** The protocol version both documents speak (HANDSHAKE_INIT, HANDSHAKE_ACK, `meta.version`). */
export const PROTOCOL_VERSION = '1.0.0'

/** How long a client waits for HANDSHAKE_ACK ("Handshake Timeout", rule 1). */
export const HANDSHAKE_TIMEOUT_MS = 5_000

/** WebSocket close code of a handshake that took too long ("Handshake Timeout", rule 3). */
export const HANDSHAKE_TIMEOUT_CLOSE_CODE = 4000

/** Reason that goes with {@link HANDSHAKE_TIMEOUT_CLOSE_CODE}. */
export const HANDSHAKE_TIMEOUT_CLOSE_REASON = 'Handshake timeout'

/** Close codes of ADTP connections. */
export const closeCodes = {
  /** The page is done. */
  normal: 1000,
  /** The server shuts down, or the session ended; come back later. */
  goingAway: 1001,
  /** Not let in: key, version or rate. */
  policy: 1008,
  /** A frame over the limit. */
  tooLarge: 1009,
  /** A fault of the server. */
  internal: 1011,
  /** Full, too fast or too slow; come back later. */
  tryLater: 1013,
  /** No handshake in time. */
  handshakeTimeout: HANDSHAKE_TIMEOUT_CLOSE_CODE,
} as const

/** What an operator may change at the page door. */
export interface AdtpDoorLimits {
  /** Largest frame in bytes. @default 4194304 (4 MiB) */
  readonly maxFrameBytes: number
  /** Time from the upgrade to HANDSHAKE_INIT, in milliseconds. @default 5000 */
  readonly helloTimeoutMs: number
  /** Largest first frame of a peer that has not shown its key yet, in bytes. @default 4096 */
  readonly maxHelloBytes: number
  /** Frames kept while a peer is being admitted. @default 16 */
  readonly maxQueuedFrames: number
  /** Bytes kept while a peer is being admitted. @default 65536 */
  readonly maxQueuedBytes: number
  /** Frames a connection may send per second, and in one burst. @default 100 */
  readonly maxMessagesPerSecond: number
  /** USER_INPUTs a connection may send per minute, and in one burst. @default 20 */
  readonly maxInputsPerMinute: number
  /** Frames over the rate after which the connection is closed with 1013; counted per second. @default 100 */
  readonly maxRefusedPerSecond: number
  /** Tools of one page that count; the surplus is ignored and reported. @default 128 */
  readonly maxActiveTools: number
  /** Calls open at one page. @default 64 */
  readonly maxOpenCalls: number
  /**
   * How long a running call may still bring its result after its tool left the page, in milliseconds; for pages that
   * announced `tool_cancel`, which answer such a call. @default 2000
   */
  readonly toolLeaveGraceMs: number
  /** Bytes a slow page may leave unread before it is closed with 1013. @default 8388608 (8 MiB) */
  readonly maxUnreadBytes: number
  /** Text deltas are put together for this long before a chunk goes out, in milliseconds. @default 25 */
  readonly chunkDelayMs: number
  /** The newest delta is held back this long, so that the last chunk of an answer is not an empty one. @default 250 */
  readonly chunkHoldMs: number
  /** How long a dropped page may come back, in milliseconds. @default 120000 (2 min) */
  readonly resumeTtlMs: number
  /** Frames kept for replay per page. @default 512 */
  readonly maxReplayFrames: number
  /** Bytes kept for replay per page. @default 1048576 (1 MiB) */
  readonly maxReplayBytes: number
  /** Dropped pages kept for resumption in the whole door; beyond, the oldest is given up. @default 1000 */
  readonly maxDetachedPages: number
  /** Distinct ids of USER_INPUTs remembered per page, to recognise one sent again. @default 64 */
  readonly maxRememberedInputs: number
}

/** The defaults of {@link AdtpDoorLimits}. */
export const defaultAdtpDoorLimits: AdtpDoorLimits = {
  maxFrameBytes: 4_194_304,
  helloTimeoutMs: 5_000,
  maxHelloBytes: 4_096,
  maxQueuedFrames: 16,
  maxQueuedBytes: 65_536,
  maxMessagesPerSecond: 100,
  maxInputsPerMinute: 20,
  maxRefusedPerSecond: 100,
  maxActiveTools: 128,
  maxOpenCalls: 64,
  toolLeaveGraceMs: 2_000,
  maxUnreadBytes: 8_388_608,
  chunkDelayMs: 25,
  chunkHoldMs: 250,
  resumeTtlMs: 120_000,
  maxReplayFrames: 512,
  maxReplayBytes: 1_048_576,
  maxDetachedPages: 1_000,
  maxRememberedInputs: 64,
}
