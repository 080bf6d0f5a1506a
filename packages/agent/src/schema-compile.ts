import type { JsonObject, JsonSchema, JsonValue } from '@domos/spec'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { RE2JS } from 're2js'
import { coerceArguments } from './arguments-coerce.ts'
import { canonicalJson } from './digest.ts'
import { isJsonObject, toJson } from './json-values.ts'

/** Arguments as they will be executed (coerced, defaults filled in), or what is wrong with them. */
export type ValidatedArguments =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly message: string }

/** Checks arguments against normalized schemas. */
export interface ArgumentValidator {
  /** @throws Error when the schema cannot be compiled; the schema stays marked as bad */
  validate(schema: JsonSchema, args: JsonValue): ValidatedArguments
}

const ERRORS_SHOWN = 5
/** ajv keeps every expression it has met for as long as it lives, so it does not live for ever. */
const RENEW_AFTER = 1_000

/**
 * Makes a validator on ajv, bounded for schemas that strangers write: they come normalized and within size bounds, are
 * compiled at their first call only, expressions run through RE2 (no backtracking; one that RE2 cannot express is not
 * checked here, the page still may), nothing is logged, and at most `cacheMax` compiled schemas are kept.
 */
export function createArgumentValidator(cacheMax: number): ArgumentValidator {
  let ajv = createAjv()
  let compiledCount = 0
  const cache = new Map<string, ValidateFunction>()
  /** The registry keeps one schema object for as long as a tool lives, so that most calls need no key made. */
  const byObject = new WeakMap<JsonSchema, ValidateFunction>()

  function compiled(schema: JsonSchema): ValidateFunction {
    const known = byObject.get(schema)
    if (known !== undefined) return known
    const validate = compiledByText(schema)
    byObject.set(schema, validate)
    return validate
  }

  function compiledByText(schema: JsonSchema): ValidateFunction {
    const key = canonicalJson(schema)
    const known = cache.get(key)
    if (known !== undefined) {
      cache.delete(key)
      cache.set(key, known)
      return known
    }
    compiledCount += 1
    if (compiledCount % RENEW_AFTER === 0) ajv = createAjv()
    const copy = toJson(schema) as JsonObject // toJson of an object is an object
    try {
      const validate = ajv.compile(copy)
      cache.set(key, validate)
      const oldest = cache.keys().next().value
      if (cache.size > cacheMax && oldest !== undefined) cache.delete(oldest)
      return validate
    } finally {
      ajv.removeSchema(copy) // ajv would keep every schema it has seen
    }
  }

  return {
    validate(schema, args) {
      const given = args === null ? {} : args
      if (!isJsonObject(given)) return { ok: false, message: 'The arguments must be a JSON object.' }
      const validate = compiled(schema)
      const candidate = coerceArguments(schema, toJson(given))
      let valid: boolean
      try {
        valid = validate(candidate) === true
      } catch {
        return { ok: false, message: 'The arguments could not be checked against the schema.' }
      }
      if (valid && isJsonObject(candidate)) return { ok: true, args: candidate }
      return { ok: false, message: describeErrors(validate.errors ?? []) }
    },
  }
}

function describeErrors(errors: readonly ErrorObject[]): string {
  const texts = errors.slice(0, ERRORS_SHOWN).map((error) => {
    const place = error.instancePath === '' ? 'The arguments' : `The argument ${error.instancePath.slice(1, 80)}`
    const allowed = error.keyword === 'enum' ? `: ${JSON.stringify(error.params['allowedValues']).slice(0, 300)}` : ''
    const extra =
      error.keyword === 'additionalProperties' ? `: ${String(error.params['additionalProperty']).slice(0, 80)}` : ''
    return `${place} ${error.message ?? 'is not valid'}${allowed}${extra}.`
  })
  return texts.length > 0 ? texts.join(' ') : 'The arguments do not match the schema.'
}

function createAjv(): Ajv2020 {
  return new Ajv2020({
    strict: false,
    logger: false,
    allErrors: false,
    useDefaults: true,
    validateSchema: false,
    validateFormats: false,
    addUsedSchema: false,
    code: { regExp: Object.assign(compileExpression, { code: 'undefined' }) },
  })
}

/** ajv tells expressions apart by their `toString`; two with the same text here would share one. */
function compileExpression(source: string): { test(text: string): boolean; toString(): string } {
  const spelling = { toString: (): string => source }
  try {
    const expression = RE2JS.compile(source.replace(/\\(\\|u\{?([0-9a-fA-F]{1,6})\}?)/g, toRe2Escape))
    return { ...spelling, test: (text) => expression.matcher(text).find() }
  } catch {
    return { ...spelling, test: () => true }
  }
}

/** RE2 spells a code point `\x{…}` where JavaScript has `\u…`. */
function toRe2Escape(whole: string, escaped: string, hex: string | undefined): string {
  return escaped === '\\' || hex === undefined ? whole : `\\x{${hex}}`
}
