import { describe, expect, it } from 'vitest'
import { createResampler } from './resampler.ts'

function tone(hz: number, rateHz: number, samples: number): Int16Array {
  return Int16Array.from({ length: samples }, (_, index) => 10_000 * Math.sin((2 * Math.PI * hz * index) / rateHz))
}

/** Loudness of the middle of a stretch, in decibels of full scale. */
function level(samples: Int16Array): number {
  const middle = samples.subarray(samples.length / 4, (samples.length * 3) / 4)
  const power = middle.reduce((sum, sample) => sum + sample * sample, 0) / middle.length
  return 10 * Math.log10(Math.max(power, 1e-9) / 32_768 ** 2)
}

describe('a resampler', () => {
  it.each([
    [48_000, 16_000],
    [44_100, 16_000],
    [22_050, 16_000],
    [16_000, 48_000],
    [16_000, 44_100],
    [8_000, 16_000],
  ])('from %i to %i Hz gives the right number of samples and keeps a 1 kHz tone', (fromHz, toHz) => {
    const input = tone(1_000, fromHz, fromHz)
    const output = createResampler(fromHz, toHz).process(input)
    expect(Math.abs(output.length - toHz)).toBeLessThanOrEqual(1)
    expect(Math.abs(level(output) - level(input))).toBeLessThan(0.1)
  })

  it('keeps a tone out that the lower rate cannot hold', () => {
    const output = createResampler(48_000, 16_000).process(tone(10_000, 48_000, 48_000))
    expect(level(output)).toBeLessThan(-70)
  })

  it('joins chunks of any size without a seam', () => {
    const input = tone(440, 44_100, 44_100)
    const whole = createResampler(44_100, 16_000).process(input)
    const resampler = createResampler(44_100, 16_000)
    const parts: number[] = []
    for (let offset = 0, size = 1; offset < input.length; offset += size, size = (size * 7) % 997) {
      parts.push(...resampler.process(input.subarray(offset, offset + size)))
    }
    expect(parts).toEqual([...whole])
  })

  it('clips instead of wrapping around', () => {
    const square = Int16Array.from({ length: 4_800 }, (_, index) => (index % 480 < 240 ? 32_767 : -32_768))
    const output = createResampler(48_000, 16_000).process(square)
    // The filter overshoots at the edges: a wrapped sample would have the other sign there.
    const middles = Array.from({ length: 9 }, (_, half) => [...output.subarray(half * 80 + 30, half * 80 + 80)])
    for (const [half, samples] of middles.entries()) {
      expect(samples.every((sample) => (half % 2 === 0 ? sample > 0 : sample < 0))).toBe(true)
    }
  })

  it('passes an equal rate through', () => {
    expect(createResampler(16_000, 16_000).process(Int16Array.of(1, 2))).toEqual(Int16Array.of(1, 2))
  })
})
