import { parseRisk, type Risk } from '@domos/spec'
import * as v from 'valibot'
import { filledString, jsonObject } from './message-parts.ts'
import { normalizeToolSchema } from './tool-schema.ts'

/** A risk as declared; unknown words count as `high`. */
export const declaredRisk = v.pipe(
  v.unknown(),
  v.transform((value): Risk => parseRisk(value)),
)

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
