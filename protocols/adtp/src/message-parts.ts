import type { JsonObject, JsonValue } from '@domos/spec'
import { RISKS } from '@domos/spec'
import * as v from 'valibot'

/** Any JSON object, taken as it is: the frame parser has bounded it already. */
export const jsonObject = v.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'Expected an object',
)

/** Any JSON value. */
export const jsonValue = v.custom<JsonValue>((value) => value !== undefined, 'Expected a JSON value')

/** Text with at least one character. */
export const filledString = v.pipe(v.string(), v.minLength(1))

/** A whole number from 1 up. */
export const positiveInteger = v.pipe(v.number(), v.integer(), v.minValue(1))

/** A whole number from 0 up. */
export const wholeNumber = v.pipe(v.number(), v.integer(), v.minValue(0))

/** A risk as the server states it. */
export const statedRisk = v.picklist(RISKS)

/**
 * Kinds of SYSTEM_EVENT. `tools_effective` and `transcript` are the spoken dialect's, `notice` goes to peers with any
 * extension, and `rate_limit`, `warning` and `info` are only ever read: older peers send them.
 */
export const SYSTEM_EVENT_KINDS = [
  'error',
  'disconnect',
  'notice',
  'tools_effective',
  'transcript',
  'reload',
  'redirect',
  'waiting',
  'approval_required',
  'rate_limit',
  'warning',
  'info',
] as const

/** What SYSTEM_EVENT carries, in both directions. */
export const systemEvent = v.object({
  kind: v.picklist(SYSTEM_EVENT_KINDS),
  message: v.exactOptional(v.string()),
  data: v.exactOptional(jsonObject),
})

/** A piece of audio, base64. */
export const audioChunk = v.object({ data: filledString, mimeType: filledString })
