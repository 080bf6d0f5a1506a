import type { JsonValue } from '@domos/spec'
import { type Entity, idOf, isIdKey, normalizeKey } from './entities.ts'
import { areSynonyms, GENERIC_NOUNS } from './lexicon.ts'
import { findOrdinal } from './numbers.ts'
import { isMisspelling, stem, type Token } from './tokens.ts'
import type { KnownTool, Parameter } from './tools.ts'

/** What a phrase points at. */
export type Resolution =
  | { readonly type: 'found'; readonly entity: Entity; readonly value: JsonValue; readonly others: readonly Entity[] }
  | { readonly type: 'not-found' }
  | { readonly type: 'no-mention' }

/** A phrase to resolve for one argument of one tool. */
export interface Mention {
  /** The clause's tokens without its verb. */
  readonly tokens: readonly Token[]
  /** Words that say which one is meant. */
  readonly distinct: readonly string[]
  /** Words the tool's own name explains, such as `cart`; they count less. */
  readonly explained: readonly string[]
}

/** Whether an argument wants a thing (by its id or name) more than free text. */
export function isEntityParameter(parameter: Parameter): boolean {
  if (
    parameter.type !== 'string' &&
    parameter.type !== 'number' &&
    parameter.type !== 'integer' &&
    parameter.type !== 'any'
  )
    return false
  if (parameter.enumValues) return false
  return isIdKey(parameter.name) || /\b(id|identifier|sku|slug)\b/i.test(parameter.description)
}

/** The value of `entity` that fits `parameter`: a key of the same name, else its id, else its name. */
export function valueFor(entity: Entity, parameter: Parameter): JsonValue | undefined {
  const wanted = normalizeKey(parameter.name)
  for (const [key, value] of Object.entries(entity.object)) {
    if (normalizeKey(key) === wanted && (typeof value === 'string' || typeof value === 'number'))
      return fit(value, parameter)
  }
  const id = isEntityParameter(parameter) ? idOf(entity.object) : undefined
  if (id !== undefined) return fit(id, parameter)
  // An entry of a list of plain texts is its own id.
  const isPlain = entity.list !== undefined && Object.keys(entity.object).length === 1
  return isEntityParameter(parameter) && !isPlain ? undefined : entity.label
}

function fit(value: string | number, parameter: Parameter): JsonValue {
  if (parameter.type === 'string') return String(value)
  if (
    (parameter.type === 'number' || parameter.type === 'integer') &&
    typeof value === 'string' &&
    value !== '' &&
    Number.isFinite(Number(value))
  )
    return Number(value)
  return value
}

/** Finds the entity a mention points at: by place in a list, by superlative, by name, or by "it". */
export function resolveMention(
  mention: Mention,
  parameter: Parameter,
  tool: KnownTool,
  entities: readonly Entity[],
  focus: Entity | undefined,
  hasCurrent: boolean,
): Resolution {
  const usable = entities.filter((entity) => valueFor(entity, parameter) !== undefined)
  const named = rankByName(mention, tool, parameter, usable)
  const ordinal = findOrdinal(mention.tokens)
  if (ordinal) return byPlace(ordinal.position, mention, tool, parameter, usable, named)
  const superlative = findSuperlative(mention.tokens)
  if (superlative) {
    const pool =
      named.length > 0
        ? named.map((entry) => entry.entity)
        : (bestList(tool, parameter, usable)?.entities.filter((entity) => usable.includes(entity)) ?? [])
    return found(bySuperlative(pool, superlative), parameter, [])
  }
  if (mention.distinct.length > 0) {
    const best = named[0]
    if (!best) return { type: 'not-found' }
    const rivals = named.filter(
      (entry) =>
        entry !== best &&
        best.score - entry.score < 0.05 &&
        valueFor(entry.entity, parameter) !== valueFor(best.entity, parameter),
    )
    return found(
      best.entity,
      parameter,
      distinctLabels(
        rivals.map((entry) => entry.entity),
        best.entity,
      ),
    )
  }
  if (focus && valueFor(focus, parameter) !== undefined) return found(focus, parameter, [])
  if (hasCurrent) return { type: 'no-mention' }
  const list = bestList(tool, parameter, usable)
  const only = list?.entities.filter((entity) => usable.includes(entity)) ?? []
  if (only.length === 1 && only[0]) return found(only[0], parameter, [])
  return { type: 'no-mention' }
}

function found(entity: Entity | undefined, parameter: Parameter, others: readonly Entity[]): Resolution {
  const value = entity && valueFor(entity, parameter)
  return entity && value !== undefined ? { type: 'found', entity, value, others } : { type: 'not-found' }
}

function distinctLabels(entities: readonly Entity[], best: Entity): Entity[] {
  const seen = new Set([best.label])
  return entities.filter((entity) => {
    if (seen.has(entity.label)) return false
    seen.add(entity.label)
    return true
  })
}

interface Ranked {
  readonly entity: Entity
  readonly score: number
}

const SOURCE_BONUS = { result: 0.12, context: 0.06, previous: 0.08, earlier: 0 } as const

function rankByName(mention: Mention, tool: KnownTool, parameter: Parameter, entities: readonly Entity[]): Ranked[] {
  if (mention.distinct.length === 0) return []
  const ranked: Ranked[] = []
  for (const entity of entities) {
    let matched = 0
    const labelHits = new Set<string>()
    for (const word of mention.distinct) {
      const strength = matchStrength(word, entity, labelHits)
      matched += strength
    }
    for (const word of mention.explained) if (matchStrength(word, entity, labelHits) >= 0.8) matched += 0.1
    const coverage = matched / mention.distinct.length
    if (coverage < 0.5) continue
    const label = entity.labelStems.length === 0 ? 0 : labelHits.size / entity.labelStems.length
    ranked.push({
      entity,
      score: coverage * 2 + label * 0.5 + SOURCE_BONUS[entity.source] + kinship(entity, tool, parameter) * 0.1,
    })
  }
  return ranked.sort((a, b) => b.score - a.score)
}

function matchStrength(word: string, entity: Entity, labelHits: Set<string>): number {
  for (const label of entity.labelStems) {
    if (label === word) {
      labelHits.add(label)
      return 1
    }
  }
  for (const label of entity.labelStems) {
    if (isMisspelling(label, word) || (word.length >= 4 && (label.startsWith(word) || label.endsWith(word)))) {
      labelHits.add(label)
      return 0.8
    }
  }
  if (entity.otherStems.has(word)) return 0.7
  for (const label of entity.labelStems) if (areSynonyms(label, word)) return 0.6
  for (const other of entity.otherStems) if (areSynonyms(other, word)) return 0.5
  return 0
}

/** The things an argument can mean, the likeliest kind alone where kinds can be told apart. */
export function optionsFor(parameter: Parameter, tool: KnownTool, entities: readonly Entity[]): Entity[] {
  const usable = entities.filter((entity) => entity.label !== undefined && valueFor(entity, parameter) !== undefined)
  const best = Math.max(...usable.map((entity) => kinship(entity, tool, parameter)))
  return usable.filter((entity) => kinship(entity, tool, parameter) === best)
}

/** How well the place an entity was seen in fits the tool and the argument (-1 to 2). */
function kinship(entity: Entity, tool: KnownTool, parameter: Parameter): number {
  const related = (words: readonly string[]): number =>
    Math.max(
      0,
      ...words.flatMap((word) =>
        word.length < 2 ? [] : entity.pathStems.map((step) => (step === word ? 1 : areSynonyms(step, word) ? 0.5 : 0)),
      ),
    )
  const place = related(tool.nouns.filter((word) => !parameter.stems.includes(word)))
  // What is added to a place comes from elsewhere; what is taken out or changed is in it.
  return related(parameter.stems.filter((word) => word !== 'id')) + (tool.verbs[0] === 'add' ? -place : place)
}

const SOURCE_ORDER = { result: 3, previous: 2, context: 1, earlier: 0 } as const

function bestList(
  tool: KnownTool,
  parameter: Parameter,
  entities: readonly Entity[],
): { readonly entities: readonly Entity[] } | undefined {
  let best: { entities: readonly Entity[]; score: number } | undefined
  for (const entity of entities) {
    if (!entity.list || entity.list.entities.length === 0 || entity.list.entities === best?.entities) continue
    const score = SOURCE_ORDER[entity.source] + kinship(entity, tool, parameter) * 0.4
    if (!best || score > best.score) best = { entities: entity.list.entities, score }
  }
  return best
}

function byPlace(
  position: number,
  mention: Mention,
  tool: KnownTool,
  parameter: Parameter,
  entities: readonly Entity[],
  named: readonly Ranked[],
): Resolution {
  const list = bestList(tool, parameter, entities)
  const all = list?.entities.filter((entity) => entities.includes(entity)) ?? []
  const fitting =
    named.length > 0 && mention.distinct.length > 0
      ? all.filter((entity) => named.some((entry) => entry.entity === entity))
      : []
  const pool = fitting.length > 0 ? fitting : all
  return found(position < 0 ? pool.at(position) : pool[position - 1], parameter, [])
}

/** What "cheapest" and its like compare. */
export interface Superlative {
  readonly keys: RegExp
  readonly wantsLargest: boolean
}

const SUPERLATIVES = new Map<string, Superlative>([
  ['cheapest', { keys: /price|cost|amount/i, wantsLargest: false }],
  ['expensive', { keys: /price|cost|amount/i, wantsLargest: true }],
  ['priciest', { keys: /price|cost|amount/i, wantsLargest: true }],
  ['newest', { keys: /date|time|created|received|sent|year/i, wantsLargest: true }],
  ['latest', { keys: /date|time|created|received|sent|year/i, wantsLargest: true }],
  ['recent', { keys: /date|time|created|received|sent|year/i, wantsLargest: true }],
  ['oldest', { keys: /date|time|created|received|sent|year/i, wantsLargest: false }],
  ['best', { keys: /rating|score|stars|reviews/i, wantsLargest: true }],
  ['biggest', { keys: /size|width|length|bytes|amount|count/i, wantsLargest: true }],
  ['largest', { keys: /size|width|length|bytes|amount|count/i, wantsLargest: true }],
  ['smallest', { keys: /size|width|length|bytes|amount|count/i, wantsLargest: false }],
])

/** Words that choose by comparing. */
export function findSuperlative(tokens: readonly Token[]): Superlative | undefined {
  const index = tokens.findIndex((token) => SUPERLATIVES.has(token.lower))
  return index < 0 ? undefined : SUPERLATIVES.get(tokens[index]?.lower ?? '')
}

/** The one a superlative means; nothing when none has the property. */
export function bySuperlative(pool: readonly Entity[], superlative: Superlative): Entity | undefined {
  let best: { entity: Entity; value: number } | undefined
  for (const entity of pool) {
    const key = Object.keys(entity.object).find((name) => superlative.keys.test(name))
    const raw = key === undefined ? undefined : entity.object[key]
    const value = typeof raw === 'number' ? raw : typeof raw === 'string' ? comparable(raw) : Number.NaN
    if (Number.isNaN(value)) continue
    if (!best || (superlative.wantsLargest ? value > best.value : value < best.value)) best = { entity, value }
  }
  return best?.entity
}

function comparable(text: string): number {
  const number = Number(text.replace(/[^\d.-]/g, ''))
  return /^\d{4}-\d{2}/.test(text) ? Date.parse(text) : text.trim() === '' ? Number.NaN : number
}

/** Words of a mention that choose between things rather than name one. */
export function isChooser(stemmed: string): boolean {
  return GENERIC_NOUNS.has(stemmed) || CHOOSERS.has(stemmed)
}

const CHOOSERS = new Set(
  [
    ...SUPERLATIVES.keys(),
    ...'first second third fourth fifth sixth seventh eighth ninth tenth last next most least top bottom number'.split(
      ' ',
    ),
  ].map(stem),
)
