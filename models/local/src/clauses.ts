import { findVerb, QUESTION_START } from './clause-verb.ts'
import { isReading, type VerbClass, verbClassesOf } from './lexicon.ts'
import { type Token, tokenize } from './tokens.ts'

/** One thing a person asks for. */
export interface Clause {
  readonly tokens: readonly Token[]
  /** The words as written, from the first token to the last. */
  readonly text: string
  /** Kinds of action its verb can mean, the likeliest first; empty when it has no verb we know. */
  readonly verbs: readonly VerbClass[]
  /** The stemmed verb as written, known or not. */
  readonly verbStem: string | undefined
  /** Indices into `tokens` of the verb and its particle. */
  readonly verbTokens: readonly number[]
  /** "don't …": to be left undone. */
  readonly isNegated: boolean
  readonly isQuestion: boolean
  /** The verb comes from the clause before: "… and the lamp". */
  readonly isElliptical: boolean
  /** Answers to questions we asked about missing arguments, by argument name. */
  readonly answers: Readonly<Record<string, string>>
}

/** Most things one utterance may ask for; the rest is left out. */
export const MAX_CLAUSES = 6

const BODY_MARKER = /^(saying|says|say|reading|message|text|body|content|that)$/
const POLITE =
  /^(please|kindly|just|ok|okay|hey|hi|hello|so|well|now|then|also|and|first|finally|afterwards|domos|computer|assistant|um|uh|actually|oh|alright|great|yes|yeah|sure|no|but|instead|maybe|perhaps)$/
const COORDINATED: ReadonlySet<VerbClass> = new Set<VerbClass>([
  'add',
  'remove',
  'like',
  'unlike',
  'on',
  'off',
  'open',
  'close',
  'lock',
  'unlock',
  'archive',
  'start',
  'stop',
  'save',
  'cancel',
  'want',
])

/**
 * Cuts an utterance into the things it asks for, in order.
 * @param isToolVerb whether a stemmed word is the verb of a tool at hand, known to the lexicon or not
 */
export function splitClauses(utterance: string, isToolVerb: (stemmed: string) => boolean): Clause[] {
  const tokens = tokenize(utterance)
  const clauses: Clause[] = []
  let start = 0
  let inBody = false
  const cut = (end: number): void => {
    const part = tokens.slice(start, end)
    const clause = part.some((token) => token.kind !== 'mark')
      ? readClause(part, utterance, isToolVerb, clauses.at(-1))
      : undefined
    if (clause) clauses.push(clause)
    inBody = false
  }
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]
    if (!token || index < start) continue
    if (index > start && startsBody(tokens, index)) inBody = true
    const width = separatorWidth(tokens, index, start, inBody, isToolVerb)
    if (width === 0) continue
    cut(index)
    start = index + width
  }
  cut(tokens.length)
  return clauses.flatMap((clause) => splitCoordinated(clause, utterance)).slice(0, MAX_CLAUSES)
}

/** Tokens to leave out at a boundary between clauses; 0 where there is none. */
function separatorWidth(
  tokens: readonly Token[],
  index: number,
  start: number,
  inBody: boolean,
  isToolVerb: (stemmed: string) => boolean,
): number {
  const token = tokens[index]
  if (!token || index === start) return 0
  let next = index
  let sawThen = false
  let sawBreak = false
  while (next < tokens.length) {
    const word = tokens[next]?.lower ?? ''
    if (/^[.?!;]$/.test(word)) sawBreak = true
    else if (word === 'then' || word === 'afterwards' || (word === 'after' && tokens[next + 1]?.lower === 'that')) {
      sawThen = true
      if (word === 'after') next++
    } else if (!/^(,|and|but|also|plus|finally|instead)$/.test(word)) break
    next++
  }
  if (next === index || next >= tokens.length) return 0
  if (sawThen) return next - index
  if (inBody) return 0
  if (sawBreak) return next - index
  return startsWithVerb(tokens, next, isToolVerb) ? next - index : 0
}

function startsBody(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index]
  if (!token || !BODY_MARKER.test(token.lower)) return false
  if (/^(saying|says|reading)$/.test(token.lower)) return true
  if (tokens[index + 1]?.lower === ':') return true
  return (
    token.lower === 'that' &&
    ['tell', 'inform', 'say', 'write', 'reply'].some((verb) =>
      tokens.slice(Math.max(0, index - 4), index).some((before) => before.lower === verb),
    )
  )
}

function startsWithVerb(tokens: readonly Token[], index: number, isToolVerb: (stemmed: string) => boolean): boolean {
  let at = index
  while (at < tokens.length && POLITE.test(tokens[at]?.lower ?? '')) at++
  const token = tokens[at]
  if (token?.kind !== 'word') return false
  if (/^(don't|dont|do|never|what|what's|how|can|could|would|i|is|are|let's|which|who)$/.test(token.lower)) return true
  if (isToolVerb(token.stem)) return true
  if (verbClassesOf(token.stem).length === 0) return false
  // A word that can be a noun ("light", "text") counts as a verb only with something to act on.
  return tokens[at + 1] !== undefined
}

/** "add the lamp and two keyboards": one clause for each, where the verb acts on single things. */
function splitCoordinated(clause: Clause, utterance: string): Clause[] {
  if (!clause.verbs.some((verb) => COORDINATED.has(verb)) || clause.verbs.some(isReading)) return [clause]
  const parts: Token[][] = [[]]
  for (let index = 0; index < clause.tokens.length; index++) {
    const token = clause.tokens[index]
    if (!token) continue
    let next = index
    while (/^(,|and|plus)$/.test(clause.tokens[next]?.lower ?? '')) next++
    const head = clause.tokens[next]
    if (
      next > index &&
      head &&
      (/^(the|a|an|one|two|three|four|five|six|seven|eight|nine|ten|another|my)$/.test(head.lower) ||
        head.kind === 'number') &&
      index > Math.max(0, ...clause.verbTokens)
    ) {
      parts.push([])
      index = next - 1
    } else parts.at(-1)?.push(token)
  }
  if (parts.length === 1) return [clause]
  return parts
    .filter((part) => part.length > 0)
    .map((part, index) =>
      index === 0
        ? {
            ...clause,
            tokens: part,
            text: textOf(part, utterance),
            verbTokens: clause.verbTokens.filter((at) => at < part.length),
          }
        : { ...clause, tokens: part, text: textOf(part, utterance), verbTokens: [], isElliptical: true },
    )
}

function textOf(tokens: readonly Token[], utterance: string): string {
  return utterance.slice(tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0)
}

function readClause(
  part: readonly Token[],
  utterance: string,
  isToolVerb: (stemmed: string) => boolean,
  before: Clause | undefined,
): Clause | undefined {
  const { skip, isNegated, wants } = readOpening(part)
  const tokens = part.slice(skip)
  while (tokens.at(-1)?.kind === 'mark' && tokens.at(-1)?.lower !== '%') tokens.pop()
  if (tokens.length === 0) return part.length === 0 ? undefined : bareClause(part, utterance, isNegated)
  const isQuestion = !isNegated && (QUESTION_START.test(tokens[0]?.lower ?? '') || part.at(-1)?.lower === '?')
  const verb = findVerb(tokens, isToolVerb, isQuestion)
  const base = { tokens, text: textOf(tokens, utterance), isNegated, isQuestion, answers: {} }
  if (verb) return { ...base, ...verb, isElliptical: false }
  if (wants) return { ...base, verbs: ['want'], verbStem: undefined, verbTokens: [], isElliptical: false }
  if (before && before.verbs.length > 0 && !isQuestion) {
    return { ...base, verbs: before.verbs, verbStem: before.verbStem, verbTokens: [], isElliptical: true }
  }
  return { ...base, verbs: [], verbStem: undefined, verbTokens: [], isElliptical: false }
}

function bareClause(part: readonly Token[], utterance: string, isNegated: boolean): Clause {
  return {
    tokens: part,
    text: textOf(part, utterance),
    verbs: [],
    verbStem: undefined,
    verbTokens: [],
    isNegated,
    isQuestion: false,
    isElliptical: false,
    answers: {},
  }
}

/** Skips greetings and "could you please …", and notes "don't …" and "I want …". */
function readOpening(tokens: readonly Token[]): { skip: number; isNegated: boolean; wants: boolean } {
  const word = (at: number): string => tokens[at]?.lower ?? ''
  let at = 0
  let isNegated = false
  let wants = false
  for (let changed = true; changed; ) {
    changed = false
    const step = (by: number): void => {
      at += by
      changed = true
    }
    if (
      tokens[at]?.kind === 'mark' ||
      (word(at) === 'next' && word(at + 1) === ',') ||
      (POLITE.test(word(at)) && tokens.length > at + 1)
    )
      step(1)
    else if (/^(can|could|would|will|may)$/.test(word(at)) && /^(you|i|we)$/.test(word(at + 1))) step(2)
    else if (/^(don't|dont|never)$/.test(word(at)) || (word(at) === 'do' && word(at + 1) === 'not')) {
      const width = word(at) === 'do' ? 2 : 1
      if (word(at + width) === 'forget') step(width + (word(at + width + 1) === 'to' ? 2 : 1))
      else {
        isNegated = true
        step(width)
      }
    } else if (word(at) === 'go' && word(at + 1) === 'ahead') step(2)
    else if (word(at) === "let's" || (word(at) === 'let' && word(at + 1) === 'us')) step(word(at) === 'let' ? 2 : 1)
    else if (
      /^(i|we)$/.test(word(at)) &&
      /^(want|need|wanna|would|do|don't|dont|can|should|must|have)$/.test(word(at + 1))
    ) {
      const refuses = /^(don't|dont)$/.test(word(at + 1)) || word(at + 2) === 'not'
      if (refuses) isNegated = true
      wants = true
      step(2 + (/^(not)$/.test(word(at + 2)) ? 1 : 0))
    } else if (/^(i'd|we'd)$/.test(word(at))) {
      wants = true
      step(1)
    } else if (/^i'll$/.test(word(at)) && /^(take|have)$/.test(word(at + 1))) {
      wants = true
      step(2)
    } else if (
      wants &&
      /^(want|need|like|love|you|to|really|rather|have)$/.test(word(at)) &&
      at > 0 &&
      !isLikeCommand(tokens, at)
    )
      step(1)
    else if (/^(i|we)$/.test(word(at)) && /^(like|love)$/.test(word(at + 1))) step(1)
  }
  return { skip: Math.min(at, tokens.length), isNegated, wants }
}

/** "I want to like this": the second verb is what is meant. */
function isLikeCommand(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.lower === 'like' && tokens[at - 1]?.lower === 'to'
}
