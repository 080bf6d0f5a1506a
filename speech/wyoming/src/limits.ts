/** Bounds of a Wyoming client. */
export interface WyomingLimits {
  /** To connect, and between two events that are waited for. @default 20000 */
  readonly timeoutMs: number
  /** One utterance; what is longer makes `finish` fail with code `too_large`. @default 30000 */
  readonly maxUtteranceMs: number
  /** UTF-16 units of a text to speak. @default 4096 */
  readonly maxTextCharacters: number
  /** The header line of an event. @default 65536 */
  readonly maxHeaderBytes: number
  /** The data block and the payload of an event, each. @default 1048576 */
  readonly maxBlockBytes: number
  /** Speech of one request; more is refused with code `too_large`. @default 600000 */
  readonly maxSpeechMs: number
}

/** Defaults of {@link WyomingLimits}. */
export const WYOMING_LIMITS: WyomingLimits = {
  timeoutMs: 20_000,
  maxUtteranceMs: 30_000,
  maxTextCharacters: 4_096,
  maxHeaderBytes: 65_536,
  maxBlockBytes: 1_048_576,
  maxSpeechMs: 600_000,
}
