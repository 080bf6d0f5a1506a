import { storeContract } from '@domos/testing/store'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from './memory-store.ts'

describe('the memory store', () => {
  for (const { title, run } of storeContract({ open: async () => createMemoryStore() })) it(title, run)

  it('forgets the oldest when a bound is reached', async () => {
    const store = createMemoryStore({ messagesMax: 2, auditMax: 1, sessionsMax: 1 })
    const message = (text: string) => ({ role: 'user', parts: [{ type: 'text', text }] }) as const
    await store.appendMessages('a', [message('1'), message('2'), message('3')])
    expect(await store.loadMessages('a', 9)).toEqual([message('2'), message('3')])
    await store.appendMessages('b', [message('1')])
    expect(await store.loadMessages('a', 9)).toEqual([])
  })
})
