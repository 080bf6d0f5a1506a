import type { JsonValue } from '@domos/spec'
import type { Draft } from './fill.ts'
import { kindOfWhen } from './fill-when.ts'
import { GENERIC_NOUNS, PRONOUNS, STOP_WORDS } from './lexicon.ts'
import { contentTokens, similarity } from './rank.ts'
import { isEntityParameter, valueFor } from './resolve.ts'
import type { Token } from './tokens.ts'
import type { Parameter } from './tools.ts'

const QUERY = /^(query|q|search|term|terms|keyword|keywords|phrase|text|filter|what)$/
const BODY = /^(body|message|text|content|note|comment|description|reply|answer)$/
const TITLE = /^(subject|title|name|label|heading|topic|called)$/
const PERSON = /^(to|recipient|recipients|contact|person|assignee|attendee|attendees|guest|with|cc)$/
const SENDER = /^(from|sender|author|by|artist|composer|singer|creator|brand)$/
const PLACE = /^(room|location|place|area|city|destination|where|zone|address|folder|list|playlist)$/

/**
 * Gives the words that are left to the arguments that take free text.
 * @param stage `before-things` fills only what is marked by its own words: "saying …", "to …"
 */
export function fillText(draft: Draft, stage: 'before-things' | 'rest' = 'rest'): void {
  const open = draft.tool.parameters.filter(
    (parameter) => draft.args[parameter.name] === undefined && takesText(parameter),
  )
  const order = [...open].sort((a, b) => rankOf(a) - rankOf(b))
  for (const parameter of order) {
    const value =
      stage === 'rest'
        ? (named(draft, parameter, order) ?? byKind(draft, parameter, order))
        : marked(draft, parameter, order)
    if (value === undefined && stage === 'rest' && asksForAll(draft, parameter)) draft.args[parameter.name] = ''
    if (value !== undefined && value !== '')
      draft.args[parameter.name] = parameter.type === 'array' ? splitList(value) : value
  }
}

function marked(draft: Draft, parameter: Parameter, open: readonly Parameter[]): string | undefined {
  if (!draft.tool.parameters.some(isEntityParameter)) return undefined
  const isBody = rankOf(parameter) === 0
  if (isBody) return named(draft, parameter, open) ?? after(draft, /^(saying|says|say|that|:)$/, true, open)
  return has(parameter, PERSON) && !has(parameter, /^with$/) ? person(draft, parameter, open, /^(to|cc)$/) : undefined
}

function takesText(parameter: Parameter): boolean {
  if (parameter.enumValues || isEntityParameter(parameter)) return false
  if (kindOfWhen(parameter) !== undefined && (parameter.format !== undefined || !parameter.isRequired)) return false
  return (
    parameter.type === 'string' ||
    parameter.type === 'any' ||
    (parameter.type === 'array' &&
      (parameter.items === undefined || parameter.items.type === 'string') &&
      !parameter.items?.enumValues)
  )
}

/** Bodies take the rest of a sentence, so they go first; a query takes what is left, so it goes last. */
function rankOf(parameter: Parameter): number {
  if (has(parameter, BODY) && !has(parameter, QUERY)) return 0
  if (has(parameter, TITLE)) return 1
  if (has(parameter, PERSON) || has(parameter, SENDER)) return 2
  if (has(parameter, PLACE)) return 3
  return has(parameter, QUERY) ? 5 : 4
}

function has(parameter: Parameter, pattern: RegExp): boolean {
  return parameter.words.some((word) => pattern.test(word))
}

function splitList(value: JsonValue): JsonValue {
  return typeof value === 'string' ? value.split(/\s*(?:,|\band\b)\s*/).filter((entry) => entry !== '') : value
}

/** "subject Hello", "with the title 'Plans'", "named Anna". */
function named(draft: Draft, parameter: Parameter, open: readonly Parameter[]): string | undefined {
  const { tokens } = draft.clause
  for (let index = 0; index < tokens.length - 1; index++) {
    const token = tokens[index]
    if (token?.kind !== 'word' || draft.used.has(index)) continue
    const isName =
      parameter.stems.some((word) => word.length > 1 && word === token.stem) &&
      !/^(to|from|by|with|what|q|in)$/.test(token.lower)
    const isCalled = has(parameter, TITLE) && /^(called|named|titled|entitled)$/.test(token.lower)
    if (!isName && !isCalled) continue
    let first = index + 1
    while (/^(is|to|as|:|=|of|be|should|saying|says|about)$/.test(tokens[first]?.lower ?? '')) first++
    const isDirect = isCalled || first > index + 1 || tokens[first]?.kind === 'quote'
    if (!isDirect || tokens[first] === undefined) continue
    const end = endOfPhrase(draft, first, has(parameter, BODY), open)
    for (let at = index; at < end; at++) draft.used.add(at)
    if (/^(the|a|an|with|my)$/.test(tokens[index - 1]?.lower ?? '')) draft.used.add(index - 1)
    if (/^(with)$/.test(tokens[index - 2]?.lower ?? '')) draft.used.add(index - 2)
    return sliceText(draft, first, end)
  }
  return undefined
}

function byKind(draft: Draft, parameter: Parameter, open: readonly Parameter[]): string | undefined {
  const kind = rankOf(parameter)
  if (kind !== 2 && kind !== 3 && (kind < 2 || parameter.isRequired)) {
    const listed = after(draft, /^:$/, true, open)
    if (listed !== undefined) return listed
  }
  if (kind === 0)
    return (
      after(draft, /^(saying|says|say|reading|that|:)$/, true, open) ??
      quoted(draft) ??
      (parameter.isRequired ? loneRemainder(draft, parameter, open) : undefined)
    )
  if (kind === 1)
    return (
      quoted(draft) ??
      after(draft, /^(about|regarding|called|named|titled|subject)$/, false, open) ??
      loneRemainder(draft, parameter, open)
    )
  if (has(parameter, PERSON)) return person(draft, parameter, open)
  if (has(parameter, SENDER)) return after(draft, /^(from|by)$/, false, open, parameter)
  if (kind === 3)
    return after(draft, /^(in|at|to|into|for|from)$/, false, open, parameter) ?? loneRemainder(draft, parameter, open)
  if (kind === 5) return quoted(draft) ?? remainder(draft) ?? (parameter.isRequired ? chosenWords(draft) : undefined)
  return quoted(draft) ?? (parameter.isRequired ? loneRemainder(draft, parameter, open) : undefined)
}

/** A person after "to" or right after the verb; a known contact's address where the argument wants one. */
function person(draft: Draft, parameter: Parameter, open: readonly Parameter[], marker?: RegExp): string | undefined {
  const said = after(draft, marker ?? /^(to|with|for|cc)$/, false, open, parameter)
  const direct = said ?? (marker ? undefined : directObject(draft))
  if (direct === undefined) return undefined
  const known = draft.world.entities.find(
    (entity) =>
      entity.label?.toLowerCase().split(/\s+/).includes(direct.toLowerCase()) ||
      entity.label?.toLowerCase() === direct.toLowerCase(),
  )
  const wantsAddress =
    parameter.format === 'email' || /e-?mail|address/i.test(parameter.description) || has(parameter, /^email$/)
  const address = known && Object.entries(known.object).find(([key]) => /email|address/i.test(key))?.[1]
  if (wantsAddress) return typeof address === 'string' ? address : undefined
  const value = known ? valueFor(known, parameter) : undefined
  return typeof value === 'string' ? value : direct
}

/** "email Anna that …": the capitalised word or the word right after the verb. */
function directObject(draft: Draft): string | undefined {
  const { tokens, verbTokens } = draft.clause
  const first = Math.max(-1, ...verbTokens) + 1
  const token = tokens[first]
  if (token?.kind !== 'word' || draft.used.has(first) || STOP_WORDS.has(token.lower)) return undefined
  if (draft.tool.nouns.some((word) => similarity(word, token.stem) > 0)) return undefined
  draft.used.add(first)
  return token.text
}

/** The words after a marker, up to the next marker or the end. */
function after(
  draft: Draft,
  marker: RegExp,
  toEnd: boolean,
  open: readonly Parameter[],
  parameter?: Parameter,
): string | undefined {
  const { tokens } = draft.clause
  for (let index = 0; index < tokens.length - 1; index++) {
    if (draft.used.has(index) || !marker.test(tokens[index]?.lower ?? '')) continue
    let first = index + 1
    while ((toEnd ? /^(:|that)$/ : /^(:|the|that|my)$/).test(tokens[first]?.lower ?? '')) first++
    if (draft.used.has(first)) continue
    const head = tokens[first]
    if (!head) continue
    const end = endOfPhrase(draft, first, toEnd, open)
    const phrase = tokens.slice(first, end)
    if (
      !toEnd &&
      phrase.every(
        (token) =>
          token.kind === 'word' &&
          (PRONOUNS.has(token.lower) || draft.tool.nouns.some((word) => similarity(word, token.stem) >= 0.75)),
      )
    )
      continue
    for (let at = index; at < end; at++) draft.used.add(at)
    return toEnd ? sliceText(draft, first, end) : sliceText(draft, ...withoutName(draft, parameter, first, end))
  }
  return undefined
}

/** "the Oldies playlist" and "playlist Oldies" are Oldies. */
function withoutName(draft: Draft, parameter: Parameter | undefined, first: number, end: number): [number, number] {
  if (!parameter || end - first < 2) return [first, end]
  const isName = (index: number): boolean => parameter.stems.includes(draft.clause.tokens[index]?.stem ?? '')
  if (isName(first)) return [first + 1, end]
  return isName(end - 1) ? [first, end - 1] : [first, end]
}

function endOfPhrase(draft: Draft, first: number, toEnd: boolean, open: readonly Parameter[]): number {
  const { tokens } = draft.clause
  if (tokens[first]?.kind === 'quote') return first + 1
  if (toEnd) return tokens.length
  let end = first
  while (end < tokens.length) {
    const token = tokens[end]
    if (!token || (end > first && draft.used.has(end))) break
    if (
      end > first &&
      /^(saying|says|about|regarding|with|that|from|to|in|at|on|for|called|named|titled|into|by|,|;|:)$/.test(
        token.lower,
      )
    )
      break
    if (
      end > first &&
      /^and$/.test(token.lower) &&
      open.some((parameter) => parameter.stems.includes(tokens[end + 1]?.stem ?? ''))
    )
      break
    end++
  }
  return end
}

function sliceText(draft: Draft, first: number, end: number): string {
  const { tokens } = draft.clause
  const head = tokens[first]
  if (head?.kind === 'quote' && end === first + 1) return head.text
  const base = tokens[0]?.start ?? 0
  return draft.clause.text.slice((head?.start ?? base) - base, (tokens[end - 1]?.end ?? base) - base).trim()
}

function quoted(draft: Draft): string | undefined {
  const index = draft.clause.tokens.findIndex((token, at) => token.kind === 'quote' && !draft.used.has(at))
  if (index < 0) return undefined
  draft.used.add(index)
  return draft.clause.tokens[index]?.text
}

/** What is left of the clause, without the words at its edges that carry nothing. */
function remainder(draft: Draft): string | undefined {
  const free = freeRun(draft)
  if (free.length === 0) return undefined
  if (free.every(({ token }) => GENERIC_NOUNS.has(token.stem))) {
    // "kitchen stuff": the words another argument took say more than the rest.
    const words = contentTokens(draft.clause).filter((token) => !GENERIC_NOUNS.has(token.stem))
    if (words.length > 0) return words.map((token) => token.text).join(' ')
  }
  for (const { index } of free) draft.used.add(index)
  return free.map((entry) => entry.token.text).join(' ')
}

/** "show me all products", "what do you sell?": a search that leaves nothing out. */
function asksForAll(draft: Draft, parameter: Parameter): boolean {
  return (
    parameter.isRequired &&
    parameter.allowsEmpty &&
    parameter.type === 'string' &&
    rankOf(parameter) === 5 &&
    /\b(all|everything|every|anything|whole)\b|\bdo you (sell|have|offer)\b/i.test(draft.clause.text)
  )
}

/** "something for the kitchen": the choice another argument took says what to look for. */
function chosenWords(draft: Draft): string | undefined {
  const chosen = draft.tool.parameters.flatMap(({ name, enumValues }) => {
    const value = draft.args[name]
    return enumValues && typeof value === 'string' ? [value] : []
  })
  return chosen.length === 0 ? undefined : chosen.join(' ')
}

function loneRemainder(draft: Draft, parameter: Parameter, open: readonly Parameter[]): string | undefined {
  const others = open.filter((other) => other !== parameter && other.isRequired && draft.args[other.name] === undefined)
  return others.length === 0 || parameter.isRequired ? remainder(draft) : undefined
}

function freeRun(draft: Draft): { token: Token; index: number }[] {
  const isNoise = (token: Token): boolean => STOP_WORDS.has(token.lower) || token.kind === 'mark'
  const isExplained = (token: Token): boolean => draft.tool.nouns.includes(token.stem)
  const free = draft.clause.tokens
    .map((token, index) => ({ token, index }))
    .filter(({ index }) => !draft.used.has(index))
  // "mails about taxes" in a search for mails is taxes.
  const about = free.findIndex(({ token }) => /^(about|for|regarding|named|called|containing|with)$/.test(token.lower))
  if (
    about > 0 &&
    free
      .slice(0, about)
      .every(({ token }) => isNoise(token) || draft.tool.nouns.some((word) => similarity(word, token.stem) > 0))
  )
    free.splice(0, about + 1)
  while (free[0] && (isNoise(free[0].token) || (isExplained(free[0].token) && free.length > 1))) free.shift()
  while (free.length > 0 && isNoise(free.at(-1)?.token as Token)) free.pop()
  // "products" of "keyboards in the products" is the tool's own noun; alone it stays ("search products").
  const kept = free.filter(({ token }) => !(token.kind === 'mark' && token.lower !== '%'))
  return kept.every(({ token }) => isNoise(token) || isExplained(token)) ? [] : kept
}
