import type { JsonObject, JsonSchema, JsonValue } from '@domos/spec'
import { isJsonArray, isJsonObject, jsonBytes, toJson } from './json-values.ts'
import type { AgentLimits } from './limits.ts'

/** The bounds that concern schemas. */
export type SchemaLimits = Pick<
  AgentLimits,
  'schemaMaxBytes' | 'schemaMaxDepth' | 'schemaMaxProperties' | 'schemaPatternMaxChars'
>

/** A schema in the one form the agent works with, or why it cannot be used. */
export type NormalizedSchema =
  | { readonly ok: true; readonly schema: JsonSchema }
  | { readonly ok: false; readonly reason: string }

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
const TYPE_ALIASES: Readonly<Record<string, string>> = {
  int: 'integer',
  long: 'integer',
  float: 'number',
  double: 'number',
  bool: 'boolean',
  str: 'string',
  text: 'string',
  list: 'array',
  dict: 'object',
  map: 'object',
}
const BANNED = new Set([
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
  '$id',
  'id',
  'patternProperties',
])
const SCHEMA_MAPS = new Set(['properties', '$defs', 'definitions', 'dependentSchemas'])
const SCHEMA_LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const SCHEMAS = new Set([
  'items',
  'additionalProperties',
  'additionalItems',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
])
const COUNTS = new Set([
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
])
const NUMBERS = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'])
const UNIQUE_ITEMS_MAX = 1_000
const REFERENCES_MAX = 500

/** Inner failure of the walk; never leaves this file. */
class BadSchema extends Error {}

/**
 * Brings a parameter schema into plain JSON Schema 2020-12: type names in any case and the common short ones (`INT`,
 * `bool`), `nullable`, draft 4 booleans, draft 7 tuples and `required: true` on a property are rewritten; a missing schema
 * accepts any object. Refused are remote and recursive references, `$dynamicRef`, `$id`, `patternProperties`, anything over
 * the bounds, and keywords with values of the wrong kind: such a schema could stall the server or can mean anything.
 */
export function normalizeSchema(input: unknown, limits: SchemaLimits): NormalizedSchema {
  if (input === undefined || input === null || input === true) return { ok: true, schema: { type: 'object' } }
  if (!isJsonObject(input)) return { ok: false, reason: 'The parameter schema is not an object.' }
  let bytes: number
  try {
    bytes = jsonBytes(input)
  } catch {
    return { ok: false, reason: 'The parameter schema is not JSON.' }
  }
  if (bytes > limits.schemaMaxBytes) {
    return {
      ok: false,
      reason: `The parameter schema has ${bytes} bytes; at most ${limits.schemaMaxBytes} are accepted.`,
    }
  }
  try {
    const plain = toJson(input)
    if (!isJsonObject(plain)) throw new BadSchema('The parameter schema is not an object.')
    const count = { properties: 0 }
    const schema = { ...(walk(plain, 1, '', limits, count) as JsonObject) } // an object schema stays an object
    if (schema['type'] === undefined) schema['type'] = 'object'
    if (schema['type'] !== 'object') throw new BadSchema('The parameters must be of type object.')
    checkReferences(schema)
    return { ok: true, schema }
  } catch (thrown) {
    if (thrown instanceof BadSchema) return { ok: false, reason: thrown.message }
    return { ok: false, reason: 'The parameter schema cannot be read.' }
  }
}

interface Count {
  properties: number
}

function walk(schema: JsonValue, depth: number, path: string, limits: SchemaLimits, count: Count): JsonValue {
  if (typeof schema === 'boolean') return schema
  const place = path === '' ? 'the schema' : path
  if (!isJsonObject(schema)) throw new BadSchema(`At ${place} a schema is expected.`)
  if (depth > limits.schemaMaxDepth)
    throw new BadSchema(`The schema is nested deeper than ${limits.schemaMaxDepth} levels.`)
  const result: Record<string, JsonValue> = {}
  for (const [key, value] of Object.entries(schema)) {
    const at = `${path}/${key}`
    if (BANNED.has(key)) throw new BadSchema(`At ${place} the keyword ${key} is not accepted.`)
    if (key === '$schema' || key === 'nullable') continue
    if (SCHEMA_MAPS.has(key)) result[key] = walkMap(value, depth, at, limits, count)
    else if (SCHEMA_LISTS.has(key)) result[key] = walkList(value, depth, at, limits, count)
    else if (key === 'items' && isJsonArray(value)) result['prefixItems'] = walkList(value, depth, at, limits, count)
    else if (SCHEMAS.has(key)) result[key] = walk(value, depth + 1, at, limits, count)
    else keyword(result, key, value, schema, at, limits)
  }
  liftRequired(schema, result)
  if (schema['nullable'] === true && result['type'] !== undefined) {
    const types = isJsonArray(result['type']) ? result['type'] : [result['type']]
    result['type'] = types.includes('null') ? types : [...types, 'null']
  }
  if (result['uniqueItems'] === true && result['maxItems'] === undefined) result['maxItems'] = UNIQUE_ITEMS_MAX
  if (result['type'] === undefined && isJsonObject(result['properties'])) result['type'] = 'object'
  return result
}

function keyword(
  result: Record<string, JsonValue>,
  key: string,
  value: JsonValue,
  schema: JsonObject,
  at: string,
  limits: SchemaLimits,
): void {
  if (key === 'type') {
    const type = normalizeType(value, at)
    if (type !== undefined) result['type'] = type
  } else if (key === 'required') {
    if (typeof value === 'boolean') return // draft 3 spelling, lifted by the parent
    if (!isJsonArray(value) || !value.every((name) => typeof name === 'string')) {
      throw new BadSchema(`At ${at} a list of names is expected.`)
    }
    result['required'] = [...new Set(value)]
  } else if (key === 'enum') {
    if (!isJsonArray(value)) throw new BadSchema(`At ${at} a list is expected.`)
    if (value.length > 0) result['enum'] = value
  } else if (COUNTS.has(key)) {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
      throw new BadSchema(`At ${at} a count is expected.`)
    result[key] = value
  } else if (NUMBERS.has(key)) {
    copyBound(result, key, value, schema, at)
  } else if (key === 'multipleOf') {
    if (typeof value !== 'number' || value <= 0) throw new BadSchema(`At ${at} a number above 0 is expected.`)
    result[key] = value
  } else if (key === 'pattern') {
    if (typeof value !== 'string') throw new BadSchema(`At ${at} a regular expression is expected.`)
    if (value.length > limits.schemaPatternMaxChars) {
      throw new BadSchema(`At ${at} the regular expression has more than ${limits.schemaPatternMaxChars} characters.`)
    }
    result[key] = value
  } else if (key === '$ref') {
    if (typeof value !== 'string' || !/^#(\/|$)/.test(value)) {
      throw new BadSchema(`At ${at} only references inside the schema (#/…) are accepted.`)
    }
    result[key] = value
  } else if (key === 'uniqueItems' || key === 'deprecated' || key === 'readOnly' || key === 'writeOnly') {
    if (typeof value === 'boolean') result[key] = value
  } else if (key === 'title' || key === 'description' || key === 'format' || key === '$comment') {
    if (typeof value === 'string') result[key] = value
  } else if (key === 'const' || key === 'default' || key === 'examples' || key.startsWith('x-')) {
    result[key] = value
  }
  // Other keywords mean nothing to the validator; a model does not need them either.
}

function copyBound(
  result: Record<string, JsonValue>,
  key: string,
  value: JsonValue,
  schema: JsonObject,
  at: string,
): void {
  if (typeof value === 'boolean' && key.startsWith('exclusive')) {
    const plain = key === 'exclusiveMinimum' ? 'minimum' : 'maximum'
    const bound = schema[plain]
    if (value && typeof bound === 'number') result[key] = bound
    return
  }
  if (typeof value !== 'number') throw new BadSchema(`At ${at} a number is expected.`)
  result[key] = value
}

function normalizeType(value: JsonValue, at: string): JsonValue | undefined {
  const names = isJsonArray(value) ? value : [value]
  const types: string[] = []
  for (const name of names) {
    const lower = typeof name === 'string' ? name.toLowerCase() : ''
    const type = TYPES.has(lower) ? lower : Object.hasOwn(TYPE_ALIASES, lower) ? TYPE_ALIASES[lower] : undefined
    if (lower === 'any' || lower === 'type_unspecified') return undefined
    if (type === undefined) throw new BadSchema(`At ${at} the type ${JSON.stringify(name).slice(0, 60)} is not known.`)
    if (!types.includes(type)) types.push(type)
  }
  if (types.length === 0) return undefined
  return types.length === 1 ? types[0] : types
}

function walkMap(value: JsonValue, depth: number, at: string, limits: SchemaLimits, count: Count): JsonObject {
  if (!isJsonObject(value)) throw new BadSchema(`At ${at} an object of schemas is expected.`)
  const result: Record<string, JsonValue> = {}
  for (const [name, schema] of Object.entries(value)) {
    count.properties += 1
    if (count.properties > limits.schemaMaxProperties) {
      throw new BadSchema(`The schema has more than ${limits.schemaMaxProperties} properties.`)
    }
    result[name] = walk(schema, depth + 1, `${at}/${name.slice(0, 40)}`, limits, count)
  }
  return result
}

function walkList(value: JsonValue, depth: number, at: string, limits: SchemaLimits, count: Count): JsonValue {
  if (!isJsonArray(value)) throw new BadSchema(`At ${at} a list of schemas is expected.`)
  count.properties += value.length
  if (count.properties > limits.schemaMaxProperties) {
    throw new BadSchema(`The schema has more than ${limits.schemaMaxProperties} properties.`)
  }
  return value.map((schema, index) => walk(schema, depth + 1, `${at}/${index}`, limits, count))
}

function liftRequired(schema: JsonObject, result: Record<string, JsonValue>): void {
  const properties = schema['properties']
  if (!isJsonObject(properties)) return
  const lifted = Object.entries(properties)
    .filter(([, property]) => isJsonObject(property) && property['required'] === true)
    .map(([name]) => name)
  if (lifted.length === 0) return
  const listed = isJsonArray(result['required']) ? result['required'] : []
  result['required'] = [...new Set([...listed, ...lifted])]
}

/** Every reference must lead somewhere, never back to itself, and the whole must stay small when they are followed. */
function checkReferences(root: JsonObject): void {
  const costs = new Map<JsonValue, number>()
  const open = new Set<JsonValue>()
  const cost = (value: JsonValue): number => {
    if (typeof value !== 'object' || value === null) return 0
    const known = costs.get(value)
    if (known !== undefined) return known
    if (open.has(value)) throw new BadSchema('The schema refers to itself; recursive references are not accepted.')
    open.add(value)
    let sum = 0
    if (isJsonObject(value) && typeof value['$ref'] === 'string') sum += 1 + cost(resolveReference(root, value['$ref']))
    for (const [key, item] of Object.entries(value)) {
      if (key !== 'const' && key !== 'default' && key !== 'examples' && key !== 'enum') sum += cost(item as JsonValue)
    }
    open.delete(value)
    if (sum > REFERENCES_MAX) throw new BadSchema('The references of the schema multiply beyond the bound.')
    costs.set(value, sum)
    return sum
  }
  cost(root)
}

function resolveReference(root: JsonObject, reference: string): JsonValue {
  let at: JsonValue = root
  for (const part of reference.slice(1).split('/').slice(1)) {
    const key = decodeURIComponentSafe(part).replaceAll('~1', '/').replaceAll('~0', '~')
    const next: JsonValue | undefined = isJsonArray(at)
      ? at[Number(key)]
      : isJsonObject(at) && Object.hasOwn(at, key)
        ? at[key]
        : undefined
    if (next === undefined) throw new BadSchema(`The reference ${reference.slice(0, 80)} leads nowhere.`)
    at = next
  }
  return at
}

function decodeURIComponentSafe(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
