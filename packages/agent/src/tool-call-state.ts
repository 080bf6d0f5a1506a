/** Where a tool call stands. `checked` has passed scope, existence, arguments and risk. */
export type ToolCallState = 'received' | 'checked' | 'awaiting-approval' | 'executing' | 'settled'

/** What can happen to a tool call. */
export type ToolCallEvent =
  | 'check-passed'
  | 'approval-needed'
  | 'approval-given'
  | 'execution-started'
  | 'progress'
  | 'outcome'
  | 'timeout'
  | 'refused'
  | 'tool-gone'
  | 'cancelled'

/**
 * The one table of a tool call's life: state and event give the next state; a missing pair changes nothing, so that a late
 * or doubled outcome, or an approval after the end, is without effect. `settled` has no way out.
 */
export const TOOL_CALL_TRANSITIONS: Readonly<
  Record<ToolCallState, Readonly<Partial<Record<ToolCallEvent, ToolCallState>>>>
> = {
  received: { 'check-passed': 'checked', refused: 'settled', cancelled: 'settled' },
  checked: {
    'approval-needed': 'awaiting-approval',
    'execution-started': 'executing',
    refused: 'settled',
    'tool-gone': 'settled',
    cancelled: 'settled',
  },
  'awaiting-approval': {
    'approval-given': 'checked',
    'execution-started': 'awaiting-approval',
    progress: 'executing',
    outcome: 'settled',
    timeout: 'settled',
    refused: 'settled',
    'tool-gone': 'settled',
    cancelled: 'settled',
  },
  executing: {
    'approval-needed': 'awaiting-approval',
    progress: 'executing',
    outcome: 'settled',
    timeout: 'settled',
    'tool-gone': 'settled',
    cancelled: 'settled',
  },
  settled: {},
}

/** The state after an event, or undefined when the event has no effect in this state. */
export function nextToolCallState(state: ToolCallState, event: ToolCallEvent): ToolCallState | undefined {
  return TOOL_CALL_TRANSITIONS[state][event]
}
