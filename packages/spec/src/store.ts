import type { JsonObject, JsonValue } from './json.ts'
import type { ModelMessage } from './model.ts'
import type { Risk } from './risk.ts'
import type { ToolOutcome } from './tool.ts'

/** A session as it is kept. */
export interface SessionRecord {
  readonly id: string
  readonly principalId: string
  readonly tenant: string
  readonly door: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly lastActiveAt: number
  readonly closedAt?: number
}

/** One tool call as it is kept. */
export interface ToolCallRecord {
  readonly callId: string
  readonly sessionId: string
  readonly turnId: string
  readonly name: string
  readonly args: JsonObject
  readonly risk: Risk
  readonly startedAt: number
  readonly endedAt?: number
  readonly outcome?: ToolOutcome
}

/** One line of the append-only audit log. Holds digests, never arguments. */
export interface AuditEntry {
  readonly at: number
  readonly sessionId: string
  readonly principalId: string
  /** `approval-asked`, `approval-given`, `approval-refused`, `approval-expired`, `approval-cancelled`, `ticket-refused`, `scope-refused`, … */
  readonly event: string
  readonly callId?: string
  readonly toolName?: string
  readonly risk?: Risk
  readonly digest?: string
  readonly by?: string
  readonly latencyMs?: number
  readonly details?: JsonValue
}

/** Where conversations, calls and approvals are kept. Every write is durable in order once its promise resolves. */
export interface Store {
  saveSession(record: SessionRecord): Promise<void>
  loadSession(id: string): Promise<SessionRecord | undefined>
  listSessions(filter: { readonly tenant?: string; readonly limit: number }): Promise<readonly SessionRecord[]>
  appendMessages(sessionId: string, messages: readonly ModelMessage[]): Promise<void>
  /**
   * Puts `by` in the place of `message`, the newest equal one where there are several: of an answer that was interrupted, what
   * was heard is kept. Without effect when there is none (any more).
   */
  replaceMessage(sessionId: string, message: ModelMessage, by: ModelMessage): Promise<void>
  /** The newest `limit` messages, oldest first. */
  loadMessages(sessionId: string, limit: number): Promise<readonly ModelMessage[]>
  saveToolCall(record: ToolCallRecord): Promise<void>
  listToolCalls(sessionId: string, limit: number): Promise<readonly ToolCallRecord[]>
  /** Appends; there is no way to change or remove an entry short of {@link prune}. */
  appendAudit(entry: AuditEntry): Promise<void>
  listAudit(filter: { readonly sessionId?: string; readonly limit: number }): Promise<readonly AuditEntry[]>
  /** Forgets sessions, messages and calls last active before `before` (epoch ms), and audit entries before `auditBefore`. */
  prune(before: number, auditBefore: number): Promise<void>
  close(): Promise<void>
}
