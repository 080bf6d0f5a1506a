/**
 * The talk button: held, it records until it is let go; pressed shortly, it records until it is pressed again, for whoever
 * cannot hold a button and speak.
 */
export type PressState = 'up' | 'held' | 'latched' | 'ending'

/** `short`: it was let go soon after it went down. */
export type PressEvent = 'down' | 'up' | 'short' | 'reset'

/** What is to be done then. */
export type PressAction = 'press' | 'release' | 'nothing'

/** Let go within this time, a press counts as short. */
export const SHORT_PRESS_MS = 350

/** Every state with every event. */
export const pressTable: Readonly<
  Record<PressState, Readonly<Record<PressEvent, readonly [PressState, PressAction]>>>
> = {
  up: {
    down: ['held', 'press'],
    up: ['up', 'nothing'],
    short: ['up', 'nothing'],
    reset: ['up', 'nothing'],
  },
  held: {
    down: ['held', 'nothing'],
    up: ['up', 'release'],
    short: ['latched', 'nothing'],
    reset: ['up', 'release'],
  },
  latched: {
    down: ['ending', 'release'],
    up: ['latched', 'nothing'],
    short: ['latched', 'nothing'],
    reset: ['up', 'release'],
  },
  ending: {
    down: ['ending', 'nothing'],
    up: ['up', 'nothing'],
    short: ['up', 'nothing'],
    reset: ['up', 'nothing'],
  },
}
