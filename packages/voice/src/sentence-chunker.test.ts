import { describe, expect, it } from 'vitest'
import { createSentenceChunker } from './sentence-chunker.ts'

function chunks(text: string, size = text.length, maxChars = 240): string[] {
  const chunker = createSentenceChunker(maxChars)
  const pieces = []
  for (let at = 0; at < text.length; at += size) pieces.push(...chunker.push(text.slice(at, at + size)))
  pieces.push(...chunker.flush())
  let end = 0
  for (const piece of pieces) {
    expect(piece.start).toBe(end)
    expect(piece.text).toBe(text.slice(piece.start, piece.end))
    end = piece.end
  }
  expect(end).toBe(text.length)
  return pieces.map((piece) => piece.text.trim()).filter((piece) => piece !== '')
}

describe('sentences', () => {
  it.each([
    ['One is here. Two is there! Three?', ['One is here.', 'Two is there!', 'Three?']],
    ['Well, I think so. Yes.', ['Well, I think so.', 'Yes.']],
    ['In the old harbour, nine boats lay.', ['In the old harbour,', 'nine boats lay.']],
    ['Ask Dr. Vale. She knows.', ['Ask Dr. Vale.', 'She knows.']],
    ['It opens at 9 a.m. Then we go in.', ['It opens at 9 a.m.', 'Then we go in.']],
    ['It opens at 9 a.m. on Sundays.', ['It opens at 9 a.m. on Sundays.']],
    ['He said "Stop." Then he left.', ['He said "Stop."', 'Then he left.']],
    ['J. R. Miller wrote it. Good.', ['J. R. Miller wrote it.', 'Good.']],
    ['List:\n1. First thing\n2. Second thing', ['List:', '1. First thing', '2. Second thing']],
    ['Wait... what? Yes', ['Wait...', 'what?', 'Yes']],
    ['Es kostet 3,50 Euro. Gut.', ['Es kostet 3,50 Euro.', 'Gut.']],
    ['今日は。元気？はい', ['今日は。', '元気？', 'はい']],
  ])('%j', (text, expected) => {
    expect(chunks(text)).toEqual(expected)
    expect(chunks(text, 1)).toEqual(expected)
  })

  it('cuts a long first sentence early and other long ones at a clause or space', () => {
    const words = Array.from({ length: 80 }, () => 'harbour').join(' ')
    const [first, ...others] = chunks(words, 3, 120)
    expect(first?.split(' ').length).toBeLessThanOrEqual(13)
    for (const other of others) expect(other.length).toBeLessThanOrEqual(120)
  })

  it('gives the first sentence before the second has begun', () => {
    const chunker = createSentenceChunker(240)
    expect(chunker.push('All is done. ')).toMatchObject([{ text: 'All is done.' }])
  })
})
