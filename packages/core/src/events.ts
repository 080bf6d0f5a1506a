import type { DomosError, JsonObject, JsonValue, Risk } from '@domos/spec'
import type { ApprovalVerdict } from './approval/approver.ts'
import type { CallOutcome } from './tools/definition.ts'
import type { TurnSummary } from './turns.ts'

/** What the client does now. `thinking`, `speaking` and `listening` are ways of being connected. */
export type ClientState =
  | 'idle'
  | 'disconnected'
  | 'connecting'
  | 'connected'
  | 'thinking'
  | 'speaking'
  | 'listening'
  | 'error'

/** A call as the page is told of it; the arguments are a frozen copy. */
export interface CallInfo {
  readonly callId: string
  readonly name: string
  readonly args: JsonObject
  readonly risk: Risk
  /** Whether the agent or the page's own `callTool` asks. */
  readonly origin: 'agent' | 'page'
}

/** Everything the client tells, by name. Events carry data only: none of them can decide anything. */
export interface ClientEvents {
  'connection.state.changed': { readonly state: ClientState; readonly previous: ClientState }
  'session.started': { readonly sessionId: string; readonly resumed: boolean; readonly capabilities: readonly string[] }
  'agent.response.delta': { readonly text: string; readonly turnId: string | undefined }
  'agent.response.done': { readonly text: string; readonly turnId: string | undefined }
  'turn.started': { readonly turnId: string; readonly content: string; readonly modality: 'text' | 'audio' }
  'turn.completed': { readonly turnId: string } & TurnSummary
  /** A CONTEXT_UPDATE went out; `tools` are the names in it. */
  'tool.registry.synced': { readonly tools: readonly string[] }
  /** A tool came, went or says something else about itself; also without a session. */
  'tool.registry.changed': { readonly count: number }
  /** The server's account of which tools are in force. */
  'tool.registry.effective': { readonly effective: readonly string[]; readonly ignored: readonly string[] }
  /** The page offers more tools than count; the surplus, in order of registration, is not announced. */
  'tool.registry.limit': { readonly limit: number; readonly registered: number; readonly surplus: readonly string[] }
  'tool.call.requested': CallInfo
  'tool.call.progress': { readonly callId: string; readonly fraction?: number; readonly message?: string }
  'tool.call.settled': CallInfo & { readonly outcome: CallOutcome }
  'approval.requested': {
    readonly callId: string
    readonly toolName: string
    readonly args: JsonObject
    readonly risk: Risk
    /** Epoch milliseconds. */
    readonly expiresAt: number
  }
  'approval.settled': { readonly callId: string; readonly toolName: string } & ApprovalVerdict
  /** A tool of risk `low` is being run. */
  'notice.low-risk': { readonly callId: string; readonly toolName: string }
  /** A SYSTEM_EVENT of the server other than an error. */
  'system.event': { readonly kind: string; readonly message: string; readonly data: JsonValue }
  /** Something failed: a code, a sentence a person can act on, and facts. */
  'system.error': { readonly code: string; readonly message: string; readonly error: DomosError }
}

/** The name of an event. */
export type ClientEventName = keyof ClientEvents

/** Handlers in one object, for {@link DomOSClient.on}. */
export interface ClientHandlers {
  onStateChange?(state: ClientState): void
  onSessionId?(sessionId: string): void
  /** A piece of an answer; with `done`, its end. */
  onAgentResponse?(text: string, done: boolean): void
  onToolCall?(call: CallInfo): void
  onToolSettled?(call: CallInfo & { readonly outcome: CallOutcome }): void
  onSystemEvent?(kind: string, message: string): void
  onError?(error: DomosError): void
  onToolsSync?(tools: readonly string[]): void
  onEffectiveTools?(effective: readonly string[]): void
  /** Data only; the answer is given in the approval dialog and nowhere else. */
  onApprovalRequest?(request: ClientEvents['approval.requested']): void
}
