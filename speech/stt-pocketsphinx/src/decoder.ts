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
   * Listens to a voice without decoding it and gives its channel (mean cepstra). The decoder's own estimate is made from
   * ended utterances, so without this the first one of a voice is heard badly.
   */
  learnChannel(samples: Int16Array): Float32Array | undefined
  setChannel(mean: Float32Array): void
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
    learnChannel(samples) {
      const listen = (): void => {
        check(library.startUtterance(decoder), 'begin an utterance')
        library.listen(decoder, samples)
        check(library.endUtterance(decoder), 'end the utterance')
      }
      // The first estimate of all is mixed with the model's default.
      if (library.channel(decoder)?.frames === 0) listen()
      const before = library.channel(decoder)
      listen()
      const after = library.channel(decoder)
      if (!before || !after) return undefined
      const fresh = after.frames - before.frames
      // The library forgets old frames from time to time; then its mean is mostly the new voice anyway.
      if (fresh <= 0) return after.mean
      return after.mean.map((mean, index) => (mean * after.frames - (before.mean[index] ?? 0) * before.frames) / fresh)
    },
    setChannel: (mean) => library.setChannel(decoder, mean),
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

function isNoise(word: string): boolean {
  return /^(?:<.*>|\[.*\]|\+\+.*\+\+|\(NULL\))$/.test(word)
}

/** The word without the number of its pronunciation: to(3) is to. */
function plain(word: string): string {
  return word.replace(/\(\d+\)$/, '')
}
