import { DomosError } from '@domos/spec'
import { compileSelector, matchesAny, SelectorError } from './css/selector.ts'
import { elementScore, patternMatches, textScore } from './match-score.ts'
import type { ModelDocument, ModelElement } from './model.ts'
import type { Pattern } from './pattern.ts'
import type { Match } from './resolve.ts'
import type { Snapshot } from './snapshot.ts'
import { regionHasRole, type TargetQuery } from './target.ts'
import { nextInTree, rawText } from './tree.ts'

/**
 * Elements and regions that match a selector; a node inside an element's text counts as that element, with its text.
 * @throws DomosError invalid_request for a selector that is malformed or not supported
 */
export function matchCss<N extends object>(
  snapshot: Snapshot<N>,
  document: ModelDocument<N>,
  query: TargetQuery,
  pattern: Pattern | undefined,
): Match<N>[] {
  const { tree } = document
  let selectors: ReturnType<typeof compileSelector>
  try {
    selectors = compileSelector(query.css ?? '')
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error
    throw new DomosError('invalid_request', `The css selector cannot be used: ${error.message}.`, {
      details: { path: 'query.css' },
    })
  }
  const matches: Match<N>[] = []
  const visit = (from: N): void => {
    for (let node: N | undefined = from; node !== undefined; node = nextInTree(tree, node, from)) {
      if (tree.kind(node) === 'element') {
        const shadow = tree.shadow(node)
        for (let child = shadow?.firstChild; child !== undefined; child = tree.nextSibling(child)) visit(child)
        if (matchesAny(tree, node, selectors)) {
          const match = cssMatch(snapshot, document, node, query, pattern)
          if (match !== undefined) matches.push(match)
        }
      }
    }
  }
  if (tree.root !== undefined) visit(tree.root)
  return matches
}

function cssMatch<N extends object>(
  snapshot: Snapshot<N>,
  document: ModelDocument<N>,
  node: N,
  query: TargetQuery,
  pattern: Pattern | undefined,
): Match<N> | undefined {
  const { tree } = document
  const exact = snapshot.elementOf(node)
  if (exact !== undefined) {
    const score = elementScore(exact, query)
    if (score === 0) return undefined
    if (pattern !== undefined && patternMatches(exact, pattern).length === 0) return undefined
    return { node, element: exact, region: exact.region, document, score }
  }
  const region = document.regions.find((each) => each.node === node && each.role !== 'content')
  const text = rawText(tree, node, 10_000).replace(/\s+/g, ' ').trim()
  if (query.role !== undefined && (region === undefined || !regionHasRole(region, query.role))) return undefined
  if (query.text !== undefined && textScore(text, query.text) === 0) return undefined
  if (pattern !== undefined && pattern.find(text) === undefined) return undefined
  if (region !== undefined) return { node, element: undefined, region, document, score: 1 }
  // Part of an element's text, or a wrapper around one element.
  let holder: ModelElement<N> | undefined
  for (
    let at = tree.parent(node), depth = 0;
    at !== undefined && holder === undefined && depth < 256;
    at = tree.parent(at), depth++
  ) {
    holder = snapshot.elementOf(at)
  }
  for (
    let at = nextInTree(tree, node, node);
    at !== undefined && holder === undefined;
    at = nextInTree(tree, at, node)
  ) {
    const inner = snapshot.elementOf(at)
    holder = inner?.inside ?? inner
  }
  if (holder === undefined) return undefined
  return { node, element: holder, region: holder.region, document, score: 0.95, matchedText: text }
}
