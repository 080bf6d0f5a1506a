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
  /**
   * It is not certain yet that the person has finished. The model is asked, but nothing takes effect: calls, other members, the
   * conversation and the store wait for {@link Turn.confirm}. Cancelling it before leaves no trace. Refused with `busy` while
   * another turn runs. @default false
   */
  readonly provisional?: boolean
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
  /**
   * The person heard (or saw) only the first `heardChars` UTF-16 units of this turn's text deltas joined: the conversation keeps no
   * more of the words than that. Calls and their results stay. Works during the turn and after it; the smallest number counts.
   */
  truncate(heardChars: number): void
  /**
   * Makes a provisional turn certain. True when it is certain now and goes on or has ended well; false when it was withdrawn
   * or failed, so that the input has to be said again. True for a turn that never was provisional.
   */
  confirm(): boolean
  /** Settles when the turn has ended; never rejects. */
  readonly ended: Promise<TurnEndReason>
}
