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

type Row = Partial<Readonly<Record<LinkEvent, LinkState>>>

const ends: Row = { 'gave-up': 'error', disconnect: 'disconnected' }
const breaks: Row = { ...ends, dropped: 'waiting', refused: 'error' }
const waits: Row = { ...ends, connect: 'connecting', retry: 'connecting' }

/** Every state with the events that mean something in it. */
export const linkTable: Readonly<Record<LinkState, Row>> = {
  idle: { connect: 'connecting', disconnect: 'disconnected' },
  connecting: { ...breaks, 'socket-open': 'handshaking' },
  handshaking: { ...breaks, acknowledged: 'connected', 'handshake-timeout': 'error' },
  connected: breaks,
  waiting: waits,
  error: waits,
  disconnected: { connect: 'connecting' },
}

/** The state after an event; undefined when the event means nothing in that state. */
export function nextLinkState(state: LinkState, event: LinkEvent): LinkState | undefined {
  return linkTable[state][event]
}
