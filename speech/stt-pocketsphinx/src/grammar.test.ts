import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  accepts,
  choice,
  type Grammar,
  optional,
  phrase,
  repeated,
  rule,
  sequence,
  toJsgf,
  weighted,
  wordsOf,
} from './grammar.ts'

const grammar: Grammar = {
  start: sequence(
    choice(['open', 'close']),
    optional('the'),
    repeated(rule('thing')),
    weighted([
      [0.7, sequence()],
      [0.3, phrase('right now')],
    ]),
  ),
  rules: new Map([['thing', choice(['door', 'window'])]]),
}

describe('a grammar', () => {
  it.each([
    ['open door', true],
    ['close the window door', true],
    ['open the door right now', true],
    ['open', false],
    ['open the', false],
    ['open door right', false],
    ['door open', false],
    ['', false],
  ])('on "%s" says %s', (text, expected) => {
    expect(accepts(grammar, text.split(' ').filter(Boolean))).toBe(expected)
  })

  it('is written in the JSpeech Grammar Format', () => {
    expect(toJsgf(grammar)).toBe(
      [
        '#JSGF V1.0;',
        'grammar domos;',
        'public <utterance> = (open | close) [the] (<thing>)+ (/0.7/ <NULL> | /0.3/ right now);',
        '<thing> = (door | window);',
        '',
      ].join('\n'),
    )
  })

  it('knows its words, each once', () => {
    expect([...wordsOf(grammar)].sort()).toEqual(['close', 'door', 'now', 'open', 'right', 'the', 'window'])
  })

  it('decides on any words without hanging', () => {
    const word = fc.constantFrom('open', 'close', 'the', 'door', 'window', 'right', 'now', 'other')
    fc.assert(fc.property(fc.array(word, { maxLength: 40 }), (words) => typeof accepts(grammar, words) === 'boolean'))
  })
})
