import type { VoiceActivityDetector } from '@domos/spec'
import { levelOf } from '../../packages/voice/src/speech-detector.ts'

/** How a detector does on speech in noise. */
export interface DetectionErrors {
  /** Share of frames with speech (within 25 dB of its loudest) that were not called speech. */
  readonly missed: number
  /** Share of frames at least 320 ms after and before any speech that were called speech. */
  readonly falseAlarms: number
}

/** Mixes noise under clean speech at a ratio of levels, and compares the detector's verdict with the clean sound. */
export function detectionErrors(
  detector: VoiceActivityDetector,
  clean: Int16Array,
  noise: Int16Array,
  ratioDb: number,
): DetectionErrors {
  const size = detector.frameSamples
  const count = Math.floor(clean.length / size)
  const levels = Array.from({ length: count }, (_, index) => levelOf(clean.subarray(index * size, (index + 1) * size)))
  const loudest = Math.max(...levels)
  const speech = levels.map((level) => level > loudest - 25)
  const near = Math.ceil(5_120 / size)
  const gain = 10 ** ((meanDb(clean, speech, size) - ratioDb - levelOf(noise)) / 20)
  const stream = detector.openStream()
  let [spoken, missed, quiet, alarms] = [0, 0, 0, 0]
  for (let index = 0; index < count; index++) {
    const frame = Int16Array.from({ length: size }, (_, at) => {
      const sum = (clean[index * size + at] ?? 0) + gain * (noise[(index * size + at) % noise.length] ?? 0)
      return Math.max(-32_768, Math.min(32_767, Math.round(sum)))
    })
    const called = stream.process(frame) >= 0.5
    if (speech[index]) {
      spoken++
      if (!called) missed++
    } else if (!speech.slice(Math.max(0, index - near), index + near + 1).includes(true)) {
      quiet++
      if (called) alarms++
    }
  }
  return { missed: missed / spoken, falseAlarms: alarms / quiet }
}

/** Level of the frames that are speech. */
function meanDb(samples: Int16Array, speech: readonly boolean[], size: number): number {
  const powers = speech.flatMap((isSpeech, index) =>
    isSpeech ? [10 ** (levelOf(samples.subarray(index * size, (index + 1) * size)) / 10)] : [],
  )
  return 10 * Math.log10(powers.reduce((sum, power) => sum + power, 0) / powers.length)
}
