/** Where a question to a person stands. */
export type ApprovalState = 'waiting' | 'asked' | 'given' | 'refused' | 'expired' | 'cancelled' | 'void'

/** What can happen to it. `tool-changed`: the tool was declared anew in another form, so the question is no longer the same. */
export type ApprovalEvent =
  | 'put'
  | 'approved'
  | 'declined'
  | 'digest-mismatch'
  | 'time-passed'
  | 'withdrawn'
  | 'tool-changed'
  | 'approver-left'

/**
 * The one table of an approval's life. Whatever is not listed changes nothing: a decision that comes after the end, twice, or
 * before the question was put has no effect.
 */
export const APPROVAL_TRANSITIONS: Readonly<
  Record<ApprovalState, Readonly<Partial<Record<ApprovalEvent, ApprovalState>>>>
> = {
  waiting: { put: 'asked', 'time-passed': 'expired', withdrawn: 'cancelled', 'tool-changed': 'void' },
  asked: {
    approved: 'given',
    declined: 'refused',
    'digest-mismatch': 'refused',
    'time-passed': 'expired',
    withdrawn: 'cancelled',
    'tool-changed': 'void',
    'approver-left': 'waiting',
  },
  given: {},
  refused: {},
  expired: {},
  cancelled: {},
  void: {},
}

/** The state after an event, or undefined when the event has no effect in this state. */
export function nextApprovalState(state: ApprovalState, event: ApprovalEvent): ApprovalState | undefined {
  return APPROVAL_TRANSITIONS[state][event]
}
