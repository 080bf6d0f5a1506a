import type { JsonObject, JsonSchema, JsonValue } from '@domos/spec'
import { isJsonArray, isJsonObject, toJson } from './json-values.ts'

const NUMBER = /^[+-]?(\d+(\.\d+)?|\.\d+)(e[+-]?\d{1,3})?$/i

/**
 * Mends what models get wrong about types, and nothing else: where the schema asks for one plain type, `"2"` becomes 2,
 * `"true"` becomes true, 5 becomes `"5"`, a JSON text becomes the object or array it spells, a single value becomes a list of
 * one, and an optional property that is null is left out. Everything else is left to the validation.
 */
export function coerceArguments(schema: JsonSchema | boolean, value: JsonValue, depth = 0): JsonValue {
  if (!isJsonObject(schema) || depth > 16) return value
  const type = schema['type']
  if (typeof type !== 'string') return value
  if (type === 'number' || type === 'integer') {
    return typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value.trim()) : value
  }
  if (type === 'boolean') {
    const word = typeof value === 'string' ? value.trim().toLowerCase() : ''
    return word === 'true' ? true : word === 'false' ? false : value
  }
  if (type === 'string') return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  if (type === 'object') return coerceObject(schema, parseWhen(value, '{'), depth)
  if (type === 'array') return coerceArray(schema, parseWhen(value, '['), depth)
  return value
}

function coerceObject(schema: JsonObject, value: JsonValue, depth: number): JsonValue {
  const properties = schema['properties']
  if (!isJsonObject(value) || !isJsonObject(properties)) return value
  const required = isJsonArray(schema['required']) ? schema['required'] : []
  const result: Record<string, JsonValue> = {}
  for (const [key, item] of Object.entries(value)) {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (item === null && isJsonObject(property) && !required.includes(key) && !allowsNull(property)) continue
    result[key] = isJsonObject(property) ? coerceArguments(property, item, depth + 1) : item
  }
  return result
}

function coerceArray(schema: JsonObject, value: JsonValue, depth: number): JsonValue {
  const items = schema['items']
  if (!isJsonArray(value)) {
    const single = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    return single && isJsonObject(items) ? [coerceArguments(items, value, depth + 1)] : value
  }
  return isJsonObject(items) ? value.map((item) => coerceArguments(items, item, depth + 1)) : value
}

function allowsNull(schema: JsonObject): boolean {
  const type = schema['type']
  if (type === undefined) return true
  return type === 'null' || (isJsonArray(type) && type.includes('null'))
}

function parseWhen(value: JsonValue, opening: '{' | '['): JsonValue {
  if (typeof value !== 'string' || !value.trimStart().startsWith(opening)) return value
  try {
    return toJson(JSON.parse(value))
  } catch {
    return value
  }
}
