import type { JsonObject, JsonSchema, JsonValue, ToolDeclaration } from '@domos/spec'
import { phrasalVerbClass, STOP_WORDS, type VerbClass, verbClassesOf } from './lexicon.ts'
import { identifierWords, stem } from './tokens.ts'

/** One argument of a tool, read from its JSON Schema. */
export interface Parameter {
  readonly name: string
  readonly words: readonly string[]
  readonly stems: readonly string[]
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'any'
  readonly isRequired: boolean
  readonly description: string
  readonly descriptionStems: readonly string[]
  readonly enumValues: readonly (string | number)[] | undefined
  readonly defaultValue: JsonValue | undefined
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  readonly format: string | undefined
  /** Whether a text of no letters is allowed. */
  readonly allowsEmpty: boolean
  readonly items: Parameter | undefined
}

/** A live tool as the planner sees it. */
export interface KnownTool {
  readonly declaration: ToolDeclaration
  readonly nameWords: readonly string[]
  readonly nameStems: readonly string[]
  /** Kinds of action its name means; from its description where the name has no verb. */
  readonly verbs: readonly VerbClass[]
  readonly verbStem: string | undefined
  /** The first word of its description, which often says the action in other words. */
  readonly otherVerbStem: string | undefined
  /** Stems of its name that are no verb. */
  readonly nouns: readonly string[]
  readonly descriptionStems: readonly string[]
  readonly parameters: readonly Parameter[]
}

/** Longest description that is read, in words. */
const MAX_DESCRIPTION_WORDS = 60

/** Reads a declaration. */
export function readTool(declaration: ToolDeclaration): KnownTool {
  const nameWords = identifierWords(declaration.name)
  const nameStems = nameWords.map(stem)
  // The agent marks whose a tool is in brackets; that says nothing of what it does.
  const description = identifierWords(plainDescription(declaration)).slice(0, MAX_DESCRIPTION_WORDS)
  const verb = readVerb(nameWords) ?? readVerb(description.slice(0, 6))
  const particles = nameWords.filter((word) => /^(on|off|up|down)$/.test(word)).map(stem)
  return {
    declaration,
    nameWords,
    nameStems,
    verbs: verb?.verbs ?? [],
    verbStem: verb?.stem ?? nameStems[0],
    otherVerbStem: description[0] === undefined ? undefined : stem(description[0]),
    nouns: nameStems.filter(
      (word, index) => word !== verb?.stem && !STOP_WORDS.has(nameWords[index] ?? '') && !particles.includes(word),
    ),
    descriptionStems: description.filter((word) => !STOP_WORDS.has(word)).map(stem),
    parameters: readParameters(declaration.parameters),
  }
}

/** A description without the mark of its origin, such as `[page tool]`. */
export function plainDescription(declaration: ToolDeclaration): string {
  return declaration.description.replace(/^\s*\[[^\]]*\]\s*/, '')
}

function readVerb(words: readonly string[]): { stem: string; verbs: readonly VerbClass[] } | undefined {
  for (const [index, word] of words.entries()) {
    const stemmed = stem(word)
    const classes = verbClassesOf(stemmed)
    for (const particle of words.slice(index + 1)) {
      const phrasal = phrasalVerbClass(stemmed, particle)
      if (phrasal && /^(on|off|up|down|out|for)$/.test(particle)) return { stem: stemmed, verbs: [phrasal] }
    }
    if (classes.length > 0) return { stem: stemmed, verbs: classes }
  }
  return undefined
}

function readParameters(schema: JsonSchema | undefined): Parameter[] {
  const properties = schema?.properties
  if (!isObject(properties)) return []
  const required = Array.isArray(schema?.required) ? schema.required : []
  return Object.entries(properties).map(([name, value]) => readParameter(name, value, required.includes(name)))
}

function readParameter(name: string, value: JsonValue, isRequired: boolean): Parameter {
  const schema = mainBranch(value)
  const words = identifierWords(name)
  const description = typeof schema.description === 'string' ? schema.description : ''
  const constant = schema.const
  const enumValues = Array.isArray(schema.enum)
    ? schema.enum
    : constant !== undefined
      ? [constant]
      : alternatives(value)
  return {
    name,
    words,
    stems: words.map(stem),
    type: readType(schema, enumValues),
    isRequired,
    description,
    descriptionStems: identifierWords(description)
      .filter((word) => !STOP_WORDS.has(word))
      .map(stem),
    enumValues: enumValues?.filter(
      (entry): entry is string | number => typeof entry === 'string' || typeof entry === 'number',
    ),
    defaultValue: schema.default,
    minimum: numberOf(schema.minimum) ?? numberOf(schema.exclusiveMinimum),
    maximum: numberOf(schema.maximum) ?? numberOf(schema.exclusiveMaximum),
    format: typeof schema.format === 'string' ? schema.format : undefined,
    allowsEmpty: (numberOf(schema.minLength) ?? 0) === 0 && schema.pattern === undefined,
    items: isObject(schema.items) ? readParameter(name, schema.items, true) : undefined,
  }
}

function mainBranch(value: JsonValue): JsonObject {
  if (!isObject(value)) return {}
  const branches = [value.anyOf, value.oneOf].find(Array.isArray)
  const branch = branches?.find((entry) => isObject(entry) && entry.type !== 'null')
  return isObject(branch) ? { ...value, ...branch } : value
}

/** `oneOf: [{const: 'a'}, {const: 'b'}]` is an enumeration too. */
function alternatives(value: JsonValue): readonly JsonValue[] | undefined {
  if (!isObject(value)) return undefined
  const branches = [value.anyOf, value.oneOf].find(Array.isArray)
  const constants = branches?.flatMap((entry) => (isObject(entry) && entry.const !== undefined ? [entry.const] : []))
  return constants && constants.length > 1 ? constants : undefined
}

function readType(schema: JsonObject, enumValues: readonly JsonValue[] | undefined): Parameter['type'] {
  const declared = Array.isArray(schema.type) ? schema.type.find((entry) => entry !== 'null') : schema.type
  switch (declared) {
    case 'string':
    case 'number':
    case 'integer':
    case 'boolean':
    case 'array':
    case 'object':
      return declared
    default:
      return enumValues ? 'string' : 'any'
  }
}

function numberOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** Whether a JSON value is an object, not a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
