import type { ToolExecution } from '@domos/spec'
import { describe, expect, it } from 'vitest'
import { silence, speech } from './test/scripted-engines.ts'
import { calls, lastAnswer, openWorld, scriptedModel, text, type World } from './test/world.ts'

const COMMAND = { text: 'turn on the light', complete: true }

function light(world: World): () => number {
  let executed = 0
  world.session.tools.replace('page', [
    {
      name: 'light',
      description: 'Light',
      risk: 'none',
      execute: async (): Promise<ToolExecution> => {
        executed += 1
        return { type: 'success', value: { on: true } }
      },
    },
  ])
  return () => executed
}

describe('an answer prepared early', () => {
  it('asks the model before the end of the turn is certain, and does, shows and says nothing until then', async () => {
    const world = await openWorld(scriptedModel(calls(['light']), text('It is on.')), { voice: { isEager: true } })
    const executed = light(world)
    const seen: string[] = []
    world.session.join({ id: 'page', door: 'adtp', onTurn: (turn) => seen.push(turn.input.text) })
    world.recognition.script.push({ text: COMMAND.text, partials: [{ afterMs: 700, ...COMMAND }] })
    await world.hear(speech(800), silence(200))
    expect(world.model.requests).toHaveLength(1)
    expect(executed()).toBe(0)
    expect(seen).toEqual([])
    expect(world.of('transcript')).toEqual([])
    await world.hear(silence(200))
    expect(executed()).toBe(1)
    expect(seen).toEqual([COMMAND.text])
    await world.clock.advance(3_000)
    expect(world.model.requests).toHaveLength(2)
    expect(world.of('transcript').map(({ role, text: said }) => `${role}: ${said}`)).toEqual([
      'user: turn on the light',
      'assistant: It is on.',
    ])
    expect(world.of('end')).toMatchObject([{ turn: 1, interrupted: false }])
    expect(world.counts.get('voice_eager_answers used')).toBe(1)
  })

  it('is withdrawn without a trace when the person goes on', async () => {
    const world = await openWorld(scriptedModel(calls(['light']), text('It is green.'), text('Yes.')), {
      voice: { isEager: true },
    })
    const executed = light(world)
    const whole = 'turn on the light and make it green please now'
    world.recognition.script.push({
      text: whole,
      partials: [
        { afterMs: 700, ...COMMAND },
        { afterMs: 1_500, text: whole, complete: false },
      ],
    })
    await world.hear(speech(800), silence(200))
    expect(world.model.requests).toHaveLength(1)
    await world.hear(speech(1_000), silence(1_000))
    await world.clock.advance(3_000)
    expect(executed()).toBe(0)
    expect(world.model.requests).toHaveLength(2)
    expect(world.model.requests[1]?.messages).toHaveLength(1)
    expect(world.of('transcript').map(({ text: said }) => said)).toEqual([whole, 'It is green.'])
    expect(lastAnswer(await world.history())).toBe('It is green.')
  })

  it('has its sound ready, and sends none of it before its time', async () => {
    const world = await openWorld(scriptedModel(text('It is noon.')), { voice: { isEager: true } })
    world.recognition.script.push({
      text: 'what time is it',
      partials: [{ afterMs: 700, text: 'what time is it', complete: true }],
    })
    await world.hear(speech(800), silence(200))
    expect(world.synthesis.requests).toHaveLength(1)
    expect(world.of('audio')).toEqual([])
    await world.hear(silence(100))
    expect(world.of('start')).toHaveLength(1)
    await world.clock.advance(3_000)
    expect(world.of('latency')[0]?.report.voiceToVoiceMs).toBeLessThanOrEqual(290)
  })

  it('that failed early is asked for again', async () => {
    const world = await openWorld(
      scriptedModel(async function* () {
        yield* []
        throw new Error('no')
      }, text('It is noon.')),
      { voice: { isEager: true }, agent: { limits: { modelRetriesMax: 0 } } },
    )
    world.recognition.script.push({
      text: 'what time is it',
      partials: [{ afterMs: 700, text: 'what time is it', complete: true }],
    })
    await world.hear(speech(800), silence(600))
    await world.clock.advance(3_000)
    expect(world.of('error')).toEqual([])
    expect(world.of('transcript').map(({ text: said }) => said)).toEqual(['what time is it', 'It is noon.'])
    expect(world.model.requests[1]?.messages).toHaveLength(1)
  })
})
