/** Bounds of the pocketsphinx engine. */
export interface PocketsphinxLimits {
  /** One utterance; what is longer makes `finish` fail with code `too_large`. @default 30000 */
  readonly maxUtteranceMs: number
  /** Worker processes, i.e. people who can speak at the same time; each takes some 250 MB. @default 4 */
  readonly maxWorkers: number
  /** How long an utterance may wait for a free worker, counted from `finish`. @default 10000 */
  readonly waitForWorkerMs: number
  /** Time for the final result; a worker that takes longer is killed. @default 15000 */
  readonly finishTimeoutMs: number
  /** Loading the models in a worker. @default 30000 */
  readonly startTimeoutMs: number
  /** Tools the grammar is made from; the others are left to general language. @default 128 */
  readonly maxGrammarTools: number
  /** Values, phrases and vocabulary entries of the grammar together. @default 1500 */
  readonly maxGrammarPhrases: number
  /** Words of one value or phrase; longer ones are left out. @default 12 */
  readonly maxPhraseWords: number
}

/** Defaults of {@link PocketsphinxLimits}. */
export const POCKETSPHINX_LIMITS: PocketsphinxLimits = {
  maxUtteranceMs: 30_000,
  maxWorkers: 4,
  waitForWorkerMs: 10_000,
  finishTimeoutMs: 15_000,
  startTimeoutMs: 30_000,
  maxGrammarTools: 128,
  maxGrammarPhrases: 1_500,
  maxPhraseWords: 12,
}
