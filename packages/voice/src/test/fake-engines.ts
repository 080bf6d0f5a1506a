import { DomosError, type SpeechToText, type TextToSpeech } from '@domos/spec'

/** Switches of a fake engine. */
export interface FakeSwitches {
  isBroken: boolean
  calls: number
}

const health = (switches: FakeSwitches) => async () =>
  switches.isBroken
    ? { state: 'unavailable' as const, detail: 'broken', missing: ['a part'] }
    : { state: 'ready' as const, detail: 'works', missing: [] }

/** Recognizes any utterance as `<id> heard <samples>`. */
export function fakeRecognizer(id: string): SpeechToText & { readonly switches: FakeSwitches } {
  const switches = { isBroken: false, calls: 0 }
  return {
    id,
    switches,
    abilities: { partials: false, wordTimes: false, confidence: false, hints: 'none', languages: ['en'] },
    health: health(switches),
    close: async () => {},
    async openStream() {
      let samples = 0
      return {
        write: (piece) => {
          samples += piece.length
        },
        async finish(signal) {
          switches.calls++
          const count = samples
          samples = 0
          if (signal.aborted) throw new DomosError('cancelled', 'Cancelled.')
          if (switches.isBroken) throw new DomosError('unavailable', `${id} is broken.`)
          return { text: `${id} heard ${count}`, words: [], source: 'language', audioMs: count / 16 }
        },
        discard: () => {
          samples = 0
        },
        setHints: () => {},
        close: () => {},
      }
    },
  }
}

/** Speaks two chunks of ten samples; when broken it fails after `chunksBeforeFailure`. */
export function fakeSpeaker(
  id: string,
  voice: string,
): TextToSpeech & { readonly switches: FakeSwitches & { chunksBeforeFailure: number } } {
  const switches = { isBroken: false, calls: 0, chunksBeforeFailure: 0 }
  return {
    id,
    switches,
    health: health(switches),
    close: async () => {},
    voices: async () => [{ id: voice, language: 'en', description: voice }],
    async *synthesize(request) {
      switches.calls++
      if (request.voice !== undefined && request.voice !== voice)
        throw new DomosError('invalid_request', 'No such voice.')
      for (let chunk = 0; chunk < 2; chunk++) {
        if (switches.isBroken && chunk === switches.chunksBeforeFailure)
          throw new DomosError('timeout', `${id} is slow.`)
        yield { samples: new Int16Array(10), sampleRateHz: 16_000 }
      }
    },
  }
}
