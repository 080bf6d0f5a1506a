import { describe, expect, it } from 'vitest'
import { type ConnectionEvent, type ConnectionState, connectionTable } from './connection-state.ts'

const goodbye = { refused: 'closing say-goodbye', shutdown: 'closing say-goodbye', closed: 'closing release' }
const expected: Readonly<Record<ConnectionState, Readonly<Record<ConnectionEvent, string>>>> = {
  opening: {
    ...goodbye,
    hello: 'admitting admit',
    frame: 'opening ask-for-hello',
    admitted: 'opening nothing',
    deadline: 'closing say-goodbye',
  },
  admitting: {
    ...goodbye,
    hello: 'admitting queue',
    frame: 'admitting queue',
    admitted: 'ready acknowledge',
    deadline: 'closing say-goodbye',
  },
  ready: {
    ...goodbye,
    hello: 'ready refuse-second-hello',
    frame: 'ready handle',
    admitted: 'ready nothing',
    deadline: 'ready nothing',
  },
  closing: {
    hello: 'closing nothing',
    frame: 'closing nothing',
    admitted: 'closing nothing',
    refused: 'closing nothing',
    deadline: 'closing nothing',
    shutdown: 'closing nothing',
    closed: 'closing release',
  },
}

describe('a connection at the door, every state with every event', () => {
  for (const state of Object.keys(expected) as ConnectionState[]) {
    for (const event of Object.keys(expected[state]) as ConnectionEvent[]) {
      it(`${state} + ${event}`, () => expect(connectionTable[state][event].join(' ')).toBe(expected[state][event]))
    }
  }
})
