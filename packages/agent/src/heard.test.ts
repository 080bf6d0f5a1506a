import type { ModelMessage } from '@domos/spec'
import { describe, expect, it } from 'vitest'
import {
  assertValid,
  calls,
  instantTool,
  manualMember,
  openWorld,
  readAll,
  scriptedModel,
  text,
} from './test/harness.ts'

const textsOf = (messages: readonly ModelMessage[] = []): string[] =>
  messages.flatMap((message) =>
    message.role === 'assistant' ? message.parts.map((part) => (part.type === 'text' ? part.text : part.name)) : [],
  )

describe('what a person heard of an answer', () => {
  it('is what the conversation keeps, also when they say so after the turn', async () => {
    const { session, model, agent } = await openWorld(scriptedModel(text('The boats are red and blue.'), text('Yes.')))
    const turn = session.say({ text: 'tell me' })
    await readAll(turn)
    turn.truncate(18)
    turn.truncate(25)
    await readAll(session.say({ text: 'and then' }))
    expect(textsOf(model.requests[1]?.messages)).toEqual(['The boats are red'])
    expect(textsOf(await agent.store.loadMessages(session.id, 9))).toEqual(['The boats are red', 'Yes.'])
    assertValid(model.requests[1]?.messages ?? [])
  })

  it('is nothing: a placeholder stands there, for no message may be empty', async () => {
    const { session, model } = await openWorld(scriptedModel(text('The boats are red.'), text('Yes.')))
    const turn = session.say({ text: 'tell me' })
    turn.truncate(0)
    await readAll(turn)
    await readAll(session.say({ text: 'and then' }))
    expect(textsOf(model.requests[1]?.messages)).toEqual(['(This answer was stopped.)'])
  })

  it('takes words away and leaves calls and results, over all steps of the turn', async () => {
    const { session, model } = await openWorld(
      scriptedModel(
        [{ type: 'text-delta', text: 'I look it up.' }, ...calls(['look'])],
        text('It is a red boat.'),
        text('Yes.'),
      ),
    )
    session.tools.replace('page', [instantTool({ name: 'look' })])
    const turn = session.say({ text: 'what is it' })
    await readAll(turn)
    turn.truncate('I look it up.\nIt is'.length)
    await readAll(session.say({ text: 'and then' }))
    expect(textsOf(model.requests[2]?.messages)).toEqual(['I look it up.', 'look', 'It is'])
    turn.truncate(0)
    await readAll(session.say({ text: 'and now' }))
    expect(textsOf(model.requests[3]?.messages).slice(0, 2)).toEqual(['look', '(This answer was stopped.)'])
    assertValid(model.requests[3]?.messages ?? [])
  })
})

describe('a provisional turn', () => {
  it('asks the model, and does nothing and shows nobody anything until it is certain', async () => {
    const { session, model, clock } = await openWorld(scriptedModel(calls(['light']), text('It is on.')))
    let executed = 0
    session.tools.replace('page', [
      instantTool({
        name: 'light',
        execute: async () => {
          executed += 1
          return { type: 'success', value: {} }
        },
      }),
    ])
    const other = manualMember('other')
    session.join(other)
    const turn = session.say({ text: 'light', provisional: true, from: 'voice' })
    const events = readAll(turn)
    await clock.advance(1_000)
    expect(model.requests).toHaveLength(1)
    expect(executed).toBe(0)
    expect(other.turns).toEqual([])
    expect(() => session.say({ text: 'other', provisional: true })).toThrowError(
      expect.objectContaining({ code: 'busy' }),
    )
    expect(turn.confirm()).toBe(true)
    expect((await events).at(-1)).toEqual({ type: 'end', reason: 'complete' })
    expect(executed).toBe(1)
    expect(other.turns).toEqual([turn])
  })

  it('leaves no trace when it is withdrawn, and costs no input', async () => {
    const { session, model, clock, agent } = await openWorld(scriptedModel(calls(['light']), text('Yes.')), {
      limits: { inputsPerMinute: 1 },
    })
    session.tools.replace('page', [instantTool({ name: 'light' })])
    const turn = session.say({ text: 'light', provisional: true })
    await clock.advance(10)
    turn.cancel()
    expect(turn.confirm()).toBe(false)
    expect(await turn.ended).toBe('cancelled')
    await readAll(session.say({ text: 'hello' }))
    expect(model.requests[1]?.messages).toEqual([{ role: 'user', parts: [{ type: 'text', text: 'hello' }] }])
    await clock.advance(10)
    expect(await agent.store.loadMessages(session.id, 10)).toHaveLength(2)
    expect(await agent.store.listToolCalls(session.id, 10)).toEqual([])
  })

  it('that failed before it was certain has to be said again', async () => {
    const { session, model, clock } = await openWorld(
      scriptedModel(async function* () {
        yield* []
        throw new Error('no')
      }, text('Yes.')),
      { limits: { modelRetriesMax: 0 } },
    )
    const turn = session.say({ text: 'hello', provisional: true })
    await clock.advance(10)
    expect(await turn.ended).toBe('failed')
    expect(turn.confirm()).toBe(false)
    await readAll(session.say({ text: 'hello' }))
    expect(model.requests[1]?.messages).toHaveLength(1)
  })
})
