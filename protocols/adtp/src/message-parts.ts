import type { JsonObject, JsonValue } from '@domos/spec'
import { RISKS } from '@domos/spec'
import * as v from 'valibot'
import { SYSTEM_EVENT_KINDS } from './system-event-kinds.ts'

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

/** What SYSTEM_EVENT carries, in both directions. */
export const systemEvent = v.object({
  kind: v.picklist(SYSTEM_EVENT_KINDS),
  message: v.exactOptional(v.string()),
  data: v.exactOptional(jsonObject),
})

/** A piece of audio, base64. */
export const audioChunk = v.object({ data: filledString, mimeType: filledString })
