import type { Approver } from './approval.ts'
import type { PageContext } from './model.ts'
import type { DoorName, Principal } from './principal.ts'
import type { ToolRegistry, ToolSurface } from './tool.ts'
import type { Turn, TurnEvent, UserInput } from './turn.ts'

/** Someone at the far end of a door who takes part in a session. */
export interface SessionMember {
  readonly id: string
  readonly door: DoorName
  /** Can put questions to a person; asked in the order of joining, the owner of the called tool first. */
  readonly approver?: Approver
  /** A turn that another member started; the member may iterate `events` to show or speak it. */
  onTurn?(turn: Turn, events: AsyncIterable<TurnEvent>): void
  /** The tools in force changed. */
  onTools?(surface: ToolSurface): void
  /** A risk-`low` call ran, or the server has something to say that is not an answer. */
  onNotice?(notice: { readonly code: string; readonly message: string; readonly callId?: string }): void
  /** The session is over for everyone. */
  onClose?(reason: string): void
}

/** Where someone who asks, someone who decides and something that acts meet. */
export interface Session {
  /** 32 lower-case hex digits; each door prefixes them in its own way. */
  readonly id: string
  readonly principal: Principal
  readonly tools: ToolRegistry
  /** Aborts when the session closes. */
  readonly signal: AbortSignal
  /**
   * Starts a turn, or queues it behind the running one. When a call of the running turn waits for a person's approval, that call
   * is withdrawn (`cancelled`) and the running turn goes on with this input: then the running turn itself is given back, and
   * iterating it a second time ends at once.
   * @throws DomosError `busy` when a turn runs and one waits already; `too_large`, `rate_limited` by the limits
   */
  say(input: UserInput): Turn
  /** The turn that runs now. */
  readonly currentTurn: Turn | undefined
  /** What the page of `owner` shows; undefined forgets it. Returns what had to be cut to fit the limit. */
  setContext(owner: string, context: PageContext | undefined): { readonly cutBytes: number }
  /** Takes a seat. The returned function leaves it; the session outlives its members by the idle limit. */
  join(member: SessionMember): () => void
  readonly members: readonly SessionMember[]
  close(reason: string): void
}

/** How a session is opened. */
export interface OpenSessionOptions {
  readonly door: DoorName
  readonly language?: string
}
