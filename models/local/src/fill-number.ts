import type { Draft } from './fill.ts'
import { findNumbers, type NumberMention } from './numbers.ts'
import { similarity } from './rank.ts'
import { isEntityParameter } from './resolve.ts'
import { stem, type Token } from './tokens.ts'
import type { Parameter } from './tools.ts'

/** Words beside a number that say what it measures, and the stems of argument names that want it. */
const MEASURES: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^(%|percent|percentage)$/,
    /^(bright|brightnes|level|percent|percentag|volum|intensity|opacity|position|dim|humidity|speed|amount)$/,
  ],
  [/^(°|degree|degrees|celsius|fahrenheit|c|f)$/, /^(temperatur|temp|degre|target|celsiu|setpoint|heat|value)$/],
  [/^(minute|minutes|min|mins)$/, /^(minut|duration|min|timer|delay|snooz)$/],
  [/^(hour|hours|hr|hrs)$/, /^(hour|duration|hr)$/],
  [/^(second|seconds|sec|secs)$/, /^(second|duration|sec|delay)$/],
  [/^(day|days)$/, /^(day|duration)$/],
  [/^(\$|€|£|dollar|dollars|euro|euros|eur|usd|bucks|pounds)$/, /^(price|amount|cost|budget|max|min|total)$/],
  [/^(star|stars)$/, /^(rating|rat|star)$/],
]
const UPPER = /^(under|below|max|maximum|most|than|within|cheaper|less|beneath|up)$/
const LOWER = /^(over|above|min|minimum|least|from|more|starting)$/

/** Whether an argument counts things. */
export function isQuantity(parameter: Parameter): boolean {
  return (
    (parameter.type === 'number' || parameter.type === 'integer') &&
    parameter.stems.some((word) => /^(quantity|qty|count|amount|unit|piec|copy|number|num)$/.test(word))
  )
}

/** Gives each number of the clause to the argument it fits best. */
export function fillNumbers(draft: Draft): void {
  const { tokens } = draft.clause
  const open = draft.tool.parameters.filter(
    (parameter) =>
      draft.args[parameter.name] === undefined &&
      (parameter.type === 'number' || parameter.type === 'integer') &&
      !parameter.enumValues,
  )
  fillFromAnswers(draft, open)
  const mentions = findNumbers(tokens).filter((mention) => !range(mention).some((index) => draft.used.has(index)))
  const pairs = mentions
    .flatMap((mention) =>
      open.map((parameter) => ({ mention, parameter, score: affinity(mention, parameter, tokens, open) })),
    )
    .filter((pair) => pair.score > 0)
    .sort((a, b) => b.score - a.score)
  const taken = new Set<NumberMention>()
  const refused = new Map<string, NumberMention>()
  for (const { mention, parameter } of pairs) {
    if (taken.has(mention) || draft.args[parameter.name] !== undefined) continue
    const problem = outOfRange(mention.value, parameter)
    if (problem !== undefined) {
      draft.problems.set(parameter.name, problem)
      refused.set(parameter.name, mention)
      continue
    }
    draft.args[parameter.name] = mention.value
    draft.problems.delete(parameter.name)
    taken.add(mention)
    for (const index of measureRange(mention, tokens)) draft.used.add(index)
  }
  // A number that another argument took was never meant for this one.
  for (const [name, mention] of refused) if (taken.has(mention)) draft.problems.delete(name)
  for (const parameter of open) {
    if (draft.args[parameter.name] !== undefined || draft.problems.has(parameter.name) || !parameter.isRequired)
      continue
    if (typeof parameter.defaultValue === 'number') draft.args[parameter.name] = parameter.defaultValue
    else if (isQuantity(parameter) && (parameter.minimum ?? 1) <= 1) draft.args[parameter.name] = 1
  }
}

function fillFromAnswers(draft: Draft, open: readonly Parameter[]): void {
  for (const parameter of open) {
    const answer = draft.clause.answers[parameter.name]
    if (answer === undefined) continue
    const digits = answer.match(/-?\d+(?:\.\d+)?/)?.[0]
    const words = digits === undefined ? findNumbers(wordTokens(answer))[0]?.value : Number(digits)
    if (words === undefined) continue
    const problem = outOfRange(words, parameter)
    if (problem === undefined) draft.args[parameter.name] = words
    else draft.problems.set(parameter.name, problem)
  }
}

function wordTokens(text: string): Token[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter(Boolean)
    .map((word, index) => ({ kind: 'word', text: word, lower: word, stem: stem(word), start: index, end: index }))
}

function range(mention: NumberMention): number[] {
  return Array.from({ length: mention.after - mention.first }, (_, offset) => mention.first + offset)
}

function measureRange(mention: NumberMention, tokens: readonly Token[]): number[] {
  const used = range(mention)
  const after = tokens[mention.after]?.lower ?? ''
  const before = tokens[mention.first - 1]?.lower ?? ''
  if (MEASURES.some(([word]) => word.test(after))) used.push(mention.after)
  let index = mention.first - 1
  if (MEASURES.some(([word]) => word.test(before))) used.push(index--)
  while (
    index >= 0 &&
    (UPPER.test(tokens[index]?.lower ?? '') ||
      LOWER.test(tokens[index]?.lower ?? '') ||
      /^(to|at|for|by|of)$/.test(tokens[index]?.lower ?? ''))
  )
    used.push(index--)
  return used
}

/** How well a number fits an argument; 0 = not at all. */
function affinity(
  mention: NumberMention,
  parameter: Parameter,
  tokens: readonly Token[],
  open: readonly Parameter[],
): number {
  if (isEntityParameter(parameter))
    return tokens
      .slice(Math.max(0, mention.first - 2), mention.first)
      .some((token) => parameter.stems.includes(token.stem))
      ? 2
      : 0
  if (mention.isArticle) return isQuantity(parameter) ? 0.2 : 0
  const after = tokens[mention.after]?.lower ?? ''
  const before = tokens[mention.first - 1]?.lower ?? ''
  const measure = MEASURES.find(([word]) => word.test(after) || (/^[$€£]$/.test(before) && word.test(before)))
  let score = 0.5
  if (measure) {
    const fits =
      parameter.stems.some((word) => measure[1].test(word)) ||
      measure[0].test(parameter.name.toLowerCase()) ||
      parameter.descriptionStems.some((word) => measure[0].test(word) || measure[1].test(word))
    if (fits) score += 2
    else if (open.length > 1 || isQuantity(parameter)) return 0
  }
  const near = tokens.slice(Math.max(0, mention.first - 4), mention.first)
  if (
    near.some((token) => token.kind === 'word' && parameter.stems.some((word) => similarity(word, token.stem) >= 0.75))
  )
    score += 1.5
  if (
    tokens[mention.after]?.kind === 'word' &&
    parameter.stems.some((word) => similarity(word, tokens[mention.after]?.stem ?? '') >= 0.75)
  )
    score += 1
  const nearest = near.slice(-3).map((token) => token.lower)
  const isUpper = nearest.some((word) => UPPER.test(word))
  const isLower = nearest.some((word) => LOWER.test(word))
  const wantsUpper = parameter.words.some((word) => /^(max|maximum|under|below|to|upper)$/.test(word))
  const wantsLower = parameter.words.some((word) => /^(min|minimum|over|above|from|lower)$/.test(word))
  // "4 headphones" is no price, without a word that says so.
  const isNamed = score > 0.5
  if ((wantsUpper || wantsLower) && !parameter.isRequired && !isNamed && !isUpper && !isLower) return 0
  if (wantsUpper) score += isUpper ? 2 : isLower ? -2 : 0
  if (wantsLower) score += isLower && !isUpper ? 2 : isUpper ? -2 : 0
  if (isQuantity(parameter)) score += isUpper || isLower ? -0.3 : 0.6
  if (!parameter.isRequired && !measure && score <= 0.5 && open.length > 1) score -= 0.2
  return score
}

function outOfRange(value: number, parameter: Parameter): string | undefined {
  const name = parameter.words.join(' ')
  if (parameter.type === 'integer' && !Number.isInteger(value))
    return `The ${name} has to be a whole number, not ${value}.`
  if (parameter.minimum !== undefined && value < parameter.minimum)
    return `The ${name} has to be at least ${parameter.minimum}, not ${value}.`
  if (parameter.maximum !== undefined && value > parameter.maximum)
    return `The ${name} can be at most ${parameter.maximum}, not ${value}.`
  return undefined
}
