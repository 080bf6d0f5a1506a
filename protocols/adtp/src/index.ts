export {
  BASE_CAPABILITIES,
  EXTENSIONS,
  type Extension,
  negotiate,
  type Requirement,
} from './capabilities.ts'
export { decode, encode } from './codec.ts'
export {
  type AdtpErrorCode,
  type ErrorData,
  fatalCloseCodes,
  type ProtocolErrorCode,
  TOOL_FAILURE_CODES,
  toolFailureCode,
} from './errors.ts'
export { type DecodedFrame, type Dialect, newFrameId } from './frame.ts'
export {
  type AdtpDoorLimits,
  closeCodes,
  defaultAdtpDoorLimits,
  HANDSHAKE_TIMEOUT_CLOSE_CODE,
  HANDSHAKE_TIMEOUT_CLOSE_REASON,
  HANDSHAKE_TIMEOUT_MS,
  PROTOCOL_VERSION,
} from './limits.ts'
export {
  type AdtpMessage,
  type Direction,
  type MessageFrame,
  type MessageInfo,
  messageInfos,
  messagesOf,
  type ToClient,
  type ToClientMessage,
  type ToClientPayload,
  type ToClientType,
  type ToServer,
  type ToServerMessage,
  type ToServerPayload,
  type ToServerType,
} from './messages.ts'
export { messagesToClient } from './messages-to-client.ts'
export { messagesToServer, type TableRow } from './messages-to-server.ts'
export { SYSTEM_EVENT_KINDS } from './system-event-kinds.ts'
export type { WireTool } from './tool-declaration.ts'
export { normalizeToolSchema, toSpokenSchema } from './tool-schema.ts'
export { VOICE_END_REASONS, VOICE_STATE_EVENTS } from './voice.ts'
