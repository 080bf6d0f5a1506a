import type { RecognitionModel, SynthesisModel } from './model-files.ts'

/** What a worker is started with. */
export type SherpaInit =
  | { readonly type: 'recognition'; readonly model: RecognitionModel }
  | { readonly type: 'synthesis'; readonly model: SynthesisModel }

/** Samples of an utterance; the first ones open it. */
export interface AudioParams {
  readonly utterance: number
  readonly samples: Int16Array
}

/** What a streaming model heard so far. */
export interface PartialEvent {
  readonly utterance: number
  readonly text: string
}

/** A sentence to speak. */
export interface SpeakParams {
  readonly text: string
  readonly speaker: number
  readonly speed: number
}

/** A sentence spoken. */
export interface SpokenSentence {
  readonly samples: Int16Array
  readonly sampleRateHz: number
}
