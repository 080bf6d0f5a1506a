import koffi from 'koffi'
import { FLITE_VOICES, type FliteSynthesizer } from './synthesizer.ts'

/** Names of the shared library, the newest ABI first. */
const SUFFIXES = ['.so.1', '.so', '.dylib']

/** What koffi gives for a `cst_wave *`. */
interface CstWave {
  readonly sample_rate: number
  readonly num_samples: number
  readonly num_channels: number
  readonly samples: unknown
}

// koffi unloads a library whose handle is collected, and the process then ends in a segmentation fault.
const pinned: unknown[] = []

/** The system's flite. Throws when the library or a voice of it is not installed. */
export function createNativeSynthesizer(): FliteSynthesizer {
  const flite = load('libflite')
  const waveType = koffi.struct({
    type: 'const char *',
    sample_rate: 'int',
    num_samples: 'int',
    num_channels: 'int',
    samples: 'void *',
  })
  const voiceType = koffi.struct({ name: 'const char *', features: 'void *' })
  const initialize = flite.func('int flite_init()')
  const textToWave = flite.func('void *flite_text_to_wave(const char *text, void *voice)')
  const deleteWave = flite.func('void delete_wave(void *wave)')
  const setFloat = flite.func('void flite_feat_set_float(void *features, void *name, float value)')
  const stretch = lastingText('duration_stretch')
  initialize()
  const voices = new Map<string, { readonly voice: unknown; readonly features: unknown }>()
  for (const { id } of FLITE_VOICES) {
    const voice: unknown = load(`libflite_cmu_us_${id}`).func(`void *register_cmu_us_${id}(const char *directory)`)(
      null,
    )
    voices.set(id, { voice, features: (koffi.decode(voice, voiceType) as { features: unknown }).features })
  }
  return {
    backend: 'native',
    speak({ text, voice: id, speed }) {
      const voice = voices.get(id)
      if (!voice) throw new Error(`There is no voice ${id}.`)
      setFloat(voice.features, stretch, 1 / speed)
      const wave: unknown = textToWave(text, voice.voice)
      if (!wave) throw new Error('flite gave no sound.')
      try {
        const header = koffi.decode(wave, waveType) as CstWave
        if (header.num_channels !== 1) throw new Error(`flite gave ${header.num_channels} channels.`)
        const samples =
          header.num_samples > 0
            ? Int16Array.from(
                koffi.decode(header.samples, koffi.array('int16_t', header.num_samples, 'Typed')) as Int16Array,
              )
            : new Int16Array()
        return { samples, sampleRateHz: header.sample_rate }
      } finally {
        deleteWave(wave)
      }
    },
  }
}

/** flite keeps the address of a feature's name, so it must outlast the call. */
function lastingText(text: string): unknown {
  const memory: unknown = koffi.alloc('char', text.length + 1)
  koffi.encode(memory, 'char', `${text}\0`, text.length + 1)
  pinned.push(memory)
  return memory
}

function load(name: string): ReturnType<typeof koffi.load> {
  let failure: unknown
  for (const suffix of SUFFIXES) {
    try {
      const library = koffi.load(name + suffix, { global: true })
      pinned.push(library)
      return library
    } catch (thrown) {
      failure ??= thrown
    }
  }
  throw failure
}
