import { DomosError } from '@domos/spec'
import { parentOf } from './kinds.ts'
import type { World } from './world.ts'

/** A place in the viewport of the world's own document, in CSS pixels. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** Scrolls an element into view and gives a point where a click reaches it. @throws DomosError `conflict` COVERED, HIDDEN */
export function clickablePoint(world: World, node: Element): Point {
  reveal(node)
  const spots = spotsOf(node)
  if (spots.length === 0) {
    throw new DomosError('conflict', 'The element takes up no room on the page, so it cannot be clicked.', {
      details: { reason: 'HIDDEN' },
    })
  }
  let inTheWay: Element | undefined
  for (const spot of spots) {
    const hit = hitAt(node.ownerDocument, spot)
    if (hit === undefined || !receives(node, hit)) {
      inTheWay ??= hit
      continue
    }
    const covering = coveringFrame(node.ownerDocument, spot)
    if (covering === undefined) return toTop(node.ownerDocument, spot)
    inTheWay ??= covering
  }
  const what = inTheWay === undefined ? 'the edge of the window' : world.describe(inTheWay)
  throw new DomosError('conflict', `The element is covered by ${what}; close or move that first.`, {
    details: { reason: 'COVERED', coveredBy: what },
  })
}

/** Makes sure an element is inside the window. */
export function reveal(node: Element): void {
  const rect = node.getBoundingClientRect()
  const view = node.ownerDocument.defaultView
  const isInside =
    view !== null && rect.top >= 0 && rect.left >= 0 && rect.bottom <= view.innerHeight && rect.right <= view.innerWidth
  // The chain of frames has to be in view as well.
  if (isInside && view.frameElement === null) return
  node.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
}

/** Boxes of an element that have an extent; inline links may have several. */
function spotsOf(node: Element): readonly Point[] {
  const view = node.ownerDocument.defaultView
  if (view === null) return []
  const spots: Point[] = []
  const boxes = [...node.getClientRects()]
  const shown = boxes.some(({ width, height }) => width > 0 && height > 0)
    ? boxes
    : [...node.children].flatMap((child) => [...child.getClientRects()])
  for (const box of shown.slice(0, 8)) {
    const left = Math.max(box.left, 0)
    const top = Math.max(box.top, 0)
    const width = Math.min(box.right, view.innerWidth) - left
    const height = Math.min(box.bottom, view.innerHeight) - top
    if (width <= 0 || height <= 0) continue
    for (const [x, y] of [
      [0.5, 0.5],
      [0.25, 0.25],
      [0.75, 0.75],
      [0.25, 0.75],
      [0.75, 0.25],
    ] as const) {
      spots.push({ x: left + width * x, y: top + height * y })
    }
  }
  return spots
}

/** The innermost element at a point, inside shadow roots too. */
export function hitAt(document: Document, { x, y }: Point): Element | undefined {
  let hit = document.elementFromPoint(x, y)
  while (hit?.shadowRoot) {
    const inner: Element | null = hit.shadowRoot.elementFromPoint(x, y)
    if (inner === null || inner === hit) break
    hit = inner
  }
  return hit ?? undefined
}

/** Whether a click on `hit` is one on `node`: the same, inside it, or its label. */
function receives(node: Element, hit: Element): boolean {
  // Text that a host lends to a slot belongs to the host, and a click on it goes through what the slot stands in.
  const root = node.getRootNode()
  if (root.nodeType === 11 && (root as ShadowRoot).host === hit && node.querySelector('slot') !== null) return true
  for (let at: Node | null = hit; at !== null; at = (at as Element).assignedSlot ?? parentOf(at)) {
    if (at === node) return true
    if ((at as Element).localName === 'label' && (at as HTMLLabelElement).control === node) return true
  }
  return false
}

/** What lies over the frame a document is shown in, at that point. */
function coveringFrame(document: Document, spot: Point): Element | undefined {
  const frame = document.defaultView?.frameElement
  if (!frame) return undefined
  const outer = outside(frame, spot)
  const hit = hitAt(frame.ownerDocument, outer)
  if (hit !== frame) return hit ?? frame
  return coveringFrame(frame.ownerDocument, outer)
}

function outside(frame: Element, { x, y }: Point): Point {
  const box = frame.getBoundingClientRect()
  return { x: x + box.left + frame.clientLeft, y: y + box.top + frame.clientTop }
}

/** A point of a readable frame in the window of the world's own document. */
export function toTop(document: Document, spot: Point): Point {
  const frame = document.defaultView?.frameElement
  return frame ? toTop(frame.ownerDocument, outside(frame, spot)) : spot
}

/** A point of a frame's document in this world's window, when nothing lies over the frame there. */
export function pointInFrame(world: World, frame: Element, spot: Point): Point {
  reveal(frame)
  const outer = outside(frame, spot)
  const hit = hitAt(frame.ownerDocument, outer)
  const covering = hit === frame ? coveringFrame(frame.ownerDocument, outer) : hit
  if (covering === undefined && hit !== undefined) return toTop(frame.ownerDocument, outer)
  const what = covering === undefined ? 'the edge of the window' : world.describe(covering)
  throw new DomosError('conflict', `The frame of the element is covered by ${what}; close or move that first.`, {
    details: { reason: 'COVERED', coveredBy: what },
  })
}
