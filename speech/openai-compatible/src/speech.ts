import { DomosError, type SpeechChunk, type SynthesisRequest, type TextToSpeech } from '@domos/spec'
import { createEndpoint, type Endpoint, type EndpointOptions } from './endpoint.ts'
import { ENDPOINT_LIMITS, type EndpointLimits } from './limits.ts'
import { createPcmReader } from './pcm-reader.ts'

/** What {@link createSpeech} takes. */
export interface SpeechOptions extends EndpointOptions {
  /** @default 'tts-1' */
  readonly model?: string
  /** Voices the server has; the first is the default. Others are passed on, and the server decides. @default ['alloy'] */
  readonly voices?: readonly string[]
  /** `wav` for servers without `pcm`. @default 'pcm' */
  readonly responseFormat?: 'pcm' | 'wav'
  /** Rate of `pcm`. @default 24000 */
  readonly sampleRateHz?: number
}

/** Speech by `POST /audio/speech`; samples are handed on as they arrive. */
export function createSpeech(options: SpeechOptions): TextToSpeech {
  const limits = { ...ENDPOINT_LIMITS, ...options.limits }
  const endpoint = createEndpoint(options, limits)
  const voices = options.voices ?? ['alloy']
  return {
    id: 'openai-compatible',
    health: (signal) => endpoint.health(signal),
    voices: async () => voices.map((id) => ({ id, language: 'mul', description: `voice ${id} of the server` })),
    synthesize: (request, signal) =>
      synthesize(request, signal, { endpoint, limits, options, voice: voices[0] ?? 'alloy' }),
    async close() {
      endpoint.close()
    },
  }
}

interface Synthesis {
  readonly endpoint: Endpoint
  readonly limits: EndpointLimits
  readonly options: SpeechOptions
  readonly voice: string
}

async function* synthesize(
  request: SynthesisRequest,
  signal: AbortSignal,
  { endpoint, limits, options, voice }: Synthesis,
): AsyncGenerator<SpeechChunk, void, undefined> {
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
  if (!/[\p{L}\p{N}]/u.test(request.text)) return
  const body = JSON.stringify({
    model: options.model ?? 'tts-1',
    input: request.text,
    voice: request.voice ?? voice,
    response_format: options.responseFormat ?? 'pcm',
    speed,
  })
  const answer = await endpoint.post('/audio/speech', () => body, signal)
  const reader = createPcmReader(options.sampleRateHz ?? 24_000)
  let spokenMs = 0
  for await (const bytes of answer.body) {
    const samples = reader.push(bytes)
    if (samples.length === 0) continue
    spokenMs += (samples.length * 1_000) / reader.sampleRateHz
    if (spokenMs > limits.maxSpeechMs) {
      throw new DomosError('too_large', `The server speaks longer than ${limits.maxSpeechMs} ms (maxSpeechMs).`)
    }
    yield { samples, sampleRateHz: reader.sampleRateHz }
    if (signal.aborted) throw new DomosError('cancelled', 'The speech was cancelled.')
  }
  if (spokenMs === 0) throw new DomosError('unavailable', 'The server gave no speech.')
}
