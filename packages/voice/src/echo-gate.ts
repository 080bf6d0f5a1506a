/** Tells the assistant's own sound, coming back through the microphone, from a person. */
export interface EchoGate {
  /** What is sent to be played. */
  played(samples: Int16Array): void
  /** The next frame of the microphone. Every frame is given, whether it is judged or not. */
  hear(frame: Int16Array): void
  /** Whether what was heard last is what was played, coming back. */
  isEcho(): boolean
}

/** Sound is compared at 4 kHz, where speech has its strength; its place is looked for at 2 kHz. */
const DECIMATION = 4
const COARSE = 2
/** Likeness (normalised correlation) from which a frame is an echo, once its place is known, and before. */
const LIKE_KNOWN = 0.5
const LIKE_UNKNOWN = 0.75
/** Likeness at 2 kHz from which a place is looked at closely; half a sample beside the place costs much of it. */
const LIKE_COARSE = 0.4
const CANDIDATES = 4
/** After an echo the next frames pass only when they are clearly unlike: echoes have fading edges. */
const HANGOVER_FRAMES = 3

/**
 * Makes a gate that looks for the microphone's last two frames in what was played during the last `maxDelayMs`. It finds copies
 * that are delayed and quieter or louder; a person who speaks over the echo makes the frames unlike and passes.
 */
export function createEchoGate(frameSamples: number, maxDelayMs: number): EchoGate {
  const half = frameSamples / DECIMATION
  const size = 2 * half
  const length = Math.ceil((maxDelayMs * 16) / DECIMATION) + size
  const reference = new Float32Array(length)
  const heard = new Float32Array(size)
  let carry: number[] = []
  /** Decimated samples played so far; the reference holds the last `length` of them. */
  let total = 0
  /** Where in all that was played the last echo began. */
  let knownPlace: number | undefined
  let sinceKnown = 0
  let hangover = 0

  /** What was played, in order of time, the newest last. */
  function recent(): Float32Array {
    const copy = new Float32Array(Math.min(total, length))
    const start = total - copy.length
    for (let index = 0; index < copy.length; index += 1) copy[index] = reference[(start + index) % length] as number
    return copy
  }

  /** The best place near one, and how like it is. */
  function bestNear(played: Float32Array, from: number, to: number, energy: number): { place: number; like: number } {
    let place = from
    let like = 0
    for (let at = Math.max(0, from); at <= Math.min(played.length - size, to); at += 1) {
      const here = likeness(played, at, heard, energy)
      if (here <= like) continue
      like = here
      place = at
    }
    return { place, like }
  }

  return {
    played(samples) {
      const all = carry.length === 0 ? samples : Int16Array.from([...carry, ...samples])
      const whole = all.length - (all.length % DECIMATION)
      for (let index = 0; index < whole; index += DECIMATION) {
        reference[total % length] = mean(all, index)
        total += 1
      }
      carry = [...all.subarray(whole)]
    },
    hear(frame) {
      heard.copyWithin(0, half)
      for (let index = 0; index < half; index += 1) heard[half + index] = mean(frame, index * DECIMATION)
      sinceKnown += half
    },
    isEcho() {
      const energy = energyOf(heard)
      if (total < size || energy === 0) return false
      const played = recent()
      const start = total - played.length
      if (knownPlace !== undefined) {
        // The place moves on as time does.
        const expected = knownPlace + sinceKnown - start
        const near = bestNear(played, expected - 12, expected + 12, energy)
        if (near.like >= LIKE_KNOWN) return found(near.place + start)
      }
      for (const candidate of coarsePlaces(played, heard)) {
        const near = bestNear(played, candidate - COARSE, candidate + COARSE, energy)
        if (near.like >= LIKE_UNKNOWN) return found(near.place + start)
      }
      if (hangover === 0) return false
      hangover -= 1
      return true
    },
  }

  function found(place: number): true {
    knownPlace = place
    sinceKnown = 0
    hangover = HANGOVER_FRAMES
    return true
  }
}

/** The most likely places, at 2 kHz. */
function coarsePlaces(played: Float32Array, heard: Float32Array): readonly number[] {
  const reference = halved(played)
  const wanted = halved(heard)
  const energy = energyOf(wanted)
  if (energy === 0) return []
  let power = 0
  for (let index = 0; index < wanted.length; index += 1) power += (reference[index] as number) ** 2
  const best: { readonly at: number; readonly like: number }[] = []
  for (let at = 0; at + wanted.length <= reference.length; at += 1) {
    let dot = 0
    for (let index = 0; index < wanted.length; index += 1) {
      dot += (reference[at + index] as number) * (wanted[index] as number)
    }
    const like = power <= 0 ? 0 : Math.abs(dot) / Math.sqrt(power * energy)
    if (like >= LIKE_COARSE && (best.length < CANDIDATES || like > (best.at(-1)?.like ?? 0))) {
      best.push({ at: at * COARSE, like })
      best.sort((one, other) => other.like - one.like)
      best.length = Math.min(best.length, CANDIDATES)
    }
    power += ((reference[at + wanted.length] ?? 0) as number) ** 2 - (reference[at] as number) ** 2
  }
  return best.map(({ at }) => at)
}

function likeness(played: Float32Array, at: number, heard: Float32Array, energy: number): number {
  let dot = 0
  let power = 0
  for (let index = 0; index < heard.length; index += 1) {
    const value = played[at + index] as number
    dot += value * (heard[index] as number)
    power += value * value
  }
  return power === 0 ? 0 : Math.abs(dot) / Math.sqrt(power * energy)
}

function halved(samples: Float32Array): Float32Array {
  const result = new Float32Array(Math.floor(samples.length / COARSE))
  for (let index = 0; index < result.length; index += 1) {
    result[index] = ((samples[index * COARSE] as number) + (samples[index * COARSE + 1] as number)) / 2
  }
  return result
}

function energyOf(samples: Float32Array): number {
  let energy = 0
  for (let index = 0; index < samples.length; index += 1) energy += (samples[index] as number) ** 2
  return energy
}

function mean(samples: Int16Array, from: number): number {
  let sum = 0
  for (let index = 0; index < DECIMATION; index += 1) sum += samples[from + index] ?? 0
  return sum / DECIMATION
}
