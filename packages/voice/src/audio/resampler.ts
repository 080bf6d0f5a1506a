/** Changes the sample rate of a stream of pieces. */
export interface Resampler {
  /** The samples that can be computed so far; some wait for what follows. */
  push(samples: Int16Array): Int16Array
  /** The rest, as if silence followed. The resampler starts afresh afterwards. */
  flush(): Int16Array
}

/** Zero crossings of the filter on each side; 16 keep a 10 kHz tone out of 16 kHz speech. */
const ZERO_CROSSINGS = 16
/** Share of the lower rate's band that is kept. */
const PASSBAND = 0.92

/**
 * A polyphase filter between two rates whose ratio is rational, such as 48,000, 44,100, 24,000 or 22,050 to 16,000. State is
 * kept between pieces, so that they join without a click.
 * @throws RangeError for rates that are no positive integers
 */
export function createResampler(fromHz: number, toHz: number): Resampler {
  if (![fromHz, toHz].every((rate) => Number.isSafeInteger(rate) && rate > 0)) {
    throw new RangeError('A sample rate is a positive number of hertz.')
  }
  if (fromHz === toHz) return { push: (samples) => samples, flush: () => new Int16Array() }
  const common = divisor(fromHz, toHz)
  const up = toHz / common
  const down = fromHz / common
  const cutoff = Math.min(1, toHz / fromHz) * PASSBAND
  const reach = Math.ceil(ZERO_CROSSINGS / cutoff)
  const phases = Array.from({ length: up }, (_, phase) => filterPhase(phase / up, cutoff, reach))
  let buffer = new Float64Array(reach)
  /** Place of the next output in the buffer: whole samples, and phase out of `up`. */
  let position = reach
  let phase = 0

  const drain = (): Int16Array => {
    const output: number[] = []
    while (position + reach < buffer.length) {
      const taps = phases[phase] as Float64Array
      let sum = 0
      for (let tap = 0; tap < taps.length; tap++)
        sum += (taps[tap] as number) * (buffer[position - reach + tap] as number)
      output.push(Math.max(-32_768, Math.min(32_767, Math.round(sum))))
      phase += down
      position += Math.floor(phase / up)
      phase %= up
    }
    const start = Math.max(0, position - reach)
    buffer = buffer.slice(start)
    position -= start
    return Int16Array.from(output)
  }
  return {
    push(samples) {
      const joined = new Float64Array(buffer.length + samples.length)
      joined.set(buffer)
      joined.set(samples, buffer.length)
      buffer = joined
      return drain()
    },
    flush() {
      const rest = this.push(new Int16Array(reach))
      buffer = new Float64Array(reach)
      position = reach
      phase = 0
      return rest
    },
  }
}

/** One phase of the windowed sinc: taps for samples from `-reach` to `+reach` around an output `offset` after a sample. */
function filterPhase(offset: number, cutoff: number, reach: number): Float64Array {
  const taps = Float64Array.from({ length: 2 * reach + 1 }, (_, tap) => {
    const distance = tap - reach - offset
    const x = distance * cutoff
    const sinc = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x)
    const window = Math.abs(distance) > reach ? 0 : 0.5 + 0.5 * Math.cos((Math.PI * distance) / reach)
    return sinc * window
  })
  const sum = taps.reduce((total, tap) => total + tap, 0)
  return taps.map((tap) => tap / sum)
}

function divisor(first: number, second: number): number {
  return second === 0 ? first : divisor(second, first % second)
}
