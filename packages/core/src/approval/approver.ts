import type { JsonObject, Risk } from '@domos/spec'

/** The question put to a person: this call with exactly these arguments, deeply frozen. */
export interface ApprovalQuestion {
  readonly callId: string
  readonly toolName: string
  readonly description: string
  /** Exactly what will be executed. */
  readonly args: JsonObject
  /** `high` or `critical`. */
  readonly risk: Risk
  /** The tool's own additional words; shown as such. */
  readonly text?: string
  /** Epoch milliseconds after which an approval is refused. */
  readonly expiresAt: number
  /** Whether the page or the agent asks. */
  readonly origin: 'agent' | 'page'
}

/** What came of the question. */
export type ApprovalVerdict =
  | { readonly approved: true }
  | {
      readonly approved: false
      readonly why: 'denied' | 'expired' | 'cancelled' | 'unavailable'
      readonly reason?: string
    }

/** Someone who can ask a person. The overlay is one; a page's own is only taken when it says `custom-unsafe`. */
export interface Approver {
  /** Settles with the person's answer; settles as `cancelled` soon after `signal` aborts. */
  ask(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalVerdict>
  /** A `low` call runs: a silent notice. */
  notify?(notice: { readonly callId: string; readonly toolName: string }): void
  /** Ends everything it put on the page. */
  destroy?(): void
}
