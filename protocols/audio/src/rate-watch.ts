import type { AudioFormat } from './audio-format.ts'
import { bytesPerSecond } from './audio-format.ts'

/** Notices from the speed of arrival that a client records at another rate than it should. */
export interface RateWatch {
  /** Takes the size of an audio frame; returns the likely format once, when it has become plain. */
  take(bytes: number, now: number): AudioFormat | undefined
}

/** What people send by mistake: the defaults of sound systems and browsers. */
const usualFormats: readonly AudioFormat[] = [
  { sampleRateHz: 22_050, channels: 1 },
  { sampleRateHz: 24_000, channels: 1 },
  { sampleRateHz: 44_100, channels: 1 },
  { sampleRateHz: 48_000, channels: 1 },
  { sampleRateHz: 44_100, channels: 2 },
  { sampleRateHz: 48_000, channels: 2 },
]

const WINDOW_MS = 1_000
const WINDOWS = 3
/** 22,050 and 24,000 Hz are 8 % apart. */
const TOLERANCE = 0.03
/** Longest pause in a stream that counts as steady. */
const MAX_GAP_MS = 400

/**
 * Makes a watch for a stream that should have the given format. Raw PCM carries no rate, but a microphone delivers in real
 * time: three seconds in a row at the same usual multiple give it away. Uploads and gaps do not look like that.
 */
export function createRateWatch(expected: AudioFormat): RateWatch {
  let windowStart: number | undefined
  let lastAt = 0
  let bytes = 0
  let rates: number[] = []
  let isDone = false
  return {
    take(frameBytes, now) {
      if (isDone) return undefined
      if (windowStart === undefined || now - lastAt > MAX_GAP_MS) {
        windowStart = now
        lastAt = now
        bytes = 0
        rates = []
        // The first frame was recorded before the window began.
        return undefined
      }
      lastAt = now
      bytes += frameBytes
      const elapsed = now - windowStart
      if (elapsed < WINDOW_MS) return undefined
      rates = [...rates, (bytes * 1_000) / elapsed].slice(-WINDOWS)
      windowStart = now
      bytes = 0
      if (rates.length < WINDOWS) return undefined
      const mean = rates.reduce((sum, rate) => sum + rate, 0) / WINDOWS
      if (rates.some((rate) => Math.abs(rate / mean - 1) > TOLERANCE * 2)) return undefined
      const found = usualFormats.find((format) => Math.abs(mean / bytesPerSecond(format) - 1) <= TOLERANCE)
      if (found === undefined || bytesPerSecond(found) === bytesPerSecond(expected)) return undefined
      isDone = true
      return found
    },
  }
}
