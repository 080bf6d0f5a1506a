import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MessageSplitter } from './message-splitter.ts'

describe('the message splitter', () => {
  it('gives every message whole, wherever the stream is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'))),
        fc.array(fc.nat(40)),
        (texts, cuts) => {
          const seen: string[] = []
          const splitter = new MessageSplitter(1_000_000, (text) => seen.push(text))
          let rest = Buffer.from(texts.map((text) => `${text}\0`).join(''))
          for (const cut of cuts) {
            splitter.push(rest.subarray(0, cut))
            rest = rest.subarray(cut)
          }
          splitter.push(rest)
          expect(seen).toEqual(texts.map((text) => Buffer.from(text).toString()))
        },
      ),
    )
  })

  it('drops a message over the bound and goes on with the next one', () => {
    const seen: string[] = []
    const splitter = new MessageSplitter(4, (text) => seen.push(text))
    for (const part of ['abc', 'def', 'ghi\0', 'ok\0', 'long again\0fine\0']) splitter.push(Buffer.from(part))
    expect(seen).toEqual(['ok', 'fine'])
  })
})
