import { createRequire } from 'node:module'

/** The part of sherpa-onnx-node that is used; the package has no types of its own. */
export interface SherpaApi {
  readonly OnlineRecognizer: new (config: object) => OnlineRecognizer
  readonly OfflineRecognizer: new (config: object) => OfflineRecognizer
  readonly OfflineTts: new (config: object) => OfflineTts
}

/** Takes samples in ±1. */
export interface SherpaStream {
  acceptWaveform(wave: { readonly samples: Float32Array; readonly sampleRate: number }): void
  inputFinished(): void
}

/** Times are seconds, one for each token; absent for models that have none. */
export interface SherpaResult {
  readonly text: string
  readonly tokens?: readonly string[]
  readonly timestamps?: readonly number[]
}

interface OnlineRecognizer {
  createStream(): SherpaStream
  isReady(stream: SherpaStream): boolean
  decode(stream: SherpaStream): void
  getResult(stream: SherpaStream): SherpaResult
}

interface OfflineRecognizer {
  createStream(): Omit<SherpaStream, 'inputFinished'>
  decode(stream: object): void
  getResult(stream: object): SherpaResult
}

interface OfflineTts {
  readonly numSpeakers: number
  generate(request: object): { readonly samples: Float32Array; readonly sampleRate: number }
}

/** Loads the package. Throws a sentence that says how to get it. */
export function loadSherpa(): SherpaApi {
  try {
    return createRequire(import.meta.url)('sherpa-onnx-node') as SherpaApi
  } catch (cause) {
    throw new Error('sherpa-onnx-node is not installed here: npm install sherpa-onnx-node', { cause })
  }
}
