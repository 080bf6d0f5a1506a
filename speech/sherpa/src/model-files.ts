import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DomosError } from '@domos/spec'

/** A model for recognition: sherpa-onnx's own configuration, and what it can do. */
export interface RecognitionModel {
  readonly kind: 'online-transducer' | 'transducer' | 'moonshine' | 'sense-voice' | 'whisper'
  readonly modelConfig: Readonly<Record<string, unknown>>
}

/** A model for speech. */
export interface SynthesisModel {
  readonly kind: 'kokoro' | 'kitten' | 'vits'
  readonly modelConfig: Readonly<Record<string, unknown>>
}

/** Tells from the files of a directory, as sherpa-onnx publishes them, which model it holds. `int8` files are preferred. */
export function findRecognitionModel(directory: string, threads: number): RecognitionModel {
  const files = filesOf(directory)
  const common = { tokens: files.need(/tokens\.txt$/), numThreads: threads, provider: 'cpu', debug: 0 }
  const cached = files.find(/^cached_decode.*\.onnx$/)
  if (cached) {
    const moonshine = {
      preprocessor: files.need(/^preprocess.*\.onnx$/),
      encoder: files.need(/^encode.*\.onnx$/),
      uncachedDecoder: files.need(/^uncached_decode.*\.onnx$/),
      cachedDecoder: cached,
    }
    return { kind: 'moonshine', modelConfig: { ...common, moonshine } }
  }
  const joiner = files.find(/joiner.*\.onnx$/)
  const encoder = files.find(/encoder.*\.onnx$/)
  const decoder = files.find(/decoder.*\.onnx$/)
  if (joiner && encoder && decoder) {
    const kind = /streaming|online/.test(directory) ? 'online-transducer' : 'transducer'
    const nemo = /nemo|parakeet/.test(directory) ? { modelType: 'nemo_transducer' } : {}
    return { kind, modelConfig: { ...common, ...nemo, transducer: { encoder, decoder, joiner } } }
  }
  if (encoder && decoder) return { kind: 'whisper', modelConfig: { ...common, whisper: { encoder, decoder } } }
  const model = files.find(/^model.*\.onnx$/)
  if (model && /sense-?voice/.test(directory)) {
    return { kind: 'sense-voice', modelConfig: { ...common, senseVoice: { model, useInverseTextNormalization: 1 } } }
  }
  throw unknownModel(directory, 'moonshine, transducer, whisper or SenseVoice')
}

/** The same for speech. */
export function findSynthesisModel(directory: string, threads: number): SynthesisModel {
  const files = filesOf(directory)
  const common = { numThreads: threads, provider: 'cpu', debug: 0 }
  const model = files.find(/\.onnx$/)
  if (!model) throw unknownModel(directory, 'kokoro, kitten or vits')
  const parts = { model, tokens: files.need(/^tokens\.txt$/), dataDir: files.find(/^espeak-ng-data$/) ?? '' }
  const voices = files.find(/^voices.*\.bin$/)
  if (!voices) {
    return {
      kind: 'vits',
      modelConfig: { ...common, vits: { ...parts, lexicon: files.find(/^lexicon.*\.txt$/) ?? '' } },
    }
  }
  const kind = /kitten/.test(directory) ? 'kitten' : 'kokoro'
  return { kind, modelConfig: { ...common, [kind]: { ...parts, voices } } }
}

interface ModelFiles {
  /** The full path of the first matching entry, `int8` before others. */
  find(pattern: RegExp): string | undefined
  /** The same; throws when there is none. */
  need(pattern: RegExp): string
}

function filesOf(directory: string): ModelFiles {
  let names: readonly string[]
  try {
    names = readdirSync(directory).toSorted()
  } catch (cause) {
    throw new DomosError('unavailable', `The model directory ${directory} cannot be read.`, { cause })
  }
  const find = (pattern: RegExp): string | undefined => {
    const matching = names.filter((name) => pattern.test(name))
    const name = matching.find((each) => each.includes('int8')) ?? matching[0]
    return name === undefined ? undefined : join(directory, name)
  }
  return {
    find,
    need(pattern) {
      const path = find(pattern)
      if (path !== undefined) return path
      throw new DomosError('unavailable', `The model directory ${directory} has no file like ${pattern.source}.`)
    },
  }
}

function unknownModel(directory: string, kinds: string): DomosError {
  return new DomosError('unavailable', `The model directory ${directory} holds no ${kinds} model.`)
}
