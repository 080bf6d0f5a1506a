import { describe, expect, it } from 'vitest'
import { CONNECTION_TABLE, type ConnectionEvent, type ConnectionState } from './connection-state.ts'

const STATES = Object.keys(CONNECTION_TABLE) as ConnectionState[]
const EVENTS = Object.keys(CONNECTION_TABLE.greeting) as ConnectionEvent[]

describe('the states of a connection', () => {
  it.each(STATES.flatMap((state) => EVENTS.map((event) => [state, event] as const)))('%s and %s', (state, event) => {
    const { next, action } = CONNECTION_TABLE[state][event]
    expect(STATES).toContain(next)
    // Nothing leaves closing, only a hello opens, and requests are answered in open alone.
    if (state === 'closing') expect([next, action]).toEqual(['closing', 'ignore'])
    if (next === 'open' && state !== 'open') expect(event).toBe('hello')
    if (event === 'request') expect(action === 'answer').toBe(state === 'open')
    if (action === 'close') expect([state, event]).toEqual(['greeting', 'hello-timeout'])
  })
})
