/** What the listener holds a peer to. Every number is configurable; the defaults stand in {@link defaultServerLimits}. */
export interface ServerLimits {
  /** Time for a client to send its request headers. @default 5000 */
  readonly headersTimeoutMs: number
  /** Time between two pings; a connection without a sign of life between two of them is terminated. @default 30000 */
  readonly pingIntervalMs: number
  /** WebSocket connections in all. @default 15000 */
  readonly maxConnections: number
  /** WebSocket connections of one remote address; loopback is exempt. @default 100 */
  readonly maxConnectionsPerAddress: number
  /** Upgrades of one remote address a minute; loopback is exempt. @default 120 */
  readonly maxUpgradesPerMinute: number
  /** Fragments one message may come in. @default 1024 */
  readonly maxFragments: number
  /** Data chunks the parser may hold for one connection. @default 4096 */
  readonly maxBufferedChunks: number
  /** Bytes accepted and not yet written out before a peer counts as too slow and is closed with 1013. @default 8388608 */
  readonly maxSendBufferBytes: number
  /** Frames kept for a door that has not set its receiver yet; one more closes the connection with 1008. @default 64 */
  readonly maxEarlyFrames: number
  /** Body of an HTTP request. @default 65536 */
  readonly maxHttpBodyBytes: number
  /** Time for peers to leave at shutdown before their sockets are destroyed. @default 5000 */
  readonly shutdownTimeoutMs: number
}

/** The documented defaults. */
export const defaultServerLimits: ServerLimits = {
  headersTimeoutMs: 5_000,
  pingIntervalMs: 30_000,
  maxConnections: 15_000,
  maxConnectionsPerAddress: 100,
  maxUpgradesPerMinute: 120,
  maxFragments: 1_024,
  maxBufferedChunks: 4_096,
  maxSendBufferBytes: 8_388_608,
  maxEarlyFrames: 64,
  maxHttpBodyBytes: 65_536,
  shutdownTimeoutMs: 5_000,
}
