import { closeCodes } from '../limits.ts'

/** Where a client's connection stands. `ready`: the server has acknowledged a session; `waiting`: the next attempt comes. */
export type LinkState = 'closed' | 'connecting' | 'ready' | 'waiting'

/** What can happen to it. `lost`: the socket closed and may be opened again; `refused`: it closed for good. */
export type LinkEvent = 'open' | 'acknowledged' | 'lost' | 'refused' | 'wait-over' | 'close'

/** Every state with every event. */
export const linkTable: Readonly<Record<LinkState, Readonly<Record<LinkEvent, LinkState>>>> = {
  closed: {
    open: 'connecting',
    acknowledged: 'closed',
    lost: 'closed',
    refused: 'closed',
    'wait-over': 'closed',
    close: 'closed',
  },
  connecting: {
    open: 'connecting',
    acknowledged: 'ready',
    lost: 'waiting',
    refused: 'closed',
    'wait-over': 'connecting',
    close: 'closed',
  },
  ready: {
    open: 'ready',
    acknowledged: 'ready',
    lost: 'waiting',
    refused: 'closed',
    'wait-over': 'ready',
    close: 'closed',
  },
  waiting: {
    open: 'connecting',
    acknowledged: 'waiting',
    lost: 'waiting',
    refused: 'closed',
    'wait-over': 'connecting',
    close: 'closed',
  },
}

/** Whether coming back makes sense after a close code: not when we were refused or replaced. */
export function mayReconnect(code: number): boolean {
  return code !== closeCodes.policy && code !== closeCodes.replaced
}
