import { DomosError, type ExtractQuery, type JsonObject, type JsonValue, type Target } from '@domos/spec'
import { DEFAULT_RESULT_TOKENS, MAX_RESULT_TOKENS } from './tools.ts'

/** Arguments of a tool call, read one by one. All throw DomosError `invalid_request` naming the argument. */
export class Arguments {
  readonly #values: JsonObject

  constructor(values: unknown) {
    this.#values = (typeof values === 'object' && values !== null ? values : {}) as JsonObject
  }

  text(name: string): string | undefined {
    const value = this.#values[name]
    if (value === undefined || value === null) return undefined
    if (typeof value === 'string' && value !== '' && value.length <= 65_536) return value
    throw wrong(name, 'must be a text that is not empty')
  }

  neededText(name: string): string {
    const value = this.text(name)
    if (value === undefined) throw wrong(name, 'is needed')
    return value
  }

  flag(name: string): boolean {
    return this.#values[name] === true
  }

  value(name: string): JsonValue | undefined {
    return this.#values[name]
  }

  object(name: string): JsonObject | undefined {
    const value = this.#values[name]
    if (value === undefined || value === null) return undefined
    if (typeof value === 'object' && !Array.isArray(value)) return value as JsonObject
    throw wrong(name, 'must be an object')
  }

  maxTokens(): number {
    const value = this.#values['max_tokens']
    if (value === undefined || value === null) return DEFAULT_RESULT_TOKENS
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) {
      throw wrong('max_tokens', `must be a whole number up to ${MAX_RESULT_TOKENS}`)
    }
    return Math.min(MAX_RESULT_TOKENS, Math.max(64, value))
  }

  target(): Target | undefined {
    const given = this.#values['target']
    // Models leave the object out and name the number, or the id, at once.
    const isRef = typeof given === 'number' || (typeof given === 'string' && /^\[?(\d+|e_\w+)\]?$/.test(given))
    const raw: JsonObject | undefined = isRef ? { ref: given } : this.object('target')
    if (raw === undefined) return undefined
    const { ref, ...rest } = raw
    const query: Record<string, string> = {}
    for (const key of ['role', 'text', 'label', 'css'] as const) {
      const value = rest[key]
      if (value === undefined) continue
      if (typeof value !== 'string') throw wrong(`target.${key}`, 'must be a text')
      query[key] = value
    }
    const elementRef =
      typeof ref === 'number' || typeof ref === 'string' ? String(ref).replace(/^\[|\]$/g, '') : undefined
    if (elementRef === undefined && Object.keys(query).length === 0) {
      throw wrong('target', 'needs ref, role, text, label or css')
    }
    return {
      ...(elementRef === undefined ? {} : { elementRef }),
      ...(Object.keys(query).length === 0 ? {} : elementRef === undefined ? { query } : { fallback: [{ query }] }),
    }
  }

  queries(): Readonly<Record<string, ExtractQuery>> | undefined {
    const raw = this.object('queries')
    return raw === undefined ? undefined : readQueries(raw, 'queries')
  }
}

function readQueries(raw: JsonObject, path: string): Readonly<Record<string, ExtractQuery>> {
  return Object.fromEntries(
    Object.entries(raw).map(([name, value]) => {
      const at = `${path}.${name}`
      if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(at, 'must be {"query": {…}}')
      const { query = value, fields, all, props } = value as JsonObject
      if (typeof query !== 'object' || query === null || Array.isArray(query))
        throw wrong(`${at}.query`, 'must be an object')
      const { text_regex: textRegex, element_ref: elementRef, ...known } = query as JsonObject
      const read = {
        query: {
          ...known,
          ...(textRegex === undefined ? {} : { textRegex }),
          ...(elementRef === undefined ? {} : { elementRef }),
        },
        ...(all === undefined ? {} : { all: all === true }),
        ...(Array.isArray(props) ? { props: props.map(String) } : {}),
        ...(fields === undefined ? {} : { fields: readQueries(fields as JsonObject, `${at}.fields`) }),
      }
      // The far end checks each member; what is misspelt is named there.
      return [name, read as ExtractQuery]
    }),
  )
}

function wrong(name: string, problem: string): DomosError {
  return new DomosError('invalid_request', `${name} ${problem}.`)
}
