import type { ErrorCode } from './error.ts'
import type { JsonObject } from './json.ts'
import type { Risk } from './risk.ts'
import type { ToolOutcome } from './tool.ts'

/** What a person said. */
export interface UserInput {
  readonly text: string
  /** How it came in; spoken input gets spoken answers. @default 'text' */
  readonly modality?: 'text' | 'audio'
  /** The member it came from, so that others can tell whether they heard it themselves. */
  readonly from?: string
}

/** Why a turn ended. */
export type TurnEndReason = 'complete' | 'cancelled' | 'step-limit' | 'failed'

/** What happens during a turn, in order; the last event is always `end`, whatever went wrong. */
export type TurnEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  | {
      readonly type: 'tool-call'
      readonly callId: string
      readonly name: string
      readonly args: JsonObject
      readonly risk: Risk
    }
  | { readonly type: 'tool-progress'; readonly callId: string; readonly fraction?: number; readonly message?: string }
  | { readonly type: 'tool-result'; readonly callId: string; readonly name: string; readonly outcome: ToolOutcome }
  | { readonly type: 'error'; readonly code: ErrorCode; readonly message: string; readonly retryAfterMs?: number }
  | { readonly type: 'end'; readonly reason: TurnEndReason }

/** One answer in the making. Iterate once for the events; they are buffered up to a bound until read. */
export interface Turn extends AsyncIterable<TurnEvent> {
  readonly id: string
  readonly input: UserInput
  /** Stops the model and every open tool call of this turn. Safe to call twice. */
  cancel(reason?: string): void
  /** Settles when the turn has ended; never rejects. */
  readonly ended: Promise<TurnEndReason>
}
