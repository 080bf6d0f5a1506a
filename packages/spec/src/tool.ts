import type { JsonObject, JsonSchema, JsonValue } from './json.ts'
import type { Risk } from './risk.ts'

/** What a tool says about itself. Names and descriptions come from a page and are untrusted text. */
export interface ToolDeclaration {
  /** The owner's own name, any non-empty text; models are offered a provider-safe alias of it. */
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments; absent means "any object". */
  readonly parameters?: JsonSchema
  /** @default 'none' */
  readonly risk: Risk
  /** Scope a caller needs, such as `page:act`. @default none needed */
  readonly scope?: string
}

/** Why a call gave no result; a value the model reads, never an exception. */
export type ToolFailureCode =
  | 'failed'
  | 'timeout'
  | 'invalid_arguments'
  | 'unavailable'
  | 'denied'
  | 'expired'
  | 'cancelled'

/** The end of a call. */
export type ToolOutcome =
  | { readonly type: 'success'; readonly value: JsonValue }
  | {
      readonly type: 'failure'
      readonly code: ToolFailureCode
      readonly message: string
      /** With `denied`: whose no it was. `nobody`: there was nobody to ask. @default 'person' */
      readonly deniedBy?: 'person' | 'policy' | 'nobody'
    }

/** What {@link Tool.execute} gives back: the outcome and, for a ticketed call, the ticket the far end returned. */
export type ToolExecution = ToolOutcome & { readonly ticket?: string }

/** A sign of life of a running call. */
export interface ToolProgress {
  /** 0 to 1. Says that the tool is running, so that nobody is being asked any more. */
  readonly fraction?: number
  readonly message?: string
  /** The far end is asking a person now: the call waits on the approval clock until it reports a fraction. */
  readonly awaitingApproval?: boolean
}

/** One call on its way to the executor. */
export interface ToolCall {
  /** Unguessable, unique id made by the server. */
  readonly id: string
  readonly sessionId: string
  readonly turnId: string
  /** Aborts when the call times out, the turn is cancelled, the tool vanishes or the session closes. */
  readonly signal: AbortSignal
  /** The risk after policy; never lower than declared. */
  readonly risk: Risk
  /** Present when a person approved this very call; must come back in {@link ToolExecution.ticket}. */
  readonly ticket?: string
  /** Reports a sign of life; each report restarts the clock of the call, within its total. */
  progress(report: ToolProgress): void
}

/** A tool somebody offers. */
export interface Tool extends ToolDeclaration {
  /**
   * Who asks the person about a risky call.
   * - `gate`: the gate asks an approver of the session before it executes (the ticketed flow)
   * - `executor`: the far end asks by itself; the gate only waits longer
   * @default 'gate'
   */
  readonly approval?: 'gate' | 'executor'
  /**
   * How long a running call may still bring its result after the tool left the registry, in milliseconds. A call that leads
   * to another page ends after that page has declared its tools.
   * @default 0
   */
  readonly leaveGraceMs?: number
  /** Runs the call. Must settle soon after `call.signal` aborts; a throw is taken as a `failed` outcome. */
  execute(args: JsonObject, call: ToolCall): Promise<ToolExecution>
}

/** The tools of a session that count: what was offered, what is in force, what was left out and why. */
export interface ToolSurface {
  readonly effective: readonly ToolDeclaration[]
  readonly ignored: readonly { readonly owner: string; readonly name: string; readonly reason: string }[]
}

/** The live tools of one session, by owner. Every change is a whole replacement of one owner's list. */
export interface ToolRegistry {
  /**
   * Replaces all tools of `owner`. Calls still open on a tool that is gone are aborted with `unavailable`.
   * A server-owned tool (owner `server` or `server:<name>`) wins a name collision. Surplus over the limit is ignored and reported in the surface.
   */
  replace(owner: string, tools: readonly Tool[]): ToolSurface
  surface(): ToolSurface
  /** The effective tool of that name, or undefined. */
  get(name: string): Tool | undefined
}
