import type { JsonObject } from '@domos/spec'
import { canonicalJson } from './json.ts'

/** SHA-256 of a text's UTF-8 bytes, as lower-case hex. */
export type Sha256Hex = (text: string) => string | Promise<string>

/** {@link Sha256Hex} by Web Crypto; in a browser it needs a secure context. */
export async function sha256Hex(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * The digest that binds an approval to one call: SHA-256 (hex) over the canonical JSON of `{args, name}`. Server and
 * client compute it alike, so that what was approved is what runs.
 */
export async function callDigest(name: string, args: JsonObject, sha256: Sha256Hex = sha256Hex): Promise<string> {
  return await sha256(canonicalJson({ args, name }))
}
