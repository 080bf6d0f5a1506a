import type { JsonObject } from './json.ts'
import type { Risk } from './risk.ts'

/** The question put to a person: this call, with exactly these arguments. */
export interface ApprovalRequest {
  readonly callId: string
  readonly sessionId: string
  readonly toolName: string
  readonly description: string
  /** Exactly what will be executed. */
  readonly args: JsonObject
  readonly risk: Risk
  /** SHA-256 (hex) over the canonical JSON of tool name and arguments. */
  readonly digest: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** What the person said. */
export interface ApprovalDecision {
  readonly approved: boolean
  /** Must equal the request's digest; another digest counts as a refusal. */
  readonly digest: string
  /** How it was decided, for the audit log: `overlay`, `custom`, `console`, `voice`, … */
  readonly by?: string
  /**
   * Why there is no approval. With `unavailable` nobody was asked and the next member that can ask is; `expired` and
   * `cancelled` are no words of a person either.
   * @default 'denied'
   */
  readonly why?: 'denied' | 'expired' | 'cancelled' | 'unavailable'
  /** Free text of the person, given to the model. */
  readonly reason?: string
}

/** A member of a session that can put a question to a person. */
export interface Approver {
  /** Resolves with the decision; must settle soon after `signal` aborts (then the answer is ignored). */
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision>
}
