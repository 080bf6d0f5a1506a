import { describe, expect, it } from 'vitest'
import { MAX_SAID, nextSaid, type Said } from './dialogue.ts'

const final = (role: 'user' | 'assistant', text: string, turn?: number) => ({
  role,
  text,
  isFinal: true,
  words: [],
  turn,
})

describe('what was said at the phone', () => {
  it('is what was understood in the end, and each answer as one', () => {
    const said = [
      { ...final('user', 'add', 1), isFinal: false },
      final('user', 'add two', 1),
      final('assistant', 'Done.', 1),
      final('assistant', ' Two are in the cart. ', 1),
      final('assistant', 'Anything else?', 2),
    ].reduce(nextSaid, [] as readonly Said[])
    expect(said.map(({ text }) => text)).toEqual(['add two', 'Done. Two are in the cart.', 'Anything else?'])
    expect(new Set(said.map(({ id }) => id)).size).toBe(3)
  })

  it('is bounded', () => {
    const many = Array.from({ length: MAX_SAID + 9 }, (_, index) => final('user', `${index}`))
    const said = many.reduce(nextSaid, [] as readonly Said[])
    expect(said).toHaveLength(MAX_SAID)
    expect(said[0]?.text).toBe('9')
  })
})
