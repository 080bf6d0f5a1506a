import {
  DomosError,
  type ElementMatch,
  type ExtractOptions,
  type ExtractQuery,
  type ExtractResult,
  type JsonObject,
  type JsonValue,
} from '@domos/spec'
import type { HeadlessPage } from '../page/headless-page.ts'
import { type Extraction, readOne, refuseEmpty, setNothing, UNTYPED } from './extraction.ts'
import { guessQueries } from './guess-query.ts'
import { extractRecords } from './records.ts'
import { type FieldSchema, readSchema } from './schema.ts'
import { tableRecords } from './tables.ts'

/**
 * Extracts data ("Data Extraction"): by queries, typed by a schema, with the ids of the elements it came from.
 * @throws DomosError `not_found` with details.missing and details.invalid when a required field has no value
 */
export async function extract(page: HeadlessPage, options: ExtractOptions): Promise<ExtractResult> {
  const som = await page.wholeSom()
  if (options.structuredData === true || options.interactiveElements === true) {
    return { data: builtIn(som, page, options), provenance: {}, url: page.url }
  }
  const schema = options.schema === undefined ? undefined : readSchema(options.schema, page.environment.limits)
  const names = [...new Set([...Object.keys(options.queries ?? {}), ...Object.keys(schema?.properties ?? {})])]
  const extraction: Extraction = {
    page,
    language: typeof som['lang'] === 'string' ? som['lang'] : 'en',
    data: {},
    provenance: {},
    ambiguous: {},
    raw: {},
    invalid: [],
  }
  for (const name of names) {
    await extractField(extraction, name, ownQuery(options, name), schema?.properties?.[name] ?? UNTYPED)
  }
  refuseMissing(extraction, schema)
  const { data, provenance, ambiguous, raw, invalid } = extraction
  return {
    data,
    provenance,
    url: page.url,
    ...(Object.keys(ambiguous).length === 0 ? {} : { ambiguous }),
    ...(schema === undefined ? {} : { raw }),
    ...(invalid.length === 0 ? {} : { invalid }),
  }
}

function ownQuery(options: ExtractOptions, name: string): ExtractQuery | undefined {
  const { queries } = options
  return queries !== undefined && Object.hasOwn(queries, name) ? queries[name] : undefined
}

function builtIn(som: JsonObject, page: HeadlessPage, options: ExtractOptions): JsonObject {
  const interactive = (som['regions'] as readonly { readonly elements: readonly JsonObject[] }[])
    .flatMap(({ elements }) => elements)
    .filter(({ actions }) => actions !== undefined)
  return {
    ...(options.structuredData === true ? { structured_data: som['structured_data'] ?? null } : {}),
    ...(options.interactiveElements === true
      ? {
          interactive_elements: interactive,
          count: interactive.length,
          // What a ceiling cut is reached by page.observe with expand.
          ...(page.ext['truncated'] === undefined ? {} : { truncated: true }),
        }
      : {}),
  }
}

async function extractField(
  extraction: Extraction,
  name: string,
  asked: ExtractQuery | undefined,
  schema: FieldSchema,
): Promise<void> {
  const isRecords = asked?.fields !== undefined || (schema.type === 'array' && schema.items?.properties !== undefined)
  if (isRecords) {
    if (asked === undefined) return tableRecords(extraction, name, schema)
    return extractRecords(extraction, name, asked, schema)
  }
  const wantsAll = asked?.all ?? schema.type === 'array'
  const matches = await find(extraction.page, name, asked, schema, wantsAll)
  const item = wantsAll ? (schema.items ?? UNTYPED) : schema
  if (!wantsAll) {
    const first = matches[0]
    if (first === undefined) return setNothing(extraction, name, schema)
    if (matches.length > 1) extraction.ambiguous[name] = matches.length
    setOne(extraction, name, first, asked, item)
    return
  }
  const values: JsonValue[] = []
  const ids: string[] = []
  const raws: string[] = []
  for (const match of matches) {
    const { value, raw, why } = readOne(match, asked, item, extraction.language)
    if (why === undefined) {
      values.push(value)
      ids.push(match.elementId)
      raws.push(raw)
    } else extraction.invalid.push(`${name}: ${why}`)
  }
  extraction.data[name] = values
  extraction.provenance[name] = ids
  extraction.raw[name] = raws
}

/** The elements of a field, the best query that finds any. */
async function find(
  page: HeadlessPage,
  name: string,
  asked: ExtractQuery | undefined,
  schema: FieldSchema,
  wantsAll: boolean,
): Promise<readonly ElementMatch[]> {
  const limit = page.environment.limits.maxExtractMatches
  if (asked === undefined) {
    for (const query of guessQueries(name, schema.format)) {
      const found = await page.engine.query(query, wantsAll ? limit : 20)
      if (found.length > 0) return found
    }
    return []
  }
  const { elementRef, region, ...query } = asked.query
  if (elementRef !== undefined) {
    const { elementId } = await page.engine.resolve({ elementRef })
    return byId(page, elementId)
  }
  refuseEmpty(query, name)
  return page.engine.query(query, limit, region)
}

async function byId(page: HeadlessPage, elementId: string): Promise<readonly ElementMatch[]> {
  const match = await page.engine.read(elementId)
  return match === undefined ? [] : [match]
}

function setOne(
  extraction: Extraction,
  name: string,
  match: ElementMatch,
  asked: ExtractQuery | undefined,
  schema: FieldSchema,
): void {
  const { value, raw, why } = readOne(match, asked, schema, extraction.language)
  extraction.provenance[name] = match.elementId
  extraction.raw[name] = raw.slice(0, 1_000)
  if (why === undefined) extraction.data[name] = value
  else extraction.invalid.push(`${name} ${why}`)
}

function refuseMissing(extraction: Extraction, schema: FieldSchema | undefined): void {
  const missing = (schema?.required ?? []).filter(
    (name) => !Object.hasOwn(extraction.data, name) || extraction.data[name] === null,
  )
  if (missing.length === 0) return
  const invalid = extraction.invalid.length === 0 ? '' : ` (${extraction.invalid.slice(0, 5).join('; ')})`
  throw new DomosError('not_found', `No value for ${missing.join(', ').slice(0, 200)}${invalid}.`, {
    details: { reason: 'MISSING_FIELDS', missing, invalid: extraction.invalid.slice(0, 20) },
  })
}
