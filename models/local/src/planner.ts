import type { JsonObject, ModelRequest } from '@domos/spec'
import { describeSteps, failureText, type Remark } from './answer.ts'
import { type Clause, splitClauses } from './clauses.ts'
import { type PastTurn, readTurns, type Step } from './conversation.ts'
import { decide, sameArgs } from './decide.ts'
import { isReading, verbSimilarity } from './lexicon.ts'
import { MIN_SCORE, rankTools } from './rank.ts'
import { describeTools, smallTalk } from './small-talk.ts'
import { type KnownTool, readTool } from './tools.ts'
import { makeWorld } from './world.ts'

/** What to do next. */
export type Plan =
  | {
      readonly type: 'call'
      readonly name: string
      readonly args: JsonObject /** Said before the call. */
      readonly note?: string
    }
  | { readonly type: 'say'; readonly text: string; readonly question?: Question }

/** A question we put; the next utterance may be its answer. */
interface Question {
  readonly clause: Clause
  /** The argument asked for; without it the whole clause was unclear. */
  readonly parameter: string | undefined
  /** What was asked for after this. */
  readonly rest: readonly Clause[]
}

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
    clauses = inheritVerb(withoutPleasantries(clauses, tools), turns, index, isToolVerb)
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
      remarks.push({
        text:
          clause.verbStem === undefined
            ? 'All right, I did nothing.'
            : `I did not ${clause.text.replace(/[.!?]+$/, '')}.`,
      })
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
          } else if (!remarks.some((remark) => remark.step === made)) remarks.push({ step: made })
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

/** "Hi, can you …" and "thanks, now …": what is only polite is no request. */
function withoutPleasantries(clauses: readonly Clause[], tools: readonly KnownTool[]): readonly Clause[] {
  if (!clauses.some((clause) => clause.verbs.length > 0)) return clauses
  return clauses.filter(
    (clause) =>
      clause.verbs.length > 0 ||
      (smallTalk(clause.text, tools) === undefined && !/^(i|we)('m| am| are)\b/i.test(clause.text)),
  )
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

function join(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ')
}
