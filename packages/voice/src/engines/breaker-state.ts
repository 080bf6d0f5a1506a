/** Whether an engine is tried: `closed` yes, `open` not for now, `probing` one attempt decides. */
export type BreakerState = 'closed' | 'open' | 'probing'

/** What happens to a breaker. */
export type BreakerEvent = 'success' | 'failure' | 'too-many-failures' | 'rest-over'

/** Every state and event; an event that means nothing in a state leaves it as it is. */
export const BREAKER_TABLE: Readonly<Record<BreakerState, Readonly<Record<BreakerEvent, BreakerState>>>> = {
  closed: { success: 'closed', failure: 'closed', 'too-many-failures': 'open', 'rest-over': 'closed' },
  open: { success: 'open', failure: 'open', 'too-many-failures': 'open', 'rest-over': 'probing' },
  probing: { success: 'closed', failure: 'open', 'too-many-failures': 'open', 'rest-over': 'probing' },
}
