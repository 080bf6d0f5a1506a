import {
  DomosError,
  describeThrown,
  type SpeechChunk,
  type SpeechEngineHealth,
  type SpeechVoice,
  type SynthesisRequest,
  type TextToSpeech,
} from '@domos/spec'
import { createEngineWorker, type EngineWorker, siblingModule } from '@domos/speech-worker'
import { SHERPA_LIMITS, type SherpaLimits } from './limits.ts'
import { findSynthesisModel } from './model-files.ts'
import type { SherpaOptions } from './recognition.ts'
import type { SherpaInit, SpeakParams, SpokenSentence } from './worker-messages.ts'

/**
 * Speech with a sherpa-onnx model in a worker process, sentence by sentence. Voices are the model's speakers: `0`, `1`, …
 * @throws with code `unavailable` when the directory holds no model that is known
 */
export function createSherpaSynthesis(options: SherpaOptions): TextToSpeech {
  const limits = { ...SHERPA_LIMITS, ...options.limits }
  const model = findSynthesisModel(options.modelDirectory, limits.threads)
  const worker = createEngineWorker({
    name: `sherpa ${model.kind}`,
    entry: siblingModule('./worker', import.meta.url),
    init: { type: 'synthesis', model } satisfies SherpaInit,
    limits: { callTimeoutMs: limits.callTimeoutMs, startTimeoutMs: limits.startTimeoutMs },
  })
  const voices = async (): Promise<readonly SpeechVoice[]> => {
    // The worker is our own module, so the shape is known.
    const { speakers } = (await worker.start()) as { readonly speakers: number }
    return Array.from({ length: Math.max(1, speakers) }, (_, index) => ({
      id: String(index),
      language: 'mul',
      description: `speaker ${index} of the model`,
    }))
  }
  return {
    id: 'sherpa',
    voices,
    async health(signal): Promise<SpeechEngineHealth> {
      signal.throwIfAborted()
      try {
        await worker.start()
        return { state: 'ready', detail: `sherpa-onnx, ${model.kind} model.`, missing: [] }
      } catch (thrown) {
        return { state: 'unavailable', detail: describeThrown(thrown), missing: ['sherpa-onnx-node (npm package)'] }
      }
    },
    synthesize: (request, signal) => synthesize(request, signal, { worker, limits, voices }),
    close: () => worker.close(),
  }
}

interface Synthesis {
  readonly worker: EngineWorker
  readonly limits: SherpaLimits
  readonly voices: () => Promise<readonly SpeechVoice[]>
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

async function* synthesize(
  { text, voice, speed = 1 }: SynthesisRequest,
  signal: AbortSignal,
  { worker, limits, voices }: Synthesis,
): AsyncGenerator<SpeechChunk, void, undefined> {
  if (!(speed >= 0.5 && speed <= 2))
    throw new DomosError('invalid_request', 'The speed of speech lies between 0.5 and 2.')
  if (text.length > limits.maxTextCharacters) {
    throw new DomosError(
      'too_large',
      `A text to speak has at most ${limits.maxTextCharacters} characters (maxTextCharacters).`,
    )
  }
  if (signal.aborted) throw new DomosError('cancelled', 'The speech was cancelled.')
  if (voice !== undefined && !(await voices()).some(({ id }) => id === voice)) {
    throw new DomosError('invalid_request', `The model has no voice "${voice.slice(0, 40)}".`)
  }
  for (const { segment, index } of segmenter.segment(text)) {
    if (!/[\p{L}\p{N}]/u.test(segment)) continue
    const params: SpeakParams = { text: segment, speaker: Number(voice ?? 0), speed }
    // The worker is our own module, so the shape is known.
    const { samples, sampleRateHz } = (await worker.call('speak', params, signal)) as SpokenSentence
    if (samples.length > 0) yield { samples, sampleRateHz, textStart: index, textEnd: index + segment.length }
    if (signal.aborted) throw new DomosError('cancelled', 'The speech was cancelled.')
  }
}
