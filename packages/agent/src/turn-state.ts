/** Where a turn stands: waiting behind another, asking the model, running tools, or over. */
export type TurnState = 'queued' | 'asking' | 'acting' | 'ended'

/** What can happen to a turn. `redirected`: the person wrote something new while a call waited for their approval. */
export type TurnStateEvent = 'started' | 'calls-wanted' | 'results-in' | 'redirected' | 'answered' | 'stopped'

/** The one table of a turn's life; a missing pair has no effect, and nothing leaves `ended`. */
export const TURN_TRANSITIONS: Readonly<Record<TurnState, Readonly<Partial<Record<TurnStateEvent, TurnState>>>>> = {
  queued: { started: 'asking', stopped: 'ended' },
  asking: { 'calls-wanted': 'acting', answered: 'ended', stopped: 'ended' },
  acting: { redirected: 'acting', 'results-in': 'asking', stopped: 'ended' },
  ended: {},
}

/** The state after an event, or undefined when the event has no effect in this state. */
export function nextTurnState(state: TurnState, event: TurnStateEvent): TurnState | undefined {
  return TURN_TRANSITIONS[state][event]
}
