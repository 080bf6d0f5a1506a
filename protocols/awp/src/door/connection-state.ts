/** Where a connection of the browser door stands. */
export type ConnectionState = 'greeting' | 'open' | 'closing'

/** What can happen to it. */
export type ConnectionEvent = 'hello' | 'hello-refused' | 'hello-timeout' | 'request' | 'closed'

/** What the door does about it. */
export type ConnectionAction = 'answer' | 'refuse-and-stay' | 'close' | 'ignore'

/** The whole table ("Handshake": the client must send awp.hello first; a repeated hello is answered). */
export const CONNECTION_TABLE: Readonly<
  Record<
    ConnectionState,
    Readonly<Record<ConnectionEvent, { readonly next: ConnectionState; readonly action: ConnectionAction }>>
  >
> = {
  greeting: {
    hello: { next: 'open', action: 'answer' },
    'hello-refused': { next: 'greeting', action: 'refuse-and-stay' },
    'hello-timeout': { next: 'closing', action: 'close' },
    request: { next: 'greeting', action: 'refuse-and-stay' },
    closed: { next: 'closing', action: 'ignore' },
  },
  open: {
    hello: { next: 'open', action: 'answer' },
    'hello-refused': { next: 'open', action: 'refuse-and-stay' },
    'hello-timeout': { next: 'open', action: 'ignore' },
    request: { next: 'open', action: 'answer' },
    closed: { next: 'closing', action: 'ignore' },
  },
  closing: {
    hello: { next: 'closing', action: 'ignore' },
    'hello-refused': { next: 'closing', action: 'ignore' },
    'hello-timeout': { next: 'closing', action: 'ignore' },
    request: { next: 'closing', action: 'ignore' },
    closed: { next: 'closing', action: 'ignore' },
  },
}
