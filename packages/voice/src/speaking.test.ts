import { DomosError } from '@domos/spec'
import { describe, expect, it } from 'vitest'
import { until } from './test/manual-clock.ts'
import { silence, speech } from './test/scripted-engines.ts'
import { calls, lastAnswer, openWorld, scriptedModel, text, type World } from './test/world.ts'

const STORY =
  'Once there was a harbour with nine old boats. Every morning the boats went out to sea. They came back at night.'

function page(world: World, name: string) {
  const asked: { decide(approved: boolean): void }[] = []
  world.session.join({
    id: 'page',
    door: 'adtp',
    approver: {
      ask: (request) =>
        new Promise((resolve) =>
          asked.push({ decide: (approved) => resolve({ approved, digest: request.digest, by: 'overlay' }) }),
        ),
    },
  })
  let executed = 0
  world.session.tools.replace('page', [
    {
      name,
      description: 'Deletes everything',
      risk: 'high',
      execute: async (_args, call) => {
        executed += 1
        return { type: 'success', value: { done: true }, ...(call.ticket === undefined ? {} : { ticket: call.ticket }) }
      },
    },
  ])
  return { asked, executed: () => executed }
}

describe('a risky call', () => {
  it('is decided on the screen; the voice says so, falls silent, and speaks the result', async () => {
    const world = await openWorld(scriptedModel(calls(['delete_all']), text('All is deleted.')))
    const screen = page(world, 'delete_all')
    await world.speak({ text: 'delete everything' })
    await until(() => screen.asked.length === 1)
    await world.clock.advance(5_000)
    expect(world.synthesis.requests.map((request) => request.text)).toEqual(['Please approve this on your screen.'])
    expect(world.of('end')).toMatchObject([{ turn: 1, interrupted: false }])
    expect(world.conversation.state).toBe('thinking')
    expect(screen.executed()).toBe(0)
    screen.asked[0]?.decide(true)
    await until(() => world.model.requests.length === 2)
    await world.clock.advance(5_000)
    expect(screen.executed()).toBe(1)
    expect(world.synthesis.requests.at(-1)?.text).toBe('All is deleted.')
    expect(world.of('end')).toMatchObject([{ turn: 1 }, { turn: 1 }])
    expect(world.conversation.state).toBe('idle')
  })

  it('is not approved by a spoken yes, and is withdrawn by a spoken no', async () => {
    const world = await openWorld(scriptedModel(calls(['delete_all']), text('Nothing was deleted.'), text('Yes.')))
    const screen = page(world, 'delete_all')
    await world.speak({ text: 'delete everything' })
    await until(() => screen.asked.length === 1)
    await world.clock.advance(4_000)
    await world.speak({ text: 'yes please' })
    await world.clock.advance(4_000)
    expect(screen.executed()).toBe(0)
    expect(world.synthesis.requests.map((request) => request.text)).toEqual([
      'Please approve this on your screen.',
      'Please approve this on your screen.',
    ])
    await world.speak({ text: 'no' })
    await until(() => world.model.requests.length === 2)
    await world.clock.advance(5_000)
    expect(screen.executed()).toBe(0)
    expect(world.synthesis.requests.at(-1)?.text).toBe('Nothing was deleted.')
    screen.asked[0]?.decide(true)
    await world.clock.advance(1_000)
    expect(screen.executed()).toBe(0)
    const results = world.model.requests[1]?.messages.flatMap((message) =>
      message.role === 'tool' ? message.results : [],
    )
    expect(results).toMatchObject([{ outcome: { type: 'failure', code: 'cancelled' } }])
    await world.speak({ text: 'thank you very much' })
    expect(world.model.requests).toHaveLength(3)
  })

  it('names no screen where there is none', async () => {
    const world = await openWorld(scriptedModel(calls(['delete_all']), text('Nobody can approve that.')))
    world.session.tools.replace('page', [
      { name: 'delete_all', description: 'x', risk: 'high', execute: async () => ({ type: 'success', value: {} }) },
    ])
    await world.speak({ text: 'delete everything' })
    await until(() => world.model.requests.length === 2)
    await world.clock.advance(5_000)
    expect(world.synthesis.requests.map((request) => request.text)).toEqual(['Nobody can approve that.'])
  })
})

describe('announcements', () => {
  it('wait for the answer and for the person, and come in order', async () => {
    const world = await openWorld(scriptedModel(text(STORY)))
    await world.speak({ text: 'tell me a story' }, 800, 900)
    world.conversation.announce('The washing is done.', 'queue')
    world.conversation.announce('The door is open.', 'queue')
    await world.clock.advance(15_000)
    expect(world.synthesis.requests.map((request) => request.text).slice(-2)).toEqual([
      'The washing is done.',
      'The door is open.',
    ])
    expect(world.of('end').map(({ turn, interrupted }) => [turn, interrupted])).toEqual([
      [1, false],
      [2, false],
      [3, false],
    ])
    // Nobody asked for them: they are not part of the conversation.
    expect(lastAnswer(await world.history())).toBe(STORY)
  })

  it('interrupt when they have to', async () => {
    const world = await openWorld(scriptedModel(text(STORY)))
    await world.speak({ text: 'tell me a story' }, 800, 1_500)
    world.conversation.announce('There is a fire.', 'interrupt')
    await world.clock.advance(15_000)
    expect(world.of('end').map(({ turn, interrupted }) => [turn, interrupted])).toEqual([
      [1, true],
      [2, false],
    ])
    expect(world.synthesis.requests.at(-1)?.text).toBe('There is a fire.')
  })

  it('are bounded', async () => {
    const world = await openWorld(scriptedModel(text(STORY)), { voice: { limits: { announcementsMax: 1 } } })
    await world.speak({ text: 'tell me a story' })
    for (let count = 0; count < 3; count += 1) world.conversation.announce('Ding.', 'queue')
    world.conversation.announce('x'.repeat(3_000), 'queue')
    expect(world.of('error').map(({ code }) => code)).toEqual(['busy', 'busy', 'too_large'])
  })
})

describe('an answer', () => {
  it('is begun while the model is still writing, its transcript in front of its sound', async () => {
    let finish = (): void => {}
    const rest = new Promise<void>((resolve) => {
      finish = resolve
    })
    const world = await openWorld(
      scriptedModel(async function* () {
        yield { type: 'text-delta', text: 'The first part is ready. The ' }
        await rest
        yield { type: 'text-delta', text: 'second one too.' }
        yield { type: 'finish', reason: 'stop' }
      }),
    )
    await world.speak({ text: 'tell me' }, 800, 1_000)
    expect(world.of('start')).toHaveLength(1)
    finish()
    await world.clock.advance(6_000)
    const order = world.told.flatMap((entry) =>
      entry.type === 'transcript' && entry.role === 'assistant'
        ? [entry.text]
        : entry.type === 'start'
          ? ['start']
          : [],
    )
    expect(order).toEqual(['The first part is ready.', 'start', 'The second one too.'])
    expect(world.of('end')).toMatchObject([{ interrupted: false }])
  })

  it('that stalls does not leave the far end in speaking', async () => {
    const world = await openWorld(
      scriptedModel(async function* (_, signal) {
        yield { type: 'text-delta', text: 'Let me think about that for a moment. And' }
        await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      }),
      { agent: { limits: { modelIdleTimeoutMs: 20_000, modelRetriesMax: 0 } } },
    )
    await world.speak({ text: 'tell me' }, 800, 1_000)
    await world.clock.advance(8_000)
    expect(world.of('end')).toHaveLength(1)
    expect(world.conversation.state).toBe('thinking')
    await world.clock.advance(30_000)
    expect(world.conversation.state).toBe('idle')
    expect(world.of('error')).toHaveLength(1)
    expect(world.of('start').length).toBe(world.of('end').length)
  })

  it('that fails is said to have failed, by code and by voice', async () => {
    const world = await openWorld(
      scriptedModel(async function* () {
        yield* []
        throw new DomosError('model_failed', 'The model is broken.')
      }),
      { agent: { limits: { modelRetriesMax: 0 } } },
    )
    await world.speak({ text: 'tell me' })
    await world.clock.advance(8_000)
    expect(world.of('error').map(({ code }) => code)).toEqual(['model_failed'])
    expect(world.synthesis.requests.map((request) => request.text)).toEqual([
      'Sorry, that did not work. Please try again.',
    ])
    expect(world.conversation.state).toBe('idle')
  })

  it('is only shown where speech is off', async () => {
    const world = await openWorld(scriptedModel(text(STORY)), { config: { speak: false } })
    await world.speak({ text: 'tell me a story' })
    expect(world.of('transcript').at(-1)).toMatchObject({ role: 'assistant', text: STORY })
    expect(world.of('start')).toEqual([])
    expect(world.conversation.state).toBe('idle')
    expect(lastAnswer(await world.history())).toBe(STORY)
  })

  it('is held back from a far end that takes nothing off, and given up after a while', async () => {
    const world = await openWorld(scriptedModel(text(STORY), text('At ten.')))
    await world.speak({ text: 'tell me a story' }, 800, 1_000)
    world.bufferedMs = 1_500
    const before = world.of('audio').length
    await world.clock.advance(1_000)
    expect(world.of('audio')).toHaveLength(before)
    world.bufferedMs = 0
    await world.clock.advance(500)
    expect(world.of('audio').length).toBeGreaterThan(before)
    world.bufferedMs = 3_500
    await world.clock.advance(100)
    expect(world.of('end')).toMatchObject([{ interrupted: true }])
    expect(world.of('error')).toMatchObject([{ code: 'busy' }])
    world.bufferedMs = 0
    await world.speak({ text: 'when does it open' })
    await world.clock.advance(2_000)
    expect(world.of('end').at(-1)).toMatchObject({ interrupted: false })
  })

  it('goes on with one lead after a stall of the machine, not with the whole backlog', async () => {
    const world = await openWorld(scriptedModel(text(STORY)))
    await world.speak({ text: 'tell me a story' }, 800, 1_000)
    // Timers come late: the clock jumps without running what was due.
    const jump = 2_000
    const now = world.clock.now
    world.clock.now = () => now() + jump
    const before = world.of('audio').length
    await world.clock.advance(60)
    const burst = world
      .of('audio')
      .slice(before)
      .reduce((sum, { ms }) => sum + ms, 0)
    expect(burst).toBeLessThanOrEqual(200 + 40 + 60)
  })

  it('is delivered at once where that is wanted', async () => {
    const world = await openWorld(scriptedModel(text(STORY)), { config: { fastDelivery: true } })
    await world.speak({ text: 'tell me a story' }, 800, 900)
    expect(world.of('end')[0]?.audioMs).toBe(world.of('audio').reduce((sum, { ms }) => sum + ms, 0))
    expect((world.of('end')[0]?.atMs ?? 0) - (world.of('start')[0]?.atMs ?? 0)).toBeLessThanOrEqual(100)
  })

  it('to a typed sentence is spoken like one to a spoken sentence', async () => {
    const world = await openWorld(scriptedModel(text('It is noon.'), text('Yes.')))
    world.conversation.say('what time is it')
    await world.clock.advance(3_000)
    expect(world.of('transcript').map(({ role, text: said }) => [role, said])).toEqual([
      ['user', 'what time is it'],
      ['assistant', 'It is noon.'],
    ])
    expect(world.of('end')).toHaveLength(1)
    expect(world.of('latency')).toEqual([])
  })

  it('to somebody else in the session is not spoken here', async () => {
    const world = await openWorld(scriptedModel(text('It is noon.')))
    world.session.say({ text: 'what time is it', from: 'page' })
    await world.clock.advance(3_000)
    expect(world.told).toEqual([])
  })

  it('is reported with its times and counted', async () => {
    const world = await openWorld(scriptedModel(text('It is noon.')))
    world.synthesis.before = () => new Promise((resolve) => world.clock.schedule(50, resolve))
    await world.speak({ text: 'what time is it', finishMs: 30 })
    await world.clock.advance(3_000)
    const report = world.of('latency')[0]?.report
    expect(report).toMatchObject({ turn: 1, interrupted: false })
    const times = [
      report?.endpointMs,
      report?.transcriptMs,
      report?.firstTokenMs,
      report?.firstAudioMs,
      report?.voiceToVoiceMs,
    ]
    expect(times).toEqual([...times].sort((one, other) => (one ?? 0) - (other ?? 0)))
    expect(report?.endpointMs).toBeGreaterThanOrEqual(680)
    expect((report?.transcriptMs ?? 0) - (report?.endpointMs ?? 0)).toBe(30)
    expect((report?.firstAudioMs ?? 0) - (report?.firstTokenMs ?? 0)).toBe(50)
    for (const name of ['endpoint', 'transcript', 'first_token', 'first_audio', 'voice_to_voice'])
      expect(
        world.counts.get(name === 'voice_to_voice' ? 'voice_voice_to_voice_seconds' : `voice_${name}_seconds`),
      ).toBe(1)
    expect(world.counts.get('voice_turns false')).toBe(1)
    const { turn: _turn, ...medians } = report ?? {}
    expect(world.voice.health()['recentTurns']).toEqual({ ...medians, turns: 1, interrupted: 0 })
  })
})

describe('a conversation', () => {
  it.each([0, 500, 1_200, 1_600, 2_500])(
    'closed after %i ms leaves nothing running and says nothing more',
    async (afterMs) => {
      const world = await openWorld(scriptedModel(text(STORY)))
      world.recognition.script.push({ text: 'tell me a story', finishMs: 100 })
      const sound = new Int16Array(afterMs * 16)
      sound.set(speech(Math.min(afterMs, 800)))
      await world.hear(sound)
      await world.conversation.close()
      await world.conversation.close()
      const told = world.told.length
      world.conversation.pushAudio(speech(500))
      world.conversation.say('hello')
      world.conversation.announce('hello', 'interrupt')
      world.conversation.arm()
      await world.clock.advance(30_000)
      expect(world.told).toHaveLength(told)
      expect(world.of('start').length).toBe(world.of('end').length)
      expect(world.session.members).toEqual([])
      expect(world.session.currentTurn).toBeUndefined()
    },
  )

  it('ends with its session', async () => {
    const world = await openWorld(scriptedModel(text(STORY)))
    await world.speak({ text: 'tell me a story' }, 800, 1_500)
    world.session.close('test')
    await world.clock.advance(1_000)
    expect(world.of('end')).toMatchObject([{ interrupted: true }])
    expect(world.counts.get('voice_conversations')).toBe(0)
  })

  it('does not mix with another one', async () => {
    const one = await openWorld(scriptedModel(text('Rome.')))
    const other = await openWorld(scriptedModel(text(STORY)))
    one.recognition.script.push({ text: 'capital of italy' })
    other.recognition.script.push({ text: 'tell me a story' })
    await Promise.all([one.hear(speech(800), silence(1_000)), other.hear(speech(800), silence(1_000))])
    await Promise.all([one.clock.advance(12_000), other.clock.advance(12_000)])
    expect(one.of('end')[0]?.audioMs).toBe('Rome.'.length * 60)
    expect(other.of('end')[0]?.audioMs).toBeGreaterThan(3 * 'Rome.'.length * 60)
  })
})
