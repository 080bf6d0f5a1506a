import type { LeanNode } from '@domos/som/parse'
import type { DocumentState } from './document-state.ts'
import { findElements, getAttribute, hasAttribute } from './nodes.ts'

/** What a document needs besides itself: what is visible depends on it, or is in it. Data only. */
export interface WantedParts {
  readonly stylesheets: readonly { readonly href: string; readonly url: string }[]
  readonly frames: readonly { readonly key: number; readonly url: string }[]
}

/** A frame whose document is still to come. */
export interface FoundFrame {
  readonly node: LeanNode
  /** Absolute; undefined for `srcdoc`. */
  readonly url: string | undefined
  readonly srcdoc: string | undefined
}

/** Linked stylesheets in order, without alternatives and those switched off. */
export function findStylesheets(state: DocumentState): WantedParts['stylesheets'] {
  const links = findElements(state.tree.document, (node) => {
    if (node.tag !== 'link' || hasAttribute(node, 'disabled')) return false
    const rel = getAttribute(node, 'rel')?.toLowerCase().split(/\s+/) ?? []
    return rel.includes('stylesheet') && !rel.includes('alternate')
  })
  return links.flatMap((link) => {
    const href = getAttribute(link, 'href')
    const url = href === undefined ? undefined : webAddress(href, state.baseUrl)
    return href === undefined || url === undefined ? [] : [{ href, url }]
  })
}

/** Frames that have something to show. Their scripts would not run here, so a sandbox changes nothing. */
export function findFrames(state: DocumentState): readonly FoundFrame[] {
  return findElements(state.tree.document, ({ tag }) => tag === 'iframe' || tag === 'frame').flatMap(
    (node): FoundFrame[] => {
      const srcdoc = node.tag === 'iframe' ? getAttribute(node, 'srcdoc') : undefined
      if (srcdoc !== undefined) return [{ node, url: undefined, srcdoc }]
      const src = getAttribute(node, 'src')
      const url = src === undefined || src === '' ? undefined : webAddress(src, state.baseUrl)
      return url === undefined ? [] : [{ node, url, srcdoc: undefined }]
    },
  )
}

function webAddress(href: string, base: string): string | undefined {
  if (!URL.canParse(href, base)) return undefined
  const url = new URL(href, base)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined
}
