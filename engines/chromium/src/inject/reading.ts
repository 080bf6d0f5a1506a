import { findAll, type Match, nextInTree, type PatternFactory, rawText, type Snapshot } from '@domos/som'
import type { DomNode } from '@domos/som/dom'
import type { ElementMatch, ElementRecord, JsonObject, JsonValue, Target } from '@domos/spec'

type Query = NonNullable<Target['query']>

const NODE_ATTRIBUTES = ['datetime', 'content', 'title', 'itemprop'] as const
const URL_ATTRIBUTES = ['href', 'src', 'action'] as const
const MAX_FIELD_MATCHES = 50_000

/** All matches of a query, with what can be read of them. */
export function readMatches(
  snapshot: Snapshot<DomNode>,
  query: Query,
  limit: number,
  region: string | undefined,
  pattern: PatternFactory,
): readonly ElementMatch[] {
  const matches = findAll(snapshot, query, { pattern, maxMatches: region === undefined ? limit : 10_000 })
  const within = region === undefined ? undefined : snapshot.region(region)
  return matches
    .filter((match) => region === undefined || match.region === within || isInside(match, within?.node))
    .slice(0, limit)
    .map(toMatch)
}

/** One element by its id. */
export function readElement(snapshot: Snapshot<DomNode>, id: string): ElementMatch | undefined {
  const element = snapshot.element(id)
  const region = element?.region ?? snapshot.region(id)
  const document = snapshot.model.documents.find(({ regions }) => region !== undefined && regions.includes(region))
  if (region === undefined || document === undefined) return undefined
  return toMatch({ node: element?.node ?? region.node, element, region, document, score: 1 })
}

/** For every match of a query, what of each field stands inside it. */
export function readRecords(
  snapshot: Snapshot<DomNode>,
  query: Query,
  fields: Readonly<Record<string, Query>>,
  limit: number,
  pattern: PatternFactory,
): readonly ElementRecord[] {
  const records = new Map<DomNode, { elementId: string; fields: Record<string, ElementMatch[]> }>()
  for (const match of inOrder(findAll(snapshot, query, { pattern, maxMatches: limit }))) {
    const elementId = match.element?.id ?? match.region.id
    records.set(match.node, { elementId, fields: Object.fromEntries(Object.keys(fields).map((name) => [name, []])) })
  }
  for (const [name, field] of Object.entries(fields)) {
    for (const match of inOrder(findAll(snapshot, field, { pattern, maxMatches: MAX_FIELD_MATCHES }))) {
      holder(match, records)?.fields[name]?.push(toMatch(match))
    }
  }
  return [...records.values()]
}

/** The innermost record around a node, the node itself included. */
function holder<R>({ node, document }: Match<DomNode>, records: ReadonlyMap<DomNode, R>): R | undefined {
  for (let at: DomNode | undefined = node; at !== undefined; at = document.tree.parent(at)) {
    const record = records.get(at)
    if (record !== undefined) return record
  }
  return undefined
}

function isInside({ node, document }: Match<DomNode>, outer: DomNode | undefined): boolean {
  for (let at: DomNode | undefined = node; at !== undefined; at = document.tree.parent(at))
    if (at === outer) return true
  return false
}

/** Matches in document order; the finder gives the best first. */
function inOrder(matches: readonly Match<DomNode>[]): readonly Match<DomNode>[] {
  if (matches.length < 2) return matches
  const places = new Map<DomNode, number>(matches.map(({ node }) => [node, Number.MAX_SAFE_INTEGER]))
  let place = 0
  for (const { tree } of new Set(matches.map(({ document }) => document))) {
    const { root } = tree
    if (root === undefined) continue
    for (let node: DomNode | undefined = root; node !== undefined; node = nextInTree(tree, node, root)) {
      if (places.has(node)) places.set(node, place)
      place += 1
    }
  }
  return [...matches].sort((a, b) => (places.get(a.node) ?? 0) - (places.get(b.node) ?? 0))
}

function toMatch({ node, element, region, document, score, matchedText }: Match<DomNode>): ElementMatch {
  const { tree, baseUrl } = document
  const attrs: Record<string, JsonValue> = { ...((element?.attrs ?? {}) as JsonObject) }
  for (const name of NODE_ATTRIBUTES) {
    const value = tree.attribute(node, name)
    if (value !== undefined) attrs[name] = value.slice(0, 4_096)
  }
  for (const name of URL_ATTRIBUTES) {
    const value = tree.attribute(node, name) ?? attrs[name]
    if (typeof value === 'string' && URL.canParse(value, baseUrl)) attrs[name] = new URL(value, baseUrl).href
  }
  const name = element === undefined ? region.label : element.label || element.text
  const whole = (): string => rawText(tree, node, 100_000).replace(/\s+/g, ' ').trim()
  return {
    elementId: element?.id ?? region.id,
    role: element?.role ?? region.role,
    text: matchedText ?? name,
    confidence: Math.round(score * 100) / 100,
    fullText: matchedText ?? (element === undefined ? whole() : element.text || element.label),
    attrs,
  }
}
