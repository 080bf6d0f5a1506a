/** Whether an approval would count: nothing is shown; it was just shown or disturbed; it has been in plain view long enough. */
export type ArmingState = 'closed' | 'settling' | 'armed'

/** What happens to the dialog. `disturbed`: it moved, was covered, restyled, resized, or the window lost focus. */
export type ArmingEvent = 'shown' | 'disturbed' | 'settled' | 'closed'

const TABLE: Readonly<Record<ArmingState, Readonly<Record<ArmingEvent, ArmingState>>>> = {
  closed: { shown: 'settling', disturbed: 'closed', settled: 'closed', closed: 'closed' },
  settling: { shown: 'settling', disturbed: 'settling', settled: 'armed', closed: 'closed' },
  armed: { shown: 'settling', disturbed: 'settling', settled: 'armed', closed: 'closed' },
}

/** How long the dialog must have been in plain view, undisturbed, before an approval counts. */
export const ARMING_DELAY_MS = 600

/** The state after an event. */
export function nextArmingState(state: ArmingState, event: ArmingEvent): ArmingState {
  return TABLE[state][event]
}
