import { DomosError, type JsonObject, type Risk, type ToolFailureCode, type ToolOutcome } from '@domos/spec'
import { failure } from './outcomes.ts'
import { nextToolCallState, type ToolCallEvent, type ToolCallState } from './tool-call-state.ts'
import type { RegisteredTool } from './tool-registry.ts'

/** A call between its check and its end. */
export interface OpenCall {
  readonly id: string
  readonly turnId: string
  readonly startedAt: number
  readonly tool: RegisteredTool
  /** Validated, with defaults, frozen all the way down. */
  readonly args: JsonObject
  readonly risk: Risk
  readonly executorAsks: boolean
  readonly state: ToolCallState
  /** Aborts when the call ends without success; the reason says how. */
  readonly signal: AbortSignal
  /** Aborts when the tool was declared anew in another form. */
  readonly toolChanged: AbortSignal
  /** The end, once there is one. */
  readonly settled: ToolOutcome | undefined
  /** Settles with the end. */
  readonly ended: Promise<ToolOutcome>
  /** Set when a person approved. */
  ticket: string | undefined
  digest: string
  /** Whether the event had an effect. */
  step(event: ToolCallEvent): boolean
  /** Ends the call with this outcome unless it has ended; gives the outcome that counts. */
  finish(outcome: ToolOutcome, event?: ToolCallEvent): ToolOutcome
  cancel(message: string): void
  /** What the registry now holds under the tool's name. */
  toolsChanged(now: RegisteredTool | undefined): void
}

/** What an open call begins with. */
export type OpenCallStart = Pick<OpenCall, 'id' | 'turnId' | 'startedAt' | 'tool' | 'args' | 'risk' | 'executorAsks'>

/** Why an executor is told to stop; made once, for an error costs more than the call around it. */
const cancelled = new DomosError('cancelled', 'The call was cancelled.')
const stopReasons: Readonly<Partial<Record<ToolFailureCode, DomosError>>> = {
  timeout: new DomosError('timeout', 'The call took too long.'),
  expired: new DomosError('expired', 'Nobody decided in time.'),
  unavailable: new DomosError('unavailable', 'The tool or its session is gone.'),
}

/** Makes an open call; its checks have passed. */
export function createOpenCall(start: OpenCallStart): OpenCall {
  const abort = new AbortController()
  let changed: AbortController | undefined
  const ended = Promise.withResolvers<ToolOutcome>()
  let state: ToolCallState = 'checked'
  let settled: ToolOutcome | undefined

  const call: OpenCall = {
    ...start,
    get state() {
      return state
    },
    get settled() {
      return settled
    },
    signal: abort.signal,
    // Only a call that waits for a person has a use for it.
    get toolChanged() {
      changed ??= new AbortController()
      return changed.signal
    },
    ended: ended.promise,
    ticket: undefined,
    digest: '',
    step(event) {
      const next = nextToolCallState(state, event)
      if (next === undefined) return false
      state = next
      return true
    },
    finish(outcome, event = 'outcome') {
      if (settled !== undefined) return settled
      if (!call.step(event)) call.step('refused')
      state = 'settled'
      settled = outcome
      ended.resolve(outcome)
      // After a success nobody has to stop, and an abort without a reason makes a costly exception.
      if (outcome.type === 'failure') abort.abort(stopReasons[outcome.code] ?? cancelled)
      return outcome
    },
    cancel: (message) => void call.finish(failure('cancelled', message), 'cancelled'),
    toolsChanged(now) {
      if (now?.owner !== call.tool.owner) {
        call.finish(
          failure(
            'unavailable',
            `The tool ${call.tool.tool.name.slice(0, 64)} is gone from the page; no result will come. Do not assume that it ran.`,
          ),
          'tool-gone',
        )
      } else if (now.fingerprint !== call.tool.fingerprint) {
        changed ??= new AbortController()
        changed.abort()
      }
    },
  }
  return call
}
