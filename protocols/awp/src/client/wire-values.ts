import type { ExtractOptions, ExtractQuery, JsonObject, JsonValue } from '@domos/spec'

/** Members whose inside belongs to the page or the caller and keeps its own spelling. */
const OPAQUE = new Set([
  'som',
  'som_ext',
  'elements',
  'interactive_elements',
  'data',
  'value',
  'patch',
  'state',
  'structured_data',
  'schema',
  'provenance',
  'queries',
])

/** Spells keys in camelCase, leaving what is opaque as it is. `som_ext` becomes `ext`. */
export function fromWire(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(fromWire)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, inner]) => [
      key === 'som_ext' ? 'ext' : key.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase()),
      OPAQUE.has(key) ? inner : fromWire(inner),
    ]),
  )
}

/** Spells keys in lower_snake_case, leaving what is opaque as it is, and drops undefined members. */
export function toWire(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(toWire)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value as JsonValue
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .map(([key, inner]) => {
        const wireKey = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
        return [wireKey, OPAQUE.has(wireKey) ? (inner as JsonValue) : toWire(inner)]
      }),
  )
}

/** Parameters of page.extract: names of fields are the caller's and stay, everything around them is spelled anew. */
export function extractToWire(options: ExtractOptions): JsonObject {
  const { queries, ...rest } = options
  const base = toWire(rest) as JsonObject
  return queries === undefined ? base : { ...base, queries: fieldsToWire(queries) }
}

function fieldsToWire(fields: Readonly<Record<string, ExtractQuery>>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { fields: inner, ...field }]) => [
      name,
      { ...(toWire(field) as JsonObject), ...(inner === undefined ? {} : { fields: fieldsToWire(inner) }) },
    ]),
  )
}
