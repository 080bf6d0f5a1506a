/**
 * Where a connection stands. `opening`: a session is being opened, joined or taken up; `waiting-for-key`: a key is needed and the
 * upgrade had none; `ready`: a session is open; `idle`: the session has ended and the socket is open; `closing`: nothing is
 * taken any more.
 */
export type ConnectionState = 'opening' | 'waiting-for-key' | 'ready' | 'idle' | 'closing'

/** What can happen to a connection. `switch`: work on another session begins; `no-session`: there is none (any more). */
export type ConnectionEvent =
  | 'text'
  | 'audio'
  | 'need-key'
  | 'switch'
  | 'opened'
  | 'no-session'
  | 'refused'
  | 'deadline'
  | 'shutdown'
  | 'closed'

/** What the door does then. */
export type ConnectionAction =
  | 'queue'
  | 'handle'
  | 'take-key'
  | 'ask-for-key'
  | 'open-session'
  | 'drain'
  | 'say-goodbye'
  | 'release'
  | 'nothing'

type Row = Readonly<Record<ConnectionEvent, readonly [ConnectionState, ConnectionAction]>>

/** Every state with every event. */
export const connectionTable: Readonly<Record<ConnectionState, Row>> = {
  opening: {
    text: ['opening', 'queue'],
    audio: ['opening', 'queue'],
    'need-key': ['waiting-for-key', 'nothing'],
    switch: ['opening', 'nothing'],
    opened: ['ready', 'drain'],
    'no-session': ['idle', 'drain'],
    refused: ['closing', 'say-goodbye'],
    deadline: ['opening', 'nothing'],
    shutdown: ['closing', 'say-goodbye'],
    closed: ['closing', 'release'],
  },
  'waiting-for-key': {
    text: ['waiting-for-key', 'take-key'],
    audio: ['waiting-for-key', 'ask-for-key'],
    'need-key': ['waiting-for-key', 'nothing'],
    switch: ['opening', 'nothing'],
    opened: ['waiting-for-key', 'nothing'],
    'no-session': ['waiting-for-key', 'nothing'],
    refused: ['closing', 'say-goodbye'],
    deadline: ['closing', 'say-goodbye'],
    shutdown: ['closing', 'say-goodbye'],
    closed: ['closing', 'release'],
  },
  ready: {
    text: ['ready', 'handle'],
    audio: ['ready', 'handle'],
    'need-key': ['ready', 'nothing'],
    switch: ['opening', 'nothing'],
    opened: ['ready', 'nothing'],
    'no-session': ['idle', 'nothing'],
    refused: ['closing', 'say-goodbye'],
    deadline: ['ready', 'nothing'],
    shutdown: ['closing', 'say-goodbye'],
    closed: ['closing', 'release'],
  },
  idle: {
    text: ['idle', 'handle'],
    audio: ['idle', 'open-session'],
    'need-key': ['idle', 'nothing'],
    switch: ['opening', 'nothing'],
    opened: ['ready', 'nothing'],
    'no-session': ['idle', 'nothing'],
    refused: ['closing', 'say-goodbye'],
    deadline: ['idle', 'nothing'],
    shutdown: ['closing', 'say-goodbye'],
    closed: ['closing', 'release'],
  },
  closing: {
    text: ['closing', 'nothing'],
    audio: ['closing', 'nothing'],
    'need-key': ['closing', 'nothing'],
    switch: ['closing', 'nothing'],
    opened: ['closing', 'nothing'],
    'no-session': ['closing', 'nothing'],
    refused: ['closing', 'nothing'],
    deadline: ['closing', 'nothing'],
    shutdown: ['closing', 'nothing'],
    closed: ['closing', 'release'],
  },
}
