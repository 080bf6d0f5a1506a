import { expect, it } from 'vitest'
import { takeTurn } from './turns.ts'

it('lets the event loop do other work between two turns, in the order they were asked for', async () => {
  const seen: string[] = []
  const turns = ['a', 'b', 'c'].map(async (name) => {
    await takeTurn()
    seen.push(name)
    setImmediate(() => seen.push(`socket after ${name}`))
  })
  await Promise.all(turns)
  await new Promise((resolve) => setImmediate(resolve))
  expect(seen).toEqual(['a', 'b', 'socket after a', 'c', 'socket after b', 'socket after c'])
})
