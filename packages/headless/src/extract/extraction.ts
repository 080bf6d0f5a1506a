import { DomosError, type ElementMatch, type ExtractQuery, type JsonValue, type TargetQuery } from '@domos/spec'
import type { HeadlessPage } from '../page/headless-page.ts'
import { convert, shownText } from './convert.ts'
import type { FieldSchema } from './schema.ts'

/** A field of which no schema says anything. */
export const UNTYPED: FieldSchema = { type: 'any', required: [], isNullable: true }

/** What extraction gathers on its way. */
export interface Extraction {
  readonly page: HeadlessPage
  readonly language: string
  readonly data: Record<string, JsonValue>
  readonly provenance: Record<string, string | readonly string[] | null>
  readonly ambiguous: Record<string, number>
  readonly raw: Record<string, JsonValue>
  readonly invalid: string[]
}

/** @throws DomosError `invalid_request` for a query that says nothing, which would match everything */
export function refuseEmpty(query: TargetQuery, name: string): void {
  if (Object.values(query).some((value) => value !== undefined)) return
  throw new DomosError(
    'invalid_request',
    `The query of ${name} is empty; give role, text, label, css, text_regex or level.`,
    {
      details: { path: `params.queries.${name}` },
    },
  )
}

/** Reads one element by its props, or typed by the schema. */
export function readOne(
  match: ElementMatch,
  asked: ExtractQuery | undefined,
  schema: FieldSchema,
  language: string,
): { readonly value: JsonValue; readonly raw: string; readonly why?: string } {
  if (asked?.props !== undefined) {
    const record: Record<string, JsonValue> = {}
    for (const prop of asked.props) {
      const value = prop === 'text' ? shownText(match) : prop === 'id' ? match.elementId : match.attrs?.[prop]
      if (value !== undefined) record[prop] = value
    }
    // One prop of a typed field is that field's value.
    const only = asked.props.length === 1 ? record[asked.props[0] ?? ''] : undefined
    const isPlain = schema.type !== 'any' && schema.type !== 'object'
    if (!isPlain) return { value: record, raw: shownText(match) }
    const text = only === undefined ? '' : String(only)
    const converted = convert({ ...match, fullText: text, attrs: {} }, schema, language)
    return converted.ok ? converted : { value: null, raw: text, why: converted.why }
  }
  const converted = convert(match, schema, language)
  return converted.ok ? converted : { value: null, raw: converted.raw, why: converted.why }
}

/** Nothing was found: provenance says so, and so does the value unless the schema's type forbids null. */
export function setNothing(extraction: Extraction, name: string, schema: FieldSchema): void {
  extraction.provenance[name] = null
  if (schema.type === 'any' || schema.isNullable) extraction.data[name] = null
}
