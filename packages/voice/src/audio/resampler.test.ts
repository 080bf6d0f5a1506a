import { describe, expect, it } from 'vitest'
import { createResampler } from '../index.ts'

const tone = (hertz: number, rate: number, count: number): Int16Array =>
  Int16Array.from({ length: count }, (_, index) => Math.round(10_000 * Math.sin((2 * Math.PI * hertz * index) / rate)))
const level = (samples: Int16Array): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)

describe('the resampler', () => {
  it.each([48_000, 44_100, 24_000, 22_050, 8_000])(
    'keeps a 1 kHz tone from %i Hz to 16 kHz in level and shape',
    (rate) => {
      const resampler = createResampler(rate, 16_000)
      const output = resampler.push(tone(1_000, rate, rate))
      const expected = tone(1_000, 16_000, output.length)
      const errors = output.map((sample, index) => sample - (expected[index] as number)).subarray(400)
      expect(level(errors)).toBeLessThan(level(expected) * 0.01)
    },
  )

  it('keeps a 10 kHz tone out of 16 kHz', () => {
    const output = createResampler(48_000, 16_000).push(tone(10_000, 48_000, 48_000))
    expect(level(output.subarray(400))).toBeLessThan(30)
  })

  it('gives the same for pieces of any length as for the whole', () => {
    const input = tone(700, 22_050, 22_050)
    const whole = createResampler(22_050, 16_000).push(input)
    const resampler = createResampler(22_050, 16_000)
    const pieces: number[] = []
    for (let at = 0, size = 1; at < input.length; at += size, size = (size * 7) % 501) {
      pieces.push(...resampler.push(input.subarray(at, at + size)))
    }
    expect(pieces).toEqual([...whole])
  })

  it('gives out everything: as long as the input, within a millisecond', () => {
    const resampler = createResampler(24_000, 16_000)
    const count = resampler.push(tone(500, 24_000, 24_000)).length + resampler.flush().length
    expect(Math.abs(count - 16_000)).toBeLessThanOrEqual(16)
  })

  it('stays within 16 bits on full-scale input', () => {
    const square = Int16Array.from({ length: 48_000 }, (_, index) => (index % 96 < 48 ? 32_767 : -32_768))
    const output = createResampler(48_000, 16_000).push(square)
    expect(Math.max(...output)).toBe(32_767)
    expect(Math.min(...output)).toBe(-32_768)
  })

  it('refuses a rate that is none', () => {
    expect(() => createResampler(0, 16_000)).toThrow(RangeError)
  })
})
