import type { JsonObject, JsonValue } from '@domos/spec'
import { toHex } from './ids.ts'

const encoder = new TextEncoder()

/** JSON with the keys of every object sorted by code unit and no white space, so that equal values have equal text. */
export function canonicalJson(value: JsonValue): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const fields = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`)
  return `{${fields.join(',')}}`
}

/** SHA-256 of a text's UTF-8 bytes, in lower-case hex. */
export async function sha256Hex(text: string): Promise<string> {
  return toHex(new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', encoder.encode(text))))
}

/**
 * What a person approves: SHA-256 (hex) over the canonical JSON of `{"args": …, "name": …}`. A client that shows a call
 * computes the same value and sends it back with the decision.
 */
export function callDigest(name: string, args: JsonObject): Promise<string> {
  return sha256Hex(canonicalJson({ args, name }))
}

/** Compares two texts in a time that depends on their lengths alone. */
export function equalConstantTime(a: string, b: string): boolean {
  const left = encoder.encode(a)
  const right = encoder.encode(b)
  let difference = left.length ^ right.length
  for (let index = 0; index < left.length; index += 1)
    difference |= (left[index] ?? 0) ^ (right[index % right.length] ?? 0)
  return difference === 0
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}
