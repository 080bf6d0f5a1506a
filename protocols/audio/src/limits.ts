/** The one audio format of the document ("Audio Format"): signed 16-bit little-endian PCM, mono, 16 kHz. */
export const AUDIO_FORMAT = { sampleRate: 16_000, channels: 1, bitDepth: 16 } as const

/** Bytes of one second in the document's format. */
export const BYTES_PER_SECOND = 32_000

/** Where a client connects when it is told nothing ("Connection URL"). */
export const DEFAULT_VOICE_URL = 'ws://localhost:3000/audio'

/** Largest frame in bytes, 1 MB ("Connection Limits"). */
export const MAX_FRAME_BYTES = 1_048_576

/** Time between two keepalive pings ("Keepalive and Timeout"). The listener sends them. */
export const PING_INTERVAL_MS = 30_000

/** Connections at a time ("Connection Limits"). */
export const MAX_CLIENTS = 10

/** Close codes of the voice door; the first two with the document's reasons ("Connection Rejection"). */
export const closeCodes = {
  /** The peer is done. */
  normal: 1000,
  /** Server shutting down. */
  goingAway: 1001,
  /** Not let in, or out of bounds again and again. */
  policy: 1008,
  /** A fault of the server. */
  internal: 1011,
  /** Max clients reached, or reading too slowly: come back later. */
  tryLater: 1013,
  /** The same device has connected again. */
  replaced: 4001,
} as const

/** Reasons that go with close codes, in the document's words where it has them. */
export const closeReasons = {
  shutdown: 'Server shutting down',
  full: 'Max clients reached',
  addressFull: 'Too many connections from this address',
  replaced: 'Replaced by a new connection of this device',
  badMessages: 'Too many bad messages',
  tooFast: 'Audio faster than 4 times real time',
  tooSlow: 'Reading too slowly',
  keyTimeout: 'No key in time',
} as const

/** What an operator may change at the voice door. */
export interface AudioDoorLimits {
  /** Largest frame in bytes. @default 1048576 (1 MiB) */
  readonly maxFrameBytes: number
  /** Connections at a time; one more is closed with 1013. @default 10 */
  readonly maxClients: number
  /** Connections of one remote address; loopback is exempt. @default 4 */
  readonly maxClientsPerAddress: number
  /** Longest text frame in characters. @default 16384 */
  readonly maxTextChars: number
  /** Text frames a connection may send per second, and in one burst. @default 50 */
  readonly maxTextsPerSecond: number
  /** Messages in error within `badMessageWindowMs` after which the connection is closed with 1008. @default 20 */
  readonly maxBadMessages: number
  /** @default 10000 */
  readonly badMessageWindowMs: number
  /** Audio a connection may send in the long run, as a multiple of real time. @default 4 */
  readonly maxAudioSpeed: number
  /** Audio that may arrive at once beyond that, in milliseconds; more closes the connection with 1008. @default 120000 */
  readonly maxAudioBurstMs: number
  /** Largest audio frame to a client in bytes. @default 2048 */
  readonly maxAudioFrameBytes: number
  /** Audio in the socket's buffer from which on frames are held back, in milliseconds. @default 1000 */
  readonly holdBufferedMs: number
  /** Audio a slow client is behind, from which on the answer is given up, in milliseconds. @default 3000 */
  readonly cancelBehindMs: number
  /** Audio a slow client is behind, from which on it is closed with 1013, in milliseconds. @default 10000 */
  readonly closeBehindMs: number
  /** Audio kept for a client that is held back, in milliseconds; matters with fast delivery. @default 60000 */
  readonly maxHeldMs: number
  /** How often a held-back client is looked at, in milliseconds. @default 20 */
  readonly holdCheckMs: number
  /** Frames kept while a session is being opened. @default 64 */
  readonly maxQueuedFrames: number
  /** Bytes kept while a session is being opened. @default 262144 */
  readonly maxQueuedBytes: number
  /** Time for the first frame with a key, where one is needed and the upgrade had none, in milliseconds. @default 5000 */
  readonly keyTimeoutMs: number
  /** Pause in the audio after which half a sample is forgotten, in milliseconds. @default 1000 */
  readonly carryTimeoutMs: number
  /** How long a session waits for a client that asked for a resume token, in milliseconds. @default 60000 */
  readonly resumeTtlMs: number
  /** Sessions that wait at a time; beyond, the oldest is given up. @default 32 */
  readonly maxResumable: number
  /** Time to finish a sentence at shutdown, in milliseconds. @default 2000 */
  readonly shutdownGraceMs: number
  /** Typed text in characters. @default 4000 */
  readonly maxTypedChars: number
}

/** The defaults of {@link AudioDoorLimits}. */
export const defaultAudioDoorLimits: AudioDoorLimits = {
  maxFrameBytes: MAX_FRAME_BYTES,
  maxClients: MAX_CLIENTS,
  maxClientsPerAddress: 4,
  maxTextChars: 16_384,
  maxTextsPerSecond: 50,
  maxBadMessages: 20,
  badMessageWindowMs: 10_000,
  maxAudioSpeed: 4,
  maxAudioBurstMs: 120_000,
  maxAudioFrameBytes: 2_048,
  holdBufferedMs: 1_000,
  cancelBehindMs: 3_000,
  closeBehindMs: 10_000,
  maxHeldMs: 60_000,
  holdCheckMs: 20,
  maxQueuedFrames: 64,
  maxQueuedBytes: 262_144,
  keyTimeoutMs: 5_000,
  carryTimeoutMs: 1_000,
  resumeTtlMs: 60_000,
  maxResumable: 32,
  shutdownGraceMs: 2_000,
  maxTypedChars: 4_000,
}
