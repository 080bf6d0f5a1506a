import type { JsonObject, JsonValue } from '@domos/spec'
import type { Step } from './conversation.ts'
import { collectEntities, type Entity, idOf, isIdKey } from './entities.ts'
import type { Missing, World } from './fill.ts'
import { isReading } from './lexicon.ts'
import { currencyOf, isMoney, moneyText } from './money.ts'
import { isEntityParameter, optionsFor } from './resolve.ts'
import { identifierWords } from './tokens.ts'
import { isObject, type KnownTool, readTool } from './tools.ts'

/** A finished step, or a sentence about something that was not done. */
export interface Remark {
  readonly step?: Step
  readonly text?: string
}

/** Most entries of a list that are read out. */
const MAX_LISTED = 6

/** Tells what came of a turn, in plain sentences. */
export function describeSteps(
  remarks: readonly Remark[],
  tools: readonly KnownTool[],
  known: readonly Entity[],
): string {
  const steps = remarks.flatMap((remark) => (remark.step ? [remark.step] : []))
  const entities = collectEntities(
    steps.flatMap((step) =>
      step.outcome?.type === 'success' ? [{ value: step.outcome.value, source: 'result' as const }] : [],
    ),
  )
  return remarks
    .map((remark) => remark.text ?? (remark.step ? successText(remark.step, tools, [...entities, ...known]) : ''))
    .filter((text) => text !== '')
    .join(' ')
}

/** Why a call brought nothing, said as it is. */
export function failureText(step: Step, tools: readonly KnownTool[]): string {
  const action = actionOf(step, tools)
  const outcome = step.outcome
  if (!outcome || outcome.type === 'success') return `I do not know whether “${action}” was done; no result came back.`
  const why = sentence(outcome.message)
  switch (outcome.code) {
    case 'denied':
      return outcome.deniedBy === 'policy' || outcome.deniedBy === 'nobody'
        ? `I may not do “${action}” here, so I left it as it is: ${why}`
        : `You declined “${action}”, so I left it as it is.`
    case 'expired':
      return `Nobody approved “${action}” in time, so it was not done.`
    case 'cancelled':
      return `“${action}” was cancelled; it was not done.`
    case 'timeout':
      return `“${action}” did not answer in time; I cannot say whether it was done.`
    case 'unavailable':
      return `“${action}” is not available any more; it was not done.`
    case 'invalid_arguments':
      return `“${action}” was not done, because its arguments were refused: ${why}`
    default:
      return `“${action}” failed: ${why}`
  }
}

/** The question for a missing argument, with what there is to choose from. */
export function askText(tool: KnownTool, missing: Missing, world: World): string {
  const { parameter } = missing
  const action = tool.nameWords.join(' ')
  const words = parameter.words.filter((word) => word !== 'id').join(' ') || 'one'
  if (missing.problem !== undefined) return `${missing.problem} What ${words} shall I use?`
  const notFound = missing.mention ? `I do not see “${missing.mention}” here. ` : ''
  if (parameter.enumValues)
    return `Which ${words} do you mean for “${action}”: ${list(parameter.enumValues.map(String).slice(0, 8), 'or')}?`
  if (parameter.type === 'boolean') return `Shall “${words}” be on for “${action}”, yes or no?`
  if (isEntityParameter(parameter)) {
    const seen = [...new Set(optionsFor(parameter, tool, world.entities).map((entity) => entity.label ?? ''))]
    const options =
      seen.length > 1 ? ` I see ${list(seen.slice(0, MAX_LISTED))}${seen.length > MAX_LISTED ? ' and more' : ''}.` : ''
    return `${notFound}${options === '' ? '' : `${options.trim()} `}Which ${words} do you mean?`
  }
  if (/^(query|q|search|term|keywords?|phrase)$/.test(words)) return 'What shall I look for?'
  const hint = parameter.description === '' ? '' : ` (${parameter.description.replace(/\.$/, '').slice(0, 80)})`
  return `What ${words}${hint} shall I use for “${action}”?`
}

function successText(step: Step, tools: readonly KnownTool[], entities: readonly Entity[]): string {
  const value = step.outcome?.type === 'success' ? step.outcome.value : null
  const tool = toolOf(step, tools)
  const trouble = reportedTrouble(value)
  if (trouble !== undefined) return `“${actionOf(step, tools)}” did not work: ${trouble}`
  if (isReading(tool.verbs[0])) return readingText(step, value, tool)
  return actionText(step, value, tool, entities)
}

/** A "success" whose value says that it was none. */
function reportedTrouble(value: JsonValue): string | undefined {
  if (!isObject(value)) return undefined
  if (typeof value.error === 'string' && value.error !== '') return sentence(value.error)
  const verdict = ['success', 'ok', 'added', 'removed', 'done', 'found'].find((key) => value[key] === false)
  if (verdict === undefined) return undefined
  const why = [value.message, value.reason].find((entry) => typeof entry === 'string')
  return sentence(typeof why === 'string' ? why : `the page answered “${verdict}: false”`)
}

function readingText(step: Step, value: JsonValue, tool: KnownTool): string {
  const currency = currencyOf(value)
  if (typeof value === 'string') return sentence(value)
  if (typeof value === 'number' || typeof value === 'boolean') return `The answer is ${String(value)}.`
  if (value === null) return 'It gave no answer.'
  const found = Array.isArray(value)
    ? { name: nounOf(tool), entries: value as readonly JsonValue[] }
    : firstList(value as JsonObject)
  if (!found) return scalarText(value as JsonObject, []) || 'It is done, and it gave no more to tell.'
  const extras = Array.isArray(value)
    ? ''
    : scalarText(
        value as JsonObject,
        ['count', 'total', 'query', 'length'].filter(
          (key) =>
            key !== 'total' ||
            (Number.isInteger((value as JsonObject)[key]) && (value as JsonObject)[key] === found.entries.length),
        ),
      )
  if (found.entries.length === 0)
    return join([
      tool.verbs[0] === 'find' ? `I found no ${found.name}${forText(step)}.` : `There are no ${found.name}.`,
      extras,
    ])
  const shown = found.entries.slice(0, MAX_LISTED).map((entry) => entryText(entry, currency))
  const more = found.entries.length - shown.length
  const noun = found.entries.length === 1 ? singular(found.name) : found.name
  const opening =
    tool.verbs[0] === 'find'
      ? `I found ${found.entries.length} ${noun}`
      : `There ${found.entries.length === 1 ? 'is' : 'are'} ${found.entries.length} ${noun}`
  return join([`${opening}: ${list(shown)}${more > 0 ? `, and ${more} more` : ''}.`, extras])
}

/** " for “coffee”": the words a search was made with. */
function forText(step: Step): string {
  const query = Object.entries(step.args).find(
    ([key, argument]) => typeof argument === 'string' && /^(q|query|search|text|term|keyword|phrase)/i.test(key),
  )?.[1]
  return query === undefined ? '' : ` for “${query}”`
}

function nounOf(tool: KnownTool): string {
  const noun = tool.nameWords.findLast((word) => !readTool({ name: word, description: '', risk: 'none' }).verbs.length)
  return noun === undefined ? 'entries' : noun.endsWith('s') ? noun : `${noun}s`
}

function singular(noun: string): string {
  return noun.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '')
}

function firstList(value: JsonObject): { name: string; entries: readonly JsonValue[] } | undefined {
  for (const [key, inner] of Object.entries(value))
    if (Array.isArray(inner)) return { name: identifierWords(key).join(' '), entries: inner as readonly JsonValue[] }
  for (const inner of Object.values(value)) {
    const found = isObject(inner) ? firstList(inner) : undefined
    if (found) return found
  }
  return undefined
}

function entryText(entry: JsonValue, outer: string | undefined): string {
  if (!isObject(entry)) return String(entry)
  const currency = currencyOf(entry) ?? outer
  const entity = collectEntities([{ value: entry, source: 'result' }])[0]
  const id = idOf(entry)
  const label = entity?.label ?? (id === undefined ? JSON.stringify(entry).slice(0, 60) : String(id))
  const quantity = [entry.quantity, entry.qty].find((amount) => typeof amount === 'number')
  const details = Object.entries(entry)
    .filter(
      ([key, value]) =>
        (typeof value === 'number' && /price|total|cost|brightness|temperature|level/i.test(key)) ||
        ((typeof value === 'string' || typeof value === 'boolean') &&
          /^(status|state|from|sender|date|time|on|locked|price)$/i.test(key)),
    )
    .map(([key, value]) =>
      /price|cost/i.test(key)
        ? moneyText(value, currency)
        : isMoney(key, value)
          ? `${identifierWords(key).join(' ')}: ${moneyText(value, currency)}`
          : `${identifierWords(key).join(' ')}: ${typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)}`,
    )
  return `${typeof quantity === 'number' ? `${quantity} × ` : ''}${label}${details.length === 0 ? '' : ` (${details.slice(0, 3).join(', ')})`}`
}

function scalarText(value: JsonObject, left: readonly string[]): string {
  const currency = currencyOf(value)
  const parts = Object.entries(value)
    .filter(
      ([key, inner]) =>
        !left.includes(key) &&
        !isIdKey(key) &&
        !/^(success|ok|added|removed|done|cleared|message|liked|url|path|query|currency)$/i.test(key) &&
        (typeof inner === 'number' ||
          (typeof inner === 'string' && inner !== '' && inner.length <= 200) ||
          typeof inner === 'boolean'),
    )
    .slice(0, 5)
    .map(
      ([key, inner]) =>
        `${identifierWords(key).join(' ')}: ${typeof inner === 'boolean' ? (inner ? 'yes' : 'no') : isMoney(key, inner) ? moneyText(inner, currency) : String(inner)}`,
    )
  const text = parts.join(', ')
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function actionText(step: Step, value: JsonValue, tool: KnownTool, entities: readonly Entity[]): string {
  if (typeof value === 'string' && value !== '') return sentence(value)
  const message = isObject(value) && typeof value.message === 'string' ? sentence(value.message) : ''
  if (message !== '') return message
  const about = aboutText(step, value, entities)
  const extras = isObject(value)
    ? scalarText(value, Object.keys(step.args).concat(about === '' ? [] : ['name', 'title', 'product', 'quantity']))
    : ''
  return join([`Done: ${deedText(tool, about)}.`, extras])
}

const PAST: Readonly<Record<string, string>> = {
  set: 'set',
  put: 'put',
  get: 'got',
  send: 'sent',
  make: 'made',
  take: 'took',
  go: 'went',
  pay: 'paid',
  buy: 'bought',
  begin: 'began',
  run: 'ran',
  write: 'wrote',
  shut: 'shut',
  cut: 'cut',
  give: 'gave',
  find: 'found',
  leave: 'left',
  choose: 'chose',
  tell: 'told',
  read: 'read',
  keep: 'kept',
  build: 'built',
}

function pastOf(verb: string): string {
  const known = PAST[verb]
  if (known !== undefined) return known
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`
  if (verb.endsWith('e')) return `${verb}d`
  return /^(stop|pin|plan|drop|swap|skip|dim|log)$/.test(verb) ? `${verb}${verb.at(-1)}ed` : `${verb}ed`
}

/** "added 2 × Pro Headphones to cart": the tool's name told as done, with what it was done to. */
function deedText(tool: KnownTool, about: string): string {
  const [verb, ...rest] = tool.nameWords
  if (verb === undefined || readTool({ name: verb, description: '', risk: 'none' }).verbs.length === 0)
    return `${tool.nameWords.join(' ')}${about === '' ? '' : ` (${about})`}`
  if (about === '') return [pastOf(verb), ...rest].join(' ')
  if (rest[0] !== undefined && /^(to|from|in|into|of|on|at)$/.test(rest[0]))
    return verb === 'go'
      ? `went to ${about.replace(/^\w+: /, '')}`
      : about.includes(': ')
        ? `${[pastOf(verb), ...rest].join(' ')} (${about})`
        : [pastOf(verb), about, ...rest].join(' ')
  const isGeneric =
    !about.includes(': ') &&
    rest.length === 1 &&
    /^(product|item|thing|message|mail|email|event|task|device)$/.test(rest[0] ?? '')
  return isGeneric ? `${pastOf(verb)} ${about}` : `${[pastOf(verb), ...rest].join(' ')} (${about})`
}

/** "2 × Pro Headphones", from the call's arguments and what is known of their ids. */
function aboutText(step: Step, value: JsonValue, entities: readonly Entity[]): string {
  const parts: string[] = []
  const quantity = [step.args.quantity, step.args.qty, step.args.count, step.args.amount].find(
    (amount) => typeof amount === 'number',
  )
  const own = isObject(value) ? collectEntities([{ value, source: 'result' }]) : []
  let label: string | undefined
  for (const [key, argument] of Object.entries(step.args)) {
    if (typeof argument !== 'string' && typeof argument !== 'number' && typeof argument !== 'boolean') continue
    if (argument === quantity && /quantity|qty|count|amount/i.test(key)) continue
    if (isIdKey(key))
      label =
        [...own, ...entities].find(
          (entity) =>
            entity.label !== undefined &&
            Object.entries(entity.object).some(([name, id]) => isIdKey(name) && id === argument),
        )?.label ?? String(argument)
    else
      parts.push(
        `${identifierWords(key).join(' ')}: ${typeof argument === 'boolean' ? (argument ? 'on' : 'off') : argument}`,
      )
  }
  if (label !== undefined) parts.unshift(quantity === undefined ? label : `${String(quantity)} × ${label}`)
  else if (quantity !== undefined) parts.unshift(String(quantity))
  return parts.join(', ').slice(0, 200)
}

function toolOf(step: Step, tools: readonly KnownTool[]): KnownTool {
  return (
    tools.find((tool) => tool.declaration.name === step.name) ??
    readTool({ name: step.name, description: '', risk: 'none' })
  )
}

function actionOf(step: Step, tools: readonly KnownTool[]): string {
  return toolOf(step, tools).nameWords.join(' ')
}

function list(entries: readonly string[], word = 'and'): string {
  return entries.length < 2 ? (entries[0] ?? '') : `${entries.slice(0, -1).join(', ')} ${word} ${entries.at(-1)}`
}

function sentence(text: string): string {
  const trimmed = text.trim().slice(0, 600)
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`
}

function join(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ')
}
