import type { Clause } from './clauses.ts'
import type { Entity } from './entities.ts'
import { areSynonyms, GENERIC_NOUNS, isReading, PRONOUNS, STOP_WORDS, verbSimilarity } from './lexicon.ts'
import { isChooser, isEntityParameter } from './resolve.ts'
import { isMisspelling, stem, type Token } from './tokens.ts'
import type { KnownTool, Parameter } from './tools.ts'

/** A tool with how well it fits a clause. */
export interface Candidate {
  readonly tool: KnownTool
  readonly score: number
  /** -1 opposite, 0 unknown, up to 1 the same kind of action. */
  readonly verb: number
  /** Weight of the nouns that both name. */
  readonly nouns: number
  /** Whether it explains every word of the clause, and the clause every noun of its name. */
  readonly isWhole: boolean
}

/** Below this score no tool is called. */
export const MIN_SCORE = 1

/** Ranks tools for a clause, the best first. */
export function rankTools(clause: Clause, tools: readonly KnownTool[], entities: readonly Entity[]): Candidate[] {
  const weightOf = inverseFrequency(tools)
  const content = contentTokens(clause)
  const hasThingTool = tools.some((tool) => tool.parameters.some(isEntityParameter) && verbFit(clause, tool) > 0.3)
  const ranked = tools.map((tool) => scoreTool(clause, content, tool, weightOf, entities, hasThingTool))
  return ranked.sort((a, b) => b.score - a.score)
}

/** Tokens that carry meaning: no verb, no particles, no stop words. */
export function contentTokens(clause: Clause): Token[] {
  return clause.tokens.filter(
    (token, index) =>
      token.kind === 'word' &&
      !clause.verbTokens.includes(index) &&
      !STOP_WORDS.has(token.lower) &&
      !PRONOUNS.has(token.lower),
  )
}

/** Whether two stemmed words mean the same: 1 equal, less for synonyms and misspellings, 0 no. */
export function similarity(a: string, b: string): number {
  if (a === b) return 1
  if (areSynonyms(a, b)) return 0.75
  return isMisspelling(a, b) ? 0.7 : 0
}

function inverseFrequency(tools: readonly KnownTool[]): (word: string) => number {
  const counts = new Map<string, number>()
  for (const tool of tools) {
    const words = new Set([
      ...tool.nameStems,
      ...tool.descriptionStems,
      ...tool.parameters.flatMap((parameter) => parameter.stems),
    ])
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return (word) => Math.log(1 + tools.length / (counts.get(word) ?? 1)) / Math.log(1 + Math.max(1, tools.length))
}

/** How a tool's action fits a clause's verb. */
export function verbFit(clause: Clause, tool: KnownTool): number {
  if (
    clause.verbStem !== undefined &&
    clause.verbStem === tool.verbStem &&
    !clause.verbs.some((verb) => tool.verbs.some((other) => verbSimilarity(verb, other) < 0))
  ) {
    // "turn off" is no "turn on".
    return clause.verbs[0] === tool.verbs[0] ? 1 : 0.85
  }
  let best = clause.verbStem !== undefined && clause.verbStem === tool.otherVerbStem ? 0.8 : 0
  clause.verbs.forEach((verb, index) => {
    for (const toolVerb of tool.verbs) {
      const near = verbSimilarity(verb, toolVerb) * (index === 0 ? 1 : 0.85)
      if (near < 0 && index === 0 && best <= 0) best = -1
      else if (near > Math.max(best, 0)) best = near
    }
  })
  return best
}

function scoreTool(
  clause: Clause,
  content: readonly Token[],
  tool: KnownTool,
  weightOf: (word: string) => number,
  entities: readonly Entity[],
  hasThingTool: boolean,
): Candidate {
  let verb = verbFit(clause, tool)
  if (verb >= 0 && verb < 0.8 && switchParameter(tool) && clause.verbs.some((kind) => kind === 'on' || kind === 'off'))
    verb = 0.85
  // "Vacuum the floor": the tool's noun used as a verb.
  const first = clause.tokens[0]
  if (
    clause.verbs.length === 0 &&
    verb === 0 &&
    !clause.isQuestion &&
    clause.tokens.length > 1 &&
    first?.kind === 'word' &&
    tool.nouns.includes(first.stem)
  )
    verb = 0.5
  const matched = new Set<Token>()
  let nouns = 0
  for (const token of content) {
    const name = Math.max(0, ...tool.nouns.map((word) => similarity(word, token.stem)))
    const description = 0.5 * Math.max(0, ...tool.descriptionStems.map((word) => similarity(word, token.stem)))
    const parameter =
      0.5 *
      Math.max(
        0,
        ...tool.parameters.flatMap((entry) =>
          entry.stems.map((word) => (word === 'id' ? 0 : similarity(word, token.stem))),
        ),
      )
    const value = 0.8 * Math.max(0, ...tool.parameters.map((entry) => enumSimilarity(entry, token.stem)))
    const best = Math.max(name, description, parameter, value)
    if (best <= 0) continue
    if (best >= 0.3) matched.add(token)
    nouns += best * weightOf(token.stem) * (GENERIC_NOUNS.has(token.stem) ? 0.6 : 1)
  }
  const rest = content.filter((token) => !matched.has(token) && !isChooser(token.stem))
  const missing = tool.nouns.filter(
    (word) => !content.some((token) => similarity(word, token.stem) > 0) && !GENERIC_NOUNS.has(word),
  )
  let score = verb * 2 + Math.min(nouns, 2) * 1.2
  if (rest.length > 0) score += absorbs(tool, rest, entities) ? 0.5 : -0.5
  if (tool.nouns.length > 0) score -= (missing.length / tool.nouns.length) * 0.4
  if (hasReference(clause)) {
    // "Read the first one" is for a tool that takes one thing, not for one that takes nothing.
    if (tool.parameters.some(isEntityParameter)) score += content.every((token) => isChooser(token.stem)) ? 0.8 : 0.2
    else if (tool.parameters.length === 0 && verb < 1 && hasThingTool) score -= 0.5
  }
  if (clause.verbs.length > 0 && verb === 0) score -= 1
  if (clause.isQuestion && !tool.verbs.some(isReading)) score -= 1
  return { tool, score, verb, nouns, isWhole: rest.length === 0 && missing.length === 0 && content.length > 0 }
}

/** Whether a tool has an argument that could take words its own text does not explain. */
function absorbs(tool: KnownTool, rest: readonly Token[], entities: readonly Entity[]): boolean {
  return tool.parameters.some((parameter) => {
    if (parameter.enumValues) return false
    if (isEntityParameter(parameter))
      return (
        entities.length === 0 ||
        rest.some((token) =>
          entities.some((entity) => entity.labelStems.includes(token.stem) || entity.otherStems.has(token.stem)),
        ) ||
        parameter.isRequired
      )
    return parameter.type === 'string' || parameter.type === 'array' || parameter.type === 'any'
  })
}

function enumSimilarity(parameter: Parameter, stemmed: string): number {
  const values = parameter.enumValues ?? parameter.items?.enumValues ?? []
  return Math.max(
    0,
    ...values.flatMap((value) =>
      String(value)
        .split(/[\s_-]+/)
        .map((part) => similarity(stem(part.toLowerCase()), stemmed)),
    ),
  )
}

function hasReference(clause: Clause): boolean {
  return clause.tokens.some((token) => PRONOUNS.has(token.lower) || isChooser(token.stem))
}

/** A boolean or on/off argument that says whether something runs. */
export function switchParameter(tool: KnownTool): Parameter | undefined {
  return tool.parameters.find((parameter) => isSwitch(parameter))
}

/** Whether an argument says whether something runs. */
export function isSwitch(parameter: Parameter): boolean {
  if (parameter.type === 'boolean')
    return parameter.stems.some((word) => /^(on|off|enabl|activ|power|state|statu|switch|run|isOn)$/.test(word))
  const values = (parameter.enumValues ?? []).map((value) => String(value).toLowerCase())
  return values.includes('on') && values.includes('off')
}

/** Whether a tool only looks at things, judged by its name and its risk. */
export function isReader(tool: KnownTool): boolean {
  return (
    tool.verbs.length > 0 &&
    isReading(tool.verbs[0]) &&
    tool.declaration.risk !== 'high' &&
    tool.declaration.risk !== 'critical'
  )
}
