import type { ElementMatch, JsonValue } from '@domos/spec'
import { readDate } from './dates.ts'
import { findNumbers } from './numbers.ts'
import type { FieldSchema } from './schema.ts'

/** A typed value, or why there is none. */
export type Converted =
  | { readonly ok: true; readonly value: JsonValue; readonly raw: string }
  | { readonly ok: false; readonly why: string; readonly raw: string }

const YES = /^(yes|true|on|available|in stock|ja|oui|si|sí|✓|✔|☑)$/i
const NO = /^(no|false|off|unavailable|out of stock|sold out|none|nein|non|✗|✘|✕|☐|-)$/i

/** Reads a value of the type a schema asks for out of an element. */
export function convert(match: ElementMatch, schema: FieldSchema, language: string): Converted {
  const raw = rawText(match, schema)
  const converted = convertText(raw, match, schema, language)
  if (!converted.ok || schema.enum === undefined) return converted
  const value = converted.value
  const exact = schema.enum.find((each) => each === value)
  const alike = schema.enum.find(
    (each) => typeof each === 'string' && typeof value === 'string' && each.toLowerCase() === value.toLowerCase(),
  )
  if (exact !== undefined || alike !== undefined) return { ok: true, value: exact ?? alike ?? null, raw }
  return { ok: false, why: `is none of ${schema.enum.map(String).join(', ').slice(0, 200)}`, raw }
}

function rawText(match: ElementMatch, schema: FieldSchema): string {
  const { attrs = {} } = match
  const text = (key: string): string | undefined => (typeof attrs[key] === 'string' ? attrs[key] : undefined)
  if (isDate(schema)) return text('datetime') ?? text('content') ?? shownText(match)
  if (isUrl(schema)) return text('href') ?? text('src') ?? text('content') ?? shownText(match)
  return text('content') ?? shownText(match)
}

/** What a person reads of an element: the value of a field, else the text. */
export function shownText(match: ElementMatch): string {
  const { attrs = {}, role } = match
  if (role === 'text_input' || role === 'textarea') return typeof attrs['value'] === 'string' ? attrs['value'] : ''
  if (role === 'select') {
    const options = (attrs['options'] ?? []) as readonly { readonly text: string; readonly selected?: boolean }[]
    return options
      .filter(({ selected }) => selected)
      .map(({ text }) => text)
      .join(', ')
  }
  if (role === 'image') return typeof attrs['alt'] === 'string' ? attrs['alt'] : match.text
  return (match.fullText ?? match.text).trim()
}

function convertText(raw: string, match: ElementMatch, schema: FieldSchema, language: string): Converted {
  switch (schema.type) {
    case 'number':
    case 'integer':
      return toNumber(raw, schema.type, language)
    case 'boolean': {
      const checked = match.attrs?.['checked']
      if (match.role === 'checkbox' || match.role === 'radio') return { ok: true, value: checked === true, raw }
      if (YES.test(raw.trim())) return { ok: true, value: true, raw }
      if (NO.test(raw.trim())) return { ok: true, value: false, raw }
      return { ok: false, why: 'says neither yes nor no', raw }
    }
    case 'object':
      return toMoney(raw, language)
    default: {
      if (!isDate(schema)) return { ok: true, value: raw, raw }
      const date = readDate(raw, language)
      if (date === undefined) return { ok: false, why: 'is no date', raw }
      return { ok: true, value: schema.format === 'date' ? date.slice(0, 10) : date, raw }
    }
  }
}

function toNumber(raw: string, type: 'number' | 'integer', language: string): Converted {
  const all = findNumbers(raw, language)
  const priced = all.filter(({ currency }) => currency !== undefined)
  const candidates = priced.length === 1 ? priced : all
  const values = new Set(candidates.map(({ value }) => value))
  const first = candidates[0]
  if (first === undefined) return { ok: false, why: 'holds no number', raw }
  // Which of several is meant nobody can say from here; a narrower query can.
  if (values.size > 1) return { ok: false, why: 'holds several numbers', raw }
  if (type === 'integer' && !Number.isInteger(first.value)) return { ok: false, why: 'is no whole number', raw }
  return { ok: true, value: first.value, raw }
}

/** `{amount, currency}`. */
function toMoney(raw: string, language: string): Converted {
  const priced = findNumbers(raw, language).filter(({ currency }) => currency !== undefined)
  const first = priced[0]
  if (first === undefined || priced.length > 1) return { ok: false, why: 'is no single price', raw }
  return { ok: true, value: { amount: first.value, currency: first.currency ?? null }, raw }
}

function isDate(schema: FieldSchema): boolean {
  return schema.format === 'date' || schema.format === 'date-time'
}

function isUrl(schema: FieldSchema): boolean {
  return schema.format === 'uri' || schema.format === 'uri-reference' || schema.format === 'url'
}
