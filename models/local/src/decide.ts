import type { JsonObject } from '@domos/spec'
import { askText } from './answer.ts'
import type { Clause } from './clauses.ts'
import type { Step } from './conversation.ts'
import { type Filled, fillArguments, type Missing, type World } from './fill.ts'
import { type Candidate, contentTokens, isReader, MIN_SCORE, rankTools, similarity } from './rank.ts'
import { isEntityParameter } from './resolve.ts'
import { answerFromContext, noToolText } from './small-talk.ts'
import type { KnownTool } from './tools.ts'

/** Most calls made only to find what another call needs, per clause. */
const MAX_LOOKUPS = 2

/** What to do about one clause. */
export type Decision =
  | { readonly type: 'call'; readonly name: string; readonly args: JsonObject; readonly note?: string }
  | { readonly type: 'ask'; readonly text: string; readonly parameter: string | undefined }
  | { readonly type: 'remark'; readonly text: string }

/** Decides about one clause. @param lookups calls already made to find what it needs */
export function decide(
  clause: Clause,
  tools: readonly KnownTool[],
  world: World,
  steps: readonly Step[],
  lookups: number,
): Decision {
  const ranked = rankTools(clause, tools, world.entities)
  const best = chooseTool(clause, ranked)
  if (!best) {
    const known = answerFromContext(clause, world)
    return { type: 'remark', text: known ?? noToolText(clause, tools, world.context?.url) }
  }
  if (best.type === 'unclear') return { type: 'ask', text: best.text, parameter: undefined }
  const filled = fillArguments(clause, best.tool, world)
  const refusal = namesAnotherThing(clause, best.tool, world)
  if (filled.others.length > 0 && isReader(best.tool)) {
    // Several things fit: a list of them serves better than one of them.
    const wider = ranked.find(
      (entry) =>
        entry.tool !== best.tool &&
        isReader(entry.tool) &&
        entry.verb > 0.5 &&
        !entry.tool.parameters.some(isEntityParameter) &&
        entry.tool.parameters.some((parameter) => parameter.isRequired),
    )
    const other = wider && fillArguments(clause, wider.tool, world)
    if (wider && other?.missing.length === 0)
      return { type: 'call', name: wider.tool.declaration.name, args: other.args }
  }
  if (filled.missing.length === 0 && refusal === undefined) {
    const known =
      clause.isQuestion && isReader(best.tool) && best.nouns === 0 ? answerFromContext(clause, world) : undefined
    if (known !== undefined) return { type: 'remark', text: known }
    const labels = [filled.entity, ...filled.others]
      .flatMap((entity) => (entity?.label === undefined ? [] : [entity.label]))
      .slice(0, 5)
    const call = { type: 'call' as const, name: best.tool.declaration.name, args: filled.args }
    if (filled.others.length === 0 || labels.length < 2 || isReader(best.tool)) return call
    const parameter = best.tool.parameters.find(isEntityParameter)?.name
    if (isRisky(best.tool))
      return { type: 'ask', text: `Several fit: ${labels.join(', ')}. Which one do you mean?`, parameter }
    return { ...call, note: `Several fit (${labels.join(', ')}); I take ${labels[0]}. ` }
  }
  const lookup = lookups < MAX_LOOKUPS ? findLookup(clause, best.tool, filled, refusal, tools, world, steps) : undefined
  if (lookup) return lookup
  if (refusal !== undefined) return { type: 'remark', text: refusal.text }
  const missing = filled.missing[0] as Missing
  if (missing.mention !== undefined && lookups > 0)
    return { type: 'remark', text: `I could not find ${quote(missing.mention)}, so I did nothing.` }
  return { type: 'ask', text: askText(best.tool, missing, world), parameter: missing.parameter.name }
}

type Choice = (Candidate & { readonly type: 'tool' }) | { readonly type: 'unclear'; readonly text: string }

function chooseTool(clause: Clause, ranked: readonly Candidate[]): Choice | undefined {
  const best = ranked[0]
  if (!best || best.score < MIN_SCORE) {
    // "Cart" alone: a tool that only looks, and whose name says just that.
    const named =
      clause.verbs.length === 0 && !clause.isQuestion
        ? ranked.find(
            (entry) =>
              entry.isWhole &&
              isReader(entry.tool) &&
              entry.tool.nouns.length > 0 &&
              !entry.tool.parameters.some((parameter) => parameter.isRequired),
          )
        : undefined
    return named && { ...named, type: 'tool' }
  }
  // Without a verb we know, only looking is safe, and only when most of the words are accounted for.
  if (best.verb <= 0 && !isSafeWithoutVerb(best, clause)) return undefined
  // A question about something no tool speaks of is no search, unless it asks whether there is such a thing.
  if (clause.isQuestion && best.nouns < 0.3 && !clause.verbs.includes('find')) return undefined
  const second = ranked[1]
  if (isRisky(best.tool) && second && best.score - second.score < 0.1 && second.verb > 0) {
    return {
      type: 'unclear',
      text: `Do you mean "${best.tool.nameWords.join(' ')}" or "${second.tool.nameWords.join(' ')}"?`,
    }
  }
  if (
    isRisky(best.tool) &&
    best.nouns === 0 &&
    best.tool.nouns.length > 0 &&
    contentTokens(clause).length > 0 &&
    !best.tool.parameters.some((parameter) => parameter.isRequired)
  )
    return undefined
  return { ...best, type: 'tool' }
}

function isSafeWithoutVerb(best: Candidate, clause: Clause): boolean {
  const { tool } = best
  if (isReader(tool)) return best.nouns >= contentTokens(clause).length * 0.4
  // "volume 20": every word is accounted for, and a value is given.
  const isHarmless = tool.declaration.risk === 'none' || tool.declaration.risk === 'low'
  return (
    isHarmless &&
    best.isWhole &&
    clause.verbs.length === 0 &&
    tool.parameters.length > 0 &&
    clause.tokens.some((token) => token.kind === 'number')
  )
}

/** "add the lamp" on a page whose tool only takes the thing shown, which is no lamp. */
function namesAnotherThing(
  clause: Clause,
  tool: KnownTool,
  world: World,
): { text: string; mention: string } | undefined {
  if (
    isReader(tool) ||
    tool.parameters.some(
      (parameter) => parameter.type === 'string' || parameter.type === 'any' || isEntityParameter(parameter),
    )
  )
    return undefined
  if (!/\b(current(ly)?|shown|viewed|displayed|this|opened)\b/i.test(tool.declaration.description)) return undefined
  const rest = contentTokens(clause).filter(
    (token) =>
      ![...tool.nameStems, ...tool.descriptionStems, ...tool.parameters.flatMap((parameter) => parameter.stems)].some(
        (word) => similarity(word, token.stem) > 0,
      ),
  )
  if (rest.length === 0 || !world.context) return undefined
  const shown = JSON.stringify([
    world.context.title ?? '',
    world.context.url ?? '',
    world.context.data ?? {},
  ]).toLowerCase()
  if (rest.some((token) => shown.includes(token.stem))) return undefined
  const mention = rest.map((token) => token.text).join(' ')
  return {
    mention,
    text: `This page shows ${world.context.title ? quote(world.context.title) : 'something else'}, not ${quote(mention)}, so I did nothing.`,
  }
}

/** A call that looks for the thing another call needs: a search by its words, or the list it should stand in. */
function findLookup(
  clause: Clause,
  tool: KnownTool,
  filled: Filled,
  other: { mention: string } | undefined,
  tools: readonly KnownTool[],
  world: World,
  steps: readonly Step[],
): Decision | undefined {
  const missing = filled.missing.find((entry) => isEntityParameter(entry.parameter))
  const mention = other?.mention ?? missing?.mention
  if (mention === undefined || mention === '') return undefined
  let best: { decision: Decision; score: number } | undefined
  const hasSearch = tools.some((entry) => entry.verbs[0] === 'find' && isReader(entry))
  for (const candidate of tools) {
    if (!isReader(candidate) || candidate === tool) continue
    const required = candidate.parameters.filter((parameter) => parameter.isRequired)
    const query = candidate.parameters.find(
      (parameter) =>
        parameter.type === 'string' &&
        !parameter.enumValues &&
        !isEntityParameter(parameter) &&
        required.every((entry) => entry === parameter),
    )
    if (!query && required.length > 0) continue
    const args: JsonObject = query ? { [query.name]: mention } : {}
    if (steps.some((step) => step.name === candidate.declaration.name && sameArgs(step.args, args))) continue
    const wanted = [...tool.nouns, ...(missing?.parameter.stems ?? [])].filter((word) => word !== 'id')
    const overlap = candidate.nouns.filter((word) => wanted.some((noun) => similarity(noun, word) > 0)).length
    const isUndoing = clause.verbs.some(
      (verb) => verb === 'remove' || verb === 'unlike' || verb === 'cancel' || verb === 'set',
    )
    const score = overlap + (query ? (isUndoing ? 0 : 1.5) : isUndoing ? 1.5 : 0)
    if (overlap === 0 && !query) continue
    // A list says what is there already; it cannot hold what is to be added, unless nothing can be searched.
    if (!query && !isUndoing && hasSearch) continue
    if (!best || score > best.score)
      best = { decision: { type: 'call', name: candidate.declaration.name, args }, score }
  }
  void world
  return best?.decision
}

function isRisky(tool: KnownTool): boolean {
  return tool.declaration.risk === 'high' || tool.declaration.risk === 'critical'
}

/** Whether two calls have the same arguments. */
export function sameArgs(a: JsonObject, b: JsonObject): boolean {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort())
}

function quote(text: string): string {
  return `“${text}”`
}
