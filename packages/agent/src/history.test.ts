import { describe, expect, it } from 'vitest'
import { createHistory, messageBytes } from './history.ts'
import { assertValid } from './test/harness.ts'

function exchange(history: ReturnType<typeof createHistory>, number: number, resultChars: number): void {
  const callId = `m${number}`
  history.addUser(`question ${number}`)
  history.addAssistant([{ type: 'tool-call', callId, name: 'look', args: {} }])
  const value = 'x'.repeat(resultChars)
  history.addResults([{ callId, name: 'look', outcome: { type: 'success', value }, text: JSON.stringify(value) }])
  history.addAssistant([{ type: 'text', text: `answer ${number}` }])
}

describe('the history', () => {
  it('is cut by messages in front of a person’s message, never between a call and its result', () => {
    for (const maxMessages of [4, 5, 6, 7, 8, 9]) {
      const history = createHistory({ maxMessages, maxBytes: 1_000_000 })
      for (let number = 0; number < 10; number += 1) {
        exchange(history, number, 10)
        history.addUser('next')
        expect(history.messages.length).toBeLessThanOrEqual(maxMessages)
        history.addAssistant([{ type: 'text', text: 'yes' }])
        assertValid(history.messages)
      }
    }
  })

  it('cuts old results before it lets go of whole exchanges', () => {
    const history = createHistory({ maxMessages: 1_000, maxBytes: 50_000 })
    for (let number = 0; number < 10; number += 1) exchange(history, number, 20_000)
    history.addUser('What did I ask first?')
    expect(JSON.stringify(history.messages)).toContain('question 0')
    expect(history.messages.reduce((sum, message) => sum + messageBytes(message), 0)).toBeLessThanOrEqual(50_000)
    assertValid(history.messages)
    for (let number = 10; number < 200; number += 1) exchange(history, number, 20_000)
    history.addUser('And now?')
    expect(JSON.stringify(history.messages)).not.toContain('question 0"')
    expect(history.messages.reduce((sum, message) => sum + messageBytes(message), 0)).toBeLessThanOrEqual(50_000)
    assertValid(history.messages)
  })

  it('keeps the newest message however large it is', () => {
    const history = createHistory({ maxMessages: 4, maxBytes: 1_000 })
    history.addUser('x'.repeat(5_000))
    expect(history.messages).toHaveLength(1)
  })
})
