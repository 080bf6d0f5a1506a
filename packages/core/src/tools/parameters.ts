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
  if (!isStandardSchema(parameters)) return asSchema(name, parameters)
  const { jsonSchema, vendor } = parameters['~standard']
  try {
    if (jsonSchema) return asSchema(name, jsonSchema.input({ target: TARGET }))
    if (convert) return asSchema(name, convert(parameters))
  } catch (thrown) {
    throw new DomosError(
      'invalid_request',
      `The ${vendor} schema of tool "${name}" has no JSON Schema: ${describeThrown(thrown)} Give "jsonSchema" beside "parameters".`,
      { cause: thrown },
    )
  }
  throw new DomosError(
    'invalid_request',
    `The ${vendor} schema of tool "${name}" cannot describe itself as JSON Schema. Set the client option "toJsonSchema" ` +
      `(for valibot: toJsonSchema of @valibot/to-json-schema), or give "jsonSchema" beside "parameters".`,
  )
}

function asSchema(name: string, value: unknown): JsonSchema {
  const schema = cloneJson(value)
  if (!isJsonObject(schema)) {
    throw new DomosError('invalid_request', `The parameters of tool "${name}" must be a schema of an object.`)
  }
  const { $schema: _, ...rest } = schema
  return rest
}

/** Arguments after their check: what the handler gets, or a sentence saying what is wrong. */
export type Checked = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string }

/**
 * Checks a call's arguments with the tool's own schema, defaults and conversions applied. A plain JSON Schema is checked
 * lightly (required names, types, enums); the server does the full check before the call is sent.
 */
export async function checkArguments(
  name: string,
  parameters: ToolParameters | undefined,
  args: JsonObject,
): Promise<Checked> {
  if (parameters === undefined) return { ok: true, value: args }
  if (!isStandardSchema(parameters)) {
    const complaint = lightCheck(parameters, args, '')
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

function lightCheck(schema: unknown, value: unknown, path: string): string | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined
  const { type, enum: choices, required, properties, items } = schema as Record<string, unknown>
  const at = path || 'arguments'
  if (typeof type === 'string' && !hasType(value, type)) return `${at} must be ${type}`
  if (Array.isArray(choices) && !choices.includes(value) && typeof value !== 'object') {
    return `${at} must be one of ${JSON.stringify(choices)}`
  }
  if (Array.isArray(value)) {
    return firstDefined(value, (entry, index) => lightCheck(items, entry, `${path}[${index}]`))
  }
  if (typeof value !== 'object' || value === null) return undefined
  const join = (key: string) => (path ? `${path}.${key}` : key)
  const missing = Array.isArray(required) ? required.find((key) => !Object.hasOwn(value, String(key))) : undefined
  if (missing !== undefined) return `${join(String(missing))} is missing`
  if (typeof properties !== 'object' || properties === null) return undefined
  return firstDefined(Object.entries(value), ([key, entry]) =>
    Object.hasOwn(properties, key) ? lightCheck(Reflect.get(properties, key), entry, join(key)) : undefined,
  )
}

function firstDefined<T>(
  list: readonly T[],
  look: (entry: T, index: number) => string | undefined,
): string | undefined {
  for (const [index, entry] of list.entries()) {
    const found = look(entry, index)
    if (found !== undefined) return found
  }
  return undefined
}

function hasType(value: unknown, type: string): boolean {
  switch (type.toLowerCase()) {
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    case 'null':
      return value === null
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type.toLowerCase()
    default:
      return true
  }
}
