import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toPronounceable } from './pronounceable.ts'
import { splitSentences } from './sentences.ts'

const split = (text: string, firstWords = 8, maxCharacters = 240): readonly string[] =>
  splitSentences(text, firstWords, maxCharacters).map((sentence) => sentence.text.trim())

describe('sentences to speak', () => {
  it.each([
    ['It costs 3.5 dollars. Fine?', ['It costs 3.5 dollars.', 'Fine?']],
    ['Dr. Smith is here. He waits.', ['Dr. Smith is here.', 'He waits.']],
    ['Use fruit, e.g. apples. Good.', ['Use fruit, e.g. apples.', 'Good.']],
    ['One!  Two?\nThree', ['One!', 'Two?', 'Three']],
  ])('of "%s"', (text, expected) => {
    expect(split(text)).toEqual(expected)
  })

  it('begin with a clause when the first one is long, so that speech starts soon', () => {
    expect(split('In the kitchen, the lights are on and the door to the garden is open.')).toEqual([
      'In the kitchen,',
      'the lights are on and the door to the garden is open.',
    ])
  })

  it('keep every character of the text in place, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), (text) => {
        const sentences = splitSentences(text, 4, 40)
        let end = 0
        for (const sentence of sentences) {
          expect(sentence.text).toBe(text.slice(sentence.start, sentence.end))
          expect(sentence.text.length).toBeLessThanOrEqual(40)
          expect(text.slice(end, sentence.start).trim()).toBe('')
          end = sentence.end
        }
        expect(text.slice(end).trim()).toBe('')
      }),
    )
  })
})

describe('text that flite can say', () => {
  it.each([
    ['“Café” costs €3.50 — naïve', '"Cafe" costs 3.50 euros , naive'],
    ['20 °C', '20 degrees C'],
    ['**bold** `code`', 'bold code'],
    ['🙂', ''],
    ['…', ''],
    ['日本', ''],
  ])('of "%s" is "%s"', (text, expected) => {
    expect(toPronounceable(text)).toBe(expected)
  })
})
