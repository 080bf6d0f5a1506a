export { EXTENSIONS, type Extension } from '../capabilities.ts'
export type { Dialect } from '../frame.ts'
export {
  HANDSHAKE_TIMEOUT_CLOSE_CODE,
  HANDSHAKE_TIMEOUT_CLOSE_REASON,
  HANDSHAKE_TIMEOUT_MS,
  PROTOCOL_VERSION,
} from '../limits.ts'
export type {
  ToClient,
  ToClientMessage,
  ToClientPayload,
  ToClientType,
  ToServerPayload,
  ToServerType,
} from '../messages.ts'
export type { WireTool } from '../tool-declaration.ts'
export {
  type ClientOutcome,
  type ClientProtocol,
  type ClientProtocolOptions,
  createClientProtocol,
  type Received,
  type ResumeState,
} from './client-protocol.ts'
export { mayReconnect } from './close-policy.ts'
export {
  type HandshakeEffect,
  type HandshakeEvent,
  type HandshakeState,
  handshake,
  handshakeTable,
} from './handshake-state.ts'
