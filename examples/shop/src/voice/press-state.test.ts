import { describe, expect, it } from 'vitest'
import { type PressAction, type PressEvent, type PressState, pressTable } from './press-state.ts'

function run(...events: readonly PressEvent[]): {
  readonly state: PressState
  readonly actions: readonly PressAction[]
} {
  let state: PressState = 'up'
  const actions: PressAction[] = []
  for (const event of events) {
    const step: readonly [PressState, PressAction] = pressTable[state][event]
    state = step[0]
    if (step[1] !== 'nothing') actions.push(step[1])
  }
  return { state, actions }
}

describe('the talk button', () => {
  it('held, records until it is let go', () => {
    expect(run('down', 'up')).toEqual({ state: 'up', actions: ['press', 'release'] })
  })

  it('pressed shortly, records until it is pressed again', () => {
    expect(run('down', 'short').actions).toEqual(['press'])
    expect(run('down', 'short', 'down', 'short')).toEqual({ state: 'up', actions: ['press', 'release'] })
    expect(run('down', 'short', 'down', 'up')).toEqual({ state: 'up', actions: ['press', 'release'] })
  })

  it('lets go of what it holds when it is taken away', () => {
    for (const before of [['down'], ['down', 'short']] as const) {
      expect(run(...before, 'reset')).toEqual({ state: 'up', actions: ['press', 'release'] })
    }
  })

  it('never presses twice, nor lets go of what it does not hold, whatever happens in whatever order', () => {
    const events: readonly PressEvent[] = ['down', 'up', 'short', 'reset']
    const sequences = (length: number): readonly (readonly PressEvent[])[] =>
      length === 0 ? [[]] : sequences(length - 1).flatMap((rest) => events.map((event) => [...rest, event]))
    for (const sequence of sequences(6)) {
      run(...sequence).actions.forEach((action, index) => {
        expect(action).toBe(index % 2 === 0 ? 'press' : 'release')
      })
    }
  })
})
