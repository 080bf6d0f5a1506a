import { describe, expect, it } from 'vitest'
import { pronounce } from './pronounce.ts'
import { otherNumber, sayNumber, sayWords } from './spoken-words.ts'

describe('words as people say them', () => {
  it.each([
    ['addToCart', 'add to cart'],
    ['living_room', 'living room'],
    ['HTTPServer', 'http server'],
    ['Crème brûlée (2 pcs)', 'creme brulee two pcs'],
    ["today's 50% sale", "today's fifty percent sale"],
    ['WH-1000XM5', 'wh one thousand xm five'],
    ['🙂', ''],
  ])('of "%s" are "%s"', (text, expected) => {
    expect(sayWords(text).join(' ')).toBe(expected)
  })

  it.each([
    ['0', 'zero'],
    ['21', 'twenty one'],
    ['105', 'one hundred five'],
    ['2300', 'two thousand three hundred'],
    ['1234567', 'one two three four five six seven'],
  ])('of the number %s are "%s"', (digits, expected) => {
    expect(sayNumber(digits)).toBe(expected)
  })

  it.each([
    ['light', 'lights'],
    ['lights', 'light'],
    ['box', 'boxes'],
    ['boxes', 'box'],
    ['battery', 'batteries'],
    ['glass', undefined],
  ])('in the other number: %s and %s', (word, expected) => {
    expect(otherNumber(word)).toBe(expected)
  })
})

describe('sounds of a word the dictionary lacks', () => {
  const dictionary: Readonly<Record<string, string>> = { smart: 'S M AA R T', lock: 'L AA K' }
  const lookup = (word: string): string | undefined => dictionary[word]

  it('are those of two words it is made of', () => {
    expect(pronounce('smartlock', lookup)).toBe('S M AA R T L AA K')
  })

  it.each([
    ['knight', 'N AY T'],
    ['phone', 'F OW N'],
    ['tv', 'T IY V IY'],
    ['ring', 'R IH NG'],
  ])('of %s follow its spelling', (word, expected) => {
    expect(pronounce(word, () => undefined)).toBe(expected)
  })

  it('are never empty and only sounds the recognizer knows', () => {
    for (const word of ["'", 'x', 'zzz', 'aeiou', 'qwerty', 'zephyrix', 'eee', 'y']) {
      expect(pronounce(word, () => undefined)).toMatch(/^[A-Z]{1,2}(?: [A-Z]{1,2})*$/)
    }
  })
})
