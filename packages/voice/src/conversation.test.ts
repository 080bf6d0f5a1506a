import { describe, expect, it } from 'vitest'
import { openWorld, scriptedModel, text } from './test/world.ts'

describe('a spoken turn', () => {
  it('goes from samples to a transcript, a turn, sentences and paced sound', async () => {
    const world = await openWorld(scriptedModel(text('It is noon. The sun shines.')))
    await world.speak({ text: 'what time is it' })
    await world.clock.advance(5_000)
    expect(world.of('transcript').map(({ role, text: said }) => `${role}: ${said}`)).toEqual([
      'user: what time is it',
      'assistant: It is noon. The sun shines.',
    ])
    expect(world.synthesis.requests.map((request) => request.text)).toEqual(['It is noon.', 'The sun shines.'])
    expect(world.told.filter(({ type }) => type !== 'audio' && type !== 'state').map(({ type }) => type)).toEqual([
      'transcript',
      'transcript',
      'start',
      'end',
      'latency',
    ])
    const sent = world.of('audio').reduce((sum, { ms }) => sum + ms, 0)
    expect(world.of('end')).toMatchObject([{ audioMs: sent, playedMs: sent, interrupted: false, turn: 1 }])
    expect(world.of('state').map(({ state }) => state)).toEqual(['listening', 'thinking', 'speaking', 'idle'])
    expect(world.of('latency')[0]?.report).toMatchObject({ turn: 1, interrupted: false })
  })
})
