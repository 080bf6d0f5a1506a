/**
 * Where a connection stands. `opening`: the upgrade is done, HANDSHAKE_INIT is awaited; `admitting`: the key is being
 * checked and the session opened; `ready`: acknowledged; `closing`: nothing is taken any more.
 */
export type ConnectionState = 'opening' | 'admitting' | 'ready' | 'closing'

/** What can happen to a connection. `hello` is an acceptable HANDSHAKE_INIT, `frame` any other acceptable message. */
export type ConnectionEvent = 'hello' | 'frame' | 'admitted' | 'refused' | 'deadline' | 'shutdown' | 'closed'

/** What the door does then. */
export type ConnectionAction =
  | 'admit'
  | 'queue'
  | 'handle'
  | 'ask-for-hello'
  | 'refuse-second-hello'
  | 'acknowledge'
  | 'say-goodbye'
  | 'release'
  | 'nothing'

type Row = Readonly<Record<ConnectionEvent, readonly [ConnectionState, ConnectionAction]>>

/** Every state with every event. */
export const connectionTable: Readonly<Record<ConnectionState, Row>> = {
  opening: {
    hello: ['admitting', 'admit'],
    frame: ['opening', 'ask-for-hello'],
    admitted: ['opening', 'nothing'],
    refused: ['closing', 'say-goodbye'],
    deadline: ['closing', 'say-goodbye'],
    shutdown: ['closing', 'say-goodbye'],
    closed: ['closing', 'release'],
  },
  admitting: {
    hello: ['admitting', 'queue'],
    frame: ['admitting', 'queue'],
    admitted: ['ready', 'acknowledge'],
    refused: ['closing', 'say-goodbye'],
    deadline: ['closing', 'say-goodbye'],
    shutdown: ['closing', 'say-goodbye'],
    closed: ['closing', 'release'],
  },
  ready: {
    hello: ['ready', 'refuse-second-hello'],
    frame: ['ready', 'handle'],
    admitted: ['ready', 'nothing'],
    refused: ['closing', 'say-goodbye'],
    deadline: ['ready', 'nothing'],
    shutdown: ['closing', 'say-goodbye'],
    closed: ['closing', 'release'],
  },
  closing: {
    hello: ['closing', 'nothing'],
    frame: ['closing', 'nothing'],
    admitted: ['closing', 'nothing'],
    refused: ['closing', 'nothing'],
    deadline: ['closing', 'nothing'],
    shutdown: ['closing', 'nothing'],
    closed: ['closing', 'release'],
  },
}
