import { DomosError, type ModelMessage, type ToolExecution } from '@domos/spec'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { settle } from './test/manual-clock.ts'
import { silence, speech } from './test/scripted-engines.ts'
import { calls, openWorld, scriptedModel, text, type World } from './test/world.ts'

const action = fc.oneof(
  fc.record({
    kind: fc.constant('speak' as const),
    ms: fc.integer({ min: 40, max: 1_500 }),
    thenMs: fc.integer({ min: 0, max: 1_200 }),
    words: fc.constantFrom('', 'uh', 'okay', 'stop', 'turn on the light', 'tell me a long story', 'no'),
    partialMs: fc.option(fc.integer({ min: 200, max: 900 })),
    complete: fc.boolean(),
    finishMs: fc.constantFrom(0, 30, 400),
    fails: fc.constantFrom('no', 'no', 'no', 'throws', 'never'),
  }),
  fc.record({ kind: fc.constant('say' as const) }),
  fc.record({ kind: fc.constant('announce' as const), mode: fc.constantFrom('queue' as const, 'interrupt' as const) }),
  fc.record({ kind: fc.constantFrom('interrupt' as const, 'arm' as const, 'commit' as const, 'stuck' as const) }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 10, max: 4_000 }) }),
  fc.record({ kind: fc.constant('configure' as const), pushToTalk: fc.boolean(), speak: fc.boolean() }),
)

async function perform(world: World, step: Parameters<Parameters<typeof action.map>[0]>[0]): Promise<void> {
  const { conversation } = world
  if (step.kind === 'speak') {
    const failure = step.fails === 'never' ? ('never' as const) : new DomosError('unavailable', 'The worker ended.')
    world.recognition.script = [
      {
        text: step.words,
        finishMs: step.finishMs,
        ...(step.partialMs === null
          ? {}
          : { partials: [{ afterMs: step.partialMs, text: step.words, complete: step.complete }] }),
        ...(step.fails === 'no' ? {} : { fails: failure }),
      },
    ]
    await world.hear(speech(step.ms), silence(step.thenMs))
  } else if (step.kind === 'say') conversation.say('what time is it')
  else if (step.kind === 'announce') conversation.announce('The washing is done.', step.mode)
  else if (step.kind === 'interrupt') conversation.interrupt('button')
  else if (step.kind === 'arm') conversation.arm()
  else if (step.kind === 'commit') conversation.commit()
  else if (step.kind === 'stuck') {
    world.bufferedMs = world.bufferedMs === 0 ? 2_000 : 0
  } else if (step.kind === 'configure') conversation.configure({ pushToTalk: step.pushToTalk, speak: step.speak })
  else if (step.kind === 'wait') await world.clock.advance(step.ms)
}

function assertPairs(world: World): void {
  let open: number | undefined
  for (const entry of world.told) {
    if (entry.type === 'start') {
      expect(open).toBeUndefined()
      open = entry.turn
    } else if (entry.type === 'end') {
      expect(entry.turn).toBe(open)
      open = undefined
    } else if (entry.type === 'audio') expect(open).toBeDefined()
  }
  expect(open).toBeUndefined()
}

function assertValid(messages: readonly ModelMessage[]): void {
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant') continue
    expect(message.parts.length).toBeGreaterThan(0)
    const wanted = message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []))
    const next = messages[index + 1]
    expect(next?.role === 'tool' ? next.results.map(({ callId }) => callId) : []).toEqual(wanted)
    for (const part of message.parts) if (part.type === 'text') expect(part.text.trim()).not.toBe('')
  }
}

describe('whatever people do', () => {
  it('sound is paired, nothing hangs, the conversation stays valid, and the next question is answered', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 8 }), fc.boolean(), async (steps, isEager) => {
        let asked = 0
        const model = scriptedModel()
        const answers = [
          text('It is noon. The sun shines.'),
          [{ type: 'text-delta' as const, text: 'I do it now. ' }, ...calls(['light'])],
          text('Once there was a harbour with nine old boats. Every morning they went out to the sea and came back.'),
        ]
        const scripted = {
          ...model,
          async *stream(...[request]: Parameters<typeof model.stream>) {
            model.requests.push(structuredClone(request))
            assertValid(request.messages)
            asked += 1
            yield* answers[asked % answers.length] ?? []
          },
        }
        const world = await openWorld(scripted, {
          voice: { isEager },
          agent: { limits: { inputsPerMinute: 1_000 } },
        })
        world.session.tools.replace('page', [
          {
            name: 'light',
            description: 'Light',
            risk: 'none',
            execute: (_args, call) =>
              new Promise<ToolExecution>((resolve) => {
                call.signal.addEventListener('abort', () =>
                  resolve({ type: 'failure', code: 'cancelled', message: 'Stopped.' }),
                )
                world.clock.schedule(700, () => resolve({ type: 'success', value: { on: true } }))
              }),
          },
        ])
        for (const step of steps) await perform(world, step)
        world.bufferedMs = 0
        world.conversation.configure({ pushToTalk: false, speak: true })
        for (let passed = 0; passed < 60_000; passed += 2_000) {
          await world.clock.advance(2_000)
          await settle(2)
        }
        assertPairs(world)
        expect(world.conversation.state).toBe('idle')
        expect(world.session.currentTurn).toBeUndefined()
        const before = world.of('start').length
        world.recognition.script = []
        await world.speak({ text: 'is anybody there' })
        await world.clock.advance(12_000)
        expect(world.of('transcript').some(({ text: said }) => said === 'is anybody there')).toBe(true)
        expect(world.of('start').length).toBeGreaterThan(before)
        assertPairs(world)
      }),
      { numRuns: 60 },
    )
  })
})
