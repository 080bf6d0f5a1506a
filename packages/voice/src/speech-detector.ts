import type { VoiceLimits } from './limits.ts'

/** What one frame means for the utterance. */
export interface FrameVerdict {
  /** This frame is speech of the person (not of a television behind them). */
  readonly isSpeech: boolean
  /** Somebody has been speaking long enough to count. */
  readonly started: boolean
}

/** Turns probabilities and levels of frames into beginnings and silences. Counts samples, knows no clock. */
export interface SpeechDetector {
  /** Probability above which a frame is speech; set from the configured sensitivity. */
  setSensitivity(sensitivity: number): void
  /** Whether a frame of this probability would be speech. */
  isVoiced(probability: number): boolean
  process(probability: number, levelDb: number): FrameVerdict
  /** Milliseconds since the last speech. */
  readonly silenceMs: number
  /** Milliseconds of speech in this utterance. */
  readonly speechMs: number
  /** Milliseconds since speech as loud as the utterance; differs from {@link silenceMs} when a television goes on. */
  readonly quietMs: number
  /** An utterance is over. What stays quieter than it was is taken for background until there is silence. */
  endUtterance(wentOnInBackground: boolean): void
}

/** Silence after which the background is forgotten. */
const BACKGROUND_SILENCE_MS = 500
/** Frames over which the loudness of speech is judged: words have gaps and soft sounds. */
const LEVEL_WINDOW_MS = 480
const HYSTERESIS = 0.15

/** Makes a detector for frames of `frameMs`. */
export function createSpeechDetector(frameMs: number, limits: VoiceLimits): SpeechDetector {
  let threshold = 0.5
  let inSpeech = false
  let runMs = 0
  let speechMs = 0
  let silenceMs = 0
  let quietMs = 0
  /** Loudness of this utterance; follows upwards at once, downwards not at all. */
  let utteranceDb = Number.NEGATIVE_INFINITY
  let backgroundDb = Number.NEGATIVE_INFINITY
  const recent: number[] = []
  const windowFrames = Math.max(1, Math.round(LEVEL_WINDOW_MS / frameMs))

  function isVoiced(probability: number): boolean {
    return probability >= (inSpeech ? Math.max(0.05, threshold - HYSTERESIS) : threshold)
  }

  return {
    setSensitivity(sensitivity) {
      threshold = 0.9 - 0.8 * sensitivity
    },
    get silenceMs() {
      return silenceMs
    },
    get speechMs() {
      return speechMs
    },
    get quietMs() {
      return quietMs
    },
    isVoiced,
    process(probability, levelDb) {
      const isVoicedNow = isVoiced(probability)
      inSpeech = isVoicedNow
      recent.push(levelDb)
      if (recent.length > windowFrames) recent.shift()
      const loudest = Math.max(...recent)
      const isBackground = isVoicedNow && loudest <= backgroundDb
      if (!isVoicedNow || isBackground) {
        runMs = 0
        silenceMs += frameMs
        quietMs += frameMs
        if (!isVoicedNow && silenceMs >= BACKGROUND_SILENCE_MS) backgroundDb = Number.NEGATIVE_INFINITY
        return { isSpeech: false, started: false }
      }
      runMs += frameMs
      speechMs += frameMs
      silenceMs = 0
      utteranceDb = Math.max(utteranceDb, loudest)
      quietMs = loudest < utteranceDb - limits.backgroundDropDb ? quietMs + frameMs : 0
      return { isSpeech: true, started: runMs >= limits.speechStartMs }
    },
    endUtterance(wentOnInBackground) {
      if (wentOnInBackground) backgroundDb = utteranceDb - limits.backgroundDropDb / 2
      speechMs = 0
      runMs = 0
      quietMs = 0
      utteranceDb = Number.NEGATIVE_INFINITY
    },
  }
}

/** Loudness of a frame in decibels below full scale; -100 for silence. */
export function levelOf(samples: Int16Array): number {
  let sum = 0
  for (let index = 0; index < samples.length; index += 1) {
    const value = samples[index] as number
    sum += value * value
  }
  if (sum === 0) return -100
  return Math.max(-100, 10 * Math.log10(sum / samples.length / 1_073_741_824))
}
