import type { JsonObject, JsonValue, PageContext } from '@domos/spec'
import { identifierWords, stem } from './tokens.ts'
import { isObject } from './tools.ts'

/** Something with a name or an id, found in a tool result or in the page context. */
export interface Entity {
  readonly object: JsonObject
  /** What a person would call it. */
  readonly label: string | undefined
  readonly labelStems: readonly string[]
  /** Stems of its other short texts: category, colour, sender, … */
  readonly otherStems: ReadonlySet<string>
  /** Stems of the keys that lead to it, such as `cart items`. */
  readonly pathStems: readonly string[]
  readonly list: EntityList | undefined
  readonly source: EntitySource
}

/** Where an entity was seen: this turn, the page, the turn before, or earlier. */
export type EntitySource = 'result' | 'context' | 'previous' | 'earlier'

/** A list entities stand in, in order. */
export interface EntityList {
  readonly entities: Entity[]
  readonly source: EntitySource
}

/** A value to look for entities in. */
export interface EntitySpring {
  readonly value: JsonValue
  readonly source: EntitySource
  /** The tool it came from, or nothing for the page. */
  readonly toolName?: string
}

/** Most entities that are looked at. */
const MAX_ENTITIES = 2000
const MAX_DEPTH = 6
const LABEL_KEYS = [
  'name',
  'title',
  'label',
  'displayname',
  'productname',
  'subject',
  'fullname',
  'text',
  'summary',
  'description',
  'product',
  'email',
  'from',
  'sender',
]

/** Collects entities from the springs, in their order. */
export function collectEntities(springs: readonly EntitySpring[]): Entity[] {
  const entities: Entity[] = []
  for (const spring of springs) {
    const path = spring.toolName === undefined ? [] : identifierWords(spring.toolName).map(stem)
    walk(spring.value, spring.source, path, undefined, 0, entities)
  }
  return nameByOthers(entities)
}

/** Page context as a spring; its title stands in for a name the data lacks. */
export function contextSpring(context: PageContext | undefined): EntitySpring[] {
  return context?.data ? [{ value: context.data, source: 'context' }] : []
}

function walk(
  value: JsonValue,
  source: EntitySource,
  path: readonly string[],
  list: EntityList | undefined,
  depth: number,
  out: Entity[],
): void {
  if (depth > MAX_DEPTH || out.length >= MAX_ENTITIES) return
  if (Array.isArray(value)) {
    const inner: EntityList = { entities: [], source }
    for (const entry of value) {
      if (typeof entry === 'string') {
        const entity = makeEntity({ name: entry }, source, path, inner)
        inner.entities.push(entity)
        out.push(entity)
      } else walk(entry, source, path, inner, depth + 1, out)
    }
    return
  }
  if (!isObject(value)) return
  const entity = makeEntity(value, source, path, list)
  if (entity.label !== undefined || Object.keys(value).some((key) => isIdKey(key))) {
    list?.entities.push(entity)
    out.push(entity)
  }
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner !== 'object' || inner === null) continue
    if (Array.isArray(inner) && inner.every((entry) => typeof entry !== 'object') && list !== undefined) continue
    walk(inner, source, [...path, ...identifierWords(key).map(stem)], undefined, depth + 1, out)
  }
}

function makeEntity(
  object: JsonObject,
  source: EntitySource,
  pathStems: readonly string[],
  list: EntityList | undefined,
): Entity {
  const label = readLabel(object)
  const labelStems = label === undefined ? [] : identifierWords(label).map(stem)
  const other = new Set<string>()
  for (const [key, value] of Object.entries(object)) {
    const texts =
      typeof value === 'string'
        ? [value]
        : Array.isArray(value)
          ? value.filter((entry) => typeof entry === 'string')
          : []
    if (isImageKey(key)) continue
    for (const text of texts.slice(0, 20)) {
      if (text.length > 120) continue
      for (const word of identifierWords(text)) other.add(stem(word))
    }
  }
  for (const word of labelStems) other.delete(word)
  return { object, label, labelStems, otherStems: other, pathStems, list, source }
}

function readLabel(object: JsonObject): string | undefined {
  const keys = new Map(Object.keys(object).map((key) => [normalizeKey(key), key]))
  for (const wanted of LABEL_KEYS) {
    const key = keys.get(wanted)
    const value = key === undefined ? undefined : object[key]
    if (typeof value === 'string' && value !== '') return value.slice(0, 200)
    if (isObject(value) && (wanted === 'product' || wanted === 'from' || wanted === 'sender')) {
      const inner = readLabel(value)
      if (inner !== undefined) return inner
    }
  }
  return undefined
}

/** A cart line with nothing but a product id takes the name of the product with that id. */
function nameByOthers(entities: readonly Entity[]): Entity[] {
  const byId = new Map<JsonValue, Entity>()
  for (const entity of entities) {
    const id = idOf(entity.object)
    if (id !== undefined && entity.label !== undefined && !byId.has(id)) byId.set(id, entity)
  }
  return entities.map((entity) => {
    if (entity.label !== undefined) return entity
    const key = Object.keys(entity.object).find((name) => isIdKey(name) && byId.has(entity.object[name] ?? null))
    const named = key === undefined ? undefined : byId.get(entity.object[key] ?? null)
    if (!named || named === entity) return entity
    const copy = {
      ...entity,
      label: named.label,
      labelStems: named.labelStems,
      otherStems: new Set([...entity.otherStems, ...named.otherStems]),
    }
    const index = entity.list?.entities.indexOf(entity) ?? -1
    if (entity.list && index >= 0) entity.list.entities[index] = copy
    return copy
  })
}

/** Lower-case letters and digits of a key, so that `product_id` and `productId` are equal. */
export function normalizeKey(key: string): string {
  return key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** Whether a key names an identifier. */
export function isIdKey(key: string): boolean {
  return /^(id|uid|uuid|sku|slug|handle|key)$/i.test(key) || /(Id|ID|_id|-id|Uuid|Sku|Slug|_sku|_slug)$/.test(key)
}

function isImageKey(key: string): boolean {
  return /image|picture|icon|thumbnail|href|url$/i.test(key)
}

/** The identifier of an object: its `id`, else the first key that names one. */
export function idOf(object: JsonObject): string | number | undefined {
  const key = Object.keys(object).find((name) => /^id$/i.test(name)) ?? Object.keys(object).find(isIdKey)
  const value = key === undefined ? undefined : object[key]
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}
