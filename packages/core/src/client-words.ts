import { DomosError, type ErrorCode } from '@domos/spec'
import type { LinkState } from './connection/connection-state.ts'
import type { ClientState } from './events.ts'
import type { CallErrorCode, CallOutcome } from './tools/definition.ts'

/** Outcomes whose word the error class does not have. */
const CALL_ERRORS: Readonly<Partial<Record<CallErrorCode, ErrorCode>>> = {
  failed: 'script_failed',
  invalid_arguments: 'invalid_request',
  unavailable: 'not_found',
  denied: 'forbidden',
}

const STATES: Readonly<Partial<Record<LinkState, ClientState>>> = {
  handshaking: 'connecting',
  waiting: 'disconnected',
}

/** What the client does, in the words of its users. */
export function clientState(linkState: LinkState, isThinking: boolean): ClientState {
  if (linkState === 'connected' && isThinking) return 'thinking'
  return STATES[linkState] ?? (linkState as ClientState)
}

/** The end of a call that failed, as an error to throw. */
export function callError({ code, error }: CallOutcome & { status: 'error' }): DomosError {
  return new DomosError(CALL_ERRORS[code] ?? (code as ErrorCode), error, { details: { code } })
}

/** For every use of a client that was destroyed. */
export function destroyedError(): DomosError {
  return new DomosError('unavailable', 'This client was destroyed. Make a new one.')
}
