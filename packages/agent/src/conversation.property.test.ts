import { DomosError, type ModelPart, type Turn } from '@domos/spec'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  assertValid,
  flush,
  manualTool,
  openWorld,
  readAll,
  type Script,
  type ScriptedModel,
  scriptedModel,
} from './test/harness.ts'

type Step =
  | { readonly do: 'say'; readonly text: string }
  | { readonly do: 'answer'; readonly index: number; readonly failed: boolean }
  | { readonly do: 'decide'; readonly approved: boolean }
  | { readonly do: 'cancel' }
  | { readonly do: 'tools'; readonly names: readonly string[] }
  | { readonly do: 'wait'; readonly ms: number }

const toolNames = fc.subarray(['look', 'cart.add', 'delete', 'pay'])
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('say' as const), text: fc.string({ minLength: 1, maxLength: 20 }) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('answer' as const), index: fc.nat(5), failed: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('decide' as const), approved: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('tools' as const), names: toolNames }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(130_000) }) },
)

/** What a model may do in one answer: text, calls (known or not, ids repeated), in any order, and perhaps break. */
const answer: fc.Arbitrary<{ readonly parts: readonly ModelPart[]; readonly breaks: boolean }> = fc.record({
  parts: fc.array(
    fc.oneof(
      fc.record({ type: fc.constant('text-delta' as const), text: fc.string({ maxLength: 30 }) }),
      fc.record({
        type: fc.constant('tool-call' as const),
        callId: fc.constantFrom('', 'call_0', 'call_1', 'x'),
        name: fc.constantFrom('look', 'cart_add', 'delete', 'pay', 'unknown', ''),
        args: fc.oneof(fc.constant({}), fc.constant({ q: 1 }), fc.constant('{"q'), fc.constant(null), fc.constant([1])),
      }),
    ),
    { maxLength: 4 },
  ),
  breaks: fc.boolean(),
})

function modelOf(
  answers: readonly { readonly parts: readonly ModelPart[]; readonly breaks: boolean }[],
): ScriptedModel {
  const scripts: Script[] = answers.map(
    ({ parts, breaks }) =>
      async function* () {
        yield* parts
        if (breaks) throw new DomosError('model_failed', 'cut')
        yield { type: 'finish', reason: 'stop' } as const
      },
  )
  return scriptedModel(...scripts)
}

describe('a conversation', () => {
  it('stays valid and bounded whatever happens in whatever order, and every turn ends', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 25 }),
        fc.array(answer, { maxLength: 20 }),
        async (steps, answers) => {
          const model = modelOf(answers)
          const limits = { historyMaxMessages: 12, inputsPerMinute: 1_000, stepsPerTurnMax: 4 }
          const { session, page, clock, agent } = await openWorld(model, { limits })
          const tools = ['look', 'cart.add', 'delete', 'pay'].map((name, index) =>
            manualTool({
              name,
              risk: index < 2 ? 'none' : 'high',
              approval: name === 'pay' ? 'executor' : 'gate',
            }),
          )
          session.tools.replace('page', tools)
          const turns = new Set<Turn>()
          const reading: Promise<unknown>[] = []
          for (const action of steps) {
            if (action.do === 'say') {
              try {
                const turn = session.say({ text: action.text })
                if (!turns.has(turn))
                  reading.push(
                    readAll(turn).then((events) => {
                      const ends = events.filter((event) => event.type === 'end')
                      if (ends.length !== 1 || events.at(-1)?.type !== 'end')
                        throw new Error('a turn without exactly one end')
                      const wanted = events.flatMap((event) => (event.type === 'tool-call' ? [event.callId] : []))
                      const answered = events.flatMap((event) => (event.type === 'tool-result' ? [event.callId] : []))
                      expect(answered.sort()).toEqual(wanted.sort())
                    }),
                  )
                turns.add(turn)
              } catch (thrown) {
                if (!(thrown instanceof DomosError)) throw thrown
              }
            } else if (action.do === 'answer') {
              const open = tools.flatMap((tool) => tool.calls)
              const call = open[action.index % Math.max(1, open.length)]
              call?.answer(
                action.failed
                  ? { type: 'failure', code: 'denied', message: 'declined by user' }
                  : {
                      type: 'success',
                      value: { ok: 1 },
                      ...(call.call.ticket === undefined ? {} : { ticket: call.call.ticket }),
                    },
              )
            } else if (action.do === 'decide') page.asked.at(-1)?.decide({ approved: action.approved })
            else if (action.do === 'cancel') session.currentTurn?.cancel()
            else if (action.do === 'tools')
              session.tools.replace(
                'page',
                tools.filter((tool) => action.names.includes(tool.name)),
              )
            else await clock.advance(action.ms)
            await flush()
          }
          session.close('over')
          await Promise.all(reading)
          for (const request of model.requests) {
            assertValid(request.messages)
            expect(request.messages.at(-1)?.role).not.toBe('assistant')
            for (const tool of request.tools) expect(tool.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
          }
          await agent.close()
          expect(clock.timers).toBe(0)
        },
      ),
      { numRuns: 60 },
    )
  })
})
