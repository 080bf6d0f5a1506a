export type { ApprovalQuestion, ApprovalVerdict, Approver } from './approval/approver.ts'
export { DomOSClient } from './client.ts'
export type { ReconnectOptions } from './connection/reconnect.ts'
export type { Transport, WebSocketConstructor } from './connection/web-socket.ts'
export type { CallInfo, ClientEventName, ClientEvents, ClientHandlers, ClientState } from './events.ts'
export { type ClientLimits, DEFAULT_LIMITS } from './limits.ts'
export type { DomOSClientOptions, OverlayFactory } from './options.ts'
export type {
  CallErrorCode,
  CallOutcome,
  JsonSchemaLike,
  ToolArgs,
  ToolContext,
  ToolDefinition,
  ToolDescription,
  ToolParameters,
} from './tools/definition.ts'
export type { JsonSchemaType } from './tools/json-schema-type.ts'
export type { SchemaConverter } from './tools/parameters.ts'
export type { OutputOf, StandardIssue, StandardResult, StandardSchema } from './tools/standard-schema.ts'
export type { TurnHandle, TurnSummary } from './turns.ts'
