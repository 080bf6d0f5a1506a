import { describe, expect, it } from 'vitest'
import { type HandshakeEvent, type HandshakeState, handshake, handshakeTable } from './handshake-state.ts'

const expected: Readonly<Record<HandshakeState, Readonly<Record<HandshakeEvent, string>>>> = {
  idle: { open: 'waiting: send-init start-timer', ack: 'idle:', timeout: 'idle:', closed: 'idle:' },
  waiting: {
    open: 'waiting:',
    ack: 'connected: clear-timer',
    timeout: 'failed: report-error close-transport schedule-reconnect',
    closed: 'idle: clear-timer schedule-reconnect',
  },
  connected: { open: 'connected:', ack: 'connected:', timeout: 'connected:', closed: 'idle: schedule-reconnect' },
  failed: { open: 'waiting: send-init start-timer', ack: 'failed:', timeout: 'failed:', closed: 'failed:' },
}

describe('the client handshake, every state with every event (ADTP-HSK-1, ADTP-HSK-2, ADTP-HSK-3, ADTP-HSK-4, ADTP-HSK-5, ADTP-HSK-6)', () => {
  for (const state of Object.keys(handshakeTable) as HandshakeState[]) {
    for (const event of Object.keys(handshakeTable[state]) as HandshakeEvent[]) {
      it(`${state} + ${event}`, () => {
        const [next, effects] = handshake(state, event)
        expect([`${next}:`, ...effects].join(' ')).toBe(expected[state][event])
      })
    }
  }
})
