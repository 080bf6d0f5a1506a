import { DomosError, type JsonObject, type JsonSchema, type JsonValue } from '@domos/spec'

/** The part of JSON Schema that extraction understands, read once. */
export interface FieldSchema {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'any'
  readonly format?: string
  readonly enum?: readonly JsonValue[]
  readonly items?: FieldSchema
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly required: readonly string[]
  /** `null` is allowed where nothing is found. */
  readonly isNullable: boolean
}

/** Bounds of a schema; it comes from outside. */
export interface SchemaBounds {
  readonly maxSchemaBytes: number
  readonly maxSchemaDepth: number
  readonly maxSchemaProperties: number
}

const TYPES: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array'])
const REFUSED = ['$ref', '$dynamicRef', 'patternProperties', 'anyOf', 'oneOf', 'allOf', 'not', 'if']
const ANY: FieldSchema = { type: 'any', required: [], isNullable: true }

/**
 * Reads a schema for extraction: an object with properties.
 * @throws DomosError `invalid_request` or `too_large` naming the place, `unsupported` for keywords it cannot keep
 */
export function readSchema(schema: JsonSchema, bounds: SchemaBounds): FieldSchema {
  const bytes = JSON.stringify(schema).length
  if (bytes > bounds.maxSchemaBytes) {
    throw new DomosError('too_large', `A schema may have ${bounds.maxSchemaBytes} bytes.`, {
      details: { maxBytes: bounds.maxSchemaBytes },
    })
  }
  let properties = 0
  const read = (value: JsonValue | undefined, path: string, depth: number): FieldSchema => {
    if (value === undefined || value === true) return ANY
    if (!isObject(value)) throw wrong(path, 'is no schema')
    if (depth > bounds.maxSchemaDepth) throw wrong(path, `is deeper than ${bounds.maxSchemaDepth} levels`)
    const refused = REFUSED.find((keyword) => Object.hasOwn(value, keyword))
    if (refused !== undefined) {
      throw new DomosError('unsupported', `${path}: extraction schemas do without ${refused}.`, {
        details: { field: `${path}.${refused}` },
      })
    }
    const named = Array.isArray(value['type']) ? value['type'] : [value['type']]
    const type = named.find((each) => typeof each === 'string' && TYPES.has(each)) as FieldSchema['type'] | undefined
    if (value['type'] !== undefined && type === undefined && !named.includes('null'))
      throw wrong(`${path}.type`, 'is no type')
    const inner = value['properties']
    if (inner !== undefined && !isObject(inner)) throw wrong(`${path}.properties`, 'is no object')
    properties += Object.keys(inner ?? {}).length
    if (properties > bounds.maxSchemaProperties)
      throw wrong(path, `has more than ${bounds.maxSchemaProperties} properties`)
    const required = value['required']
    return {
      type: type ?? (inner === undefined ? 'any' : 'object'),
      ...(typeof value['format'] === 'string' ? { format: value['format'] } : {}),
      ...(Array.isArray(value['enum']) ? { enum: value['enum'] } : {}),
      ...(value['items'] === undefined ? {} : { items: read(value['items'], `${path}.items`, depth + 1) }),
      ...(inner === undefined
        ? {}
        : {
            properties: Object.fromEntries(
              Object.entries(inner).map(([name, each]) => [name, read(each, `${path}.properties.${name}`, depth + 1)]),
            ),
          }),
      required: Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [],
      isNullable: named.includes('null'),
    }
  }
  const read1 = read(schema, 'params.schema', 1)
  if (read1.type === 'object' || read1.type === 'any') return read1
  throw wrong('params.schema.type', 'must be object')
}

function wrong(path: string, what: string): DomosError {
  return new DomosError('invalid_request', `${path} ${what}.`, { details: { path } })
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
