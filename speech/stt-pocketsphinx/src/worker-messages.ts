import type { DecodedWord } from './decoder.ts'

/** What a worker is started with. */
export interface SphinxInit {
  /** Directory with `en-us/`, `en-us.lm.bin` and `cmudict-en-us.dict`. */
  readonly modelDirectory: string
}

/** A grammar in the form the decoder takes it; the words tell what the dictionary may lack. */
export interface SphinxGrammar {
  readonly jsgf: string
  readonly words: readonly string[]
}

/** Begins an utterance. `grammar` is sent when it differs from the one this worker had. */
export interface BeginParams {
  readonly utterance: number
  readonly useGrammar: boolean
  /** The decoders have not heard this voice last; they listen to its first words before they decode them. */
  readonly isNewVoice: boolean
  readonly grammar?: SphinxGrammar
}

/** Samples of the open utterance. */
export interface AudioParams {
  readonly utterance: number
  readonly samples: Int16Array
}

/** What both decoders heard so far. */
export interface PartialEvent {
  readonly utterance: number
  readonly language: readonly string[]
  readonly grammar: readonly string[]
  /** How much the two sound alike, 0 to 1. */
  readonly agreement: number
}

/** What both decoders heard in the whole utterance. */
export interface FinalResult {
  readonly language: readonly DecodedWord[]
  readonly languageProbability: number
  readonly grammar: readonly DecodedWord[]
  readonly agreement: number
  /** Why the grammar could not be used, if so. */
  readonly grammarFailure?: string
}
