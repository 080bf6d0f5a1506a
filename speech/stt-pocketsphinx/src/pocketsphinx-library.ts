import koffi from 'koffi'

/** A pointer of the library. */
export type Pointer = unknown

/** The functions of libpocketsphinx 0.8+5prealpha that are used, under their C names without prefix. */
export interface PocketsphinxLibrary {
  createDecoder(settings: readonly string[]): Pointer
  startUtterance(decoder: Pointer): boolean
  process(decoder: Pointer, samples: Int16Array): boolean
  /** Takes samples for the estimate of the channel alone, without a search. */
  listen(decoder: Pointer, samples: Int16Array): boolean
  endUtterance(decoder: Pointer): boolean
  /** The decoder's estimate of the channel: mean cepstra, and over how many frames. Undefined in an unknown build. */
  channel(decoder: Pointer): { readonly mean: Float32Array; readonly frames: number } | undefined
  setChannel(decoder: Pointer, mean: Float32Array): void
  segments(decoder: Pointer): readonly Segment[]
  /** Probability of the whole result, 0 to 1. */
  probability(decoder: Pointer): number
  lookup(decoder: Pointer, word: string): string | undefined
  addWord(decoder: Pointer, word: string, phones: string): boolean
  /** Makes this grammar the decoder's search, in the place of the last one. */
  useGrammar(decoder: Pointer, name: string, jsgf: string): boolean
  dropSearch(decoder: Pointer, name: string): void
}

/** A piece of the decoder's result; frames are 10 ms and run on over all utterances. */
export interface Segment {
  readonly word: string
  readonly firstFrame: number
  readonly lastFrame: number
  readonly probability: number
}

const NAMES = {
  pocketsphinx: ['libpocketsphinx.so.3', 'libpocketsphinx.3.dylib'],
  sphinxbase: ['libsphinxbase.so.3', 'libsphinxbase.3.dylib'],
} as const

/** Offsets in `feat_t` of 0.8+5prealpha, 64 bits. */
const CEPSTRA_OFFSET = 16
const CHANNEL_OFFSET = 88
const CEPSTRA = 13

// koffi unloads a library whose handle is collected, and the process then ends in a segmentation fault.
const pinned: unknown[] = []

/** Loads the system's library. Throws when it is not there. */
export function loadPocketsphinx(): PocketsphinxLibrary {
  const base = load(NAMES.sphinxbase)
  const sphinx = load(NAMES.pocketsphinx)
  const definitions = sphinx.func('void *ps_args()')
  const parse = base.func('void *cmd_ln_parse_r(void *into, void *definitions, int count, str *arguments, int strict)')
  const init = sphinx.func('void *ps_init(void *config)')
  const start = sphinx.func('int ps_start_utt(void *decoder)')
  const process = sphinx.func(
    'int ps_process_raw(void *decoder, int16_t *samples, size_t count, int no_search, int full)',
  )
  const end = sphinx.func('int ps_end_utt(void *decoder)')
  const hypothesis = sphinx.func('str ps_get_hyp(void *decoder, _Out_ int *score)')
  const firstSegment = sphinx.func('void *ps_seg_iter(void *decoder)')
  const nextSegment = sphinx.func('void *ps_seg_next(void *segment)')
  const segmentWord = sphinx.func('str ps_seg_word(void *segment)')
  const segmentFrames = sphinx.func('void ps_seg_frames(void *segment, _Out_ int *first, _Out_ int *last)')
  const segmentProbability = sphinx.func('int ps_seg_prob(void *segment, _Out_ int *a, _Out_ int *l, _Out_ int *b)')
  const probability = sphinx.func('int ps_get_prob(void *decoder)')
  const logMath = sphinx.func('void *ps_get_logmath(void *decoder)')
  const exponent = base.func('double logmath_exp(void *logmath, int value)')
  const features = sphinx.func('void *ps_get_feat(void *decoder)')
  const setMean = base.func('void cmn_live_set(void *cmn, float *mean)')
  const channelType = koffi.struct({ mean: 'void *', variance: 'void *', sum: 'void *', frames: 'int', length: 'int' })
  /** The library has no call for it, so it is read where this version keeps it, after a look at whether it is there. */
  const channelOf = (decoder: Pointer): Pointer | undefined => {
    const at: Pointer = features(decoder)
    const cepstra: number = koffi.decode(at, CEPSTRA_OFFSET, 'int')
    const channel: Pointer = cepstra === CEPSTRA ? koffi.decode(at, CHANNEL_OFFSET, 'void *') : undefined
    return channel && koffi.decode(channel, channelType).length === CEPSTRA ? channel : undefined
  }
  const lookup = sphinx.func('str ps_lookup_word(void *decoder, str word)')
  const addWord = sphinx.func('int ps_add_word(void *decoder, str word, str phones, int update)')
  const setGrammar = sphinx.func('int ps_set_jsgf_string(void *decoder, str name, str jsgf)')
  const setSearch = sphinx.func('int ps_set_search(void *decoder, str name)')
  const unsetSearch = sphinx.func('int ps_unset_search(void *decoder, str name)')

  return {
    createDecoder(settings) {
      const config: Pointer = parse(null, definitions(), settings.length, [...settings], 1)
      const decoder: Pointer = config ? init(config) : null
      if (!decoder) throw new Error('pocketsphinx does not accept the model files')
      return decoder
    },
    startUtterance: (decoder) => start(decoder) === 0,
    process: (decoder, samples) => process(decoder, samples, samples.length, 0, 0) >= 0,
    listen: (decoder, samples) => process(decoder, samples, samples.length, 1, 0) >= 0,
    endUtterance: (decoder) => end(decoder) === 0,
    channel(decoder) {
      const channel = channelOf(decoder)
      if (!channel) return undefined
      const { mean, frames } = koffi.decode(channel, channelType)
      return { mean: Float32Array.from(koffi.decode(mean, koffi.array('float', CEPSTRA, 'Typed'))), frames }
    },
    setChannel(decoder, mean) {
      const channel = channelOf(decoder)
      if (channel) setMean(channel, mean)
    },
    segments(decoder) {
      const found: Segment[] = []
      // Asking for segments of an utterance without a result is an error in the library, asking for its text is not.
      if (!hypothesis(decoder, [0])) return found
      const math: Pointer = logMath(decoder)
      for (let at: Pointer = firstSegment(decoder); at; at = nextSegment(at)) {
        const first = [0]
        const last = [0]
        segmentFrames(at, first, last)
        const score: number = segmentProbability(at, [0], [0], [0])
        found.push({
          word: segmentWord(at) as string,
          firstFrame: first[0] as number,
          lastFrame: last[0] as number,
          probability: Math.min(1, exponent(math, score) as number),
        })
      }
      return found
    },
    probability: (decoder) => Math.min(1, exponent(logMath(decoder), probability(decoder)) as number),
    lookup: (decoder, word) => (lookup(decoder, word) as string | null) ?? undefined,
    addWord: (decoder, word, phones) => addWord(decoder, word, phones, 0) >= 0,
    useGrammar: (decoder, name, jsgf) => setGrammar(decoder, name, jsgf) === 0 && setSearch(decoder, name) === 0,
    dropSearch: (decoder, name) => void unsetSearch(decoder, name),
  }
}

function load(names: readonly string[]): ReturnType<typeof koffi.load> {
  let failure: unknown
  for (const name of names) {
    try {
      const library = koffi.load(name, { global: true })
      pinned.push(library)
      return library
    } catch (thrown) {
      failure ??= thrown
    }
  }
  throw failure
}
