/** Changes the rate of a stream of mono samples; keeps what it needs between calls, so that chunks join without a seam. */
export interface Resampler {
  /** Takes samples, gives those that are complete. */
  process(samples: Int16Array): Int16Array
  /** Forgets the stream, as at its start. */
  reset(): void
}

/** Zero crossings of the sinc on each side; 16 give 32 taps per phase at the higher of the two rates. */
const ZERO_CROSSINGS = 16

/**
 * Makes a polyphase windowed-sinc resampler between two whole rates. When going down it filters what the lower rate cannot
 * hold. Adds a delay of 16 samples of the lower rate (1 ms at 16 kHz).
 */
export function createResampler(fromHz: number, toHz: number): Resampler {
  if (fromHz === toHz) return { process: (samples) => samples.slice(), reset() {} }
  const divisor = greatestCommonDivisor(fromHz, toHz)
  const up = toHz / divisor
  const down = fromHz / divisor
  const phases = filterBank(up, down)
  const taps = phases[0]?.length ?? 0
  let history = new Float32Array(taps)
  /** Position of the next output in input samples (whole part, relative to the end of the history) and phase. */
  let phase = 0
  let skip = 0

  return {
    process(samples) {
      const input = new Float32Array(history.length + samples.length)
      input.set(history)
      for (let index = 0; index < samples.length; index++) input[history.length + index] = samples[index] ?? 0
      const available = samples.length
      const output = new Int16Array(Math.max(0, Math.ceil(((available - skip) * up - phase) / down)))
      let written = 0
      let position = skip
      while (position < available) {
        const filter = phases[phase] as Float32Array
        let sum = 0
        // The newest tap stands at `position`; older samples come from the history.
        const start = position + 1
        for (let tap = 0; tap < taps; tap++) sum += (filter[tap] ?? 0) * (input[start + tap] ?? 0)
        output[written++] = Math.max(-32_768, Math.min(32_767, Math.round(sum)))
        phase += down
        position += Math.floor(phase / up)
        phase %= up
      }
      skip = position - available
      history = input.slice(input.length - taps)
      return output.subarray(0, written)
    },
    reset() {
      history = new Float32Array(taps)
      phase = 0
      skip = 0
    },
  }
}

/** Banks that were made, by ratio; few pairs of rates are in use at a time. */
const banks = new Map<string, readonly Float32Array[]>()
const BANKS_MAX = 32

/** {@link makeFilterBank}, remembered. */
function filterBank(up: number, down: number): readonly Float32Array[] {
  const key = `${up}/${down}`
  const known = banks.get(key)
  if (known !== undefined) return known
  const bank = makeFilterBank(up, down)
  if (banks.size >= BANKS_MAX) banks.clear()
  banks.set(key, bank)
  return bank
}

/** Per output phase the taps for the input samples, oldest first, each phase with gain 1. */
function makeFilterBank(up: number, down: number): readonly Float32Array[] {
  const cutoff = Math.min(1, up / down)
  const halfWidth = Math.ceil(ZERO_CROSSINGS / cutoff)
  const taps = 2 * halfWidth
  const bank: Float32Array[] = []
  for (let phase = 0; phase < up; phase++) {
    const filter = new Float32Array(taps)
    let gain = 0
    for (let tap = 0; tap < taps; tap++) {
      const distance = tap - (halfWidth - 1) - phase / up
      const value = cutoff * sinc(cutoff * distance) * window(distance / halfWidth)
      filter[tap] = value
      gain += value
    }
    for (let tap = 0; tap < taps; tap++) filter[tap] = (filter[tap] ?? 0) / gain
    bank.push(filter)
  }
  return bank
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x)
}

/** Blackman's window over -1 to 1. */
function window(x: number): number {
  if (x <= -1 || x >= 1) return 0
  return 0.42 + 0.5 * Math.cos(Math.PI * x) + 0.08 * Math.cos(2 * Math.PI * x)
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
