/** Where a client's handshake stands. `failed` lasts until the next attempt opens a transport. */
export type HandshakeState = 'idle' | 'waiting' | 'connected' | 'failed'

/** What happened to the transport or the handshake. */
export type HandshakeEvent = 'open' | 'ack' | 'timeout' | 'closed'

/** What the client has to do now, in this order ("Handshake Timeout", rules 1 to 3). */
export type HandshakeEffect =
  | 'send-init'
  | 'start-timer'
  | 'clear-timer'
  | 'report-error'
  | 'close-transport'
  | 'schedule-reconnect'

type Row = Readonly<Record<HandshakeEvent, readonly [HandshakeState, readonly HandshakeEffect[]]>>

/** Every state with every event. A late ACK after the time-out changes nothing: its transport is being closed. */
export const handshakeTable: Readonly<Record<HandshakeState, Row>> = {
  idle: {
    open: ['waiting', ['send-init', 'start-timer']],
    ack: ['idle', []],
    timeout: ['idle', []],
    closed: ['idle', []],
  },
  waiting: {
    open: ['waiting', []],
    ack: ['connected', ['clear-timer']],
    timeout: ['failed', ['report-error', 'close-transport', 'schedule-reconnect']],
    closed: ['idle', ['clear-timer', 'schedule-reconnect']],
  },
  connected: {
    open: ['connected', []],
    ack: ['connected', []],
    timeout: ['connected', []],
    closed: ['idle', ['schedule-reconnect']],
  },
  failed: {
    open: ['waiting', ['send-init', 'start-timer']],
    ack: ['failed', []],
    timeout: ['failed', []],
    closed: ['failed', []],
  },
}

/** The next state and what to do. */
export function handshake(
  state: HandshakeState,
  event: HandshakeEvent,
): readonly [HandshakeState, readonly HandshakeEffect[]] {
  return handshakeTable[state][event]
}
