import {
  type Clock,
  DomosError,
  type PartialRecognition,
  type Recognition,
  type RecognitionOptions,
  type SpeechHints,
  type SpeechToText,
  type SynthesisRequest,
  type TextToSpeech,
  type VoiceActivityDetector,
} from '@domos/spec'

const ready = async () => ({ state: 'ready' as const, detail: 'A script.', missing: [] })

/** Loudness that the scripted detector takes for speech. */
export const SPEECH_AMPLITUDE = 6_000
/** Loud, but no speech to the detector: a cough is speech to it, a hum is not. */
export const HUM_AMPLITUDE = 900

/** A detector for which every frame louder than a bound is speech. */
export function scriptedDetector(): VoiceActivityDetector {
  return {
    id: 'scripted-vad',
    frameSamples: 512,
    health: ready,
    close: async () => {},
    openStream: () => ({
      process(frame) {
        let sum = 0
        for (const value of frame) sum += value * value
        return Math.sqrt(sum / frame.length) > 1_500 ? 0.95 : 0.02
      },
      reset() {},
    }),
  }
}

/** What the scripted recognizer says about one utterance. */
export interface ScriptedUtterance {
  /** The final words. */
  readonly text: string
  /** Partial results by milliseconds of sound written. */
  readonly partials?: readonly (PartialRecognition & { readonly afterMs: number })[]
  readonly finishMs?: number
  readonly fails?: DomosError | 'never'
}

export interface ScriptedRecognition extends SpeechToText {
  readonly utterances: { samples: Int16Array[]; finished: boolean; discarded: boolean }[]
  readonly hints: SpeechHints[]
  readonly languages: (string | undefined)[]
  script: ScriptedUtterance[]
}

/** A recognizer that answers by script, one entry for each utterance that is written to and not discarded. */
export function scriptedRecognition(
  clock: Clock,
  script: ScriptedUtterance[] = [],
  partials = true,
): ScriptedRecognition {
  const engine: ScriptedRecognition = {
    id: 'scripted-stt',
    abilities: { partials, wordTimes: true, confidence: true, hints: 'grammar', languages: ['en'] },
    utterances: [],
    hints: [],
    languages: [],
    script,
    health: ready,
    close: async () => {},
    async openStream(options: RecognitionOptions) {
      engine.languages.push(options.language)
      if (options.hints !== undefined) engine.hints.push(options.hints)
      let current: { samples: Int16Array[]; finished: boolean; discarded: boolean } | undefined
      let writtenMs = 0
      let said = 0
      return {
        write(samples) {
          if (current === undefined) {
            current = { samples: [], finished: false, discarded: false }
            engine.utterances.push(current)
            writtenMs = 0
            said = 0
          }
          current.samples.push(samples.slice())
          writtenMs += samples.length / 16
          const plan = engine.script[0]?.partials ?? []
          while (said < plan.length && (plan[said]?.afterMs ?? 0) <= writtenMs) {
            const { text, complete } = plan[said] as PartialRecognition
            said += 1
            options.onPartial?.({ text, complete })
          }
        },
        async finish(signal): Promise<Recognition> {
          const ended = current
          current = undefined
          const audioMs = writtenMs
          writtenMs = 0
          if (ended === undefined) return { text: '', words: [], source: 'language', audioMs: 0 }
          ended.finished = true
          const entry = engine.script.shift() ?? { text: '' }
          if (entry.fails === 'never') {
            return new Promise((_, reject) => {
              signal.addEventListener('abort', () => reject(new DomosError('cancelled', 'Stopped.')))
            })
          }
          if ((entry.finishMs ?? 0) > 0)
            await new Promise<void>((resolve) => clock.schedule(entry.finishMs ?? 0, resolve))
          if (entry.fails !== undefined) throw entry.fails
          const words = entry.text.split(/\s+/).filter((word) => word !== '')
          return {
            text: entry.text,
            words: words.map((word, index) => ({
              word,
              startMs: index * 200,
              endMs: index * 200 + 180,
              confidence: 0.9,
            })),
            confidence: 0.9,
            source: 'language',
            audioMs,
          }
        },
        discard() {
          if (current !== undefined) current.discarded = true
          current = undefined
          writtenMs = 0
        },
        setHints: (hints) => void engine.hints.push(hints),
        close() {},
      }
    },
  }
  return engine
}

export interface ScriptedSynthesis extends TextToSpeech {
  readonly requests: SynthesisRequest[]
  /** Milliseconds of sound for one character. */
  msPerChar: number
  /** Called before each request is answered; may throw or hang. */
  before: (request: SynthesisRequest, signal: AbortSignal) => Promise<void>
  /** Called after `msBeforeFault` milliseconds of sound. */
  fault: { readonly afterMs: number; readonly act: (signal: AbortSignal) => Promise<void> } | undefined
}

/** A synthesiser that gives a noise-like sound, as long as the text. */
export function scriptedSynthesis(msPerChar = 60): ScriptedSynthesis {
  let seed = 1
  const engine: ScriptedSynthesis = {
    id: 'scripted-tts',
    requests: [],
    msPerChar,
    before: async () => {},
    fault: undefined,
    health: ready,
    close: async () => {},
    voices: async () => [{ id: 'one', language: 'en', description: 'A script.' }],
    async *synthesize(request, signal) {
      engine.requests.push(request)
      await engine.before(request, signal)
      const total = Math.round(request.text.length * engine.msPerChar)
      for (let made = 0; made < total; made += 100) {
        if (engine.fault !== undefined && made >= engine.fault.afterMs) await engine.fault.act(signal)
        const samples = new Int16Array(Math.min(100, total - made) * 16)
        for (let index = 0; index < samples.length; index += 1) {
          seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
          samples[index] = Math.round((seed / 2_147_483_648 - 0.5) * 12_000)
        }
        yield { samples, sampleRateHz: 16_000 }
      }
    },
  }
  return engine
}

/** A voice-like sound that is the same each time for the same seed. */
export function speech(ms: number, amplitude = SPEECH_AMPLITUDE, seed = 7): Int16Array {
  const samples = new Int16Array(ms * 16)
  let state = seed
  for (let index = 0; index < samples.length; index += 1) {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    samples[index] = Math.round((state / 4_294_967_296 - 0.5) * 2 * amplitude)
  }
  return samples
}

export function silence(ms: number): Int16Array {
  return new Int16Array(ms * 16)
}
