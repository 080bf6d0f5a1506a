import type { Draft } from './fill.ts'
import { STOP_WORDS } from './lexicon.ts'
import { isSwitch, similarity } from './rank.ts'
import { identifierWords, stem, type Token } from './tokens.ts'
import type { Parameter } from './tools.ts'

/** Fills on/off and other booleans. */
export function fillSwitches(draft: Draft): void {
  const verb = draft.clause.verbs[0]
  const wanted = verb === 'on' || verb === 'start' ? true : verb === 'off' || verb === 'stop' ? false : undefined
  for (const parameter of draft.tool.parameters) {
    if (draft.args[parameter.name] !== undefined) continue
    if (isSwitch(parameter)) {
      const word = draft.clause.tokens.findIndex((token) => token.lower === 'on' || token.lower === 'off')
      const said =
        wanted ??
        (word >= 0 && draft.tool.verbs.includes('set') && !draft.clause.isQuestion
          ? draft.clause.tokens[word]?.lower === 'on' && isEndOfPhrase(draft.clause.tokens, word)
          : undefined)
      if (said === undefined || (said === false && wanted === undefined && draft.clause.tokens[word]?.lower === 'on'))
        continue
      draft.args[parameter.name] =
        parameter.type === 'boolean'
          ? said
          : (parameter.enumValues?.find((value) => String(value).toLowerCase() === (said ? 'on' : 'off')) ?? null)
    } else if (parameter.type === 'boolean') {
      const value = readBoolean(draft, parameter)
      if (value !== undefined) draft.args[parameter.name] = value
    }
  }
}

function isEndOfPhrase(tokens: readonly Token[], index: number): boolean {
  const next = tokens[index + 1]
  return next === undefined || next.kind === 'mark' || /^(at|with|to|in|for)$/.test(next.lower)
}

/** "gift wrapped" is true, "without gift wrap" and "unread" for `read` false. */
function readBoolean(draft: Draft, parameter: Parameter): boolean | undefined {
  const { tokens } = draft.clause
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'word' || draft.used.has(index)) continue
    const positive = parameter.stems.some(
      (word) => word.length > 2 && !STOP_WORDS.has(word) && similarity(word, token.stem) >= 0.75,
    )
    const negative = parameter.stems.some(
      (word) => word.length > 2 && (token.stem === `un${word}` || token.stem === `non${word}`),
    )
    if (!positive && !negative) continue
    draft.used.add(index)
    const before = tokens.slice(Math.max(0, index - 3), index).map((entry) => entry.lower)
    const isNegated = before.some((word) => /^(not|no|without|isn't|never|don't)$/.test(word))
    return positive !== isNegated
  }
  return undefined
}

/** Fills arguments that have a fixed set of values. */
export function fillEnums(draft: Draft): void {
  for (const parameter of draft.tool.parameters) {
    if (draft.args[parameter.name] !== undefined) continue
    const single = parameter.enumValues
    const many = parameter.type === 'array' ? parameter.items?.enumValues : undefined
    const values = single ?? many
    if (!values || values.length === 0) continue
    const free = draft.clause.tokens.filter(
      (token, index) =>
        token.kind !== 'mark' &&
        !draft.used.has(index) &&
        (!STOP_WORDS.has(token.lower) || values.some((value) => String(value).toLowerCase() === token.lower)),
    )
    const stems = free.map((token) => token.stem)
    if (many) {
      const chosen = many.filter((value) => bestEnum([value], stems, 0.7))
      if (chosen.length > 0) draft.args[parameter.name] = chosen
      markUsed(draft, chosen)
      continue
    }
    const best = bestEnum(values, stems, parameter.isRequired ? 0.6 : 0.7) ?? glossed(draft, parameter, values)
    if (!best) continue
    draft.args[parameter.name] = best.value
    markUsed(draft, [best.value])
    draft.clause.tokens.forEach((token, index) => {
      // "high priority", "in heat mode": the argument's own name beside its value.
      if (parameter.stems.includes(token.stem) && (draft.used.has(index - 1) || draft.used.has(index + 1)))
        draft.used.add(index)
    })
  }
}

/** "home (the start page)" in a description: the words in brackets name the value too. */
function glossed(
  draft: Draft,
  parameter: Parameter,
  values: readonly (string | number)[],
): { value: string | number } | undefined {
  const text = `${draft.tool.declaration.description} ${parameter.description}`.toLowerCase().slice(0, 2_000)
  const said = draft.clause.tokens.map((token) => token.stem)
  const value = values.find((candidate) => {
    const opening = text.indexOf(`${String(candidate).toLowerCase()} (`)
    const closing = opening < 0 ? -1 : text.indexOf(')', opening)
    if (closing < 0) return false
    const words = identifierWords(text.slice(text.indexOf('(', opening) + 1, closing)).filter(
      (word) => !STOP_WORDS.has(word),
    )
    return words.length > 0 && words.every((word) => said.includes(stem(word)))
  })
  return value === undefined ? undefined : { value }
}

function markUsed(draft: Draft, values: readonly (string | number)[]): void {
  const stems = values.flatMap((value) => identifierWords(String(value)).map(stem))
  draft.clause.tokens.forEach((token, index) => {
    if (stems.some((word) => similarity(word, token.stem) > 0)) draft.used.add(index)
  })
}

/** The value whose words the stems name best. */
export function bestEnum(
  values: readonly (string | number)[],
  stems: readonly string[],
  minimum: number,
): { value: string | number; score: number } | undefined {
  let best: { value: string | number; score: number } | undefined
  for (const value of values) {
    const parts = identifierWords(String(value)).map(stem)
    if (parts.length === 0) continue
    const hits = parts.map((part) =>
      Math.max(
        0,
        ...stems.map((word) => similarity(part, word) || (word.length >= 4 && part.startsWith(word) ? 0.75 : 0)),
      ),
    )
    const score = hits.reduce((sum, hit) => sum + hit, 0) / parts.length
    if (score >= minimum && (!best || score > best.score)) best = { value, score }
  }
  return best
}
