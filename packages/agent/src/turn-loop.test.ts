import { DomosError, type ModelPart } from '@domos/spec'
import { describe, expect, it } from 'vitest'
import {
  assertValid,
  calls,
  flush,
  instantTool,
  manualMember,
  manualTool,
  openWorld,
  readAll,
  resultsOf,
  type Script,
  scriptedModel,
  success,
  text,
} from './test/harness.ts'

const failing = (error: unknown, ...before: ModelPart[]): Script =>
  async function* () {
    yield* before
    throw error
  }
const hanging = (...before: ModelPart[]): Script =>
  async function* () {
    yield* before
    await new Promise(() => {})
  }

describe('a turn', () => {
  it('streams text and ends once', async () => {
    const { session } = await openWorld(scriptedModel([{ type: 'text-delta', text: 'Hel' }, ...text('lo.')]))
    expect(await readAll(session.say({ text: 'Hi' }))).toEqual([
      { type: 'text-delta', text: 'Hel' },
      { type: 'text-delta', text: 'lo.' },
      { type: 'end', reason: 'complete' },
    ])
  })

  it('runs the calls of one answer side by side and gives back their results in order', async () => {
    const { session, model } = await openWorld(scriptedModel(calls(['a'], ['b']), text('Both.')))
    const tools = [manualTool({ name: 'a' }), manualTool({ name: 'b' })] as const
    session.tools.replace('page', tools)
    const events = readAll(session.say({ text: 'Both' }))
    await flush()
    expect(tools.map((tool) => tool.calls.length)).toEqual([1, 1])
    tools[1].calls[0]?.answer(success({ b: 1 }))
    await flush()
    tools[0].calls[0]?.answer(success({ a: 1 }))
    await events
    expect(resultsOf(model.requests[1])).toEqual(['{"a":1}', '{"b":1}'])
  })

  it('keeps the words of two model answers apart', async () => {
    const before: ModelPart = { type: 'text-delta', text: 'One moment.' }
    const { session } = await openWorld(
      scriptedModel([before, ...calls(['look'])], calls(['look'], ['look']), text('Found.')),
    )
    session.tools.replace('page', [instantTool({ name: 'look' })])
    const events = await readAll(session.say({ text: 'Look' }))
    const words = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('')
    expect(words).toBe('One moment.\nFound.')
  })

  it('loses the tools and the context of a member that leaves', async () => {
    const { session, model } = await openWorld(scriptedModel(calls(['look']), text('Gone.')))
    const leave = session.join(manualMember('tablet'))
    const tool = manualTool({ name: 'look' })
    session.tools.replace('tablet', [tool])
    session.setContext('tablet', { url: '/kitchen' })
    const events = readAll(session.say({ text: 'Look' }))
    await flush()
    leave()
    await events
    expect(tool.calls[0]?.call.signal.aborted).toBe(true)
    expect(resultsOf(model.requests[1])[0]).toContain('unavailable')
    expect(JSON.stringify(model.requests[0])).toContain('/kitchen')
    expect(JSON.stringify(model.requests[1])).not.toContain('/kitchen')
    expect(model.requests[1]?.tools).toEqual([])
  })

  it('tells once that there are more tools than a request holds, and offers the ones that fit', async () => {
    const { session, model, page } = await openWorld(scriptedModel(calls(['tool_0']), text('Done.')), {
      limits: { toolsMaxBytes: 4_096 },
    })
    const tools = Array.from({ length: 100 }, (_, number) =>
      instantTool({ name: `tool_${number}`, description: 'words '.repeat(100) }),
    )
    session.tools.replace('page', tools)
    await readAll(session.say({ text: 'Go' }))
    expect(page.notices).toEqual(['tools-left-out'])
    for (const request of model.requests) {
      expect(request.tools.length).toBeGreaterThan(10)
      expect(JSON.stringify(request.tools).length).toBeLessThanOrEqual(4_096)
    }
  })

  it('asks the model for speakable words when the person spoke', async () => {
    const { session, model } = await openWorld(scriptedModel(text('One.'), text('Two.')))
    await readAll(session.say({ text: 'Hi', modality: 'audio' }))
    await readAll(session.say({ text: 'Hi' }))
    expect(model.requests.map((request) => request.system.includes('hears your answer'))).toEqual([true, false])
  })

  it('says an honest sentence when the model says nothing', async () => {
    const { session } = await openWorld(scriptedModel([{ type: 'finish', reason: 'stop' }]))
    const [first, last] = await readAll(session.say({ text: 'Hi' }))
    expect(first).toMatchObject({ type: 'text-delta', text: expect.stringContaining('no answer') })
    expect(last).toEqual({ type: 'end', reason: 'complete' })
  })

  it('ends at the step limit without running the last calls', async () => {
    const { session, model } = await openWorld(scriptedModel(...Array.from({ length: 50 }, () => calls(['look']))), {
      limits: { stepsPerTurnMax: 3 },
    })
    let ran = 0
    session.tools.replace('page', [
      {
        ...instantTool({ name: 'look' }),
        execute: async () => {
          ran += 1
          return success({})
        },
      },
    ])
    const events = await readAll(session.say({ text: 'Look' }))
    expect(events.at(-1)).toEqual({ type: 'end', reason: 'step-limit' })
    expect([model.requests.length, ran]).toEqual([3, 2])
    await readAll(session.say({ text: 'Go on' }))
    for (const request of model.requests) assertValid(request.messages)
  })

  it('cancels the model and every open call', async () => {
    const { session, model } = await openWorld(
      scriptedModel(hanging({ type: 'text-delta', text: 'Well' }), calls(['look']), text('Hi.')),
    )
    const first = session.say({ text: 'One' })
    const events = readAll(first)
    await flush()
    first.cancel('the person spoke')
    expect(await events).toEqual([
      { type: 'text-delta', text: 'Well' },
      { type: 'end', reason: 'cancelled' },
    ])
    expect(model.signals[0]?.aborted).toBe(true)
    const tool = manualTool({ name: 'look' })
    session.tools.replace('page', [tool])
    const second = session.say({ text: 'Two' })
    await flush()
    second.cancel()
    second.cancel()
    expect(await second.ended).toBe('cancelled')
    expect(tool.calls[0]?.call.signal.aborted).toBe(true)
    await readAll(session.say({ text: 'Three' }))
    for (const request of model.requests) assertValid(request.messages)
    expect(JSON.stringify(model.requests[2]?.messages)).toContain('Well')
  })

  it('queues one input behind the running turn and refuses a second with busy', async () => {
    const { session, model } = await openWorld(scriptedModel(hanging(), text('Second.')))
    const first = session.say({ text: 'One' })
    const second = session.say({ text: 'Two' })
    expect(() => session.say({ text: 'Three' })).toThrow(expect.objectContaining({ code: 'busy' }))
    await flush()
    expect(model.requests).toHaveLength(1)
    first.cancel()
    expect((await readAll(second)).at(-1)).toEqual({ type: 'end', reason: 'complete' })
    assertValid(model.requests[1]?.messages ?? [])
  })

  it('ends a queued turn that is cancelled before it began, without a trace in the conversation', async () => {
    const { session, model } = await openWorld(scriptedModel(hanging(), text('Third.')))
    const first = session.say({ text: 'One' })
    const second = session.say({ text: 'Two' })
    second.cancel()
    expect(await readAll(second)).toEqual([{ type: 'end', reason: 'cancelled' }])
    first.cancel()
    await first.ended
    await readAll(session.say({ text: 'Three' }))
    expect(JSON.stringify(model.requests)).not.toContain('Two')
  })

  it('refuses empty, too long and too many inputs with a code', async () => {
    const { session, clock } = await openWorld(scriptedModel(), { limits: { inputsPerMinute: 1 } })
    expect(() => session.say({ text: '  ' })).toThrow(expect.objectContaining({ code: 'invalid_request' }))
    expect(() => session.say({ text: 'x'.repeat(8_001) })).toThrow(expect.objectContaining({ code: 'too_large' }))
    await readAll(session.say({ text: 'One' }))
    expect(() => session.say({ text: 'Two' })).toThrow(
      expect.objectContaining({ code: 'rate_limited', details: { retryAfterMs: 60_000 } }),
    )
    await clock.advance(60_000)
    await readAll(session.say({ text: 'Three' }))
  })

  it('shows a turn to the other members of the session', async () => {
    const { session, page } = await openWorld(scriptedModel(text('Hello.')))
    const other = manualMember('speaker')
    session.join(other)
    await readAll(session.say({ text: 'Hi', from: 'speaker' }))
    expect([page.turns.length, other.turns.length]).toEqual([1, 0])
  })
})

describe('a model that fails', () => {
  it('is asked again after the wait it asked for', async () => {
    const limited = new DomosError('rate_limited', 'Slow down.', { details: { retryAfterMs: 5_000 } })
    const { session, model, clock } = await openWorld(scriptedModel(failing(limited), text('Now.')))
    const events = readAll(session.say({ text: 'Hi' }))
    await clock.advance(4_999)
    expect(model.requests).toHaveLength(1)
    await clock.advance(1)
    expect((await events).map((event) => event.type)).toEqual(['text-delta', 'end'])
  })

  it('is reported with the wait when that is too long', async () => {
    const limited = new DomosError('rate_limited', 'Slow down.', { details: { retryAfterMs: 60_000 } })
    const { session, model } = await openWorld(scriptedModel(failing(limited)))
    expect(await readAll(session.say({ text: 'Hi' }))).toEqual([
      { type: 'error', code: 'rate_limited', message: 'Slow down.', retryAfterMs: 60_000 },
      { type: 'end', reason: 'failed' },
    ])
    expect(model.requests).toHaveLength(1)
  })

  it('is asked a bounded number of times when nothing came', async () => {
    const broken = failing(new DomosError('model_failed', 'The stream was cut.'))
    const { session, model, clock } = await openWorld(scriptedModel(broken, broken, broken, broken))
    const events = readAll(session.say({ text: 'Hi' }))
    await clock.advance(10_000)
    expect((await events).map((event) => event.type)).toEqual(['error', 'end'])
    expect(model.requests).toHaveLength(3)
  })

  it('is not asked again once it said something; what was said stays, what it wanted is not run', async () => {
    const { session, model } = await openWorld(
      scriptedModel(
        failing(
          new DomosError('model_failed', 'The stream was cut.'),
          { type: 'text-delta', text: 'I am ' },
          ...calls(['look']).slice(0, 1),
        ),
        text('Again.'),
      ),
    )
    const tool = manualTool({ name: 'look' })
    session.tools.replace('page', [tool])
    const events = await readAll(session.say({ text: 'Hi' }))
    expect(events.map((event) => event.type)).toEqual(['text-delta', 'error', 'end'])
    expect([model.requests.length, tool.calls.length]).toEqual([1, 0])
    await readAll(session.say({ text: 'And?' }))
    assertValid(model.requests[1]?.messages ?? [])
  })

  it('is given up when it does not begin, falls silent, or throws something foreign', async () => {
    const { session, clock } = await openWorld(
      scriptedModel(hanging(), hanging({ type: 'text-delta', text: 'Well' }), failing('secret detail')),
      { limits: { modelRetriesMax: 0 } },
    )
    const first = readAll(session.say({ text: 'One' }))
    await clock.advance(60_000)
    expect((await first)[0]).toMatchObject({ type: 'error', code: 'timeout' })
    const second = readAll(session.say({ text: 'Two' }))
    await clock.advance(60_000)
    expect((await second)[1]).toMatchObject({ type: 'error', code: 'timeout' })
    const third = await readAll(session.say({ text: 'Three' }))
    expect(third[0]).toMatchObject({ type: 'error', code: 'internal' })
    expect(JSON.stringify(third)).not.toContain('secret')
  })

  it('is not asked again where that is no use', async () => {
    const { session, model } = await openWorld(scriptedModel(failing(new DomosError('unauthorized', 'No key.'))))
    await readAll(session.say({ text: 'Hi' }))
    expect(model.requests).toHaveLength(1)
  })

  it('may repeat its call ids or leave them out', async () => {
    const { session, model } = await openWorld(
      scriptedModel(
        calls(['look', {}, 'call_0'], ['look', {}, 'call_0'], ['look', {}, '']),
        calls(['look', {}, 'call_0']),
        text('.'),
      ),
    )
    session.tools.replace('page', [instantTool({ name: 'look' })])
    await readAll(session.say({ text: 'Look' }))
    for (const request of model.requests) assertValid(request.messages)
    expect(resultsOf(model.requests[2])).toHaveLength(4)
  })

  it('is answered although the store fails or never answers, and health says so', async () => {
    const never = () => new Promise<never>(() => {})
    const failingWrite = () => Promise.reject(new DomosError('unavailable', 'The disk is full.'))
    const { createMemoryStore } = await import('./memory-store.ts')
    const store = { ...createMemoryStore(), appendMessages: failingWrite, saveToolCall: never }
    const { session, agent } = await openWorld(scriptedModel(calls(['look']), text('Done.')), { store })
    session.tools.replace('page', [instantTool({ name: 'look' })])
    expect((await readAll(session.say({ text: 'Look' }))).at(-1)).toEqual({ type: 'end', reason: 'complete' })
    await flush()
    expect(agent.health()['store']).toMatchObject({ ok: false, lastError: 'The disk is full.' })
  })
})
