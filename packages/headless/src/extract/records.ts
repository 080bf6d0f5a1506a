import type { ElementMatch, ExtractQuery, JsonValue, TargetQuery } from '@domos/spec'
import { type Extraction, readOne, refuseEmpty, setNothing, UNTYPED } from './extraction.ts'
import { guessQueries } from './guess-query.ts'
import type { FieldSchema } from './schema.ts'

/** A list of records: one for each match of the query, its fields looked for inside it. */
export async function extractRecords(
  extraction: Extraction,
  name: string,
  asked: ExtractQuery,
  schema: FieldSchema,
): Promise<void> {
  const { page, language } = extraction
  const item = schema.type === 'array' ? (schema.items ?? UNTYPED) : UNTYPED
  const { elementRef: _elementRef, region: _region, ...query } = asked.query
  refuseEmpty(query, name)
  const fields = new Map<
    string,
    { readonly asked: ExtractQuery | undefined; readonly queries: readonly TargetQuery[] }
  >()
  for (const field of new Set([...Object.keys(asked.fields ?? {}), ...Object.keys(item.properties ?? {})])) {
    const own = asked.fields?.[field]
    const ownQuery: TargetQuery | undefined = own?.query
    fields.set(field, {
      asked: own,
      queries: ownQuery === undefined ? guessQueries(field, item.properties?.[field]?.format) : [ownQuery],
    })
  }
  // Every query of every field at once; of a guessed field the first that finds something counts.
  const flat: Record<string, TargetQuery> = {}
  for (const [field, { queries }] of fields) {
    for (const [at, each] of queries.entries()) flat[`${at}:${field}`] = each
  }
  const records = await page.engine.records(query, flat, page.environment.limits.maxExtractMatches)
  if (records.length === 0) return setNothing(extraction, name, schema)
  const values: JsonValue[] = []
  const ids: string[] = []
  records.forEach((record, index) => {
    const value: Record<string, JsonValue> = {}
    for (const [field, { asked: own, queries }] of fields) {
      const found = firstFound(record.fields, field, queries.length)
      const match = found[0]
      if (match === undefined) continue
      if (found.length > 1 && own?.all !== true) extraction.ambiguous[`${name}.${index}.${field}`] = found.length
      const fieldSchema = item.properties?.[field] ?? UNTYPED
      if (own?.all === true || fieldSchema.type === 'array') {
        const itemSchema = fieldSchema.items ?? UNTYPED
        value[field] = found.map((each) => readOne(each, own, itemSchema, language).value)
        continue
      }
      const one = readOne(match, own, fieldSchema, language)
      if (one.why === undefined) value[field] = one.value
      else extraction.invalid.push(`${name}.${index}.${field} ${one.why}`)
    }
    const missing = item.required.filter((field) => !Object.hasOwn(value, field))
    if (missing.length > 0) extraction.invalid.push(`${name}.${index} has no ${missing.join(', ')}`)
    else {
      values.push(value)
      ids.push(record.elementId)
    }
  })
  extraction.data[name] = values
  extraction.provenance[name] = ids
}

function firstFound(
  fields: Readonly<Record<string, readonly ElementMatch[]>>,
  field: string,
  count: number,
): readonly ElementMatch[] {
  for (let at = 0; at < count; at++) {
    const found = fields[`${at}:${field}`] ?? []
    if (found.length > 0) return found
  }
  return []
}
