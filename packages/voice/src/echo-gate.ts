import { levelOf } from './speech-detector.ts'

/** Tells the assistant's own sound, coming back through the microphone, from a person. */
export interface EchoGate {
  /** What is sent to be played. */
  played(samples: Int16Array): void
  /** Whether this frame of the microphone is what was played, coming back. */
  isEcho(frame: Int16Array): boolean
  /** Forgets everything; nothing can come back any more. */
  reset(): void
}

/** Frames are compared at 4 kHz, where speech has its strength. */
const DECIMATION = 4
/** Likeness (normalised correlation) from which a frame is an echo, once its delay is known, and before. */
const LIKE_KNOWN = 0.5
const LIKE_UNKNOWN = 0.75
/** Below this nothing can be told and nothing is heard. */
const FLOOR_DB = -62
/** After a like frame the next ones pass only when they are clearly unlike: echoes have fading edges. */
const HANGOVER_FRAMES = 3

/**
 * Makes a gate that looks for the microphone's last two frames in what was played during the last `maxDelayMs`. It finds copies that
 * are delayed and quieter or louder; a person who speaks over the echo makes the frames unlike and passes.
 */
export function createEchoGate(frameSamples: number, maxDelayMs: number): EchoGate {
  const length = Math.ceil((maxDelayMs * 16) / DECIMATION) + (2 * frameSamples) / DECIMATION
  const reference = new Float32Array(length)
  let carry: number[] = []
  /** Decimated samples played so far; the reference holds the last `length` of them. */
  let total = 0
  let heard = new Float32Array((2 * frameSamples) / DECIMATION)
  /** Where in the reference the echo was, counted from its end at the time. */
  let knownPlace: number | undefined
  let hangover = 0

  function push(value: number): void {
    reference[total % length] = value
    total += 1
  }

  /** The reference in order of time, the newest last. */
  function ordered(): Float32Array {
    const copy = new Float32Array(Math.min(total, length))
    const start = total - copy.length
    for (let index = 0; index < copy.length; index += 1) copy[index] = reference[(start + index) % length] as number
    return copy
  }

  function likeness(played: Float32Array, at: number, energy: number): number {
    let dot = 0
    let power = 0
    for (let index = 0; index < heard.length; index += 1) {
      const value = played[at + index] as number
      dot += value * (heard[index] as number)
      power += value * value
    }
    return power === 0 ? 0 : Math.abs(dot) / Math.sqrt(power * energy)
  }

  return {
    played(samples) {
      const all = carry.length === 0 ? samples : Int16Array.from([...carry, ...samples])
      const whole = all.length - (all.length % DECIMATION)
      for (let index = 0; index < whole; index += DECIMATION) push(mean(all, index))
      carry = [...all.subarray(whole)]
    },
    isEcho(frame) {
      const half = frame.length / DECIMATION
      heard.copyWithin(0, half)
      for (let index = 0; index < half; index += 1) heard[half + index] = mean(frame, index * DECIMATION)
      if (total === 0 || levelOf(frame) < FLOOR_DB) return hangover > 0 && (hangover -= 1) >= 0
      const played = ordered()
      const last = played.length - heard.length
      if (last < 0) return false
      let energy = 0
      for (const value of heard) energy += value * value
      if (energy === 0) return false
      const start = total - played.length
      // The place moves on by one frame with each frame, and jumps when sound stops or starts.
      if (knownPlace !== undefined) {
        const expected = knownPlace + half - start
        for (let at = Math.max(0, expected - 12); at <= Math.min(last, expected + 12); at += 1) {
          if (likeness(played, at, energy) < LIKE_KNOWN) continue
          knownPlace = at + start
          hangover = HANGOVER_FRAMES
          return true
        }
      }
      let best = 0
      let place = -1
      for (let at = 0; at <= last; at += 1) {
        const like = likeness(played, at, energy)
        if (like > best) {
          best = like
          place = at
        }
      }
      if (best >= LIKE_UNKNOWN) {
        knownPlace = place + start
        hangover = HANGOVER_FRAMES
        return true
      }
      if (knownPlace !== undefined) knownPlace += half
      if (hangover > 0) hangover -= 1
      return hangover > 0 && best >= LIKE_KNOWN
    },
    reset() {
      carry = []
      total = 0
      heard = new Float32Array(heard.length)
      knownPlace = undefined
      hangover = 0
    },
  }
}

function mean(samples: Int16Array, from: number): number {
  let sum = 0
  for (let index = 0; index < DECIMATION; index += 1) sum += samples[from + index] ?? 0
  return sum / DECIMATION
}
