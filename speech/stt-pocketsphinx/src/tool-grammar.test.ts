import { describe, expect, it } from 'vitest'
import { accepts, wordsOf } from './grammar.ts'
import { POCKETSPHINX_LIMITS } from './limits.ts'
import { EXAMPLE_HINTS } from './test/example-hints.ts'
import { grammarFromHints } from './tool-grammar.ts'

const { grammar } = grammarFromHints(EXAMPLE_HINTS, POCKETSPHINX_LIMITS)
const says = (text: string): boolean => accepts(grammar, text.split(' '))

describe('the grammar of live tools', () => {
  it.each([
    'turn on the kitchen lights',
    'could you switch off the light in the living room please',
    'turn the bedroom light off',
    'kitchen lights on',
    'add two headphones to my cart',
    'put a coffee machine in the cart',
    'i want three desk lamps',
    'what is the weather',
    'yes please',
    'cancel that',
  ])('takes "%s"', (text) => {
    expect(says(text)).toBe(true)
  })

  it.each(['turn on', 'turn on the', 'add to my cart', 'tell me a story', 'the kitchen'])(
    'does not find "%s" complete',
    (text) => {
      expect(says(text)).toBe(false)
    },
  )

  it('follows the tools: what is no longer offered is no longer expected', () => {
    const fewer = grammarFromHints({ tools: EXAMPLE_HINTS.tools?.slice(1) ?? [] }, POCKETSPHINX_LIMITS)
    expect(accepts(fewer.grammar, ['turn', 'on', 'the', 'kitchen', 'lights'])).toBe(false)
  })

  it('reads titles of constants, numbers and arrays in a schema', () => {
    const parameters = {
      type: 'object',
      required: ['sizes'],
      properties: { sizes: { type: 'array', items: { oneOf: [{ const: 'L-42', title: 'Extra large' }] } } },
    }
    const made = grammarFromHints(
      { tools: [{ name: 'choose_size', description: '', parameters }] },
      POCKETSPHINX_LIMITS,
    )
    expect(accepts(made.grammar, ['choose', 'extra', 'large'])).toBe(true)
    expect(accepts(made.grammar, ['choose', 'l', 'forty', 'two'])).toBe(true)
  })

  it('leaves a tool to general language whose argument can be anything', () => {
    const tool = {
      name: 'send',
      description: '',
      parameters: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
    }
    expect(wordsOf(grammarFromHints({ tools: [tool] }, POCKETSPHINX_LIMITS).grammar)).not.toContain('send')
  })

  it('counts what does not fit into its limits', () => {
    const vocabulary = Array.from(
      { length: 30 },
      (_, index) => `product ${String.fromCharCode(97 + (index % 26)).repeat(3 + index / 26)}`,
    )
    const limits = { ...POCKETSPHINX_LIMITS, maxGrammarPhrases: 10, maxGrammarTools: 1, maxPhraseWords: 3 }
    const made = grammarFromHints({ ...EXAMPLE_HINTS, vocabulary: [...vocabulary, 'one that is too long'] }, limits)
    expect(made.leftOut).toBe(20 + 1 + 2 + 4)
  })

  it('survives names that nobody can say and schemas that are none', () => {
    const tools = [
      { name: '___', description: '', parameters: { type: 'object', properties: null, enum: 'no' } as never },
      { name: '🙂', description: '🙂', parameters: [] as never },
    ]
    expect(() => grammarFromHints({ tools, vocabulary: ['', '!!!'] }, POCKETSPHINX_LIMITS)).not.toThrow()
  })
})
