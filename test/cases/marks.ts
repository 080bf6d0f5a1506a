/** Values bound by marks such as `$c1`, and the calls seen so far. */
export interface Bindings {
  readonly values: Map<string, unknown>
  readonly calls: { readonly callId: string; readonly args: unknown }[]
}

/** Creates empty bindings. */
export function createBindings(): Bindings {
  return { values: new Map(), calls: [] }
}

/**
 * Matches a received value against an expected one: objects match partly, arrays whole. Marks: `$any`; `$contains:x`;
 * `$name` binds on first sight and must be equal afterwards. Returns the first difference, or undefined.
 */
export function difference(expected: unknown, actual: unknown, bindings: Bindings, path = ''): string | undefined {
  const at = path === '' ? 'value' : path
  if (typeof expected === 'string' && expected.startsWith('$')) {
    if (expected === '$any') return actual === undefined ? `${at} is missing` : undefined
    if (expected.startsWith('$contains:') || expected.startsWith('$joined:')) {
      const part = expected.slice(expected.indexOf(':') + 1)
      const text = typeof actual === 'string' ? actual : JSON.stringify(actual ?? null)
      return text.toLowerCase().includes(part.toLowerCase())
        ? undefined
        : `${at} ${shown(actual)} does not contain ${shown(part)}`
    }
    if (bindings.values.has(expected)) {
      const bound = bindings.values.get(expected)
      return Object.is(bound, actual) ? undefined : `${at} is ${shown(actual)}, ${expected} is ${shown(bound)}`
    }
    if (actual === undefined) return `${at} is missing`
    bindings.values.set(expected, actual)
    return undefined
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length)
      return `${at} is ${shown(actual)}, expected ${shown(expected)}`
    for (const [index, item] of expected.entries()) {
      const found = difference(item, actual[index], bindings, `${path}[${index}]`)
      if (found !== undefined) return found
    }
    return undefined
  }
  if (typeof expected === 'object' && expected !== null) {
    if (typeof actual !== 'object' || actual === null) return `${at} is ${shown(actual)}, expected an object`
    for (const [key, item] of Object.entries(expected)) {
      const found = difference(
        item,
        (actual as Record<string, unknown>)[key],
        bindings,
        path === '' ? key : `${path}.${key}`,
      )
      if (found !== undefined) return found
    }
    return undefined
  }
  return Object.is(expected, actual) ? undefined : `${at} is ${shown(actual)}, expected ${shown(expected)}`
}

/** Replaces the marks of a message to send: bound values, `$call_of:x`, `$repeat`, `$repeat_text`. */
export function fillMarks(value: unknown, bindings: Bindings): unknown {
  if (typeof value === 'string') {
    if (value.startsWith('$call_of:')) {
      const wanted = value.slice('$call_of:'.length)
      const call = bindings.calls.findLast(({ args }) => JSON.stringify(args).includes(wanted))
      if (call === undefined) throw new Error(`No call whose arguments name ${wanted}.`)
      return call.callId
    }
    if (/^\$[a-z]\w*$/i.test(value) && bindings.values.has(value)) return bindings.values.get(value)
    return value
  }
  if (Array.isArray(value)) return value.map((item) => fillMarks(item, bindings))
  if (typeof value !== 'object' || value === null) return value
  const { $repeat: repeat, $repeat_text: repeatText } = value as {
    $repeat?: { value: unknown; times: number }
    $repeat_text?: { text: string; times: number }
  }
  if (repeat !== undefined) return Array.from({ length: repeat.times }, () => fillMarks(repeat.value, bindings))
  if (repeatText !== undefined) return repeatText.text.repeat(repeatText.times)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fillMarks(inner, bindings)]))
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 120 ? `${text.slice(0, 117)}…` : text
}
