import type { JsonObject, JsonValue } from '@domos/spec'

/** Words that telemetry may say: names and codes of ours, never text of a page or a person. */
const TEXT_KEYS: ReadonlySet<string> = new Set([
  'operation',
  'action',
  'method',
  'engine',
  'engine_reason',
  'proxy',
  'error_code',
  'code',
  'outcome',
  'status',
  'wait',
  'until',
])
const CODE = /^[\w.:/-]{1,64}$/
const MAX_DEPTH = 3

/**
 * What of an organ's facts goes out as telemetry ("Telemetry MUST NOT include secrets"): numbers, truth values, known
 * code words, and addresses without user, path and query. Everything else is dropped, whatever it is called.
 */
export function telemetryFacts(facts: JsonObject, depth = 0): JsonObject {
  const kept: Record<string, JsonValue> = {}
  for (const [key, value] of Object.entries(facts)) {
    const name = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) continue
    if (typeof value === 'number' || typeof value === 'boolean') kept[name] = value
    else if (typeof value === 'string') {
      if (name === 'url' || name === 'origin') kept['origin'] = originOf(value)
      else if (TEXT_KEYS.has(name) && CODE.test(value)) kept[name] = value
    } else if (Array.isArray(value)) {
      const codes = value.filter((item): item is string => typeof item === 'string' && CODE.test(item))
      if (name === 'errors') kept[name] = codes.slice(0, 16)
    } else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) {
      kept[name] = telemetryFacts(value as JsonObject, depth + 1)
    }
  }
  return kept
}

function originOf(address: string): string {
  try {
    return new URL(address).origin
  } catch {
    return ''
  }
}
