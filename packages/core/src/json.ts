import type { JsonObject, JsonValue } from '@domos/spec'

const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])
/** Deeper structures are refused: they are no arguments a person could read. */
const MAX_DEPTH = 64

/**
 * A copy of a value as JSON would carry it: dates become strings, `undefined` and functions vanish, keys that could reach
 * a prototype are dropped.
 * @throws TypeError on cycles, BigInt, or more than 64 levels
 */
export function cloneJson(value: unknown): JsonValue {
  const text = JSON.stringify(value)
  return text === undefined ? null : strip(JSON.parse(text), 0)
}

function strip(value: JsonValue, depth: number): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) throw new TypeError(`The value has more than ${MAX_DEPTH} levels.`)
  if (Array.isArray(value)) return value.map((entry) => strip(entry, depth + 1))
  const copy: Record<string, JsonValue> = {}
  for (const [key, entry] of Object.entries(value)) {
    if (!FORBIDDEN.has(key)) copy[key] = strip(entry, depth + 1)
  }
  return copy
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
