import type { JsonObject, JsonValue } from '@domos/spec'
import { isJsonArray, jsonBytesUpTo, utf8Bytes } from './json-values.ts'

/** A value made to fit, and a sentence for each thing that was left out. */
export interface CutJson {
  readonly value: JsonValue
  readonly notes: readonly string[]
}

const NOTES_MAX = 20

/**
 * Makes a value fit into `maxBytes` of JSON. The type stays the same at every level: arrays lose their last rows, objects
 * keep their small fields whole and share the rest among the large ones, texts lose their end. Each cut is stated.
 */
export function cutJson(value: JsonValue, maxBytes: number): CutJson {
  const notes: string[] = []
  const cut = cutTo(value, Math.max(2, maxBytes), '$', notes)
  const more = notes.length - NOTES_MAX
  if (more > 0) notes.splice(NOTES_MAX, more, `and ${more} more cuts`)
  return { value: cut, notes }
}

/** The longest beginning of a text that fits into `maxBytes` of UTF-8 without splitting a character. */
export function cutText(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || (text.length <= maxBytes && utf8Bytes(text) <= maxBytes)) return text
  let low = 0
  let high = Math.min(text.length, maxBytes)
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (utf8Bytes(text.slice(0, middle)) <= maxBytes) low = middle
    else high = middle - 1
  }
  const last = text.charCodeAt(low - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? low - 1 : low)
}

function cutTo(value: JsonValue, budget: number, path: string, notes: string[]): JsonValue {
  if (jsonBytesUpTo(value, budget) <= budget) return value
  if (typeof value === 'string') return cutString(value, budget, path, notes)
  if (isJsonArray(value)) return cutArray(value, budget, path, notes)
  if (typeof value === 'object' && value !== null) return cutObject(value, budget, path, notes)
  return value
}

function cutString(text: string, budget: number, path: string, notes: string[]): string {
  let kept = cutText(text, Math.max(0, budget - 2))
  // Escapes make the JSON longer than the text; shrink by what they add until it fits.
  const sizeOf = (part: string): number => jsonBytesUpTo(part, Number.POSITIVE_INFINITY)
  for (let size = sizeOf(kept); size > budget && kept.length > 0; size = sizeOf(kept)) {
    kept = kept.slice(0, Math.max(0, Math.floor((kept.length * budget) / size) - 1))
  }
  notes.push(`${text.length - kept.length} of ${text.length} characters left out at ${path}`)
  return kept
}

function cutArray(rows: readonly JsonValue[], budget: number, path: string, notes: string[]): JsonValue {
  const kept: JsonValue[] = []
  let left = budget - 2
  for (const [index, row] of rows.entries()) {
    const size = jsonBytesUpTo(row, left) + 1
    if (size <= left) {
      kept.push(row)
      left -= size
      continue
    }
    // A single row larger than everything is cut inside instead of giving an empty list.
    if (index === 0 && left > 16) kept.push(cutTo(row, left, `${path}[0]`, notes))
    break
  }
  if (kept.length < rows.length) notes.push(`${rows.length - kept.length} of ${rows.length} rows left out at ${path}`)
  return kept
}

function cutObject(object: JsonObject, budget: number, path: string, notes: string[]): JsonValue {
  const entries = Object.entries(object).map(([key, value]) => {
    const keyBytes = jsonBytesUpTo(key, budget) + 2
    return { key, value, keyBytes, bytes: keyBytes + jsonBytesUpTo(value, budget) }
  })
  const share = new Map<string, number>()
  let left = budget - 2
  let waiting = entries.length
  // Smallest first: whoever needs less than an equal share leaves the rest to the larger ones.
  for (const entry of [...entries].sort((a, b) => a.bytes - b.bytes)) {
    const given = Math.min(entry.bytes, Math.floor(left / waiting))
    waiting -= 1
    if (given < Math.min(entry.bytes, entry.keyBytes + 2)) continue
    share.set(entry.key, given)
    left -= given
  }
  const kept: Record<string, JsonValue> = {}
  for (const { key, value, keyBytes } of entries) {
    const given = share.get(key)
    if (given === undefined) continue
    const part = cutTo(value, given - keyBytes, `${path}.${key.slice(0, 40)}`, notes)
    if (jsonBytesUpTo(part, given) <= given - keyBytes) kept[key] = part
  }
  const lost = entries.length - Object.keys(kept).length
  if (lost > 0) notes.push(`${lost} of ${entries.length} fields left out at ${path}`)
  return kept
}
