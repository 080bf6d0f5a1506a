import { DomosError, type SpeechChunk, type SynthesisRequest, type TextToSpeech } from '@domos/spec'
import type { WyomingAddress } from './connection.ts'
import type { WyomingEvent } from './event-codec.ts'
import { WYOMING_LIMITS, type WyomingLimits } from './limits.ts'
import { createService, type WyomingService } from './service.ts'

/** What {@link createWyomingSynthesis} takes. */
export interface WyomingSynthesisOptions extends WyomingAddress {
  readonly limits?: Partial<WyomingLimits>
}

/** Speech by a Wyoming server, at the rate of its voice. The protocol has no rate of speaking: another than 1 is refused. */
export function createWyomingSynthesis(options: WyomingSynthesisOptions): TextToSpeech {
  const limits = { ...WYOMING_LIMITS, ...options.limits }
  const service = createService(options, limits)
  return {
    id: 'wyoming',
    health: (signal) => service.health('tts', signal),
    voices: (signal) => service.voices(signal),
    synthesize: (request, signal) => synthesize(request, signal, service, limits),
    async close() {
      service.close()
    },
  }
}

async function* synthesize(
  { text, voice, speed = 1 }: SynthesisRequest,
  signal: AbortSignal,
  service: WyomingService,
  limits: WyomingLimits,
): AsyncGenerator<SpeechChunk, void, undefined> {
  if (speed !== 1) throw new DomosError('unsupported', 'Wyoming servers speak at one rate; leave speed out.')
  if (text.length > limits.maxTextCharacters) {
    throw new DomosError(
      'too_large',
      `A text to speak has at most ${limits.maxTextCharacters} characters (maxTextCharacters).`,
    )
  }
  if (signal.aborted) throw new DomosError('cancelled', 'The speech was cancelled.')
  if (!/[\p{L}\p{N}]/u.test(text)) return
  if (voice !== undefined && !(await service.voices(signal)).some(({ id }) => id === voice)) {
    throw new DomosError('invalid_request', `The Wyoming server has no voice "${voice.slice(0, 40)}".`)
  }
  const connection = await service.open(signal)
  try {
    connection.send('synthesize', { text, ...(voice !== undefined && { voice: { name: voice } }) })
    let spokenMs = 0
    for (;;) {
      const event = await connection.receive(signal)
      if (event.type === 'audio-stop') break
      if (event.type !== 'audio-chunk') continue
      const chunk = readChunk(event)
      spokenMs += (chunk.samples.length * 1_000) / chunk.sampleRateHz
      if (spokenMs > limits.maxSpeechMs) {
        throw new DomosError('too_large', `The server speaks longer than ${limits.maxSpeechMs} ms (maxSpeechMs).`)
      }
      if (chunk.samples.length > 0) yield chunk
      if (signal.aborted) throw new DomosError('cancelled', 'The speech was cancelled.')
    }
    if (spokenMs === 0) throw new DomosError('unavailable', 'The Wyoming server gave no speech.')
  } finally {
    connection.close()
  }
}

function readChunk({ data, payload }: WyomingEvent): SpeechChunk {
  const { rate, width, channels } = data
  if (typeof rate !== 'number' || !(rate >= 8_000 && rate <= 192_000) || width !== 2) {
    throw new DomosError('unsupported', 'The Wyoming server speaks in a format that is not 16-bit PCM.')
  }
  const all = new Int16Array(payload.slice(0, payload.length - (payload.length % 2)).buffer)
  const count = typeof channels === 'number' && channels > 1 ? channels : 1
  // Of several channels the first is as good as any for speech.
  const samples = count === 1 ? all : all.filter((_, index) => index % count === 0)
  return { samples, sampleRateHz: rate }
}
