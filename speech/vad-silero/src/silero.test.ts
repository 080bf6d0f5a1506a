import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createSileroVad } from './index.ts'

const file = readFileSync(new URL('./test/speech.s16le', import.meta.url))
const speech = new Int16Array(file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength))
const reference: readonly number[] = JSON.parse(readFileSync(new URL('./test/reference.json', import.meta.url), 'utf8'))

describe('the Silero detector', () => {
  it('gives what onnxruntime gives, within 1e-4, for speech, noise, a tone and silence', () => {
    const stream = createSileroVad().openStream()
    const differences = reference.map((expected, index) =>
      Math.abs(stream.process(speech.subarray(index * 512, (index + 1) * 512)) - expected),
    )
    expect(reference.length).toBe(Math.floor(speech.length / 512))
    expect(Math.max(...differences)).toBeLessThan(1e-4)
  })

  it('recovers from samples that are no numbers', () => {
    const stream = createSileroVad().openStream()
    stream.process(new Float32Array(512).fill(Number.NaN))
    const after = [...Array(40).keys()].map((index) => stream.process(speech.subarray(index * 512, (index + 1) * 512)))
    expect(after.every(Number.isFinite)).toBe(true)
    expect(Math.max(...after)).toBeGreaterThan(0.9)
  })
})
