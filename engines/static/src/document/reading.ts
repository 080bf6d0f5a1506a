import { findAll, type Match, re2Pattern, type Snapshot } from '@domos/som'
import { getAttribute, type LeanNode } from '@domos/som/parse'
import type { ElementMatch, ElementRecord, JsonObject, JsonValue, Target } from '@domos/spec'
import { collapse, nextNode, rootOf, textOf } from './nodes.ts'

type Query = NonNullable<Target['query']>

const NODE_ATTRIBUTES = ['datetime', 'content', 'title', 'itemprop'] as const
const URL_ATTRIBUTES = ['href', 'src', 'action'] as const

/** All matches of a query, with what can be read of them. */
export function readMatches(
  snapshot: Snapshot<LeanNode>,
  query: Query,
  limit: number,
  region?: string,
): readonly ElementMatch[] {
  const matches = findAll(snapshot, query, { pattern: re2Pattern, maxMatches: region === undefined ? limit : 10_000 })
  const within = region === undefined ? undefined : snapshot.region(region)
  return matches
    .filter((match) => region === undefined || match.region === within || isInside(match.node, within?.node))
    .slice(0, limit)
    .map((match) => toMatch(match))
}

/** One element by its id. */
export function readElement(snapshot: Snapshot<LeanNode>, id: string): ElementMatch | undefined {
  const element = snapshot.element(id)
  const region = element?.region ?? snapshot.region(id)
  const document = snapshot.model.documents.find(({ regions }) => region !== undefined && regions.includes(region))
  if (region === undefined || document === undefined) return undefined
  return toMatch({ node: element?.node ?? region.node, element, region, document, score: 1 })
}

/** For every match of a query, what of each field stands inside it. */
export function readRecords(
  snapshot: Snapshot<LeanNode>,
  query: Query,
  fields: Readonly<Record<string, Query>>,
  limit: number,
): readonly ElementRecord[] {
  const found = inOrder(findAll(snapshot, query, { pattern: re2Pattern, maxMatches: limit }))
  const records = new Map<LeanNode, { elementId: string; fields: Record<string, ElementMatch[]> }>()
  for (const match of found) {
    const elementId = match.element?.id ?? match.region.id
    records.set(match.node, { elementId, fields: Object.fromEntries(Object.keys(fields).map((name) => [name, []])) })
  }
  for (const [name, field] of Object.entries(fields)) {
    for (const match of inOrder(findAll(snapshot, field, { pattern: re2Pattern, maxMatches: 50_000 }))) {
      const record = holder(match.node, records)
      record?.fields[name]?.push(toMatch(match))
    }
  }
  return [...records.values()]
}

/** The innermost record around a node, the node itself included. */
function holder<R>(node: LeanNode, records: ReadonlyMap<LeanNode, R>): R | undefined {
  for (let at: LeanNode | undefined = node; at !== undefined; at = at.parent) {
    const record = records.get(at)
    if (record !== undefined) return record
  }
  return undefined
}

function isInside(node: LeanNode, outer: LeanNode | undefined): boolean {
  for (let at: LeanNode | undefined = node; at !== undefined; at = at.parent) if (at === outer) return true
  return false
}

/** Matches in document order; the finder gives the best first. */
function inOrder(matches: readonly Match<LeanNode>[]): readonly Match<LeanNode>[] {
  const first = matches[0]
  if (first === undefined) return matches
  const places = new Map<LeanNode, number>(matches.map(({ node }) => [node, Number.MAX_SAFE_INTEGER]))
  const root = rootOf(first.node)
  let place = 0
  for (let node = nextNode(root, root); node !== undefined; node = nextNode(node, root)) {
    if (places.has(node)) places.set(node, place)
    place += 1
  }
  return [...matches].sort((a, b) => (places.get(a.node) ?? 0) - (places.get(b.node) ?? 0))
}

function toMatch(match: Match<LeanNode>): ElementMatch {
  const { node, element, region } = match
  const { baseUrl } = match.document
  const attrs: Record<string, JsonValue> = { ...((element?.attrs ?? {}) as JsonObject) }
  // The model keeps these beside the attributes, uncut.
  if (element?.headers !== undefined) attrs['headers'] = element.headers.map(({ text }) => text)
  if (element?.options !== undefined) attrs['options'] = element.options as unknown as JsonValue
  for (const name of NODE_ATTRIBUTES) {
    const value = getAttribute(node, name)
    if (value !== undefined) attrs[name] = value.slice(0, 4_096)
  }
  for (const name of URL_ATTRIBUTES) {
    const value = getAttribute(node, name) ?? attrs[name]
    if (typeof value === 'string' && URL.canParse(value, baseUrl)) attrs[name] = new URL(value, baseUrl).href
  }
  const name = element === undefined ? region.label : element.label || element.text
  const fullText =
    match.matchedText ??
    (element === undefined ? collapse(textOf(node)).slice(0, 100_000) : element.text || element.label)
  return {
    elementId: element?.id ?? region.id,
    role: element?.role ?? region.role,
    text: match.matchedText ?? name,
    confidence: Math.round(match.score * 100) / 100,
    fullText,
    attrs,
  }
}
