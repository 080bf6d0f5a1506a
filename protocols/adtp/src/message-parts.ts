import type { JsonObject, JsonValue } from '@domos/spec'
import { parseRisk, RISKS, type Risk } from '@domos/spec'
import * as v from 'valibot'
import { normalizeToolSchema } from './tool-schema.ts'

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

/** A risk as declared; unknown words count as `high`. */
export const declaredRisk = v.pipe(
  v.unknown(),
  v.transform((value): Risk => parseRisk(value)),
)

/** A risk as the server states it. */
export const statedRisk = v.picklist(RISKS)

/** A tool of a page; type names of its schema come in any case and leave in lower case. */
export const toolDeclaration = v.object({
  name: filledString,
  description: filledString,
  risk: v.exactOptional(declaredRisk),
  parameters: v.exactOptional(
    v.pipe(
      jsonObject,
      v.transform((schema) => normalizeToolSchema(schema)),
    ),
  ),
})

/** A tool of a page as it stands in CONTEXT_UPDATE. */
export type WireTool = v.InferOutput<typeof toolDeclaration>

/** What SYSTEM_EVENT carries, in both directions. */
export const systemEvent = v.object({
  kind: filledString,
  message: v.exactOptional(v.string()),
  data: v.exactOptional(jsonObject),
})

/** A piece of audio, base64. */
export const audioChunk = v.object({ data: filledString, mimeType: filledString })
