import type { ModelElement } from './model.ts'
import { nameOf } from './model.ts'

/** What tells an element from others when its node is replaced. */
export interface Fingerprint {
  readonly role: string
  readonly name: string
  readonly htmlId: string
  readonly testId: string
  readonly field: string
  readonly href: string
  readonly inputType: string
  /** Text of its list item or row without its own name; '' when there is none. */
  readonly context: string
  readonly heading: string
  readonly region: string
  readonly ordinal: number
  readonly before: string
  readonly after: string
}

const machineMade = /^:r|[:.]|\d{3,}|[0-9a-f]{8,}|^(?:ember|ext-gen|yui|radix|headlessui|mui|react)/i
const maxChars = 100

/** Reads the fingerprint of an element from the model it stands in. */
export function fingerprintOf<N extends object>(element: ModelElement<N>): Fingerprint {
  const { attrs, region } = element
  const siblings = region.elements
  const place = placeOf(region.elements, element)
  const name = clip(nameOf(element))
  let context = ''
  if (element.item !== undefined) {
    context = clip(element.item.text.split(nameOf(element)).join(' ').replace(/\s+/g, ' ').trim())
  }
  return {
    role: element.role,
    name,
    htmlId: stable(element.htmlId),
    testId: text(attrs['test_id']),
    field: text(attrs['name']),
    href: text(attrs['href']).split(/[?#]/, 1)[0] as string,
    inputType: text(attrs['input_type']),
    context,
    heading: element.heading === undefined ? '' : clip(nameOf(element.heading)),
    region: `${region.role}|${region.label}`,
    ordinal: place.ordinal,
    before: clip(nameAt(siblings[place.index - 1])),
    after: clip(nameAt(siblings[place.index + 1])),
  }
}

const places = new WeakMap<object, Map<object, { index: number; ordinal: number }>>()

function placeOf<N extends object>(
  elements: readonly ModelElement<N>[],
  element: ModelElement<N>,
): { index: number; ordinal: number } {
  let known = places.get(elements)
  if (known === undefined) {
    known = new Map()
    const counts = new Map<string, number>()
    elements.forEach((each, index) => {
      const key = `${each.role}|${nameOf(each)}`
      const ordinal = counts.get(key) ?? 0
      counts.set(key, ordinal + 1)
      ;(known as Map<object, { index: number; ordinal: number }>).set(each, { index, ordinal })
    })
    places.set(elements, known)
  }
  return known.get(element) ?? { index: -1, ordinal: 0 }
}

/** A vanished element beside what may have replaced it. */
export interface Anchored {
  readonly fingerprint: Fingerprint
}

/** Least score of a match, and how far it must be ahead of the next. */
export const anchorThreshold = 0.8
export const anchorMargin = 0.15

/**
 * Pairs vanished elements with new ones, each at most once. A pair counts when its score reaches the threshold and
 * leads both the other candidates of the old and the other claims on the new element by the margin.
 */
export function matchFingerprints<L extends Anchored, F extends Anchored>(
  lost: readonly L[],
  fresh: readonly F[],
  equals: (fresh: F) => number,
  allowed: (lost: L, fresh: F) => boolean,
): { lost: L; fresh: F }[] {
  const index = new Map<string, L[]>()
  const lostNames = new Map<string, number>()
  for (const item of lost) {
    for (const key of keysOf(item.fingerprint)) {
      const list = index.get(key)
      if (list === undefined) index.set(key, [item])
      else list.push(item)
    }
    const name = `${item.fingerprint.role}|${item.fingerprint.name}`
    lostNames.set(name, (lostNames.get(name) ?? 0) + 1)
  }
  const bestFresh = new Map<L, { fresh: F; score: number; second: number }>()
  const bestLost = new Map<F, { lost: L; score: number; second: number }>()
  for (const candidate of fresh) {
    const olds = new Set<L>()
    for (const key of keysOf(candidate.fingerprint)) {
      for (const old of (index.get(key) ?? []).slice(0, 64)) olds.add(old)
    }
    for (const old of olds) {
      if (!allowed(old, candidate)) continue
      const unique =
        equals(candidate) <= 1 && (lostNames.get(`${old.fingerprint.role}|${old.fingerprint.name}`) ?? 0) <= 1
      const score = scoreOf(old.fingerprint, candidate.fingerprint, unique)
      keep(bestFresh, old, { fresh: candidate, score, second: 0 })
      keep(bestLost, candidate, { lost: old, score, second: 0 })
    }
  }
  const pairs: { lost: L; fresh: F }[] = []
  for (const [old, best] of bestFresh) {
    const claim = bestLost.get(best.fresh)
    if (claim?.lost !== old || best.score < anchorThreshold) continue
    if (best.score - best.second < anchorMargin || claim.score - claim.second < anchorMargin) continue
    pairs.push({ lost: old, fresh: best.fresh })
  }
  return pairs
}

function keep<K, V extends { score: number; second: number }>(map: Map<K, V>, key: K, next: V): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, next)
  else if (next.score > known.score) map.set(key, { ...next, second: known.score })
  else if (next.score > known.second) map.set(key, { ...known, second: next.score })
}

function keysOf(print: Fingerprint): string[] {
  const keys: string[] = []
  if (print.htmlId !== '') keys.push(`i|${print.role}|${print.htmlId}`)
  if (print.testId !== '') keys.push(`t|${print.role}|${print.testId}`)
  if (print.field !== '') keys.push(`f|${print.role}|${print.field}`)
  if (print.name !== '') {
    keys.push(`c|${print.role}|${print.name}|${print.context}`, `n|${print.role}|${print.name}`)
  }
  return keys
}

/** Likeness of two fingerprints, 0 to 1. `unique`: no other element, old or new, has this role and name. */
export function scoreOf(old: Fingerprint, next: Fingerprint, unique: boolean): number {
  if (old.role !== next.role || originIn(old.href) !== originIn(next.href)) return 0
  let score = 0
  const strong: readonly (keyof Fingerprint)[] = ['htmlId', 'testId', 'field']
  let agreed = false
  for (const key of strong) {
    if (old[key] === '' && next[key] === '') continue
    if (old[key] === next[key]) agreed = true
    else score -= 0.3
  }
  if (agreed) score += 0.4
  if (old.name !== '' && old.name === next.name) score += unique ? 0.7 : 0.5
  if (old.context !== '' && next.context !== '') score += likeness(old.context, next.context) ? 0.25 : -0.3
  else if (old.context !== next.context) score -= 0.1
  if (old.href !== '' || next.href !== '') score += old.href === next.href ? 0.15 : -0.25
  if (old.region === next.region) score += 0.1
  if (old.heading === next.heading) score += 0.05
  if (old.ordinal === next.ordinal) score += 0.02
  if (old.before !== '' && old.before === next.before) score += 0.03
  if (old.after !== '' && old.after === next.after) score += 0.03
  return Math.min(1, Math.max(0, score))
}

/** Rows keep their name when a number in them changes. */
function likeness(a: string, b: string): boolean {
  if (a === b) return true
  const first = words(a)
  const second = words(b)
  if (first.length === 0 || second.length === 0) return false
  const common = first.filter((word) => second.includes(word)).length
  return common / Math.max(first.length, second.length) >= 0.75
}

function words(value: string): string[] {
  return value.split(/[^\p{L}]+/u).filter((word) => word.length > 1)
}

function originIn(href: string): string {
  return /^[a-z][a-z\d+.-]*:\/\/[^/]*/i.exec(href)?.[0].toLowerCase() ?? ''
}

function nameAt<N extends object>(element: ModelElement<N> | undefined): string {
  return element === undefined ? '' : nameOf(element)
}

function clip(value: string): string {
  return value.slice(0, maxChars).toLowerCase()
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function stable(id: string | undefined): string {
  return id === undefined || machineMade.test(id) ? '' : id
}
