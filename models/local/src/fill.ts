import type { JsonObject, JsonValue, PageContext } from '@domos/spec'
import type { Clause } from './clauses.ts'
import { type Entity, normalizeKey } from './entities.ts'
import { bestEnum, fillEnums, fillSwitches } from './fill-choice.ts'
import { fillEntities } from './fill-entity.ts'
import { fillNumbers } from './fill-number.ts'
import { fillText } from './fill-text.ts'
import { fillWhen, kindOfWhen, whenValue } from './fill-when.ts'
import { isEntityParameter } from './resolve.ts'
import { identifierWords, stem, tokenize } from './tokens.ts'
import type { KnownTool, Parameter } from './tools.ts'
import { findWhen } from './when.ts'

/** What is known when arguments are filled. */
export interface World {
  readonly context: PageContext | undefined
  readonly entities: readonly Entity[]
  /** What this turn was about so far: the first meaning of "it". */
  readonly focus: Entity | undefined
  /** What the turn before was about: "it" when the page itself shows no one thing. */
  readonly earlierFocus: Entity | undefined
  /** Epoch milliseconds. */
  readonly now: number
}

/** Arguments for one call, and what is still missing. */
export interface Filled {
  readonly args: JsonObject
  readonly missing: readonly Missing[]
  /** Other things the same words could have meant. */
  readonly others: readonly Entity[]
  /** The thing the call is about. */
  readonly entity: Entity | undefined
}

/** A required argument nothing was found for. */
export interface Missing {
  readonly parameter: Parameter
  /** The words that point at a thing we have not seen. */
  readonly mention: string | undefined
  /** Why a value that was said cannot be used. */
  readonly problem?: string
}

/** Work in progress: the arguments so far and the tokens they took. */
export interface Draft {
  readonly clause: Clause
  readonly tool: KnownTool
  readonly world: World
  readonly args: Record<string, JsonValue>
  readonly used: Set<number>
  readonly problems: Map<string, string>
}

/** Fills a tool's arguments from a clause and the world. */
export function fillArguments(clause: Clause, tool: KnownTool, world: World): Filled {
  const draft: Draft = { clause, tool, world, args: {}, used: new Set(clause.verbTokens), problems: new Map() }
  fillAnswers(draft)
  fillSwitches(draft)
  fillEnums(draft)
  fillWhen(draft)
  fillPatterned(draft)
  fillNumbers(draft)
  // A message's words and its receiver are no description of the thing that is meant.
  fillText(draft, 'before-things')
  const things = fillEntities(draft)
  fillText(draft)
  fillFromContext(draft)
  const missing = tool.parameters
    // A value that was said and cannot be used is asked for again: the default in its place would be another deed.
    .filter(
      (parameter) =>
        draft.args[parameter.name] === undefined && (parameter.isRequired || draft.problems.has(parameter.name)),
    )
    .map((parameter) => {
      const problem = draft.problems.get(parameter.name)
      return { parameter, mention: things.mentions.get(parameter.name), ...(problem === undefined ? {} : { problem }) }
    })
  return { args: draft.args, missing, others: things.others, entity: things.entity }
}

/** Answers to our own questions come first; each is read as that argument's type. */
function fillAnswers(draft: Draft): void {
  for (const [name, text] of Object.entries(draft.clause.answers)) {
    const parameter = draft.tool.parameters.find((entry) => entry.name === name)
    const value = parameter && !isEntityParameter(parameter) ? readAs(text, parameter, draft.world.now) : undefined
    if (value !== undefined) draft.args[name] = value
  }
}

function readAs(text: string, parameter: Parameter, now: number): JsonValue | undefined {
  const when = kindOfWhen(parameter) && findWhen(tokenize(text), now)
  if (when) return whenValue(when, kindOfWhen(parameter), now)
  if (parameter.enumValues) return bestEnum(parameter.enumValues, identifierWords(text).map(stem), 0.7)?.value
  if (parameter.type === 'boolean')
    return /^(yes|y|yeah|true|on|sure|ok|okay)\b/i.test(text.trim())
      ? true
      : /^(no|n|nope|false|off)\b/i.test(text.trim())
        ? false
        : undefined
  if (parameter.type === 'string' || parameter.type === 'any')
    return text
      .trim()
      .replace(/[.!]+$/, '')
      .replace(/^["“](.*)["”]$/, '$1')
  return undefined
}

/** "subject is …", "name to …", addresses, links: said with their name or their form. */
function fillPatterned(draft: Draft): void {
  for (const parameter of draft.tool.parameters) {
    if (draft.args[parameter.name] !== undefined) continue
    const wantsEmail =
      parameter.format === 'email' || parameter.words.some((word) => /^(email|to|recipient|recipients|cc)$/.test(word))
    const wantsUrl = parameter.format === 'uri' || parameter.words.some((word) => /^(url|link|website)$/.test(word))
    if (!wantsEmail && !wantsUrl) continue
    const found = draft.clause.tokens.flatMap((token, index) =>
      token.kind === (wantsEmail ? 'email' : 'url') && !draft.used.has(index) ? [{ token, index }] : [],
    )
    if (found.length === 0) continue
    const first = found[0]
    if (!first) continue
    draft.args[parameter.name] = parameter.type === 'array' ? found.map((entry) => entry.token.text) : first.token.text
    for (const entry of parameter.type === 'array' ? found : [first]) {
      draft.used.add(entry.index)
      if (/^(to|cc|at)$/.test(draft.clause.tokens[entry.index - 1]?.lower ?? '')) draft.used.add(entry.index - 1)
    }
  }
}

/** Required scalars that stand in the page's data under the very same name. */
function fillFromContext(draft: Draft): void {
  const data = draft.world.context?.data
  if (!data) return
  for (const parameter of draft.tool.parameters) {
    if (!parameter.isRequired || draft.args[parameter.name] !== undefined || isEntityParameter(parameter)) continue
    if (parameter.enumValues) continue
    const key = Object.keys(data).find((name) => normalizeKey(name) === normalizeKey(parameter.name))
    const value = key === undefined ? undefined : data[key]
    if (typeof value === parameter.type || (parameter.type === 'integer' && Number.isInteger(value)))
      draft.args[parameter.name] = value ?? null
  }
}
