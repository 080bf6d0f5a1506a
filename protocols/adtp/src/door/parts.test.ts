import { describe, expect, it } from 'vitest'
import { createManualClock } from '../test/manual-clock.ts'
import { AnswerChunks } from './answer-chunks.ts'
import { ReplayBuffer } from './replay-buffer.ts'
import { TokenBucket } from './token-bucket.ts'

describe('answer chunks', () => {
  function start() {
    const clock = createManualClock()
    const sent: [string, boolean][] = []
    const chunks = new AnswerChunks({
      clock,
      delayMs: 25,
      holdMs: 250,
      send: (chunk, done) => sent.push([chunk, done]),
    })
    return { clock, sent, chunks }
  }

  it('a short answer is one chunk with done', async () => {
    const { sent, chunks } = start()
    for (const delta of ['Your ', 'cart ', 'is empty.']) chunks.add(delta)
    chunks.end()
    expect(sent).toEqual([['Your cart is empty.', true]])
  })

  it('a long answer streams, its newest delta waits, and the last chunk has text', async () => {
    const { clock, sent, chunks } = start()
    chunks.add('One ')
    chunks.add('two ')
    await clock.advance(25)
    chunks.add('three ')
    await clock.advance(25)
    chunks.add('four')
    chunks.end()
    expect(sent).toEqual([
      ['One ', false],
      ['two ', false],
      ['three four', true],
    ])
  })

  it('holds nothing back for longer than the limit', async () => {
    const { clock, sent, chunks } = start()
    chunks.add('Let me see.')
    await clock.advance(275)
    expect(sent).toEqual([['Let me see.', false]])
  })

  it('ends once, also without any text', () => {
    const { sent, chunks } = start()
    chunks.end()
    chunks.end()
    chunks.add('late')
    expect(sent).toEqual([['', true]])
  })
})

describe('replay buffer', () => {
  it('gives the frames after a number, and says whether any is missing', () => {
    const buffer = new ReplayBuffer(3, 1_000)
    for (let index = 0; index < 5; index++) buffer.push({ seq: buffer.nextSeq(), frame: `f${index}` })
    expect(buffer.after(2)).toEqual({
      isComplete: true,
      frames: [
        { seq: 3, frame: 'f2' },
        { seq: 4, frame: 'f3' },
        { seq: 5, frame: 'f4' },
      ],
    })
    expect(buffer.after(1).isComplete).toBe(false)
    expect(buffer.after(9).isComplete).toBe(false)
  })

  it('keeps to its bound in bytes', () => {
    const buffer = new ReplayBuffer(100, 10)
    for (let index = 0; index < 5; index++) buffer.push({ seq: buffer.nextSeq(), frame: '12345' })
    expect(buffer.after(0).frames.map(({ seq }) => seq)).toEqual([4, 5])
  })
})

describe('token bucket', () => {
  it('lets the burst through, refills with time and gives back', () => {
    const bucket = new TokenBucket(2, 1_000, 0)
    expect([bucket.take(0), bucket.take(0), bucket.take(0)]).toEqual([true, true, false])
    expect(bucket.waitMs()).toBe(500)
    expect(bucket.take(500)).toBe(true)
    bucket.giveBack()
    expect(bucket.take(500)).toBe(true)
  })
})
