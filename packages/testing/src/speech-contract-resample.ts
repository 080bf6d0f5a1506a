const HALF_WIDTH = 16

/** The samples at another rate: a windowed sinc, exact enough for speech in tests. */
export function resample(samples: Int16Array, fromHz: number, toHz: number): Int16Array {
  if (fromHz === toHz) return samples
  const step = fromHz / toHz
  const cutoff = Math.min(1, toHz / fromHz) * 0.95
  return Int16Array.from({ length: Math.floor(samples.length / step) }, (_, index) => {
    const centre = index * step
    let sum = 0
    const reach = HALF_WIDTH / cutoff
    for (let at = Math.ceil(centre - reach); at <= centre + reach; at++) {
      const x = (at - centre) * cutoff
      const sinc = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x)
      const window = 0.5 + 0.5 * Math.cos((Math.PI * (at - centre)) / reach)
      sum += (samples[at] ?? 0) * sinc * window * cutoff
    }
    return Math.max(-32_768, Math.min(32_767, Math.round(sum)))
  })
}
