import type { VoiceActivityDetector, VoiceActivityStream } from '@domos/spec'
import { type ContractCase, check, checkFailsWith, neverAborts } from './speech-contract-check.ts'
import { soundsWithoutSpeech } from './speech-contract-signals.ts'

/** What the suite for voice activity detectors needs. */
export interface VoiceActivitySubject {
  create(): VoiceActivityDetector
  /** A few seconds of speech at 16 kHz with hardly a pause. */
  readonly speech: () => Promise<Int16Array>
}

/** What every voice activity detector promises. */
export function voiceActivityContract(subject: VoiceActivitySubject): readonly ContractCase[] {
  const withDetector = async (work: (detector: VoiceActivityDetector) => Promise<void>): Promise<void> => {
    const detector = subject.create()
    try {
      await work(detector)
    } finally {
      await detector.close()
    }
  }
  return [
    {
      title: 'hears speech in most frames of speech',
      run: () =>
        withDetector(async (detector) => {
          const share = speechShare(detector, await subject.speech())
          check(share > 0.6, `Only ${percent(share)} of the frames were called speech.`)
        }),
    },
    {
      title: 'hears no speech in silence, noise, hum, a tone and clicks',
      run: () =>
        withDetector(async (detector) => {
          for (const [name, samples] of soundsWithoutSpeech(5)) {
            const share = speechShare(detector, samples)
            check(share <= 0.02, `${percent(share)} of the frames of ${name} were called speech.`)
          }
        }),
    },
    {
      title: 'keeps streams apart',
      run: () =>
        withDetector(async (detector) => {
          const speech = await subject.speech()
          const alone = probabilities(detector.openStream(), speech, detector.frameSamples)
          const first = detector.openStream()
          const second = detector.openStream()
          const noise = soundsWithoutSpeech(1).get('white noise') as Int16Array
          const mixed = frames(speech, detector.frameSamples).map((frame) => {
            second.process(noise.subarray(0, detector.frameSamples))
            return first.process(frame)
          })
          check(same(alone, mixed), 'Another stream changed the result.')
        }),
    },
    {
      title: 'forgets what it heard on reset',
      run: () =>
        withDetector(async (detector) => {
          const speech = await subject.speech()
          const stream = detector.openStream()
          const before = probabilities(stream, speech, detector.frameSamples)
          stream.reset()
          check(same(before, probabilities(stream, speech, detector.frameSamples)), 'After reset the result differs.')
        }),
    },
    {
      title: 'gives the same for 16-bit and float samples',
      run: () =>
        withDetector(async (detector) => {
          const speech = await subject.speech()
          const floats = Float32Array.from(speech, (sample) => sample / 32_768)
          const [a, b] = [detector.openStream(), detector.openStream()]
          const size = detector.frameSamples
          for (let at = 0; at + size <= speech.length; at += size) {
            const difference = a.process(speech.subarray(at, at + size)) - b.process(floats.subarray(at, at + size))
            check(Math.abs(difference) < 1e-4, `The two differ by ${difference}.`)
          }
        }),
    },
    {
      title: 'refuses a frame of another length with code invalid_request',
      run: () =>
        withDetector(async (detector) => {
          const stream = detector.openStream()
          await checkFailsWith('invalid_request', () => stream.process(new Int16Array(detector.frameSamples - 1)))
        }),
    },
    {
      title: 'says that it is ready, and may be closed twice',
      run: () =>
        withDetector(async (detector) => {
          const health = await detector.health(neverAborts)
          check(health.state === 'ready' && health.missing.length === 0, `It says: ${health.detail}`)
          await detector.close()
        }),
    },
  ]
}

function frames(samples: Int16Array, size: number): readonly Int16Array[] {
  return Array.from({ length: Math.floor(samples.length / size) }, (_, index) =>
    samples.subarray(index * size, (index + 1) * size),
  )
}

function probabilities(stream: VoiceActivityStream, samples: Int16Array, size: number): readonly number[] {
  return frames(samples, size).map((frame) => stream.process(frame))
}

function speechShare(detector: VoiceActivityDetector, samples: Int16Array): number {
  const values = probabilities(detector.openStream(), samples, detector.frameSamples)
  check(
    values.every((value) => value >= 0 && value <= 1),
    'A probability lies outside 0 to 1.',
  )
  return values.filter((value) => value >= 0.5).length / values.length
}

function same(first: readonly number[], second: readonly number[]): boolean {
  return first.length === second.length && first.every((value, index) => value === second[index])
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
