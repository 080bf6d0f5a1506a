import type { PocketsphinxLibrary, Pointer, Segment } from './pocketsphinx-library.ts'

/** A word of a result, times in ms from the first sample of the utterance. */
export interface DecodedWord {
  readonly word: string
  readonly startMs: number
  readonly endMs: number
  readonly confidence: number
}

/** One search over one stream of utterances. */
export interface Decoder {
  start(): void
  /**
   * Gets used to a voice before its first utterance is decoded: the decoder's estimate of the channel is made from ended
   * utterances, so without this the first one is heard badly.
   */
  getUsedTo(samples: Int16Array): void
  process(samples: Int16Array): void
  end(): void
  /** The words so far, without silences and noises. */
  words(): readonly DecodedWord[]
  /** The words so far, text alone. */
  text(): readonly string[]
  probability(): number
  lookup(word: string): string | undefined
  addWord(word: string, phones: string): void
  useGrammar(jsgf: string): void
}

/** Samples in one call of the library: a longer one would hold up the worker's other messages. */
const SLICE = 512
const FRAME_MS = 10
/** How often a new voice is listened to, so that it outweighs the one before. */
const GET_USED_TURNS = 6
const SAMPLES_PER_FRAME = 160

/** Wraps a decoder of the library; throws when a call of it fails. */
export function createDecoder(library: PocketsphinxLibrary, settings: readonly string[]): Decoder {
  const decoder: Pointer = library.createDecoder(settings)
  const phones = new Map<string, string | undefined>()
  let grammars = 0
  let open = false
  const check = (ok: boolean, what: string): void => {
    if (!ok) throw new Error(`pocketsphinx cannot ${what}`)
  }
  const spoken = (): readonly Segment[] => library.segments(decoder).filter(({ word }) => !isNoise(word))
  return {
    start() {
      if (open) this.end()
      check(library.startUtterance(decoder), 'begin an utterance')
      open = true
    },
    getUsedTo(samples) {
      for (let turn = 0; turn < GET_USED_TURNS; turn++) {
        check(library.startUtterance(decoder), 'begin an utterance')
        library.listen(decoder, samples)
        check(library.endUtterance(decoder), 'end the utterance')
      }
    },
    process(samples) {
      for (let at = 0; at < samples.length; at += SLICE) {
        check(library.process(decoder, samples.subarray(at, at + SLICE)), 'take samples')
      }
    },
    end() {
      open = false
      check(library.endUtterance(decoder), 'end the utterance')
    },
    words() {
      const segments = library.segments(decoder)
      const origin = segments.find(({ word }) => word !== '(NULL)')?.firstFrame ?? 0
      return segments
        .filter(({ word }) => !isNoise(word))
        .map(({ word, firstFrame, lastFrame, probability }) => ({
          word: plain(word),
          startMs: (firstFrame - origin) * FRAME_MS,
          endMs: (lastFrame + 1 - origin) * FRAME_MS,
          confidence: Math.round(probability * 1_000) / 1_000,
        }))
    },
    text: () => spoken().map(({ word }) => plain(word)),
    probability: () => library.probability(decoder),
    lookup(word) {
      if (!phones.has(word)) phones.set(word, library.lookup(decoder, word))
      return phones.get(word)
    },
    addWord(word, sounds) {
      check(library.addWord(decoder, word, sounds), 'add a word')
      phones.set(word, sounds)
    },
    useGrammar(jsgf) {
      const name = `grammar${++grammars}`
      check(library.useGrammar(decoder, name, jsgf), 'use the grammar of the hints')
      if (grammars > 1) library.dropSearch(decoder, `grammar${grammars - 1}`)
    },
  }
}

/** Length of audio in whole frames, as the decoder counts it. */
export function toMs(samples: number): number {
  return Math.floor(samples / SAMPLES_PER_FRAME) * FRAME_MS
}

function isNoise(word: string): boolean {
  return /^(?:<.*>|\[.*\]|\+\+.*\+\+|\(NULL\))$/.test(word)
}

/** The word without the number of its pronunciation: to(3) is to. */
function plain(word: string): string {
  return word.replace(/\(\d+\)$/, '')
}
