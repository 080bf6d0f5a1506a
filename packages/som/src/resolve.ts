import { DomosError } from '@domos/spec'
import { matchCss } from './match-css.ts'
import { elementScore, patternMatches, textScore } from './match-score.ts'
import type { ModelDocument, ModelElement, ModelRegion } from './model.ts'
import { nameOf } from './model.ts'
import type { Pattern, PatternFactory } from './pattern.ts'
import type { Snapshot } from './snapshot.ts'
import type { ElementAction } from './som.ts'
import {
  candidateOf,
  hasRole,
  type Resolved,
  regionHasRole,
  type Target,
  TargetError,
  type TargetQuery,
} from './target.ts'

/** Options of {@link resolveTarget} and {@link findAll}. */
export interface ResolveOptions {
  /** Prefer elements that list this action when several match equally well. */
  readonly action?: ElementAction
  /** Compiles `textRegex`: {@link re2Pattern}. Without it such a query is refused. */
  readonly pattern?: PatternFactory
  /** How many matches {@link findAll} gives. @default 1_000 */
  readonly maxMatches?: number
}

/** One match of a query, best first. */
export interface Match<N extends object> {
  readonly node: N
  readonly element: ModelElement<N> | undefined
  readonly region: ModelRegion<N>
  readonly document: ModelDocument<N>
  readonly score: number
  readonly matchedText?: string
}

const maxFallbacks = 16
const clearLead = 0.05

/**
 * Finds what a target means in a snapshot. Never guesses: what matches several things equally well is an error.
 * @throws TargetError not_found, or conflict with candidates when ambiguous
 * @throws DomosError invalid_request for a target without a usable key, a bad selector or pattern
 */
export function resolveTarget<N extends object>(
  snapshot: Snapshot<N>,
  target: Target,
  options: ResolveOptions = {},
): Resolved<N> {
  const alternatives = flatten(target)
  if (alternatives.length === 0) {
    throw new DomosError(
      'invalid_request',
      'The target names nothing; give element_ref, or query with role, text, label, css or text_regex.',
    )
  }
  let first: unknown
  for (const [index, alternative] of alternatives.entries()) {
    try {
      const found = resolveOne(snapshot, alternative, options)
      return index === 0 ? found : { ...found, fallback: index - 1 }
    } catch (error) {
      if (!(error instanceof DomosError) || error.code === 'invalid_request' || error.code === 'unsupported')
        throw error
      first ??= error
    }
  }
  throw first
}

function flatten(target: Target): Target[] {
  const found: Target[] = []
  const visit = (at: Target, depth: number): void => {
    if (depth > 4 || found.length > maxFallbacks) return
    const { fallback, frameId } = at
    // A reference is tried before the query beside it, which then is its first fallback.
    if (at.elementRef !== undefined)
      found.push({ elementRef: at.elementRef, ...(frameId === undefined ? {} : { frameId }) })
    if (at.query !== undefined && hasKeys(at.query)) {
      found.push({ query: at.query, ...(frameId === undefined ? {} : { frameId }) })
    }
    for (const next of fallback ?? []) visit(next, depth + 1)
  }
  visit(target, 0)
  return found
}

function hasKeys(query: TargetQuery): boolean {
  return Object.values(query).some((value) => value !== undefined)
}

function resolveOne<N extends object>(snapshot: Snapshot<N>, target: Target, options: ResolveOptions): Resolved<N> {
  if (target.elementRef !== undefined) return byReference(snapshot, target.elementRef)
  const matches = findAll(snapshot, target.query ?? {}, { ...options, maxMatches: 1_000 }, target.frameId)
  const best = matches[0]
  if (best === undefined) {
    throw new TargetError(
      'not_found',
      `Nothing on the page matches ${describe(target.query)}.`,
      near(snapshot, target.query),
    )
  }
  let level = matches.filter((match) => match.score > best.score - clearLead)
  if (level.length > 1 && options.action !== undefined) {
    const action = options.action
    const able = level.filter(({ element }) => element?.actions?.includes(action))
    if (able.length > 0) level = able
  }
  if (level.length > 1) level = withoutWrappers(level)
  if (level.length > 1) {
    throw new TargetError(
      'conflict',
      `${level.length} things match ${describe(target.query)} equally well; name one of the candidates.`,
      level.slice(0, 5).map((match) => candidate(match)),
      { matches: level.length },
    )
  }
  const match = level[0] as Match<N>
  return {
    node: match.node,
    elementId: match.element?.id ?? match.region.id,
    ...(match.element === undefined ? {} : { element: match.element }),
    region: match.region,
    frameId: match.document.frameId,
    confidence: Math.round(match.score * 100) / 100,
    via: 'query',
    ...(match.matchedText === undefined ? {} : { matchedText: match.matchedText }),
  }
}

function byReference<N extends object>(snapshot: Snapshot<N>, reference: string): Resolved<N> {
  const element = snapshot.element(reference)
  if (element !== undefined) {
    const document = documentOf(snapshot, element.region)
    const moved = snapshot.model.reanchored.includes(element.id)
    return {
      node: element.node,
      elementId: element.id,
      element,
      region: element.region,
      frameId: document.frameId,
      confidence: moved ? 0.9 : 1,
      via: 'element_ref',
      ...(moved ? { reanchored: true } : {}),
    }
  }
  const region = reference.includes('r_') ? snapshot.region(reference) : undefined
  if (region === undefined) {
    const missing = snapshot.missing(reference)
    throw new TargetError(missing.code, missing.message, [], missing.details)
  }
  return {
    node: region.node,
    elementId: region.id,
    region,
    frameId: documentOf(snapshot, region).frameId,
    confidence: 1,
    via: 'element_ref',
  }
}

/**
 * Everything a query matches, best first, then in document order. A css or pattern match inside an element is that
 * element's, with the matched text.
 * @throws DomosError invalid_request for a bad selector or pattern, unsupported for a pattern without a factory
 */
export function findAll<N extends object>(
  snapshot: Snapshot<N>,
  query: TargetQuery,
  options: ResolveOptions = {},
  frameId?: string,
): Match<N>[] {
  let pattern: Pattern | undefined
  if (query.textRegex !== undefined) {
    if (options.pattern === undefined) throw new DomosError('unsupported', 'Patterns are not available here.')
    pattern = options.pattern(query.textRegex)
  }
  const matches: Match<N>[] = []
  for (const document of snapshot.model.documents) {
    if (frameId !== undefined && document.frameId !== frameId) continue
    if (query.css !== undefined) matches.push(...matchCss(snapshot, document, query, pattern))
    else matches.push(...byModel(document, query, pattern))
  }
  matches.sort((a, b) => b.score - a.score)
  return matches.slice(0, options.maxMatches ?? 1_000)
}

function byModel<N extends object>(
  document: ModelDocument<N>,
  query: TargetQuery,
  pattern: Pattern | undefined,
): Match<N>[] {
  const matches: Match<N>[] = []
  for (const region of document.regions) {
    if (
      pattern === undefined &&
      query.level === undefined &&
      query.role !== undefined &&
      regionHasRole(region, query.role)
    ) {
      const wanted = [query.text, query.label].filter((text) => text !== undefined)
      const score = wanted.length === 0 ? 0.9 : Math.min(...wanted.map((text) => regionScore(region, text)))
      if (score > 0) matches.push({ node: region.node, element: undefined, region, document, score })
    }
    for (const element of region.elements) {
      const score = elementScore(element, query)
      if (score === 0) {
        if (pattern === undefined && query.text !== undefined) matches.push(...itemMatches(document, element, query))
        continue
      }
      if (pattern === undefined) matches.push({ node: element.node, element, region, document, score })
      else if (element.inside === undefined || element.inside.dead || element.interactive) {
        for (const matchedText of patternMatches(element, pattern)) {
          matches.push({ node: element.node, element, region, document, score: 0.9, matchedText })
        }
      }
    }
  }
  return matches
}

/** Items and rows that hold a text: plain text in a list or table is found too, behind elements of that name. */
function itemMatches<N extends object>(
  document: ModelDocument<N>,
  element: ModelElement<N>,
  query: TargetQuery,
): Match<N>[] {
  if (element.items === undefined || query.level !== undefined || query.label !== undefined) return []
  const wanted = query.role?.toLowerCase()
  const itemRole = element.role === 'table' ? 'row' : 'listitem'
  if (wanted !== undefined && wanted !== itemRole && !hasRole(element, wanted)) return []
  return element.items.flatMap((item) => {
    const text = item.cells?.map((cell) => cell.text).join(' ') ?? item.text
    const score = 0.8 * textScore(text, query.text ?? '')
    return score === 0 ? [] : [{ node: item.node, element, region: element.region, document, score, matchedText: text }]
  })
}

function regionScore<N extends object>(region: ModelRegion<N>, text: string): number {
  const heading = region.elements.find((element) => element.role === 'heading')
  return Math.max(textScore(region.label, text), heading === undefined ? 0 : textScore(nameOf(heading), text))
}

/** A text inside a link or heading matches with it; the one that can be acted on, or else the inner one, is meant. */
function withoutWrappers<N extends object>(matches: readonly Match<N>[]): Match<N>[] {
  const interactive = matches.filter(({ element }) => element?.interactive)
  if (interactive.length === 1) return interactive
  const nodes = new Set(matches.map(({ element }) => element))
  const inner = matches.filter(
    ({ element }) =>
      !matches.some((other) => other.element?.inside === element && nodes.has(other.element) && element !== undefined),
  )
  return inner.length > 0 ? inner : [...matches]
}

function candidate<N extends object>(match: Match<N>): ReturnType<typeof candidateOf> {
  const confidence = Math.round(match.score * 100) / 100
  if (match.element !== undefined) return candidateOf(match.element, confidence)
  return { id: match.region.id, role: match.region.role, name: match.region.label, region: match.region.id, confidence }
}

/** Things of the wanted role, or with some of the wanted words, to offer when nothing matched. */
function near<N extends object>(
  snapshot: Snapshot<N>,
  query: TargetQuery | undefined,
): ReturnType<typeof candidateOf>[] {
  const words = (query?.text ?? query?.label ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word.length > 2)
  const scored = snapshot.elements().flatMap((element) => {
    const name = nameOf(element).toLowerCase()
    const common = words.length === 0 ? 0 : words.filter((word) => name.includes(word)).length / words.length
    const role = query?.role !== undefined && hasRole(element, query.role) ? 0.2 : 0
    const score = common * 0.4 + role
    return score > 0 && (element.interactive || common > 0) ? [{ element, score }] : []
  })
  scored.sort((a, b) => b.score - a.score)
  return scored.slice(0, 5).map(({ element, score }) => candidateOf(element, Math.round(score * 100) / 100))
}

function documentOf<N extends object>(snapshot: Snapshot<N>, region: ModelRegion<N>): ModelDocument<N> {
  return snapshot.model.documents.find(({ regions }) => regions.includes(region)) as ModelDocument<N>
}

function describe(query: TargetQuery | undefined): string {
  return JSON.stringify(query ?? {}).slice(0, 200)
}
