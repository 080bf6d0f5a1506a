import type { AuditEntry, ModelMessage, SessionRecord, Store, ToolCallRecord } from '@domos/spec'
import { type ContractCase, check } from './speech-contract-check.ts'

/** What the suite for stores needs: an empty store each time it is asked. The suite closes it. */
export interface StoreSubject {
  open(): Promise<Store>
}

/** What every store promises, as cases for any test runner: `for (const { title, run } of cases) it(title, run)`. */
export function storeContract(subject: StoreSubject): readonly ContractCase[] {
  const on = (title: string, work: (store: Store) => Promise<void>): ContractCase => ({
    title,
    async run() {
      const store = await subject.open()
      try {
        await work(store)
      } finally {
        await store.close()
        await store.close()
      }
    },
  })
  return [...sessionCases(on), ...messageCases(on), ...callCases(on), ...auditCases(on), ...pruneCases(on)]
}

type On = (title: string, work: (store: Store) => Promise<void>) => ContractCase

function sessionCases(on: On): readonly ContractCase[] {
  return [
    on('gives a session back as it was saved, and undefined for one it never saw', async (store) => {
      await store.saveSession(session('a', 5))
      same(await store.loadSession('a'), session('a', 5), 'the saved session')
      same(await store.loadSession('b'), undefined, 'an unknown session')
    }),
    on('replaces a session that is saved again', async (store) => {
      await store.saveSession(session('a', 5))
      const closed = { ...session('a', 9), closedAt: 9 }
      await store.saveSession(closed)
      same(await store.loadSession('a'), closed, 'the session saved last')
      same((await store.listSessions({ limit: 10 })).length, 1, 'the number of sessions')
    }),
    on('lists sessions of a tenant, the last active first, at most as many as asked for', async (store) => {
      for (const [id, at, tenant] of [
        ['a', 1, 'x'],
        ['b', 3, 'x'],
        ['c', 2, 'x'],
        ['d', 4, 'y'],
      ] as const) {
        await store.saveSession({ ...session(id, at), tenant })
      }
      const ids = async (filter: { tenant?: string; limit: number }): Promise<string> =>
        (await store.listSessions(filter)).map((record) => record.id).join()
      same(await ids({ limit: 10 }), 'd,b,c,a', 'all sessions')
      same(await ids({ tenant: 'x', limit: 2 }), 'b,c', 'two of tenant x')
      same(await ids({ limit: 0 }), '', 'none')
    }),
  ]
}

function messageCases(on: On): readonly ContractCase[] {
  return [
    on('gives the newest messages, oldest first, exactly as they were', async (store) => {
      const all = [0, 1, 2, 3].map((number) => user(`message ${number} “quotes” \u0000 😀 \u2028`))
      await store.appendMessages('a', all.slice(0, 3))
      await store.appendMessages('a', all.slice(3))
      await store.appendMessages('b', [user('other')])
      same(await store.loadMessages('a', 10), all, 'all messages')
      same(await store.loadMessages('a', 2), all.slice(2), 'the newest two')
      same(await store.loadMessages('a', 0), [], 'none')
      same(await store.loadMessages('c', 5), [], 'an unknown session')
    }),
    on('keeps every shape of message', async (store) => {
      const messages: readonly ModelMessage[] = [
        user('Empty my cart'),
        {
          role: 'assistant',
          parts: [
            { type: 'text', text: 'One moment.' },
            { type: 'tool-call', callId: 'm1', name: 'clear_cart', args: { deep: [{ x: null, y: [1.5, true] }] } },
          ],
        },
        {
          role: 'tool',
          results: [
            {
              callId: 'm1',
              name: 'clear_cart',
              text: '{}',
              outcome: { type: 'failure', code: 'denied', message: 'No' },
            },
          ],
        },
      ]
      await store.appendMessages('a', messages)
      same(await store.loadMessages('a', 10), messages, 'the conversation')
    }),
    on('keeps the order of writes that were not waited for', async (store) => {
      const numbers = Array.from({ length: 200 }, (_, number) => number)
      await Promise.all(numbers.map((number) => store.appendMessages('a', [user(String(number))])))
      same(
        await store.loadMessages('a', 500),
        numbers.map((number) => user(String(number))),
        'the order',
      )
    }),
    on('takes ids and texts that look like commands for what they are', async (store) => {
      const id = `x'; DROP TABLE messages; -- "\\`
      await store.saveSession(session(id, 1))
      await store.appendMessages(id, [user(id)])
      same(await store.loadMessages(id, 1), [user(id)], 'the message')
      same((await store.loadSession(id))?.id, id, 'the session')
    }),
    on('replaces the newest equal message in its place, and no other', async (store) => {
      const said = { role: 'assistant', parts: [{ type: 'text', text: 'It is "red", and old.' }] } as const
      const heard = { role: 'assistant', parts: [{ type: 'text', text: 'It is' }] } as const
      await store.appendMessages('a', [said, user('again'), said])
      await store.appendMessages('b', [said])
      // Not waited for: writes take effect in their order.
      void store.appendMessages('a', [user('and then')])
      await store.replaceMessage('a', said, heard)
      await store.replaceMessage('a', user('never said'), heard)
      await store.replaceMessage('c', said, heard)
      same(await store.loadMessages('a', 9), [said, user('again'), heard, user('and then')], 'the conversation')
      same(await store.loadMessages('b', 9), [said], 'another conversation')
      same(await store.loadMessages('c', 9), [], 'an unknown session')
    }),
    on('keeps a message of a megabyte whole', async (store) => {
      const large = user('ä'.repeat(500_000))
      await store.appendMessages('a', [large])
      same(await store.loadMessages('a', 1), [large], 'the large message')
    }),
  ]
}

function callCases(on: On): readonly ContractCase[] {
  return [
    on('completes a call that is saved again, in its place', async (store) => {
      await store.saveToolCall(call('1'))
      await store.saveToolCall(call('2'))
      const done: ToolCallRecord = { ...call('1'), endedAt: 7, outcome: { type: 'success', value: { cleared: 3 } } }
      await store.saveToolCall(done)
      same(await store.listToolCalls('a', 10), [done, call('2')], 'the calls')
      same(await store.listToolCalls('a', 1), [call('2')], 'the newest call')
      same(await store.listToolCalls('b', 10), [], 'calls of another session')
    }),
  ]
}

function auditCases(on: On): readonly ContractCase[] {
  return [
    on('appends audit entries and gives the newest, oldest first', async (store) => {
      const entries = [
        audit(1, 'a'),
        audit(2, 'b'),
        { ...audit(3, 'a'), digest: 'd', latencyMs: 4, details: { x: [1] } },
      ]
      for (const entry of entries) await store.appendAudit(entry)
      await store.appendAudit(audit(3, 'a'))
      await store.appendAudit(audit(3, 'a'))
      same((await store.listAudit({ limit: 10 })).length, 5, 'the number of entries, equal ones included')
      same(
        await store.listAudit({ sessionId: 'a', limit: 10 }).then((all) => all.slice(0, 2)),
        [entries[0], entries[2]],
        'entries of a',
      )
      same(await store.listAudit({ limit: 1 }), [audit(3, 'a')], 'the newest entry')
    }),
  ]
}

function pruneCases(on: On): readonly ContractCase[] {
  return [
    on('prunes old sessions with what belongs to them, and old audit entries apart', async (store) => {
      for (const [id, at] of [
        ['old', 10],
        ['new', 20],
      ] as const) {
        await store.saveSession(session(id, at))
        await store.appendMessages(id, [user(id)])
        await store.saveToolCall({ ...call(id), sessionId: id })
        await store.appendAudit(audit(at, id))
      }
      await store.prune(20, 5)
      same(await store.loadSession('old'), undefined, 'the old session')
      same(await store.loadMessages('old', 5), [], 'its messages')
      same(await store.listToolCalls('old', 5), [], 'its calls')
      same((await store.loadMessages('new', 5)).length, 1, 'the messages of the new one')
      same((await store.listToolCalls('new', 5)).length, 1, 'the calls of the new one')
      same((await store.listAudit({ limit: 5 })).length, 2, 'audit entries outlive their session')
      await store.prune(0, 20)
      same(await store.listAudit({ limit: 5 }), [audit(20, 'new')], 'the audit entries left')
    }),
  ]
}

function session(id: string, at: number): SessionRecord {
  return { id, principalId: 'p', tenant: 'default', door: 'adtp', createdAt: 1, lastActiveAt: at }
}

function user(text: string): ModelMessage {
  return { role: 'user', parts: [{ type: 'text', text }] }
}

function call(callId: string): ToolCallRecord {
  return { callId, sessionId: 'a', turnId: 't', name: 'cart.add ä', args: { quantity: 2 }, risk: 'high', startedAt: 5 }
}

function audit(at: number, sessionId: string): AuditEntry {
  return {
    at,
    sessionId,
    principalId: 'p',
    event: 'approval-given',
    callId: 'c',
    toolName: 'clear_cart',
    risk: 'critical',
  }
}

function same(actual: unknown, expected: unknown, what: string): void {
  const [a, b] = [sorted(actual), sorted(expected)]
  check(a === b, `Of ${what} ${b.slice(0, 200)} was expected, not ${a.slice(0, 200)}.`)
}

function sorted(value: unknown): string {
  return (
    JSON.stringify(value, (_key, item: unknown) =>
      typeof item === 'object' && item !== null && !Array.isArray(item)
        ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
        : item,
    ) ?? 'undefined'
  )
}
