import type { JsonObject, JsonValue } from '@domos/spec'
import { parseJson } from '@domos/wire'

/**
 * A copy of a value as JSON would carry it: dates become strings, `undefined` and functions vanish.
 * @throws TypeError on cycles, BigInt, more than 64 levels, or a key that could reach a prototype
 */
export function cloneJson(value: unknown): JsonValue {
  const parsed = parseJson(JSON.stringify(value) ?? 'null')
  if (parsed.ok) return parsed.value
  throw new TypeError(`${parsed.code} ${parsed.path}`)
}

/** Freezes a JSON value through and through, and gives it back. */
export function freezeJson<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const entry of Object.values(value)) freezeJson(entry)
  }
  return value
}

/** Tells a JSON object from lists and scalars. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
