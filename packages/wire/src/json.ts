import type { JsonValue } from '@domos/spec'

/** Bounds of {@link parseJson}. */
export interface JsonBounds {
  /** Deepest nesting of objects and arrays. @default 64 */
  readonly maxDepth?: number
  /** Longest text, in UTF-16 units. @default no bound, the frame size holds */
  readonly maxLength?: number
}

/** What {@link parseJson} found. */
export type ParsedJson =
  | { readonly ok: true; readonly value: JsonValue }
  | {
      readonly ok: false
      readonly code: 'invalid_json' | 'too_deep' | 'too_large' | 'forbidden_key'
      readonly path: string
    }

/** Default of {@link JsonBounds.maxDepth}. */
export const MAX_JSON_DEPTH = 64

/** Keys that could reach an object's prototype when copied carelessly. */
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Parses JSON from outside. Refuses text that is too long, nested too deeply, or holds a key that could pollute a
 * prototype; never throws, and never recurses on the input.
 */
export function parseJson(text: string, bounds: JsonBounds = {}): ParsedJson {
  if (bounds.maxLength !== undefined && text.length > bounds.maxLength)
    return { ok: false, code: 'too_large', path: '' }
  // The depth is read from the text first: the parser itself would already have built what we mean to refuse.
  if (nestsDeeper(text, bounds.maxDepth ?? MAX_JSON_DEPTH)) return { ok: false, code: 'too_deep', path: '' }
  let value: JsonValue
  try {
    value = JSON.parse(text) as JsonValue
  } catch {
    return { ok: false, code: 'invalid_json', path: '' }
  }
  const path = forbiddenPath(value, text)
  return path === undefined ? { ok: true, value } : { ok: false, code: 'forbidden_key', path }
}

function nestsDeeper(text: string, maxDepth: number): boolean {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 0x5c) index++
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxDepth) return true
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return false
}

/** Words a text must contain, plainly or by escapes, before a walk for forbidden keys is worth its time. */
const suspicious = /__proto__|constructor|prototype|\\u/

function forbiddenPath(root: JsonValue, text: string): string | undefined {
  if (!suspicious.test(text)) return undefined
  const open: { readonly value: JsonValue; readonly path: string }[] = [{ value: root, path: '' }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path } = next
    if (typeof value !== 'object' || value === null) continue
    for (const [key, child] of Object.entries(value)) {
      const childPath = path === '' ? key : `${path}.${key}`
      if (!Array.isArray(value) && forbiddenKeys.has(key)) return childPath
      if (typeof child === 'object' && child !== null) open.push({ value: child, path: childPath })
    }
  }
  return undefined
}

/** JSON with sorted keys and no spaces: equal values give equal text, so that a digest of it identifies the value. */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
      .filter(([, child]) => child !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, child]) => `${JSON.stringify(key)}:${canonicalJson(child)}`)
    return `{${entries.join(',')}}`
  }
  return JSON.stringify(value)
}
