import type { JsonObject, JsonSchema, JsonValue } from '@domos/spec'

const typeNames = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
/** Keywords whose value is one schema, a list of schemas, or a map of schemas. Everything else is data and stays as it is. */
const schemaKeywords = new Set([
  'items',
  'additionalProperties',
  'additionalItems',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
])
const listKeywords = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'])
const mapKeywords = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])

/** The schema with its type names in lower case, wherever a type name stands; the same object where nothing changes. */
export function normalizeToolSchema(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (type) => {
    const lower = type.toLowerCase()
    return typeNames.has(lower) ? lower : type
  })
}

function mapSchema(schema: JsonObject, rename: (type: string) => string): JsonObject {
  let changed = false
  const entries = Object.entries(schema).map(([key, value]): [string, JsonValue] => {
    const mapped = mapKeyword(key, value, rename)
    if (mapped !== value) changed = true
    return [key, mapped]
  })
  return changed ? Object.fromEntries(entries) : schema
}

function mapKeyword(key: string, value: JsonValue, rename: (type: string) => string): JsonValue {
  if (key === 'type') {
    if (typeof value === 'string') return rename(value)
    if (Array.isArray(value))
      return sameIfEqual(
        value,
        value.map((name) => (typeof name === 'string' ? rename(name) : name)),
      )
    return value
  }
  if (listKeywords.has(key) && Array.isArray(value)) {
    return sameIfEqual(
      value,
      value.map((item) => (isObject(item) ? mapSchema(item, rename) : item)),
    )
  }
  if (schemaKeywords.has(key) && isObject(value)) return mapSchema(value, rename)
  if (mapKeywords.has(key) && isObject(value)) {
    let changed = false
    const entries = Object.entries(value).map(([name, child]): [string, JsonValue] => {
      const mapped = isObject(child) ? mapSchema(child, rename) : child
      if (mapped !== child) changed = true
      return [name, mapped]
    })
    return changed ? Object.fromEntries(entries) : value
  }
  return value
}

function sameIfEqual(before: readonly JsonValue[], after: readonly JsonValue[]): readonly JsonValue[] {
  return after.every((item, index) => item === before[index]) ? before : after
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** How deep {@link toSpokenSchema} follows a schema. */
const MAX_SPOKEN_DEPTH = 32
const spokenTypes: Readonly<Record<string, string>> = {
  string: 'STRING',
  number: 'NUMBER',
  integer: 'NUMBER',
  boolean: 'BOOLEAN',
  object: 'OBJECT',
  array: 'ARRAY',
}

/**
 * The part of a JSON Schema a server of the spoken dialect accepts: upper-case types, description, string enums, items,
 * properties and required. Bounds it has no word for are told in the description instead.
 */
export function toSpokenSchema(schema: JsonSchema): JsonSchema {
  return { properties: {}, ...spokenProperty(schema, 0), type: 'OBJECT' }
}

function spokenProperty(schema: JsonObject, depth: number): JsonObject {
  const type = spokenType(schema)
  const description = [schema.description, ...bounds(schema)]
    .filter((part) => typeof part === 'string' && part !== '')
    .join(' ')
  const spoken: Record<string, JsonValue> = { type }
  if (description !== '') spoken.description = description
  if (Array.isArray(schema.enum) && schema.enum.every((value) => typeof value === 'string')) spoken.enum = schema.enum
  if (depth >= MAX_SPOKEN_DEPTH) return spoken
  if (type === 'ARRAY')
    spoken.items = isObject(schema.items) ? spokenProperty(schema.items, depth + 1) : { type: 'STRING' }
  if (type === 'OBJECT' && isObject(schema.properties)) {
    spoken.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, child]) => [
        name,
        isObject(child) ? spokenProperty(child, depth + 1) : { type: 'STRING' },
      ]),
    )
    if (Array.isArray(schema.required)) spoken.required = schema.required.filter((name) => typeof name === 'string')
  }
  return spoken
}

function spokenType(schema: JsonObject): string {
  const named = Array.isArray(schema.type) ? schema.type.find((name) => name !== 'null') : schema.type
  if (typeof named === 'string') return spokenTypes[named.toLowerCase()] ?? 'STRING'
  if (schema.properties !== undefined) return 'OBJECT'
  return schema.items === undefined ? 'STRING' : 'ARRAY'
}

const boundWords = [
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
  'format',
  'default',
  'const',
] as const

function bounds(schema: JsonObject): string[] {
  const told = boundWords.flatMap((word) =>
    schema[word] === undefined ? [] : [`${word}: ${JSON.stringify(schema[word])}`],
  )
  if (schema.type === 'integer') told.unshift('whole number')
  if (Array.isArray(schema.enum) && !schema.enum.every((value) => typeof value === 'string'))
    told.push(`one of ${JSON.stringify(schema.enum)}`)
  return told.length === 0 ? [] : [`(${told.join(', ')})`]
}
