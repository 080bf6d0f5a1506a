import type { ToolExecution } from '@domos/spec'
import { describe, expect, it } from 'vitest'
import { silence, speech } from './test/scripted-engines.ts'
import { calls, lastAnswer, openWorld, scriptedModel, text, type World } from './test/world.ts'

const STORY =
  'Once there was a harbour with nine old boats. Every morning the boats went out to sea. Every evening they came back again. Nobody knew where they had been all day.'

function heardWords(story: string, playedMs: number, msPerChar = 60): number {
  return story.slice(0, playedMs / msPerChar).split(/\s+/).length
}

/** Asks for the story and listens to it for a while. */
async function listenTo(world: World, ms: number): Promise<void> {
  await world.speak({ text: 'tell me about the harbour' }, 800, 0)
  while (world.of('start').length === 0) await world.hear(silence(20))
  await world.hear(silence(ms - 20))
}

const QUESTION = {
  text: 'when does the cinema open tomorrow',
  partials: [{ afterMs: 500, text: 'when does', complete: false }],
}

describe('complaints about interrupting', () => {
  it('keeps in the conversation what was played, and no more (livekit/agents#2201, pipecat#2791)', async () => {
    const world = await openWorld(scriptedModel(text(STORY), text('At ten.')))
    await listenTo(world, 1_000)
    await world.speak(QUESTION, 1_500)
    await world.clock.advance(3_000)
    const [end] = world.of('end')
    expect(end?.interrupted).toBe(true)
    const told = world.model.requests[1]?.messages ?? []
    const kept = lastAnswer(told)
    expect(STORY.startsWith(kept)).toBe(true)
    expect(kept).not.toBe('')
    const expected = heardWords(STORY, end?.playedMs ?? 0)
    expect(Math.abs(kept.split(/\s+/).length - expected)).toBeLessThanOrEqual(1)
  })

  it('keeps nothing of an answer that was interrupted before its first sound, and something after it (livekit/agents#1994)', async () => {
    const world = await openWorld(scriptedModel(text(STORY), text('At ten.')))
    world.synthesis.before = () => new Promise((resolve) => world.clock.schedule(3_000, resolve))
    await world.speak({ text: 'tell me about the harbour' }, 800, 900)
    await world.speak(QUESTION, 1_500)
    expect(world.of('audio')).toEqual([])
    expect(lastAnswer(world.model.requests[1]?.messages ?? [])).toBe('(This answer was stopped.)')

    const after = await openWorld(scriptedModel(text(STORY), text('At ten.')))
    await after.speak({ text: 'tell me about the harbour' }, 800, 0)
    while (after.of('audio').length === 0) await after.hear(silence(20))
    after.conversation.say('when does the cinema open')
    await after.clock.advance(100)
    const kept = lastAnswer(after.model.requests[1]?.messages ?? [])
    expect(kept).not.toBe('')
    expect(STORY.startsWith(kept)).toBe(true)
  })

  it.each([
    ['finishes within the grace', 1_200],
    ['takes longer than the grace', 60_000],
  ])(
    'runs a tool once and keeps its call and its end when a person interrupts and it %s (livekit/agents#3702, #5092)',
    async (_, tookMs) => {
      const world = await openWorld(
        scriptedModel(
          [
            { type: 'text-delta', text: 'I am switching on the light in the kitchen for you now. ' },
            ...calls(['light']),
          ],
          text('At ten.'),
          text('Yes.'),
        ),
      )
      let executed = 0
      world.session.tools.replace('page', [
        {
          name: 'light',
          description: 'Switches the light',
          risk: 'none',
          execute: (_args, call) => {
            executed += 1
            return new Promise<ToolExecution>((resolve) => {
              call.signal.addEventListener('abort', () =>
                resolve({ type: 'failure', code: 'cancelled', message: 'Stopped.' }),
              )
              world.clock.schedule(tookMs, () => resolve({ type: 'success', value: { ok: true } }))
            })
          },
        },
      ])
      await world.speak({ text: 'turn on the light', partials: [] }, 800, 900)
      await world.speak(QUESTION, 1_500)
      await world.clock.advance(5_000)
      expect(executed).toBe(1)
      const messages = world.model.requests[1]?.messages ?? []
      const wanted = messages.flatMap((message) =>
        message.role === 'assistant' ? message.parts.filter((part) => part.type === 'tool-call') : [],
      )
      const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []))
      expect(wanted).toHaveLength(1)
      expect(results).toHaveLength(1)
      expect(results[0]?.outcome).toMatchObject(
        tookMs === 1_200 ? { type: 'success' } : { type: 'failure', code: 'cancelled' },
      )
      expect(messages.at(-1)).toMatchObject({ role: 'user' })
      expect(
        world
          .of('transcript')
          .filter(({ role }) => role === 'user')
          .map((told) => told.text),
      ).toEqual(['turn on the light', 'when does the cinema open tomorrow'])
      await world.speak({ text: 'thank you very much' })
      expect(world.model.requests).toHaveLength(3)
    },
  )

  it('answers the later of two utterances a second apart, and the third as well (livekit/agents-js#1791)', async () => {
    const world = await openWorld(scriptedModel(text(STORY), text(STORY), text('You are welcome.')))
    await world.speak({ text: 'tell me about' }, 800, 1_000)
    await world.speak({ text: 'tell me about the harbour' }, 800, 1_000)
    expect(world.of('start').map(({ turn }) => turn)).toEqual([1, 2])
    expect(world.of('end')).toMatchObject([{ turn: 1, interrupted: true }])
    await world.clock.advance(15_000)
    await world.speak({ text: 'thank you' })
    await world.clock.advance(5_000)
    expect(world.of('end').map(({ turn, interrupted }) => [turn, interrupted])).toEqual([
      [1, true],
      [2, false],
      [3, false],
    ])
  })

  it('goes on from the same place within 2 s after a cough (livekit/agents#1229, #4039)', async () => {
    const world = await openWorld(scriptedModel(text(STORY)))
    await listenTo(world, 1_500)
    const before = world.of('audio').length
    await world.speak({ text: '' }, 200, 0)
    expect(world.conversation.state).toBe('paused')
    const held = world.of('audio').length
    await world.hear(silence(1_800))
    const gap = world.of('audio').map(({ atMs }) => atMs)
    const longest = Math.max(...gap.slice(1).map((atMs, index) => atMs - (gap[index] ?? 0)))
    expect(held - before).toBeLessThan(8)
    expect(longest).toBeLessThanOrEqual(2_000)
    expect(world.of('audio').length).toBeGreaterThan(held)
    await world.clock.advance(20_000)
    // Every sample of the answer was sent, once and in order.
    const whole = await openWorld(scriptedModel(text(STORY)))
    await listenTo(whole, 20)
    await whole.clock.advance(20_000)
    const join = (from: World): string =>
      from
        .of('audio')
        .map(({ samples }) => samples.join())
        .join()
    expect(join(world)).toBe(join(whole))
    expect(world.of('end')).toMatchObject([{ interrupted: false }])
    expect(world.model.requests).toHaveLength(1)
  })

  it('is not stopped by a cough before its first sound (livekit/agents#1229)', async () => {
    const world = await openWorld(scriptedModel(text(STORY)))
    world.synthesis.before = () => new Promise((resolve) => world.clock.schedule(600, resolve))
    await world.speak({ text: 'tell me about the harbour' }, 800, 760)
    await world.speak({ text: '' }, 200, 1_800)
    await world.clock.advance(20_000)
    expect(world.of('end')).toMatchObject([{ interrupted: false }])
    expect(world.model.requests).toHaveLength(1)
  })

  it('sends at most a lead ahead, and nothing after the end of an interrupted answer (pipecat#456, #2460)', async () => {
    const world = await openWorld(scriptedModel(text(STORY), text('At ten.')))
    await listenTo(world, 1_000)
    await world.speak(QUESTION, 1_500)
    const end = world.told.findIndex((entry) => entry.type === 'end')
    const next = world.told.findIndex((entry, index) => index > end && entry.type === 'start')
    expect(world.told.slice(end, next).filter(({ type }) => type === 'audio')).toEqual([])
    const [first] = world.of('end')
    expect((first?.audioMs ?? 0) - (first?.playedMs ?? 0)).toBeLessThanOrEqual(240)
    // The words came 500 ms into the sound given to recognition; the far end is told at once.
    const words = world.of('state').find(({ state }) => state === 'paused')?.atMs ?? 0
    expect((first?.atMs ?? 0) - words).toBeLessThanOrEqual(500)
  })

  it('lets no sound of a turn come after it was stopped, in whatever state (xinnan-tech/xiaozhi-esp32-server#2092)', async () => {
    for (const stopAfterMs of [100, 850, 1_550, 1_620, 2_500, 3_000]) {
      const world = await openWorld(scriptedModel(text(STORY)))
      world.synthesis.before = () => new Promise((resolve) => world.clock.schedule(200, resolve))
      world.recognition.script.push({ text: 'tell me about the harbour', finishMs: 60 })
      const sound = new Int16Array(stopAfterMs * 16)
      sound.set(speech(Math.min(800, stopAfterMs)))
      await world.hear(sound)
      const answered = world.model.requests.length > 0
      world.conversation.interrupt('test')
      const from = world.told.length
      await world.hear(silence(200))
      if (answered) {
        await world.clock.advance(10_000)
        expect(world.told.slice(from).filter(({ type }) => type === 'audio')).toEqual([])
        expect(world.conversation.state).toBe('idle')
      }
      expect(world.of('start').length).toBe(world.of('end').length)
    }
  })

  it('says "I am on it" to its end before the result of the tool is spoken (livekit/agents#1178)', async () => {
    const world = await openWorld(
      scriptedModel(
        [{ type: 'text-delta', text: 'I will do it right away.' }, ...calls(['light'])],
        text('It is on now.'),
      ),
    )
    world.session.tools.replace('page', [
      {
        name: 'light',
        description: 'Light',
        risk: 'none',
        execute: async () => ({ type: 'success', value: { ok: true } }),
      },
    ])
    await world.speak({ text: 'turn on the light' })
    await world.clock.advance(8_000)
    expect(world.synthesis.requests.map((request) => request.text)).toEqual([
      'I will do it right away.',
      'It is on now.',
    ])
    const sent = world.of('audio').reduce((sum, { ms }) => sum + ms, 0)
    expect(sent).toBe(('I will do it right away.'.length + 'It is on now.'.length) * 60)
    expect(world.of('end').every(({ interrupted }) => !interrupted)).toBe(true)
  })
})

describe('interrupting', () => {
  it('takes "uh-huh" and "okay" during an answer for listening', async () => {
    const world = await openWorld(scriptedModel(text(STORY)))
    await listenTo(world, 1_000)
    await world.speak({ text: 'okay', partials: [{ afterMs: 300, text: 'okay', complete: false }] }, 300, 1_000)
    await world.clock.advance(20_000)
    expect(world.of('end')).toMatchObject([{ interrupted: false }])
    expect(world.model.requests).toHaveLength(1)
    expect(world.of('transcript').filter(({ role }) => role === 'user')).toHaveLength(1)
  })

  it('is silent after "stop" without asking the model', async () => {
    const world = await openWorld(scriptedModel(text(STORY)))
    await listenTo(world, 1_000)
    await world.speak({ text: 'stop', partials: [{ afterMs: 300, text: 'stop', complete: true }] }, 300, 1_000)
    await world.clock.advance(20_000)
    expect(world.of('end')).toMatchObject([{ interrupted: true }])
    expect(world.model.requests).toHaveLength(1)
    expect(world.conversation.state).toBe('idle')
  })

  it('interrupts by the length of speech where recognition gives no partial results', async () => {
    const world = await openWorld(scriptedModel(text(STORY), text('At ten.')), { partials: false })
    await listenTo(world, 1_000)
    await world.speak({ text: 'when does the cinema open' }, 1_500)
    await world.clock.advance(3_000)
    expect(world.of('end').map(({ interrupted }) => interrupted)).toEqual([true, false])
    expect(world.model.requests).toHaveLength(2)
  })

  it('does not hear anybody during an answer when interrupting is off', async () => {
    const world = await openWorld(scriptedModel(text(STORY)), { config: { bargeIn: false } })
    await listenTo(world, 1_000)
    await world.speak(QUESTION, 1_500)
    await world.clock.advance(20_000)
    expect(world.of('end')).toMatchObject([{ interrupted: false }])
    expect(world.model.requests).toHaveLength(1)
  })
})
