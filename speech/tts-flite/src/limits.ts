/** Bounds of the flite engine. */
export interface FliteLimits {
  /** UTF-16 units of one request; a longer text is refused with code `too_large`. @default 5000 */
  readonly maxTextCharacters: number
  /** What is spoken in one go; longer sentences are cut. @default 240 */
  readonly maxSentenceCharacters: number
  /** Words up to which a first sentence is not cut at a clause. @default 8 */
  readonly firstChunkWords: number
  /** One sentence; a worker that takes longer is killed. @default 15000 */
  readonly sentenceTimeoutMs: number
  /** Sentences waiting in the worker over all requests; one more is refused with code `busy`. @default 64 */
  readonly maxPendingSentences: number
}

/** Defaults of {@link FliteLimits}. */
export const FLITE_LIMITS: FliteLimits = {
  maxTextCharacters: 5_000,
  maxSentenceCharacters: 240,
  firstChunkWords: 8,
  sentenceTimeoutMs: 15_000,
  maxPendingSentences: 64,
}
