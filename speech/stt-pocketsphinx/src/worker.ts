import { serveEngine } from '@domos/speech-worker/serve'
import { soundAgreement } from './agreement.ts'
import { createDecoder, type Decoder } from './decoder.ts'
import { loadPocketsphinx } from './pocketsphinx-library.ts'
import { pronounce } from './pronounce.ts'
import type {
  AudioParams,
  BeginParams,
  FinalResult,
  PartialEvent,
  SphinxGrammar,
  SphinxInit,
} from './worker-messages.ts'

/** Samples between two looks at the partial result. */
const PARTIAL_EVERY = 1_600
/** Samples of a new voice that are listened to before decoding begins: 0.8 s. */
const FIRST_WORDS = 12_800

/** A decoder cannot even listen without a search. */
const NO_GRAMMAR = '#JSGF V1.0;\ngrammar none;\npublic <none> = yes;\n'

serveEngine(async (init, emit) => {
  // The parent is our own module, so the shapes are known.
  const { modelDirectory } = init as SphinxInit
  const library = loadPocketsphinx()
  const common = [
    ...['-hmm', `${modelDirectory}/en-us`, '-dict', `${modelDirectory}/cmudict-en-us.dict`, '-logfn', '/dev/null'],
    // Endpointing is done by the caller, and word times must count every frame.
    ...['-remove_silence', 'no'],
  ]
  const language = createDecoder(library, [...common, '-lm', `${modelDirectory}/en-us.lm.bin`, '-fwdflat', 'no'])
  const grammar = createDecoder(library, common)
  grammar.useGrammar(NO_GRAMMAR)
  const session = createSession(language, grammar, emit)
  return {
    methods: {
      begin: (params) => session.begin(params as BeginParams),
      audio: (params) => session.audio(params as AudioParams),
      finish: (utterance) => session.finish(utterance as number),
      abandon: (utterance) => session.abandon(utterance as number),
    },
  }
})

function createSession(language: Decoder, grammar: Decoder, emit: (event: PartialEvent) => void) {
  let current: number | undefined
  let isLoaded = false
  let hasGrammar = false
  let grammarFailure: string | undefined
  let sinceLook = 0
  let lastPartial = ''
  /** The first words of a new voice, until there are enough of them. */
  let firstWords: Int16Array | undefined

  const close = (): void => {
    if (current === undefined) return
    current = undefined
    if (!firstWords) for (const decoder of inUse()) decoder.end()
    firstWords = undefined
  }
  const inUse = (): readonly Decoder[] => (hasGrammar ? [language, grammar] : [language])
  const start = (): void => {
    for (const decoder of inUse()) decoder.start()
  }
  const decode = (samples: Int16Array): void => {
    for (const decoder of inUse()) decoder.process(samples)
  }
  const startWithNewVoice = (samples: Int16Array): void => {
    firstWords = undefined
    // The grammar's search is cheap, so its decoder listens for both.
    const channel = samples.length > 0 ? grammar.learnChannel(samples) : undefined
    if (channel) for (const decoder of [language, grammar]) decoder.setChannel(channel)
    start()
    decode(samples)
  }
  /** A grammar that cannot be used costs its help, not the utterance. */
  const load = (next: SphinxGrammar): void => {
    isLoaded = false
    grammarFailure = undefined
    try {
      teach(grammar, next)
      grammar.useGrammar(next.jsgf)
      isLoaded = true
    } catch (thrown) {
      grammarFailure = thrown instanceof Error ? thrown.message : String(thrown)
    }
  }
  const soundsOf = (words: readonly string[]): readonly string[] =>
    words.flatMap((word) => (grammar.lookup(word) ?? word).split(' '))
  const heard = (): { language: readonly string[]; grammar: readonly string[]; agreement: number } => {
    const general = language.text()
    const expected = hasGrammar ? grammar.text() : []
    return { language: general, grammar: expected, agreement: soundAgreement(soundsOf(expected), soundsOf(general)) }
  }

  return {
    begin({ utterance, useGrammar, isNewVoice, grammar: next }: BeginParams): void {
      close()
      if (next) load(next)
      hasGrammar = useGrammar && isLoaded
      firstWords = isNewVoice ? new Int16Array() : undefined
      if (!firstWords) start()
      current = utterance
      sinceLook = 0
      lastPartial = ''
    },
    audio({ utterance, samples }: AudioParams): void {
      if (utterance !== current) return
      sinceLook += samples.length
      if (firstWords) {
        firstWords = join(firstWords, samples)
        if (firstWords.length < FIRST_WORDS) return
        startWithNewVoice(firstWords)
      } else {
        decode(samples)
      }
      if (sinceLook < PARTIAL_EVERY) return
      sinceLook = 0
      const now = heard()
      const key = `${now.language.join(' ')}|${now.grammar.join(' ')}`
      if (key !== lastPartial) emit({ utterance, ...now })
      lastPartial = key
    },
    finish(utterance: number): FinalResult {
      if (utterance !== current) throw new Error('That utterance is not open.')
      if (firstWords) startWithNewVoice(firstWords)
      close()
      return {
        language: language.words(),
        languageProbability: language.probability(),
        grammar: hasGrammar ? grammar.words() : [],
        agreement: heard().agreement,
        ...(grammarFailure === undefined ? {} : { grammarFailure }),
      }
    },
    abandon(utterance: number): void {
      if (utterance === current) close()
    },
  }
}

function join(first: Int16Array, second: Int16Array): Int16Array {
  const joined = new Int16Array(first.length + second.length)
  joined.set(first)
  joined.set(second, first.length)
  return joined
}

/** Gives the dictionary the words it lacks. */
function teach(decoder: Decoder, { words }: SphinxGrammar): void {
  for (const word of words) {
    if (decoder.lookup(word) !== undefined) continue
    decoder.addWord(
      word,
      pronounce(word, (part) => decoder.lookup(part)),
    )
  }
}
