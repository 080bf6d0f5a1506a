import type { Visibility } from '@domos/som'

/**
 * What the browser's own style says about an element. Undefined leaves it to the compiler, which knows about text that
 * is too small or has the colour of its background.
 */
export function visibilityOf(element: Element): Visibility | undefined {
  const view = element.ownerDocument.defaultView
  if (view === null) return undefined
  const style = view.getComputedStyle(element)
  const { display } = style
  if (display === 'none' || style.contentVisibility === 'hidden' || style.opacity === '0') return 'none'
  const { position } = style
  const isOutOfFlow = position === 'absolute' || position === 'fixed'
  if (isOutOfFlow && isOffScreen(style)) return 'none'
  const { overflowX } = style
  if ((overflowX === 'hidden' || overflowX === 'clip') && isCollapsed(style, isOutOfFlow)) return 'none'
  const { visibility } = style
  if (visibility === 'hidden' || visibility === 'collapse') return 'invisible'
  return Number.parseFloat(style.fontSize) < 2 ? undefined : 'visible'
}

function isOffScreen(style: CSSStyleDeclaration): boolean {
  if (/^rect\((?:[01](?:px)?[, ]*){4}\)$/.test(style.clip)) return true
  if (/^(?:inset\((?:50%|100%)|circle\(0)/.test(style.clipPath)) return true
  return Number.parseFloat(style.left) <= -999 || Number.parseFloat(style.top) <= -999
}

function isCollapsed(style: CSSStyleDeclaration, isOutOfFlow: boolean): boolean {
  const width = Number.parseFloat(style.width)
  const height = Number.parseFloat(style.height)
  return height === 0 || (width === 0 && isOutOfFlow) || (width <= 1 && height <= 1)
}
