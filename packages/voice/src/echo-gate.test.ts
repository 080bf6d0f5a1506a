import { describe, expect, it } from 'vitest'
import { createEchoGate } from './echo-gate.ts'
import { speech } from './test/scripted-engines.ts'

const FRAME = 512

/** Share of the frames taken for an echo, when sound is played and the microphone hears something. */
function share(played: Int16Array, microphone: Int16Array): number {
  const gate = createEchoGate(FRAME, 1_200)
  let echoes = 0
  let frames = 0
  for (let at = 0; at + FRAME <= microphone.length; at += FRAME) {
    gate.played(played.subarray(at, at + FRAME))
    gate.hear(microphone.subarray(at, at + FRAME))
    frames += 1
    if (gate.isEcho()) echoes += 1
  }
  return echoes / frames
}

function delayed(samples: Int16Array, ms: number, factor: number, over?: Int16Array): Int16Array {
  return samples.map((_, index) => Math.round((samples[index - ms * 16] ?? 0) * factor) + (over?.[index] ?? 0))
}

describe('the echo gate', () => {
  const played = speech(4_000, 8_000, 3)

  it.each([
    [0, 1],
    [37, 0.5],
    [80, 0.1],
    [120, 0.25],
    [333, 0.03],
    [900, -0.4],
  ])('knows its own sound after %i ms at %f of its strength', (ms, factor) => {
    const silentFrames = (ms * 16) / FRAME / (played.length / FRAME)
    expect(share(played, delayed(played, ms, factor))).toBeGreaterThan(0.95 - silentFrames - 0.02)
  })

  it('lets a person pass, alone and over the echo', () => {
    const person = speech(4_000, 8_000, 77)
    expect(share(played, person)).toBe(0)
    expect(share(played, delayed(played, 80, 0.1, person))).toBeLessThan(0.05)
  })

  it('lets everything pass when nothing was played', () => {
    const gate = createEchoGate(FRAME, 1_200)
    gate.hear(speech(32))
    expect(gate.isEcho()).toBe(false)
  })
})
