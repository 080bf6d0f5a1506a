import type { JsonObject, JsonValue } from '@domos/spec'
import { convert } from './convert.ts'
import { type Extraction, setNothing } from './extraction.ts'
import type { FieldSchema } from './schema.ts'

/**
 * A list of records that came without a query: the table whose header names most of the fields. Header and field are
 * compared by their letters alone, so that `unitPrice` finds "Unit price".
 */
export async function tableRecords(extraction: Extraction, name: string, schema: FieldSchema): Promise<void> {
  const { page, language } = extraction
  const properties = Object.entries(schema.items?.properties ?? {})
  let best: { readonly id: string; readonly columns: ReadonlyMap<string, number> } | undefined
  for (const { elementId, attrs = {} } of await page.engine.query({ role: 'table' }, 100)) {
    const headers = Array.isArray(attrs['headers']) ? attrs['headers'].map((header) => letters(String(header))) : []
    const columns = new Map<string, number>()
    for (const [field] of properties) {
      const at = headers.findIndex((header) => header !== '' && header === letters(field))
      if (at >= 0) columns.set(field, at)
    }
    if (columns.size > (best?.columns.size ?? 0)) best = { id: elementId, columns }
  }
  if (best === undefined) return setNothing(extraction, name, schema)
  const required = schema.items?.required ?? []
  const values: JsonValue[] = []
  const { id, columns } = best
  for (const row of await allRows(extraction, id)) {
    const value: Record<string, JsonValue> = {}
    for (const [field, fieldSchema] of properties) {
      const cell = row[columns.get(field) ?? -1]
      if (cell === undefined || cell === '') continue
      const match = { elementId: id, role: 'paragraph', text: cell, fullText: cell, confidence: 1 }
      const converted = convert(match, fieldSchema, language)
      if (converted.ok) value[field] = converted.value
      else extraction.invalid.push(`${name}.${values.length}.${field} ${converted.why}`)
    }
    const missing = required.filter((field) => !Object.hasOwn(value, field))
    if (missing.length > 0) extraction.invalid.push(`${name}: a row has no ${missing.join(', ')}`)
    else values.push(value as JsonObject)
  }
  extraction.data[name] = values
  extraction.provenance[name] = id
}

/** Every row of a table, the ones a snapshot cuts as well. */
async function allRows({ page }: Extraction, tableId: string): Promise<readonly (readonly string[])[]> {
  const rows: (readonly string[])[] = []
  const { maxExtractMatches } = page.environment.limits
  let cursor: string | undefined
  do {
    const slice = await page.engine.expand({
      ...(cursor === undefined ? { element: tableId } : { cursor }),
      maxTokens: 100_000,
    })
    for (const row of slice.rows ?? []) rows.push(row as readonly string[])
    cursor = slice.nextCursor
  } while (cursor !== undefined && rows.length < maxExtractMatches)
  return rows.slice(0, maxExtractMatches)
}

function letters(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\d]/gu, '')
}
