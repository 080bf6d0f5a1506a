import type { ApprovalVerdict, CallInfo } from '@domos/core'
import { describe, expect, it } from 'vitest'
import { type Entry, MAX_ENTRIES, nextTranscript, parseTranscript, type TranscriptEvent } from './transcript.ts'

const call: CallInfo = { callId: 'tc_1', name: 'add_to_cart', args: { quantity: 2 }, risk: 'low', origin: 'agent' }
const after = (...events: readonly TranscriptEvent[]) => events.reduce(nextTranscript, [] as readonly Entry[])
const asking: TranscriptEvent = {
  type: 'asking',
  call: { callId: 'tc_1', toolName: 'add_to_cart', args: { quantity: 2 }, risk: 'high' },
  atMs: 1,
}
const decided = (verdict: ApprovalVerdict): TranscriptEvent => ({
  type: 'decided',
  verdict: { callId: 'tc_1', toolName: 'add_to_cart', ...verdict },
  atMs: 9,
})
const delta = (text: string): TranscriptEvent => ({ type: 'delta', id: `d-${text}`, text })

describe('the conversation', () => {
  it('grows one answer from its pieces', () => {
    const entries = after({ type: 'said', id: 'p', text: 'Hello' }, delta('Good '), delta('day.'), { type: 'answered' })
    expect(entries).toEqual([
      { id: 'p', type: 'person', text: 'Hello' },
      { id: 'd-Good ', type: 'agent', text: 'Good day.', state: 'done' },
    ])
  })

  it('puts a call between the words before it and those after it', () => {
    const entries = after(delta('One moment.'), { type: 'call', call, atMs: 10 }, delta('Done.'))
    expect(entries.map(({ type }) => type)).toEqual(['agent', 'call', 'agent'])
    expect(entries[0]).toMatchObject({ state: 'done' })
  })

  it('keeps how a call ended and how long it took', () => {
    const settled: TranscriptEvent = {
      type: 'settled',
      call,
      outcome: { status: 'success', result: { added: true } },
      atMs: 35,
    }
    expect(after({ type: 'call', call, atMs: 10 }, settled)).toMatchObject([
      { state: 'success', durationMs: 25, args: { quantity: 2 } },
    ])
  })

  it('tells a call that was declined from one that failed', () => {
    const end = (code: 'denied' | 'failed'): TranscriptEvent => ({
      type: 'settled',
      call,
      outcome: { status: 'error', code, error: 'No.' },
      atMs: 2,
    })
    expect(after({ type: 'call', call, atMs: 1 }, end('denied'))).toMatchObject([{ state: 'denied', detail: 'No.' }])
    expect(after({ type: 'call', call, atMs: 1 }, end('failed'))).toMatchObject([{ state: 'error' }])
  })

  it('shows a call that ended without having been announced', () => {
    expect(
      after({ type: 'settled', call, outcome: { status: 'error', code: 'unavailable', error: 'Gone.' }, atMs: 9 }),
    ).toMatchObject([{ name: 'add_to_cart', state: 'error' }])
  })

  it('shows a question before its call, and both as one', () => {
    const asked = after(asking)
    expect(asked).toMatchObject([{ id: 'tc_1', name: 'add_to_cart', state: 'asking', args: { quantity: 2 } }])
    const run = [decided({ approved: true }), { type: 'call', call, atMs: 500 }] as const
    const outcome = { status: 'success', result: null } as const
    const events: readonly TranscriptEvent[] = [...run, { type: 'settled', call, outcome, atMs: 510 }]
    expect(events.reduce(nextTranscript, asked)).toMatchObject([{ id: 'tc_1', state: 'success', durationMs: 10 }])
  })

  it('ends with the question where the person says no, or nothing in time', () => {
    expect(after(asking, decided({ approved: false, why: 'denied' }))).toMatchObject([
      { state: 'denied', durationMs: 8 },
    ])
    expect(after(asking, decided({ approved: false, why: 'expired' }))).toMatchObject([{ state: 'expired' }])
    expect(after(asking, decided({ approved: false, why: 'unavailable', reason: 'Nobody is asked.' }))).toMatchObject([
      { state: 'error', detail: 'Nobody is asked.' },
    ])
  })

  it('says the same trouble once', () => {
    const told: TranscriptEvent = { type: 'told', kind: 'error', id: 'e', text: 'Too long.' }
    expect(after(told, told)).toHaveLength(1)
  })

  it('is bounded', () => {
    const many = Array.from(
      { length: MAX_ENTRIES + 5 },
      (_, index): TranscriptEvent => ({ type: 'said', id: `${index}`, text: 'x' }),
    )
    const entries = after(...many)
    expect(entries).toHaveLength(MAX_ENTRIES)
    expect(entries[0]?.id).toBe('5')
  })
})

describe('after a reload', () => {
  it('marks what was open as cut short', () => {
    const open = after(delta('I am ad'), { type: 'call', call, atMs: 1 }, delta('ding'))
    expect(parseTranscript(JSON.stringify(open)).map((entry) => 'state' in entry && entry.state)).toEqual([
      'done',
      'interrupted',
      'stopped',
    ])
  })

  it.each([null, '{', '{}', '[null,{"id":1},{"id":"a","type":"call"},{"id":"b","type":"spell","text":"x"}]'])(
    'is empty for %s',
    (text) => {
      expect(parseTranscript(text)).toEqual([])
    },
  )

  it('says that the assistant began anew, once, and only below a conversation', () => {
    expect(nextTranscript([], { type: 'restarted', id: '1' })).toEqual([])
    const said = nextTranscript([], { type: 'said', id: '1', text: 'hello' })
    const restarted = nextTranscript(said, { type: 'restarted', id: '2' })
    expect(restarted.at(-1)).toMatchObject({ type: 'notice', text: expect.stringContaining('began anew') })
    expect(nextTranscript(restarted, { type: 'restarted', id: '3' })).toBe(restarted)
  })
})
