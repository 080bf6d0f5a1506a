import { describe, expect, it } from 'vitest'
import { linkTable, mayReconnect } from '../client/link-state.ts'
import { type ConnectionEvent, type ConnectionState, connectionTable } from './connection-state.ts'
import { speechTable } from './speech-state.ts'

describe('the table of connection states', () => {
  const states = Object.keys(connectionTable) as ConnectionState[]
  const events = Object.keys(connectionTable.opening) as ConnectionEvent[]
  const pairs = states.flatMap((state) => events.map((event) => [state, event] as const))

  it.each(pairs)('%s on %s leads to a known state', (state, event) => {
    expect(states).toContain(connectionTable[state][event][0])
  })

  it.each(states)('%s is left for good when the connection closes', (state) => {
    expect(connectionTable[state].closed).toEqual(['closing', 'release'])
  })

  it.each(states.filter((state) => state !== 'closing'))('%s says goodbye at shutdown and refusal, once', (state) => {
    for (const event of ['shutdown', 'refused'] as const) {
      expect(connectionTable[state][event]).toEqual(['closing', 'say-goodbye'])
      expect(connectionTable.closing[event]).toEqual(['closing', 'nothing'])
    }
  })

  it('loses no frame: each state but closing does something with text and audio', () => {
    for (const state of states.filter((each) => each !== 'closing')) {
      for (const event of ['text', 'audio'] as const) expect(connectionTable[state][event][1]).not.toBe('nothing')
    }
  })
})

describe('the table of speech', () => {
  it('opens and closes in turn, and lets audio out in between alone', () => {
    expect(speechTable).toEqual({
      quiet: {
        start: ['speaking', 'open'],
        audio: ['quiet', 'drop'],
        end: ['quiet', 'nothing'],
        lost: ['quiet', 'nothing'],
      },
      speaking: {
        start: ['speaking', 'close-and-open'],
        audio: ['speaking', 'send'],
        end: ['quiet', 'close'],
        lost: ['quiet', 'close'],
      },
    })
  })
})

describe("the table of a client's connection", () => {
  it('comes back from a loss, and not from a refusal or a close', () => {
    for (const row of Object.values(linkTable)) {
      expect(row.close).toBe('closed')
      expect(row.refused).toBe('closed')
    }
    expect(linkTable.ready.lost).toBe('waiting')
    expect(linkTable.connecting.lost).toBe('waiting')
    expect(linkTable.waiting['wait-over']).toBe('connecting')
    expect(linkTable.closed.lost).toBe('closed')
    expect([1000, 1001, 1006, 1011, 1013].every(mayReconnect)).toBe(true)
    expect([1008, 4001].some(mayReconnect)).toBe(false)
  })
})
