import { applyPatch, type PatchOperation } from '@domos/som'
import type { JsonObject } from '@domos/spec'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Journal } from './journal.ts'

const document = fc.record({
  title: fc.string(),
  regions: fc.uniqueArray(
    fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      text: fc.string(),
      elements: fc.array(fc.record({ text: fc.string() })),
    }),
    { selector: ({ id }) => id },
  ),
})

describe('the journal of a page', () => {
  it('leads from any kept cursor to the newest snapshot, byte for byte', () => {
    fc.assert(
      fc.property(fc.array(document, { minLength: 1, maxLength: 8 }), (documents) => {
        const journal = new Journal({ maxJournalEntries: 100, maxJournalBytes: 1e6 })
        const seen = new Map<number, JsonObject>()
        for (const som of documents) {
          journal.record(som as unknown as JsonObject)
          seen.set(journal.cursor, som as unknown as JsonObject)
        }
        for (const [cursor, som] of seen) {
          let now: unknown = som
          for (const { patch } of journal.since(cursor) ?? [])
            now = applyPatch(now, patch as unknown as PatchOperation[])
          expect(JSON.stringify(now)).toBe(JSON.stringify(documents.at(-1)))
        }
      }),
    )
  })

  it('forgets the oldest steps over its bounds, and says so', () => {
    const journal = new Journal({ maxJournalEntries: 2, maxJournalBytes: 1e6 })
    for (let at = 0; at < 5; at++) journal.record({ title: `t${at}` })
    expect(journal.cursor).toBe(5)
    expect(journal.since(2)).toBeUndefined()
    expect(journal.since(3)?.map(({ cursor }) => cursor)).toEqual([4, 5])
    expect(journal.since(5)).toEqual([])
    expect(journal.since(6)).toBeUndefined()
    const tight = new Journal({ maxJournalEntries: 100, maxJournalBytes: 100 })
    for (let at = 0; at < 9; at++) tight.record({ title: `t${at}` })
    expect(tight.since(1)).toBeUndefined()
    expect(tight.since(8)).toHaveLength(1)
  })

  it('counts no step when nothing changed', () => {
    const journal = new Journal({ maxJournalEntries: 2, maxJournalBytes: 1e6 })
    journal.record({ a: 1 })
    expect(journal.record({ a: 1 })).toBeUndefined()
    expect(journal.cursor).toBe(1)
  })
})
