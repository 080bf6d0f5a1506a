/** Bounds of the sherpa engines. */
export interface SherpaLimits {
  /** One utterance; what is longer makes `finish` fail with code `too_large`. @default 30000 */
  readonly maxUtteranceMs: number
  /** UTF-16 units of one text to speak. @default 5000 */
  readonly maxTextCharacters: number
  /** Time for a final result or a sentence; a worker that takes longer is killed. @default 30000 */
  readonly callTimeoutMs: number
  /** Loading the model. @default 60000 */
  readonly startTimeoutMs: number
  /** Threads of the model. @default 2 */
  readonly threads: number
}

/** Defaults of {@link SherpaLimits}. */
export const SHERPA_LIMITS: SherpaLimits = {
  maxUtteranceMs: 30_000,
  maxTextCharacters: 5_000,
  callTimeoutMs: 30_000,
  startTimeoutMs: 60_000,
  threads: 2,
}
