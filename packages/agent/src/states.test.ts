import { describe, expect, it } from 'vitest'
import { APPROVAL_TRANSITIONS, type ApprovalEvent, type ApprovalState, nextApprovalState } from './approval-state.ts'
import { nextToolCallState, TOOL_CALL_TRANSITIONS, type ToolCallEvent, type ToolCallState } from './tool-call-state.ts'
import { nextTurnState, TURN_TRANSITIONS, type TurnState, type TurnStateEvent } from './turn-state.ts'

/** Every pair of a table, as `state event → next`, with `–` where the event has no effect. */
function walk<State extends string, Event extends string>(
  states: readonly State[],
  events: readonly Event[],
  next: (state: State, event: Event) => State | undefined,
): string[] {
  return states.map((state) => `${state}: ${events.map((event) => next(state, event) ?? '–').join(' ')}`)
}

const keys = <Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] => Object.keys(table) as Key[]

describe('the state tables', () => {
  it('walk every pair of a tool call: nothing leaves its end, nothing executes without its approval', () => {
    const events: ToolCallEvent[] = [
      'check-passed',
      'approval-needed',
      'approval-given',
      'execution-started',
      'progress',
      'outcome',
      'timeout',
      'refused',
      'tool-gone',
      'cancelled',
    ]
    expect(walk(keys<ToolCallState>(TOOL_CALL_TRANSITIONS), events, nextToolCallState)).toEqual([
      'received: checked – – – – – – settled – settled',
      'checked: – awaiting-approval – executing – – – settled settled settled',
      'awaiting-approval: – – checked awaiting-approval executing settled settled settled settled settled',
      'executing: – awaiting-approval – – executing settled settled – settled settled',
      'settled: – – – – – – – – – –',
    ])
  })

  it('walk every pair of an approval: a decision counts once, only while it is asked for', () => {
    const events: ApprovalEvent[] = [
      'put',
      'approved',
      'declined',
      'digest-mismatch',
      'time-passed',
      'withdrawn',
      'tool-changed',
      'approver-left',
    ]
    expect(walk(keys<ApprovalState>(APPROVAL_TRANSITIONS), events, nextApprovalState)).toEqual([
      'waiting: asked – – – expired cancelled void –',
      'asked: – given refused refused expired cancelled void waiting',
      'given: – – – – – – – –',
      'refused: – – – – – – – –',
      'expired: – – – – – – – –',
      'cancelled: – – – – – – – –',
      'void: – – – – – – – –',
    ])
  })

  it('walk every pair of a turn: it can be stopped anywhere and ends once', () => {
    const events: TurnStateEvent[] = ['started', 'calls-wanted', 'results-in', 'redirected', 'answered', 'stopped']
    expect(walk(keys<TurnState>(TURN_TRANSITIONS), events, nextTurnState)).toEqual([
      'queued: asking – – – – ended',
      'asking: – acting – – ended ended',
      'acting: – – asking acting – ended',
      'ended: – – – – – –',
    ])
  })
})
