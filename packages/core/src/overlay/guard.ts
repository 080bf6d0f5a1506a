import type { Pristine } from './pristine.ts'

/** Computed properties of the dialog's surroundings that must be as they are by default. */
const LOOKED_AT = [
  ...[
    'opacity',
    'zoom',
    'filter',
    'transform',
    'translate',
    'scale',
    'rotate',
    'clip-path',
    'mask-image',
    'perspective',
  ],
  ...['mix-blend-mode', 'visibility'],
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
  return true
}

function isNeutral(dom: Pristine, element: Element): boolean {
  const style = dom.computed(element)
  for (let index = 0; index < LOOKED_AT.length; index += 1) {
    // Their neutral values; empty where a browser does not know the property.
    const value = dom.getPropertyValue(style, LOOKED_AT[index] as string)
    if (value && value !== '1' && value !== 'none' && value !== 'normal' && value !== 'visible') return false
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
  const probe = (dx: number, dy: number) => hits(dom, watched, left + width * dx, top + height * dy)
  return probe(0.5, 0.5) && probe(0.1, 0.2) && probe(0.9, 0.2) && probe(0.1, 0.8) && probe(0.9, 0.8)
}
