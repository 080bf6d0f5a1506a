import type { Arming } from './arming.ts'
import { hits, isInPlainView, type Watched } from './guard.ts'
import type { Pristine } from './pristine.ts'

/**
 * Calls `pressed` for presses of a button that a person made while it was armed, by pointer or by key, and for no other.
 * The press must begin and end on the button: a key or a finger held since before the dialog came does not count.
 */
export function listenForPress(
  dom: Pristine,
  watched: Watched,
  arming: Arming,
  pressed: () => void,
  refused: () => void,
): void {
  const { button } = watched
  let begun: 'pointer' | 'key' | undefined

  dom.listen(button, 'pointerdown', (event) => {
    begun =
      event.isTrusted &&
      arming.isArmed() &&
      hits(dom, watched, dom.clientX(event as MouseEvent), dom.clientY(event as MouseEvent))
        ? 'pointer'
        : undefined
  })
  dom.listen(button, 'keydown', (event) => {
    const key = dom.key(event as KeyboardEvent)
    if (key !== 'Enter' && key !== ' ') return
    // A held Enter would click again and again.
    if (dom.repeat(event as KeyboardEvent)) return dom.preventDefault(event)
    begun = event.isTrusted && arming.isArmed() ? 'key' : undefined
  })
  dom.listen(button, 'click', (event) => {
    const how = begun
    begun = undefined
    const byPointer = dom.detail(event as UIEvent) > 0
    const fits = how === (byPointer ? 'pointer' : 'key')
    const place = byPointer
      ? hits(dom, watched, dom.clientX(event as MouseEvent), dom.clientY(event as MouseEvent))
      : isInPlainView(dom, watched)
    if (event.isTrusted && fits && place && dom.isActivated() && arming.isArmed()) pressed()
    else refused()
  })
}
