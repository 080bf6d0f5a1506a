import type { JsonObject, JsonValue } from '@domos/spec'

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/** Deepest nesting of any value the agent takes in. */
export const JSON_MAX_DEPTH = 64

const encoder = new TextEncoder()

/** Length of a text in UTF-8 bytes. */
export function utf8Bytes(text: string): number {
  return encoder.encode(text).length
}

/** Bytes of a value as JSON. */
export function jsonBytes(value: unknown): number {
  return utf8Bytes(JSON.stringify(value) ?? 'null')
}

/** Bytes of a value as JSON, counted no further than `cap`: anything larger gives a number above it, at the cost of `cap`. */
export function jsonBytesUpTo(value: JsonValue, cap: number): number {
  if (typeof value === 'string') return stringBytesUpTo(value, cap)
  if (value === null || typeof value !== 'object') return String(value).length
  let bytes = 2
  const isList = isJsonArray(value)
  for (const key in value) {
    if (bytes > cap) return bytes
    if (!isList) bytes += stringBytesUpTo(key, cap - bytes) + 1
    bytes += jsonBytesUpTo((value as JsonObject)[key] ?? null, cap - bytes) + 1
  }
  return bytes === 2 ? 2 : bytes - 1
}

function stringBytesUpTo(text: string, cap: number): number {
  let bytes = text.length + 2
  for (let index = 0; index < text.length && bytes <= cap; index += 1) {
    const code = text.charCodeAt(index)
    if (code === 0x22 || code === 0x5c) bytes += 1
    else if (code < 0x20) bytes += code === 8 || code === 9 || code === 10 || code === 12 || code === 13 ? 1 : 5
    else if (code >= 0x80) bytes += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 1 : 2
  }
  return bytes
}

/** Whether a value is a plain JSON object (no array, no null). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a JSON value is an array. `Array.isArray` alone loses the element type of read-only arrays. */
export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/**
 * A deep copy that holds nothing but JSON: `undefined` and functions become null, keys that could reach a prototype are
 * left out, non-finite numbers become null, and what lies deeper than {@link JSON_MAX_DEPTH} becomes null.
 */
export function toJson(value: unknown, depth = 0): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'object' || depth >= JSON_MAX_DEPTH) return null
  if (Array.isArray(value)) return value.map((item) => toJson(item, depth + 1))
  const copy: Record<string, JsonValue> = {}
  for (const [key, item] of Object.entries(value)) {
    if (!FORBIDDEN_KEYS.has(key) && item !== undefined) copy[key] = toJson(item, depth + 1)
  }
  return copy
}

/** Freezes a JSON value all the way down and gives it back. */
export function deepFreeze<Value extends JsonValue>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const item of Object.values(value)) deepFreeze(item as JsonValue) // values of a JSON object are JSON
  }
  return value
}
