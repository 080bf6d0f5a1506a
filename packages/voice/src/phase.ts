import type { Clock, VoiceState } from '@domos/spec'
import { holdsSound, nextVoicePhase, PUBLIC_STATES, type VoiceEvent, type VoicePhase } from './voice-state.ts'

/** What a change of phase brings about. */
export interface PhaseEffects {
  /** The far end's view changed. */
  onState(state: VoiceState): void
  /** The answer's sound waits from now on, or goes on. */
  onHold(isHeld: boolean): void
  /** Nobody's words came while the sound waited. */
  onHoldOver(): void
}

/** Where one conversation stands, with the effects of each step. */
export interface Phase {
  readonly current: VoicePhase
  /** Whether the event had an effect. */
  step(event: VoiceEvent): boolean
  /** Applies the hold of the current phase to an answer that has just come. */
  applyHold(): void
}

/** Makes the phase of a conversation that begins idle. Sound is held for at most `holdMaxMs`, whatever goes on. */
export function createPhase(clock: Clock, holdMaxMs: number, effects: PhaseEffects): Phase {
  let current: VoicePhase = 'idle'
  let told: VoiceState = PUBLIC_STATES[current]
  let isHeld = false
  let stopHold = (): void => {}

  function step(event: VoiceEvent): boolean {
    const next = nextVoicePhase(current, event)
    if (next === undefined) return false
    current = next
    const held = holdsSound(current)
    if (held !== isHeld) {
      isHeld = held
      stopHold()
      if (held) {
        stopHold = clock.schedule(holdMaxMs, () => {
          effects.onHoldOver()
          step('speech-drop')
        })
      }
      effects.onHold(held)
    }
    const shown = PUBLIC_STATES[current]
    if (shown !== told) {
      told = shown
      effects.onState(shown)
    }
    return true
  }

  return {
    get current() {
      return current
    },
    step,
    applyHold: () => effects.onHold(isHeld),
  }
}
