import { ARMING_DELAY_MS, type ArmingEvent, type ArmingState, nextArmingState } from './arming-state.ts'
import { isInPlainView, isUntouched, type Watched } from './guard.ts'
import type { Pristine } from './pristine.ts'

/** Watches one shown dialog, frame by frame, and knows whether a press of its button may count. */
export interface Arming {
  /** Whether a press that begins now may count. Looks again instead of trusting the last frame. */
  isArmed(): boolean
  /** Something happened that begins the wait anew. */
  disturb(): void
  stop(): void
}

/** What arming tells: whether it is armed, and whether something is in the way (rather than the mere wait). */
export type ArmingListener = (armed: boolean, obstructed: boolean) => void

/** Begins to watch. */
export function watchArming(dom: Pristine, watched: Watched, changed: ArmingListener): Arming {
  let state: ArmingState = 'closed'
  let quietSince = dom.now()
  let obstructed = false
  let seen = dom.observeVisibility === undefined
  let last = ''

  function step(event: ArmingEvent): void {
    const before = state
    state = nextArmingState(state, event)
    if (event === 'shown' || event === 'disturbed') quietSince = dom.now()
    if (before !== state) changed(state === 'armed', obstructed)
  }

  function look(): boolean {
    const { left, top, width, height } = dom.getBoundingClientRect(watched.button)
    const place = [left, top, width, height].map(Math.round).join()
    const moved = place !== last
    last = place
    const open = isUntouched(dom, watched) && isInPlainView(dom, watched)
    const clear = open && seen && dom.isInFront()
    // An observer needs a moment for its first report; only what lasts is worth telling the person.
    const blocked = !open || (!seen && dom.now() - quietSince > ARMING_DELAY_MS)
    if (blocked !== obstructed) {
      obstructed = blocked
      changed(state === 'armed', obstructed)
    }
    if (moved || !clear) {
      if (seen || state === 'armed' || !open) step('disturbed')
      return false
    }
    if (state === 'settling' && dom.now() - quietSince >= ARMING_DELAY_MS) step('settled')
    return state === 'armed'
  }

  function frame(): void {
    if (state === 'closed') return
    look()
    dom.nextFrame(frame)
  }

  const disturb = () => step('disturbed')
  const stopSeeing = dom.observeVisibility?.(watched.button, (visible) => {
    // Coming into view begins the wait anew as well: the person has only seen it since now.
    if (seen !== visible) disturb()
    seen = visible
  })
  const stopBlur = dom.listen(window, 'blur', disturb)
  const stopResize = dom.listen(window, 'resize', disturb)
  step('shown')
  dom.nextFrame(frame)
  return {
    isArmed: () => state === 'armed' && look(),
    disturb,
    stop() {
      step('closed')
      stopSeeing?.()
      stopBlur()
      stopResize()
    },
  }
}
