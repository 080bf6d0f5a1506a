import type { JsonObject } from '@domos/spec'

/** A payload of ours under the spoken dialect's names: the page's `data` is called `context` there. */
export function spellSpoken(type: string, payload: JsonObject): JsonObject {
  if (type !== 'CONTEXT_UPDATE' || payload.data === undefined) return payload
  const { data, ...rest } = payload
  return { ...rest, context: data }
}
