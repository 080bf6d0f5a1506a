import type { Pristine } from './pristine.ts'

/** How often a question's dialog is put back before it is given up. */
const MAX_REATTACHMENTS = 20

/** The element the dialog lives in, and its shadow root. */
export interface OverlayHost {
  readonly element: HTMLElement
  readonly root: ShadowRoot
  /** Puts it on the page and keeps it there; calls `restored` after it was taken off and put back, `lost` when that goes on. */
  keepAttached(restored: () => void, lost: () => void): () => void
  attach(): void
  remove(): void
}

/** Makes the host. The mode is `closed` everywhere but in our own accessibility test. */
export function createHost(dom: Pristine, css: string, mode: ShadowRootMode): OverlayHost {
  const element = dom.create('div')
  const root = dom.attachShadow(element, mode, css)
  const page = document.documentElement
  const attach = () => {
    if (!dom.isConnected(element)) dom.appendChild(page, element)
    // What the page's sheets may say of every element does not reach this one.
    dom.forceStyle(element, 'all', 'initial')
    dom.forceStyle(element, 'display', 'block')
    dom.forceStyle(element, 'position', 'fixed')
  }
  return {
    element,
    root,
    attach,
    keepAttached(restored, lost) {
      let left = MAX_REATTACHMENTS
      attach()
      return dom.observeChildren(page, () => {
        if (dom.isConnected(element)) return
        left -= 1
        if (left < 0) return lost()
        attach()
        restored()
      })
    },
    remove: () => dom.remove(element),
  }
}
