import type { LeanNode, LeanTree } from '@domos/som/parse'
import type { ChosenFile } from '../forms/entry-list.ts'
import type { SubmissionContext } from '../forms/submission.ts'
import { findElement, getAttribute, hasAttribute } from './nodes.ts'

/** A loaded document: its tree, and what the tree does not show. */
export interface DocumentState {
  readonly tree: LeanTree
  /** Changes with the fragment alone. */
  url: string
  readonly baseUrl: string
  /** Name of the encoding it was decoded from; forms are sent in it. */
  readonly encoding: string
  readonly status: number
  readonly htmlBytes: number
  focused: LeanNode | undefined
  readonly files: Map<LeanNode, readonly ChosenFile[]>
  /** Fields whose value must not be shown because a secret was typed into them. */
  readonly secrets: Set<LeanNode>
  submission(): SubmissionContext
}

/** What a parsed document is made a state from. */
export interface DocumentFacts {
  readonly url: string
  readonly encoding: string
  readonly status: number
  readonly htmlBytes: number
}

/** Creates the state of a freshly parsed document. Relative URLs start at its `base`, else at `fallbackBase`. */
export function createDocumentState(tree: LeanTree, facts: DocumentFacts, fallbackBase = facts.url): DocumentState {
  const baseUrl = baseUrlOf(tree, fallbackBase)
  const files = new Map<LeanNode, readonly ChosenFile[]>()
  const state: DocumentState = {
    ...facts,
    tree,
    baseUrl,
    files,
    focused: undefined,
    secrets: new Set(),
    submission: () => ({
      documentUrl: state.url,
      baseUrl,
      encoding: facts.encoding,
      filesOf: (input) => files.get(input) ?? [],
    }),
  }
  return state
}

/** Where relative URLs start: the first `base` with an href, if it is a web address. */
function baseUrlOf(tree: LeanTree, url: string): string {
  const base = findElement(tree.document, (node) => node.tag === 'base' && hasAttribute(node, 'href'))
  const href = base === undefined ? undefined : getAttribute(base, 'href')
  if (href === undefined || !URL.canParse(href, url)) return url
  const resolved = new URL(href, url)
  return resolved.protocol === 'http:' || resolved.protocol === 'https:' ? resolved.href : url
}

/** Title of the document, white space collapsed; '' without one. */
export function titleOf(tree: LeanTree): string {
  const title = findElement(tree.document, (node) => node.tag === 'title' && node.namespace.endsWith('xhtml'))
  let text = ''
  for (let child = title?.first; child !== undefined; child = child.next) text += child.text
  return text.replace(/\s+/g, ' ').trim()
}
