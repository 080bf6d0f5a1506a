import { DomosError, describeThrown, type JsonObject, type JsonSchema } from '@domos/spec'
import { cloneJson, isJsonObject } from '../json.ts'
import type { ToolParameters } from './definition.ts'
import { isStandardSchema, type StandardIssue, type StandardSchema } from './standard-schema.ts'

/** Turns a schema that does not know its own JSON Schema into one, such as `toJsonSchema` of `@valibot/to-json-schema`. */
export type SchemaConverter = (schema: StandardSchema) => unknown

/** The dialect of JSON Schema asked for. */
const TARGET = 'draft-2020-12'

/**
 * The JSON Schema of a tool's parameters.
 * @throws DomosError `invalid_request` when the schema cannot be described; the message says how to help
 */
export function toJsonSchema(
  name: string,
  parameters: ToolParameters | undefined,
  convert?: SchemaConverter,
): JsonSchema | undefined {
  if (parameters === undefined) return undefined
  let why = 'it does not describe itself'
  try {
    const schema = cloneJson(describe(parameters, convert))
    if (isJsonObject(schema)) {
      const { $schema: _, ...rest } = schema
      return rest
    }
  } catch (thrown) {
    why = describeThrown(thrown)
  }
  throw new DomosError(
    'invalid_request',
    `The parameters of tool "${name}" give no JSON Schema: ${why}. Give "jsonSchema" beside them, or set the client option ` +
      '"toJsonSchema" (for valibot, that of @valibot/to-json-schema).',
  )
}

function describe(parameters: ToolParameters, convert: SchemaConverter | undefined): unknown {
  if (!isStandardSchema(parameters)) return parameters
  const { jsonSchema } = parameters['~standard']
  return jsonSchema ? jsonSchema.input({ target: TARGET }) : convert?.(parameters)
}

/** Arguments after their check: what the handler gets, or a sentence saying what is wrong. */
export type Checked = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string }

/**
 * Checks a call's arguments with the tool's own schema, defaults and conversions applied. A plain JSON Schema is checked
 * lightly (required names, scalar types); the server does the full check before the call is sent.
 */
export async function checkArguments(
  name: string,
  parameters: ToolParameters | undefined,
  args: JsonObject,
): Promise<Checked> {
  if (parameters === undefined) return { ok: true, value: args }
  if (!isStandardSchema(parameters)) {
    const complaint = lightCheck(parameters, args)
    return complaint === undefined ? { ok: true, value: args } : bad(name, complaint)
  }
  try {
    const result = await parameters['~standard'].validate(args)
    if (result.issues) return bad(name, result.issues.map(describeIssue).join('; '))
    return { ok: true, value: result.value }
  } catch (thrown) {
    return bad(name, describeThrown(thrown))
  }
}

function bad(name: string, message: string): Checked {
  return { ok: false, message: `Invalid arguments for "${name}": ${message}` }
}

function describeIssue(issue: StandardIssue): string {
  const path = (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.')
  return path ? `${path}: ${issue.message}` : issue.message
}

/** Required names, and the types of what is there; the server has checked the whole schema before it sent the call. */
function lightCheck(schema: unknown, args: JsonObject): string | undefined {
  const { required, properties } = schema as JsonObject
  const missing = Array.isArray(required) ? required.find((name) => !Object.hasOwn(args, name as string)) : undefined
  if (missing !== undefined) return `${missing} is missing`
  for (const [name, value] of Object.entries(args)) {
    if (!isJsonObject(properties) || !Object.hasOwn(properties, name)) continue
    const property = properties[name]
    const type = isJsonObject(property) ? property.type : undefined
    const kind = String(type).toLowerCase().replace('integer', 'number')
    if (/^(string|number|boolean)$/.test(kind) && kind !== typeof value) return `${name} must be ${type}`
  }
  return undefined
}
