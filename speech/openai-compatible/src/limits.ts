/** Bounds of the endpoints. */
export interface EndpointLimits {
  /** Until the answer's headers, and between two pieces of its body. @default 20000 */
  readonly timeoutMs: number
  /** One utterance; what is longer makes `finish` fail with code `too_large`. @default 30000 */
  readonly maxUtteranceMs: number
  /** UTF-16 units of a text to speak. @default 4096 */
  readonly maxTextCharacters: number
  /** Bytes of a transcription's answer. @default 1048576 */
  readonly maxAnswerBytes: number
  /** Speech of one request; more is refused with code `too_large`. @default 600000 */
  readonly maxSpeechMs: number
  /** The longest `Retry-After` that is waited for, once; a longer one fails at once. @default 2000 */
  readonly maxRetryWaitMs: number
  /** Words handed over as a prompt. @default 200 */
  readonly maxPromptWords: number
}

/** Defaults of {@link EndpointLimits}. */
export const ENDPOINT_LIMITS: EndpointLimits = {
  timeoutMs: 20_000,
  maxUtteranceMs: 30_000,
  maxTextCharacters: 4_096,
  maxAnswerBytes: 1_048_576,
  maxSpeechMs: 600_000,
  maxRetryWaitMs: 2_000,
  maxPromptWords: 200,
}
