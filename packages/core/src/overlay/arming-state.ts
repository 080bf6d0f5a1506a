/** Whether an approval would count: nothing is shown; it was just shown or disturbed; it has been in plain view long enough. */
export type ArmingState = 'closed' | 'settling' | 'armed'

/** What happens to the dialog. `disturbed`: it moved, was covered, restyled, resized, or the window lost focus. */
export type ArmingEvent = 'shown' | 'disturbed' | 'settled' | 'closed'

type Row = Readonly<Record<ArmingEvent, ArmingState>>

const shown: Row = { shown: 'settling', disturbed: 'settling', settled: 'armed', closed: 'closed' }

/** Every state with every event. */
export const armingTable: Readonly<Record<ArmingState, Row>> = {
  closed: { shown: 'settling', disturbed: 'closed', settled: 'closed', closed: 'closed' },
  settling: shown,
  armed: shown,
}

/** How long the dialog must have been in plain view, undisturbed, before an approval counts. */
export const ARMING_DELAY_MS = 600

/** The state after an event. */
export function nextArmingState(state: ArmingState, event: ArmingEvent): ArmingState {
  return armingTable[state][event]
}
