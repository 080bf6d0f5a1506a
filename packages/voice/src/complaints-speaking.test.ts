import { DomosError } from '@domos/spec'
import { describe, expect, it } from 'vitest'
import { createSentenceChunker } from './sentence-chunker.ts'
import { silence } from './test/scripted-engines.ts'
import { openWorld, scriptedModel, text, type World } from './test/world.ts'

const STORY =
  'Once there was a harbour with nine old boats. Every morning the boats went out to sea. Every evening they came back again. Nobody knew where they had been all day. The harbour master wrote it all down in a large green book.'

function pace(world: World, windowMs: number): number {
  const sent = world.of('audio')
  return Math.max(
    ...sent.map(({ atMs: from }) =>
      sent.filter(({ atMs }) => atMs >= from && atMs < from + windowMs).reduce((sum, { ms }) => sum + ms, 0),
    ),
  )
}

describe('complaints about speaking', () => {
  it('sends no 5 s of wall time more than 5 s of sound and the lead, and does not drift (pipecat#5592, xiaozhi-client 3166)', async () => {
    const world = await openWorld(scriptedModel(text(STORY)))
    await world.speak({ text: 'tell me a story' })
    await world.clock.advance(20_000)
    expect(pace(world, 5_000)).toBeLessThanOrEqual(5_000 + 200 + 40)
    const sent = world.of('audio')
    const first = sent[0]?.atMs ?? 0
    const total = sent.reduce((sum, { ms }) => sum + ms, 0)
    const last = sent.at(-1)?.atMs ?? 0
    expect(last - first).toBeGreaterThanOrEqual(total - 200 - 80)
    expect(last - first).toBeLessThanOrEqual(total)
    // Never so late that a player that began with the first frame runs dry.
    let soFar = 0
    for (const { atMs, ms } of sent) {
      expect(atMs - first).toBeLessThanOrEqual(soFar + 1)
      soFar += ms
    }
  })

  it('says the end of its sound not before it can have been played up to the lead (78/xiaozhi-esp32#1665)', async () => {
    const world = await openWorld(scriptedModel(text(STORY)))
    await world.speak({ text: 'tell me a story' })
    await world.clock.advance(20_000)
    const [start] = world.of('start')
    const [end] = world.of('end')
    expect((end?.atMs ?? 0) - (start?.atMs ?? 0)).toBeGreaterThanOrEqual((end?.audioMs ?? 0) - 200 - 40)
  })

  it('splits no number, version, time or title (GeniePod/genie-claw#385, hass-edge-tts#76)', () => {
    const reply =
      'It is 22.5 degrees, or 1.299,50 in the old unit. Version v2.0.1 was tested by Dr. Vale at 9:30 a.m. today. Drink something warm, e.g. tea. Pi is 3.5 or 22,1. That is all.'
    for (const size of [1, 2, 7, 1_000]) {
      const chunker = createSentenceChunker(240)
      const pieces: string[] = []
      for (let at = 0; at < reply.length; at += size) {
        pieces.push(...chunker.push(reply.slice(at, at + size)).map((chunk) => chunk.text))
      }
      const early = pieces.length
      pieces.push(...chunker.flush().map((chunk) => chunk.text))
      expect(pieces.join('')).toBe(reply)
      expect(early).toBeGreaterThan(1)
      for (const whole of ['22.5', '1.299,50', 'v2.0.1', 'Dr. Vale', '9:30 a.m.', 'e.g. tea', '3.5', '22,1']) {
        expect(
          pieces.filter((piece) => piece.includes(whole)),
          `${whole} by ${size}`,
        ).toHaveLength(1)
      }
    }
  })

  it.each([
    ['throws', () => Promise.reject(new DomosError('unavailable', 'The engine crashed.')), 'unavailable'],
    ['never answers', () => new Promise<void>(() => {}), 'timeout'],
  ])(
    'ends its sound, says an error and hears again when the synthesiser %s in the middle (livekit/agents#3418)',
    async (_, act, code) => {
      const world = await openWorld(scriptedModel(text(STORY), text('It is noon.')))
      world.synthesis.fault = { afterMs: 1_000, act }
      await world.speak({ text: 'tell me a story' }, 800, 0)
      while (world.of('start').length === 0) await world.hear(silence(20))
      const startedAt = world.of('start')[0]?.atMs ?? 0
      await world.clock.advance(15_000)
      expect(world.of('end')).toHaveLength(1)
      expect((world.of('end')[0]?.atMs ?? 0) - startedAt).toBeLessThanOrEqual(15_000)
      expect(world.of('error').map((error) => error.code)).toEqual([code])
      expect(world.conversation.state).toBe('idle')
      world.synthesis.fault = undefined
      await world.speak({ text: 'what time is it' })
      await world.clock.advance(3_000)
      expect(world.of('start')).toHaveLength(2)
      expect(world.of('end').map(({ turn, interrupted }) => [turn, interrupted])).toEqual([
        [1, false],
        [2, false],
      ])
    },
  )

  it('hands over pieces of at most 64 ms (Links2004/arduinoWebSockets#880, espressif/esp-protocols#680)', async () => {
    const world = await openWorld(scriptedModel(text(STORY)), { config: { fastDelivery: true } })
    await world.speak({ text: 'tell me a story' })
    await world.clock.advance(2_000)
    expect(world.of('audio').length).toBeGreaterThan(10)
    expect(Math.max(...world.of('audio').map(({ ms }) => ms))).toBeLessThanOrEqual(64)
  })
})
