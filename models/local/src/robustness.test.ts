import type { JsonObject, ToolOutcome } from '@domos/spec'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LIST_PAGE, SHOP_TOOLS } from './test/shop.ts'
import { openTalk } from './test/talk.ts'

const WORDS =
  'add remove the a an it this first last and then , . two 3 lamp keyboard cart my not don\'t search for clear order confirm like delete account "x y" to from under 60 euros what is in how many off on please everything : ? kitchen'.split(
    ' ',
  )
const CALLS_MAX = 12

it('ends every turn with words, whatever is said, and makes no call twice in one turn', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }), { minLength: 1, maxLength: 3 }),
      fc.constantFrom<ToolOutcome>(
        { type: 'success', value: { products: [{ id: 'p-9', name: 'Lamp' }] } },
        { type: 'success', value: null },
        { type: 'failure', code: 'denied', message: 'no' },
      ),
      async (turns, outcome) => {
        const talk = openTalk({ tools: SHOP_TOOLS, context: LIST_PAGE, run: () => outcome })
        for (const words of turns) {
          const { calls, text } = await talk.say(words.join(' '))
          expect(text.trim()).not.toBe('')
          expect(calls.length).toBeLessThan(CALLS_MAX)
          expect(new Set(calls.map((call) => JSON.stringify(call))).size).toBe(calls.length)
          for (const call of calls) expectValid(call.name, call.args as JsonObject)
        }
      },
    ),
    { numRuns: 150 },
  )
})

it('takes any text, any context and any result', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary' }),
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.jsonValue(),
      async (text, data, value) => {
        const talk = openTalk({
          tools: SHOP_TOOLS,
          context: { data: data as JsonObject },
          run: () => ({ type: 'success', value: value as JsonObject }),
        })
        expect((await talk.say(`search for ${text}`)).text).not.toBe('')
        expect((await talk.say(text)).text).not.toBe('')
      },
    ),
    { numRuns: 150 },
  )
})

it('takes hostile declarations', async () => {
  const tools = ['', '___', '💥', 'a'.repeat(64)].map((name) => ({
    name,
    description: '',
    risk: 'none' as const,
    parameters: {
      type: 'object',
      properties: { '': {}, x: true, y: { enum: [null, {}] }, z: { anyOf: [] } },
      required: ['', 'x', 7],
    } as JsonObject,
  }))
  expect((await openTalk({ tools }).say('do it now, please')).text).not.toBe('')
})

/** Required arguments are there and every argument has its declared type. */
function expectValid(name: string, args: JsonObject): void {
  const tool = SHOP_TOOLS.find((entry) => entry.name === name)
  const schema = tool?.parameters as { properties: Record<string, { type: string }>; required: string[] }
  for (const required of schema.required) expect(args).toHaveProperty(required)
  for (const [key, value] of Object.entries(args)) {
    const { type } = schema.properties[key] ?? { type: 'unknown argument' }
    expect(type === 'integer' ? (Number.isInteger(value) ? 'integer' : typeof value) : typeof value).toBe(type)
  }
}
