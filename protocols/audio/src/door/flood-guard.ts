import type { AudioDoorLimits } from '../limits.ts'

/** Holds one connection to the rates of {@link AudioDoorLimits}. */
export interface FloodGuard {
  /** Whether this audio is within the allowed speed; false once it is not. */
  takeAudio(bytes: number, now: number): boolean
  /** Whether this text frame is within the rate. */
  takeText(now: number): boolean
  /** Counts a message in error; false when there were too many. */
  takeBad(now: number): boolean
}

/** Makes the guard for a client that records `bytesPerSecond`. */
export function createFloodGuard(limits: AudioDoorLimits, bytesPerSecond: number, now: number): FloodGuard {
  const perMs = (bytesPerSecond * limits.maxAudioSpeed) / 1_000
  const audio = createBucket((bytesPerSecond * limits.maxAudioBurstMs) / 1_000, perMs, now)
  const texts = createBucket(limits.maxTextsPerSecond, limits.maxTextsPerSecond / 1_000, now)
  let bad: number[] = []
  return {
    takeAudio: (bytes, at) => audio(bytes, at),
    takeText: (at) => texts(1, at),
    takeBad(at) {
      bad = [...bad.filter((time) => at - time < limits.badMessageWindowMs), at]
      return bad.length < limits.maxBadMessages
    },
  }
}

function createBucket(capacity: number, perMs: number, start: number): (amount: number, now: number) => boolean {
  let level = capacity
  let at = start
  return (amount, now) => {
    level = Math.min(capacity, level + Math.max(0, now - at) * perMs)
    at = now
    if (level < amount) return false
    level -= amount
    return true
  }
}
