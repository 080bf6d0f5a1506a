import type { SpeechChunk, TextToSpeech } from '@domos/spec'
import { createResampler, type Resampler } from '../audio/resampler.ts'

/** The same engine, with all speech at one sample rate. Places in the text stay with the pieces they came with. */
export function withSampleRate(engine: TextToSpeech, sampleRateHz: number): TextToSpeech {
  return {
    id: engine.id,
    health: (signal) => engine.health(signal),
    voices: (signal) => engine.voices(signal),
    close: () => engine.close(),
    async *synthesize(request, signal): AsyncGenerator<SpeechChunk, void, undefined> {
      let rate = sampleRateHz
      let resampler: Resampler | undefined
      for await (const chunk of engine.synthesize(request, signal)) {
        if (chunk.sampleRateHz !== rate || !resampler) {
          const rest = resampler?.flush()
          if (rest && rest.length > 0) yield { samples: rest, sampleRateHz }
          rate = chunk.sampleRateHz
          resampler = createResampler(rate, sampleRateHz)
        }
        const samples = resampler.push(chunk.samples)
        if (samples.length > 0) yield { ...chunk, samples, sampleRateHz }
      }
      const rest = resampler?.flush()
      if (rest && rest.length > 0) yield { samples: rest, sampleRateHz }
    },
  }
}
