import type { Pristine } from './pristine.ts'

/** Computed properties of the dialog's surroundings that must be as they are by default. */
const NEUTRAL: readonly (readonly [string, readonly string[]])[] = [
  ['opacity', ['1']],
  ['filter', ['none', '']],
  ['transform', ['none', '']],
  ['translate', ['none', '']],
  ['scale', ['none', '']],
  ['rotate', ['none', '']],
  ['zoom', ['1', '']],
  ['clip-path', ['none', '']],
  ['mask-image', ['none', '']],
  ['mix-blend-mode', ['normal', '']],
  ['perspective', ['none', '']],
  ['display', ['block', 'flex', 'flow-root', 'grid', 'inline', 'contents']],
]

/** Smallest width and height, in CSS pixels, at which a person can be said to have seen the button. */
const MIN_BUTTON_PX = 24

/** What is looked at. */
export interface Watched {
  readonly host: HTMLElement
  readonly root: ShadowRoot
  readonly dialog: HTMLElement
  readonly button: HTMLElement
}

/** Whether nothing around the dialog makes it unseen, moved or see-through. */
export function isUntouched(dom: Pristine, { host, dialog }: Watched): boolean {
  if (!isNeutral(dom, dialog)) return false
  for (let element: Element | null = host; element; element = dom.parentElement(element)) {
    if (!isNeutral(dom, element)) return false
  }
  return dom.getPropertyValue(dom.computed(dialog), 'visibility') === 'visible'
}

function isNeutral(dom: Pristine, element: Element): boolean {
  const style = dom.computed(element)
  for (let index = 0; index < NEUTRAL.length; index += 1) {
    const [property, values] = NEUTRAL[index] as (typeof NEUTRAL)[number]
    if (!values.includes(dom.getPropertyValue(style, property))) return false
  }
  return true
}

/** Whether a press at that point of the window would meet the button, with nothing in between. */
export function hits(dom: Pristine, { host, root, button }: Watched, x: number, y: number): boolean {
  return dom.hitInDocument(x, y) === host && dom.contains(button, dom.hitInRoot(root, x, y))
}

/** Whether the whole button lies open: middle and corners are hit, and it is large enough to be seen. */
export function isInPlainView(dom: Pristine, watched: Watched): boolean {
  const { left, top, width, height } = dom.getBoundingClientRect(watched.button)
  if (width < MIN_BUTTON_PX || height < MIN_BUTTON_PX) return false
  // The corners are rounded, so the probes lie a little inside.
  const [dx, dy] = [width * 0.38, height * 0.3]
  const [x, y] = [left + width / 2, top + height / 2]
  return (
    hits(dom, watched, x, y) &&
    hits(dom, watched, x - dx, y - dy) &&
    hits(dom, watched, x + dx, y - dy) &&
    hits(dom, watched, x - dx, y + dy) &&
    hits(dom, watched, x + dx, y + dy)
  )
}
