import { describe, expect, it } from 'vitest'
import { type LinkEvent, type LinkState, linkTable, nextLinkState } from './connection-state.ts'

const states = Object.keys(linkTable) as LinkState[]
const events: readonly LinkEvent[] = [
  ...(['connect', 'socket-open', 'acknowledged', 'handshake-timeout'] as const),
  ...(['dropped', 'refused', 'retry', 'gave-up', 'disconnect'] as const),
]

describe('the states of a connection', () => {
  it.each(states.flatMap((state) => events.map((event) => [state, event] as const)))('%s, %s', (state, event) => {
    const next = nextLinkState(state, event)
    // What must hold of every pair, whatever the table says.
    if (next === 'connected') expect([state, event]).toEqual(['handshaking', 'acknowledged'])
    if (next === 'handshaking') expect([state, event]).toEqual(['connecting', 'socket-open'])
    if (event === 'disconnect' && state !== 'disconnected') expect(next).toBe('disconnected')
    if (state === 'disconnected' && event !== 'connect') expect(next).toBeUndefined()
    if (event === 'handshake-timeout') expect(next).toBe(state === 'handshaking' ? 'error' : undefined)
    if (event === 'retry') expect(next).toBe(state === 'waiting' || state === 'error' ? 'connecting' : undefined)
  })

  it('can all be reached, and left', () => {
    const reached = new Set<LinkState>(['idle'])
    for (let round = 0; round < states.length; round += 1) {
      for (const state of [...reached]) for (const event of events) reached.add(nextLinkState(state, event) ?? state)
    }
    expect([...reached].sort()).toEqual([...states].sort())
    for (const state of states)
      expect(events.some((event) => (nextLinkState(state, event) ?? state) !== state)).toBe(true)
  })
})
