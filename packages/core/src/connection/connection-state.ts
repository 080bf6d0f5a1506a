/**
 * Where a connection stands. `waiting` = dropped, a retry is due; `error` = the last attempt failed in a way worth telling
 * (a retry may be due as well).
 */
export type LinkState = 'idle' | 'connecting' | 'handshaking' | 'connected' | 'waiting' | 'error' | 'disconnected'

/** What can happen to a connection. */
export type LinkEvent =
  | 'connect'
  | 'socket-open'
  | 'acknowledged'
  | 'handshake-timeout'
  | 'dropped'
  | 'refused'
  | 'retry'
  | 'gave-up'
  | 'disconnect'

const TABLE: Readonly<Record<LinkState, Partial<Readonly<Record<LinkEvent, LinkState>>>>> = {
  idle: { connect: 'connecting', disconnect: 'disconnected' },
  connecting: {
    'socket-open': 'handshaking',
    dropped: 'waiting',
    refused: 'error',
    'gave-up': 'error',
    disconnect: 'disconnected',
  },
  handshaking: {
    acknowledged: 'connected',
    'handshake-timeout': 'error',
    dropped: 'waiting',
    refused: 'error',
    'gave-up': 'error',
    disconnect: 'disconnected',
  },
  connected: { dropped: 'waiting', refused: 'error', 'gave-up': 'error', disconnect: 'disconnected' },
  waiting: { retry: 'connecting', connect: 'connecting', 'gave-up': 'error', disconnect: 'disconnected' },
  error: { retry: 'connecting', connect: 'connecting', 'gave-up': 'error', disconnect: 'disconnected' },
  disconnected: { connect: 'connecting' },
}

/** The state after an event; undefined when the event means nothing in that state. */
export function nextLinkState(state: LinkState, event: LinkEvent): LinkState | undefined {
  return TABLE[state][event]
}

/** All states and events, for a walk over every pair. */
export const LINK_STATES = Object.keys(TABLE) as readonly LinkState[]
