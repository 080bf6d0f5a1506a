import type { JsonObject, JsonValue, PageContext } from '@domos/spec'
import type { Clause } from './clauses.ts'
import { type Entity, normalizeKey } from './entities.ts'
import { fillNumbers } from './fill-number.ts'
import { fillText } from './fill-text.ts'
import { STOP_WORDS } from './lexicon.ts'
import { contentTokens, isSwitch, similarity } from './rank.ts'
import { isChooser, isEntityParameter, type Mention, resolveMention } from './resolve.ts'
import { identifierWords, isMisspelling, stem, type Token, tokenize } from './tokens.ts'
import { isObject, type KnownTool, type Parameter } from './tools.ts'
import { findWhen, type WhenMention } from './when.ts'

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
  const things = fillEntities(draft)
  fillText(draft)
  fillFromContext(draft)
  const missing = tool.parameters
    .filter((parameter) => parameter.isRequired && draft.args[parameter.name] === undefined)
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

function fillSwitches(draft: Draft): void {
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

function fillEnums(draft: Draft): void {
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
    const best = bestEnum(values, stems, parameter.isRequired ? 0.6 : 0.7)
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

function fillWhen(draft: Draft): void {
  const wanting = draft.tool.parameters.filter(
    (parameter) =>
      draft.args[parameter.name] === undefined &&
      (parameter.type === 'string' || parameter.type === 'any') &&
      kindOfWhen(parameter) !== undefined,
  )
  if (wanting.length === 0) return
  const when = findWhen(draft.clause.tokens, draft.world.now)
  if (!when) return
  for (const parameter of wanting) {
    const value = whenValue(when, kindOfWhen(parameter), draft.world.now)
    if (value !== undefined) draft.args[parameter.name] = value
  }
  for (const index of when.tokens) draft.used.add(index)
}

function whenValue(when: WhenMention, kind: ReturnType<typeof kindOfWhen>, now: number): string | undefined {
  if (kind === 'date') return when.date
  if (kind === 'time') return when.time
  if (when.time === undefined) return when.date
  return `${when.date ?? new Date(now).toISOString().slice(0, 10)}T${when.time}:00`
}

/** What an argument wants of a day and time; nothing when it wants neither. */
export function kindOfWhen(parameter: Parameter): 'date' | 'time' | 'date-time' | undefined {
  if (parameter.format === 'date' || parameter.format === 'time' || parameter.format === 'date-time')
    return parameter.format
  if (parameter.format !== undefined || parameter.enumValues) return undefined
  if (/HH:MM/i.test(parameter.description)) return 'time'
  if (/YYYY-MM-DD(?!.*T)/.test(parameter.description)) return 'date'
  if (
    /^(datetime|when|due|dueat|startat|startsat|start|remindat|scheduledat|sendat)$/.test(normalizeKey(parameter.name))
  )
    return 'date-time'
  if (parameter.words.includes('time')) return 'time'
  if (parameter.words.some((word) => word === 'date' || word === 'day')) return 'date'
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

function fillEntities(draft: Draft): {
  others: readonly Entity[]
  entity: Entity | undefined
  mentions: Map<string, string>
} {
  const mentions = new Map<string, string>()
  let others: readonly Entity[] = []
  let entity: Entity | undefined
  const open = draft.tool.parameters.filter(
    (parameter) => draft.args[parameter.name] === undefined && isEntityParameter(parameter),
  )
  for (const parameter of open) {
    const mention = readMention(draft, parameter)
    const current = contextFocus(draft.world, parameter)
    const focus = draft.world.focus ?? (current === undefined ? draft.world.earlierFocus : undefined)
    const resolution = resolveMention(
      mention,
      parameter,
      draft.tool,
      draft.world.entities,
      focus,
      current !== undefined,
    )
    if (resolution.type === 'found') {
      draft.args[parameter.name] = resolution.value
      others = resolution.others
      entity = resolution.entity
    } else if (resolution.type === 'not-found' && mention.distinct.length > 0) {
      if (current !== undefined && namesCurrent(draft.world.context, mention)) draft.args[parameter.name] = current
      else mentions.set(parameter.name, mentionText(draft, parameter))
    } else if (resolution.type === 'no-mention' && current !== undefined) {
      draft.args[parameter.name] = current
    }
    if (draft.args[parameter.name] !== undefined) markMentionUsed(draft, mention)
  }
  return { others, entity, mentions }
}

function markMentionUsed(draft: Draft, mention: Mention): void {
  draft.clause.tokens.forEach((token, index) => {
    if (mention.tokens.includes(token) && mention.distinct.includes(token.stem)) draft.used.add(index)
  })
}

function readMention(draft: Draft, parameter: Parameter): Mention {
  const answer = draft.clause.answers[parameter.name]
  const source: Clause =
    answer === undefined ? draft.clause : { ...draft.clause, tokens: answerTokens(answer), verbTokens: [] }
  const tokens = source.tokens.filter((_, index) => answer !== undefined || !draft.used.has(index))
  const content = contentTokens(source).filter((token) => tokens.includes(token) && !isChooser(token.stem))
  const isExplained = (token: Token): boolean =>
    draft.tool.nouns.some((word) => similarity(word, token.stem) >= 0.75) ||
    parameter.stems.some((word) => word !== 'id' && similarity(word, token.stem) >= 0.75)
  const codes = source.tokens.filter(
    (token, index) =>
      token.kind === 'quote' || (token.kind === 'number' && !draft.used.has(index) && answer !== undefined),
  )
  return {
    tokens,
    distinct: [
      ...content.filter((token) => !isExplained(token)).map((token) => token.stem),
      ...codes.flatMap((token) => identifierWords(token.text).map(stem)),
    ],
    explained: content.filter(isExplained).map((token) => token.stem),
  }
}

function answerTokens(answer: string): readonly Token[] {
  return identifierWords(answer).map((word, index) => ({
    kind: 'word' as const,
    text: word,
    lower: word,
    stem: stem(word),
    start: index,
    end: index,
  }))
}

function mentionText(draft: Draft, parameter: Parameter): string {
  const answer = draft.clause.answers[parameter.name]
  if (answer !== undefined) return answer
  const mention = readMention(draft, parameter)
  const kept = mention.tokens.filter((token) => token.kind === 'quote' || mention.distinct.includes(token.stem))
  return kept.map((token) => token.text).join(' ')
}

/** The page's own value of that name: `productId` on a product page. */
function contextFocus(world: World, parameter: Parameter): JsonValue | undefined {
  const data = world.context?.data
  if (!data) return undefined
  const wanted = normalizeKey(parameter.name)
  for (const [key, value] of Object.entries(data)) {
    if (normalizeKey(key) === wanted && (typeof value === 'string' || typeof value === 'number'))
      return parameter.type === 'string' ? String(value) : value
  }
  for (const [key, value] of Object.entries(data)) {
    if (!isObject(value)) continue
    const isCurrent =
      /^(current|selected|focused|active|viewed|open)/i.test(key) ||
      parameter.stems.includes(stem(key.toLowerCase())) ||
      /^(product|item|message|mail|device)$/i.test(key)
    if (!isCurrent) continue
    for (const [inner, id] of Object.entries(value)) {
      if ((normalizeKey(inner) === wanted || /^id$/i.test(inner)) && (typeof id === 'string' || typeof id === 'number'))
        return parameter.type === 'string' ? String(id) : id
    }
  }
  return undefined
}

function namesCurrent(context: PageContext | undefined, mention: Mention): boolean {
  const texts = [
    context?.title ?? '',
    ...Object.values(context?.data ?? {}).filter((value) => typeof value === 'string'),
  ]
  const stems = new Set(texts.flatMap((text) => identifierWords(text).map(stem)))
  return mention.distinct.every((word) => stems.has(word) || [...stems].some((other) => isMisspelling(other, word)))
}

/** Required scalars that stand in the page's data under the very same name. */
function fillFromContext(draft: Draft): void {
  const data = draft.world.context?.data
  if (!data) return
  for (const parameter of draft.tool.parameters) {
    if (!parameter.isRequired || draft.args[parameter.name] !== undefined || isEntityParameter(parameter)) continue
    const key = Object.keys(data).find((name) => normalizeKey(name) === normalizeKey(parameter.name))
    const value = key === undefined ? undefined : data[key]
    if (typeof value === parameter.type || (parameter.type === 'integer' && Number.isInteger(value)))
      draft.args[parameter.name] = value ?? null
  }
}
