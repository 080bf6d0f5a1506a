const RATE = 16_000

/** Sounds that are no speech, 16 kHz, by name; each lasts `seconds`. Noise comes from a fixed generator. */
export function soundsWithoutSpeech(seconds: number): ReadonlyMap<string, Int16Array> {
  const count = Math.round(seconds * RATE)
  const random = generator(7)
  const make = (value: (index: number) => number): Int16Array =>
    Int16Array.from({ length: count }, (_, index) => Math.round(value(index)))
  let pink = 0
  return new Map([
    ['silence', new Int16Array(count)],
    ['white noise', make(() => (random() - 0.5) * 6_000)],
    ['pink noise', make(() => (pink = pink * 0.97 + (random() - 0.5) * 1_500) * 2)],
    ['mains hum', make((index) => 3_000 * (Math.sin(tone(50, index)) + 0.5 * Math.sin(tone(100, index))))],
    ['a tone', make((index) => 6_000 * Math.sin(tone(440, index)))],
    ['clicks', make((index) => (index % 8_000 < 20 ? 12_000 : 0))],
  ])
}

/** Joins pieces of sound. */
export function joinSamples(...pieces: readonly Int16Array[]): Int16Array {
  const joined = new Int16Array(pieces.reduce((length, piece) => length + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    joined.set(piece, at)
    at += piece.length
  }
  return joined
}

/** Silence of this length. */
export function silence(ms: number): Int16Array {
  return new Int16Array(Math.round((ms * RATE) / 1_000))
}

function tone(hertz: number, index: number): number {
  return (2 * Math.PI * hertz * index) / RATE
}

/** A small linear congruential generator, 0 to 1. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
