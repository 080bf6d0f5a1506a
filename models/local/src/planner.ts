import type { JsonObject, ModelRequest } from '@domos/spec'
import { askText, describeSteps, failureText, type Remark } from './answer.ts'
import { type Clause, splitClauses } from './clauses.ts'
import { type PastTurn, readTurns, type Step } from './conversation.ts'
import { collectEntities, contextSpring, type Entity, type EntitySpring } from './entities.ts'
import { type Filled, fillArguments, type Missing, type World } from './fill.ts'
import { isReading, verbSimilarity } from './lexicon.ts'
import { type Candidate, contentTokens, isReader, MIN_SCORE, rankTools, similarity } from './rank.ts'
import { isEntityParameter } from './resolve.ts'
import { answerFromContext, describeTools, noToolText, smallTalk } from './small-talk.ts'
import { isObject, type KnownTool, readTool } from './tools.ts'

/** What to do next. */
export type Plan =
  | { readonly type: 'call'; readonly name: string; readonly args: JsonObject }
  | { readonly type: 'say'; readonly text: string; readonly question?: Question }

/** A question we put; the next utterance may be its answer. */
interface Question {
  readonly clause: Clause
  /** The argument asked for; without it the whole clause was unclear. */
  readonly parameter: string | undefined
  /** What was asked for after this. */
  readonly rest: readonly Clause[]
}

/** Most turns back that are looked at for things "it" may mean, and for open questions. */
const MAX_PAST_TURNS = 8
/** Most calls made only to find what another call needs, per clause. */
const MAX_LOOKUPS = 2

/** Decides the next step from nothing but the request. @param now epoch milliseconds, for "tomorrow" */
export function plan(request: ModelRequest, now: number): Plan {
  const tools = request.tools.map(readTool)
  const turns = readTurns(request.messages)
  if (turns.length === 0) return { type: 'say', text: describeTools(tools) }
  return planTurn(turns, turns.length - 1, tools, now, 0)
}

function planTurn(
  turns: readonly PastTurn[],
  index: number,
  tools: readonly KnownTool[],
  now: number,
  depth: number,
): Plan {
  const turn = turns[index]
  if (!turn) return { type: 'say', text: '' }
  const isToolVerb = (word: string): boolean =>
    tools.some((tool) => tool.nameStems[0] === word || tool.otherVerbStem === word)
  const question = openQuestion(turns, index, tools, now, depth)
  let clauses = splitClauses(turn.utterance, isToolVerb)
  const answered = question && answerQuestion(question, turn.utterance, clauses, tools)
  if (answered === 'withdrawn') return { type: 'say', text: 'All right, I left it.' }
  if (answered) clauses = [...answered]
  else {
    const talk = turn.steps.length === 0 ? smallTalk(turn.utterance, tools) : undefined
    if (talk !== undefined) return { type: 'say', text: talk }
    clauses = inheritVerb(clauses, turns, index, isToolVerb)
  }
  return runClauses(clauses, turns, index, tools, now)
}

function runClauses(
  clauses: readonly Clause[],
  turns: readonly PastTurn[],
  index: number,
  tools: readonly KnownTool[],
  now: number,
): Plan {
  const turn = turns[index] as PastTurn
  const remarks: Remark[] = []
  let cursor = 0
  let failed = false
  for (const [at, clause] of clauses.entries()) {
    if (clause.isNegated) {
      remarks.push({ text: `I did not ${clause.text.replace(/[.!?]+$/, '')}.` })
      continue
    }
    const lookups: Step[] = []
    for (;;) {
      const step = turn.steps[cursor]
      if (step && belongsTo(step, clause, tools)) {
        cursor++
        const isLookup = isLookupFor(step, clause, tools)
        if (step.outcome?.type !== 'success') {
          failed = true
          remarks.push({ text: failureText(step, tools), step })
          break
        }
        if (!isLookup) {
          remarks.push({ step })
          break
        }
        lookups.push(step)
        continue
      }
      if (failed && (refersBack(clause) || (clauses.length > 1 && at > 0 && isReading(clauses[at - 1]?.verbs[0])))) {
        remarks.push({ text: `So I did not ${clause.text}.` })
        break
      }
      const world = makeWorld(turns, index, cursor, now)
      const decision = decide(clause, tools, world, turn.steps.slice(0, cursor), lookups.length)
      if (decision.type === 'call') {
        const again = lookups.find((past) => past.name === decision.name && sameArgs(past.args, decision.args))
        if (again) {
          // What was taken for a preparation was the thing itself.
          remarks.push({ step: again })
          break
        }
        // The same call is not made twice in one turn: not after a refusal, not after a failure, not by a misread "and".
        const same = turn.steps.findIndex((past) => past.name === decision.name && sameArgs(past.args, decision.args))
        const made = turn.steps[same]
        if (made) {
          if (same >= cursor) {
            cursor = same + 1
            if (made.outcome?.type !== 'success') failed = true
            remarks.push(
              made.outcome?.type === 'success' ? { step: made } : { text: failureText(made, tools), step: made },
            )
          }
          break
        }
        return decision
      }
      if (decision.type === 'ask') {
        const before = describeSteps(remarks, tools, makeWorld(turns, index, cursor, now).entities)
        return {
          type: 'say',
          text: join([before, decision.text]),
          question: { clause, parameter: decision.parameter, rest: clauses.slice(at + 1) },
        }
      }
      remarks.push({ text: decision.text })
      break
    }
  }
  return {
    type: 'say',
    text:
      describeSteps(remarks, tools, makeWorld(turns, index, cursor, now).entities) || 'There is nothing left to do.',
  }
}

type Decision =
  | { readonly type: 'call'; readonly name: string; readonly args: JsonObject }
  | { readonly type: 'ask'; readonly text: string; readonly parameter: string | undefined }
  | { readonly type: 'remark'; readonly text: string }

function decide(
  clause: Clause,
  tools: readonly KnownTool[],
  world: World,
  steps: readonly Step[],
  lookups: number,
): Decision {
  const ranked = rankTools(clause, tools, world.entities)
  const best = chooseTool(clause, ranked)
  if (!best) {
    const known = answerFromContext(clause, world.context, world.entities)
    return { type: 'remark', text: known ?? noToolText(clause, tools) }
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
      clause.isQuestion && isReader(best.tool) && best.nouns === 0
        ? answerFromContext(clause, world.context, world.entities)
        : undefined
    return known === undefined
      ? { type: 'call', name: best.tool.declaration.name, args: filled.args }
      : { type: 'remark', text: known }
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
  if (!best || best.score < MIN_SCORE) return undefined
  // Without a verb we know, only looking is safe, and only when most of the words are accounted for.
  if (best.verb <= 0 && !isSafeWithoutVerb(best, clause)) return undefined
  // A question about something no tool speaks of is no search, unless it asks whether there is such a thing.
  if (clause.isQuestion && best.nouns < 0.3 && !clause.verbs.includes('find')) return undefined
  const second = ranked[1]
  const isRisky = best.tool.declaration.risk === 'high' || best.tool.declaration.risk === 'critical'
  if (isRisky && second && best.score - second.score < 0.1 && second.verb > 0) {
    return {
      type: 'unclear',
      text: `Do you mean "${best.tool.nameWords.join(' ')}" or "${second.tool.nameWords.join(' ')}"?`,
    }
  }
  if (
    isRisky &&
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

// ---- the conversation so far ----

function openQuestion(
  turns: readonly PastTurn[],
  index: number,
  tools: readonly KnownTool[],
  now: number,
  depth: number,
): Question | undefined {
  const before = turns[index - 1]
  if (!before || depth >= 4 || !before.reply.trimEnd().endsWith('?')) return undefined
  const again = planTurn(turns, index - 1, tools, now, depth + 1)
  return again.type === 'say' ? again.question : undefined
}

function answerQuestion(
  question: Question,
  utterance: string,
  clauses: readonly Clause[],
  tools: readonly KnownTool[],
): readonly Clause[] | 'withdrawn' | undefined {
  const text = utterance.trim()
  if (
    /^(no|nope|never ?mind|cancel|stop|forget (it|about it)|nothing|none|no thanks?|no thank you|don't|leave it)[.!]?$/i.test(
      text,
    )
  )
    return 'withdrawn'
  const first = clauses[0]
  const isOwnCommand =
    first !== undefined &&
    first.verbs.length > 0 &&
    !first.isElliptical &&
    rankTools(first, tools, []).some((entry) => entry.score >= MIN_SCORE + 0.6 && entry.verb >= 0.6)
  if (isOwnCommand) return undefined
  if (question.parameter === undefined) {
    return [...splitClauses(`${question.clause.text} ${text}`, () => false).slice(0, 1), ...question.rest]
  }
  const clause = {
    ...question.clause,
    answers: { ...question.clause.answers, [question.parameter]: text.replace(/[.!?]+$/, '') },
  }
  return [clause, ...question.rest]
}

/** "and the keyboard too": the verb of the turn before. */
function inheritVerb(
  clauses: readonly Clause[],
  turns: readonly PastTurn[],
  index: number,
  isToolVerb: (word: string) => boolean,
): Clause[] {
  const before = turns[index - 1]
  const first = clauses[0]
  if (!before || !first || first.verbs.length > 0 || first.isQuestion || before.steps.length === 0) return [...clauses]
  if (
    !/^(and|also|plus|no|the|a|an|another|one|two|three|only|this|that|now)\b/i.test(
      turns[index]?.utterance.trim() ?? '',
    )
  )
    return [...clauses]
  const earlier = splitClauses(before.utterance, isToolVerb).at(-1)
  if (!earlier || earlier.verbs.length === 0) return [...clauses]
  return clauses.map((clause) =>
    clause.verbs.length > 0
      ? clause
      : { ...clause, verbs: earlier.verbs, verbStem: earlier.verbStem, isElliptical: true },
  )
}

function makeWorld(turns: readonly PastTurn[], index: number, cursor: number, now: number): World {
  const turn = turns[index] as PastTurn
  const context = turn.context ?? turns.slice(0, index + 1).findLast((past) => past.context)?.context
  const here: EntitySpring[] = springsOf(turn.steps.slice(0, cursor), 'result')
  const before = turns[index - 1]
  const past = turns.slice(Math.max(0, index - MAX_PAST_TURNS), Math.max(0, index - 1)).reverse()
  const springs = [
    ...here,
    ...(before ? springsOf(before.steps, 'previous') : []),
    ...contextSpring(context),
    ...past.flatMap((turnBefore) => springsOf(turnBefore.steps, 'earlier')),
  ]
  const entities = collectEntities(springs)
  return {
    context,
    entities,
    focus: findFocus(turn.steps.slice(0, cursor), entities),
    earlierFocus: before && findFocus(before.steps, entities),
    now,
  }
}

function springsOf(steps: readonly Step[], source: EntitySpring['source']): EntitySpring[] {
  return steps
    .flatMap((step) =>
      step.outcome?.type === 'success' ? [{ value: step.outcome.value, source, toolName: step.name }] : [],
    )
    .reverse()
}

/** What was acted on last: the entity whose id stands in the newest call's arguments. */
function findFocus(steps: readonly Step[], entities: readonly Entity[]): Entity | undefined {
  const last = steps.at(-1)
  if (!last) return undefined
  for (const [key, value] of Object.entries(last.args)) {
    if (typeof value !== 'string' || !/id$|sku$|slug$|name$|product$|item$/i.test(key)) continue
    const entity = entities.find((entry) => Object.values(entry.object).includes(value))
    if (entity) return entity
  }
  const value = last.outcome?.type === 'success' ? last.outcome.value : undefined
  return isObject(value) ? entities.find((entity) => entity.object === value && entity.label !== undefined) : undefined
}

/** Whether a call that was made can have been made for this clause. */
function belongsTo(step: Step, clause: Clause, tools: readonly KnownTool[]): boolean {
  const verbs = readStepTool(step, tools).verbs
  if (verbs.length === 0 || isReading(verbs[0])) return true
  if (clause.verbs.length === 0)
    return (
      clause.verbStem === readStepTool(step, tools).verbStem ||
      clause.tokens.some((token) => readStepTool(step, tools).nouns.includes(token.stem))
    )
  return (
    verbs.some((verb) => clause.verbs.some((other) => verbSimilarity(verb, other) > 0)) ||
    clause.verbStem === readStepTool(step, tools).verbStem
  )
}

/** Whether a call only looked for what the clause's own call needs. */
function isLookupFor(step: Step, clause: Clause, tools: readonly KnownTool[]): boolean {
  return (
    isReading(readStepTool(step, tools).verbs[0]) &&
    clause.verbs.length > 0 &&
    !isReading(clause.verbs[0]) &&
    !clause.isQuestion &&
    clause.verbStem !== readStepTool(step, tools).verbStem
  )
}

function readStepTool(step: Step, tools: readonly KnownTool[]): KnownTool {
  return (
    tools.find((tool) => tool.declaration.name === step.name) ??
    readTool({ name: step.name, description: '', risk: 'none' })
  )
}

function refersBack(clause: Clause): boolean {
  return clause.tokens.some((token) => /^(it|them|this|that|first|second|third|last|one|cheapest)$/.test(token.lower))
}

function sameArgs(a: JsonObject, b: JsonObject): boolean {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort())
}

function quote(text: string): string {
  return `“${text}”`
}

function join(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ')
}
