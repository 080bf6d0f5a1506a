/** What the JSON Schema of a tool's arguments says about the words people will use. */
export interface SchemaValues {
  /** Enum members, constants, their titles, examples. */
  readonly values: readonly string[]
  /** Property names and titles. */
  readonly names: readonly string[]
  readonly hasNumber: boolean
  readonly hasBoolean: boolean
  /** A string without a list of values: anything may be said for it. */
  readonly hasFreeText: boolean
  readonly hasRequired: boolean
}

const MAX_DEPTH = 4
const MAX_NODES = 500

/** Collects the words of a schema; malformed parts are passed over. */
export function readSchema(schema: unknown): SchemaValues {
  const values: string[] = []
  const names: string[] = []
  const found = { hasNumber: false, hasBoolean: false, hasFreeText: false }
  let nodes = 0
  const keep = (value: unknown): boolean => {
    if (typeof value === 'string') values.push(value)
    else if (typeof value === 'number') values.push(String(value))
    return typeof value === 'string' || typeof value === 'number'
  }
  const visit = (node: unknown, depth: number): void => {
    if (!isRecord(node) || depth > MAX_DEPTH || ++nodes > MAX_NODES) return
    const listed = listOf(node.enum).filter(keep).length > 0 || keep(node.const)
    if (node.const !== undefined && typeof node.title === 'string') values.push(node.title)
    for (const example of listOf(node.examples)) keep(example)
    for (const key of ['oneOf', 'anyOf', 'allOf'] as const) for (const part of listOf(node[key])) visit(part, depth + 1)
    const types = Array.isArray(node.type) ? node.type : [node.type]
    if (types.includes('boolean')) found.hasBoolean = true
    if (!listed && (types.includes('integer') || types.includes('number'))) found.hasNumber = true
    if (!listed && types.includes('string') && !node.oneOf && !node.anyOf) found.hasFreeText = true
    visit(node.items, depth + 1)
    if (!isRecord(node.properties)) return
    for (const [name, property] of Object.entries(node.properties)) {
      names.push(name)
      if (isRecord(property) && property.const === undefined && typeof property.title === 'string')
        names.push(property.title)
      visit(property, depth + 1)
    }
  }
  visit(schema, 0)
  const hasRequired = isRecord(schema) && listOf(schema.required).length > 0
  return { values, names, ...found, hasRequired }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
