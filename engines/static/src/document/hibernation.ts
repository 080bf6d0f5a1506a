import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { BoundId } from '@domos/som'
import { type LeanNode, type LeanTree, parseHtml } from '@domos/som/parse'
import type { ChosenFile } from '../forms/entry-list.ts'
import type { DocumentFacts, DocumentState } from './document-state.ts'
import { createDocumentState } from './document-state.ts'
import { hasChangedAttributes, restoreAttributes, stateOf } from './nodes.ts'

/** State of one node that differs from its markup, by the node's place. */
interface NodeChange {
  readonly place: number
  readonly value?: string
  readonly checked?: boolean
  readonly selected?: boolean
  readonly attrs?: LeanNode['attrs']
  readonly files?: readonly ChosenFile[]
  readonly isSecret?: true
}

/** A document without its tree: source, what was changed in it, and the ids of its nodes. */
export interface SleepingDocument {
  readonly facts: DocumentFacts
  readonly source: Uint8Array
  readonly changes: readonly NodeChange[]
  readonly focused: number | undefined
  readonly ids: readonly { readonly place: number; readonly lost: BoundId<LeanNode>['lost'] }[]
}

/**
 * Puts a document to sleep. The same source parses to the same tree, so a node is known by its place in document order,
 * templates included.
 */
export function putToSleep(state: DocumentState, html: string, bound: readonly BoundId<LeanNode>[]): SleepingDocument {
  const places = placesOf(state.tree)
  const changes: NodeChange[] = []
  for (const [node, place] of places) {
    const { value, checked, selected } = node.state ?? {}
    const files = state.files.get(node)
    const hasOtherAttributes = hasChangedAttributes(node)
    const isSecret = state.secrets.has(node)
    if (
      value === undefined &&
      checked === undefined &&
      selected === undefined &&
      files === undefined &&
      !isSecret &&
      !hasOtherAttributes
    )
      continue
    changes.push({
      place,
      ...(value === undefined ? {} : { value }),
      ...(checked === undefined ? {} : { checked }),
      ...(selected === undefined ? {} : { selected }),
      ...(files === undefined ? {} : { files }),
      ...(hasOtherAttributes ? { attrs: node.attrs } : {}),
      ...(isSecret ? { isSecret } : {}),
    })
  }
  const { url, encoding, status, htmlBytes, focused } = state
  return {
    facts: { url, encoding, status, htmlBytes },
    source: deflateRawSync(Buffer.from(html), { level: 1 }),
    changes,
    focused: focused === undefined ? undefined : places.get(focused),
    ids: bound.flatMap(({ node, lost }) => {
      const place = places.get(node)
      return place === undefined ? [] : [{ place, lost }]
    }),
  }
}

/** Wakes a document: the same tree, the same control state, and which node had which id. */
export function wake(sleeping: SleepingDocument): {
  readonly html: string
  readonly state: DocumentState
  readonly ids: readonly BoundId<LeanNode>[]
} {
  const html = inflateRawSync(sleeping.source).toString()
  const tree = parseHtml(html)
  const nodes = nodesOf(tree)
  const state = createDocumentState(tree, sleeping.facts)
  for (const { place, value, checked, selected, attrs, files, isSecret } of sleeping.changes) {
    const node = nodes[place]
    if (node === undefined) continue
    if (value !== undefined) stateOf(node).value = value
    if (checked !== undefined) stateOf(node).checked = checked
    if (selected !== undefined) stateOf(node).selected = selected
    if (attrs !== undefined) restoreAttributes(node, attrs)
    if (files !== undefined) state.files.set(node, files)
    if (isSecret === true) state.secrets.add(node)
  }
  state.focused = sleeping.focused === undefined ? undefined : nodes[sleeping.focused]
  const ids = sleeping.ids.flatMap(({ place, lost }) => {
    const node = nodes[place]
    return node === undefined ? [] : [{ node, lost }]
  })
  return { html, state, ids }
}

function placesOf(tree: LeanTree): ReadonlyMap<LeanNode, number> {
  return new Map(nodesOf(tree).map((node, place) => [node, place]))
}

/** All nodes in document order; the content of a template comes after the template. */
function nodesOf(tree: LeanTree): LeanNode[] {
  const nodes: LeanNode[] = []
  const waiting: LeanNode[] = [tree.document]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    nodes.push(node)
    for (let child = node.last; child !== undefined; child = child.previous) waiting.push(child)
    if (node.content !== undefined) waiting.push(node.content)
  }
  return nodes
}
