import { PRONOUNS, phrasalVerbClass, type VerbClass, verbClassesOf } from './lexicon.ts'
import { stem, type Token } from './tokens.ts'

/** Words a question begins with. */
export const QUESTION_START =
  /^(what|what's|whats|which|who|who's|whose|how|is|are|do|does|did|have|has|when|where|why|where's|any|was|were|am)$/
const PARTICLES = /^(on|off|up|down|out|for|away|in|back|of|rid|to|at|aside)$/

/** The verb of a clause. */
export interface Verb {
  readonly verbs: readonly VerbClass[]
  readonly verbStem: string
  readonly verbTokens: readonly number[]
}

/** Finds what a clause asks to be done; nothing when it has no verb. */
export function findVerb(
  tokens: readonly Token[],
  isToolVerb: (stemmed: string) => boolean,
  isQuestion: boolean,
): Verb | undefined {
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]
    if (token?.kind !== 'word') continue
    if (isQuestion && index === 0 && QUESTION_START.test(token.lower)) {
      // "Which lights are on?" asks, it does not switch.
      return { verbs: questionVerbs(tokens), verbStem: stem(token.lower), verbTokens: [0] }
    }
    if (
      /^(take|bring)$/.test(token.lower) &&
      /^(me|us)$/.test(tokens[index + 1]?.lower ?? '') &&
      tokens[index + 2]?.lower !== 'a'
    ) {
      return { verbs: ['go', 'open'], verbStem: 'go', verbTokens: [index] }
    }
    // "My account was deleted" tells something; what is asked for stands in the base form.
    if (index > 0 && /[^e]ed$/.test(token.lower) && token.lower.length > 4) continue
    const fixed = findIdiom(tokens, index)
    if (fixed) return fixed
    const phrasal = findParticle(tokens, index)
    if (phrasal)
      return {
        verbs: withAll([phrasal.verbClass, ...verbClassesOf(token.stem).filter((verb) => verb === 'set')], tokens),
        verbStem: `${token.stem} ${tokens[phrasal.index]?.lower}`,
        verbTokens: [index, phrasal.index],
      }
    const classes = verbClassesOf(token.stem)
    if (classes.length > 0 && (index === 0 || !isNounPlace(tokens, index))) {
      const usable = /^(on|off|up|down)$/.test(token.lower) ? [] : classes
      if (usable.length > 0) return { verbs: withAll(usable, tokens), verbStem: token.stem, verbTokens: [index] }
    }
    if (isToolVerb(token.stem) && (index === 0 || !isNounPlace(tokens, index)))
      return { verbs: classes, verbStem: token.stem, verbTokens: [index] }
  }
  // "kitchen lights off", "lights off in the hall"
  const state = tokens.findIndex(
    (token, index) =>
      index > 0 &&
      /^(on|off)$/.test(token.lower) &&
      (index === tokens.length - 1 || (token.lower === 'off' && /^(in|at|of)$/.test(tokens[index + 1]?.lower ?? ''))),
  )
  if (state > 0)
    return { verbs: [tokens[state]?.lower === 'on' ? 'on' : 'off', 'set'], verbStem: 'turn', verbTokens: [state] }
  if (isQuestion) return { verbs: questionVerbs(tokens), verbStem: 'get', verbTokens: [] }
  return undefined
}

/** "Make it three" sets, "get me a mug" wants. */
function findIdiom(tokens: readonly Token[], index: number): Verb | undefined {
  const [verb, object, next] = tokens.slice(index, index + 3)
  if (!verb || !object || !next) return undefined
  const isCounted =
    next.kind === 'number' || /^(a|an|another|one|two|three|four|five|six|seven|eight|nine|ten)$/.test(next.lower)
  if (!isCounted) return undefined
  if (verb.lower === 'make' && /^(it|that|them)$/.test(object.lower))
    return { verbs: ['set'], verbStem: 'set', verbTokens: [index] }
  const isReport = tokens
    .slice(index + 3, index + 5)
    .some((token) => /^(list|summary|overview|report|hint|answer|moment)$/.test(token.lower))
  if (/^(get|give|bring)$/.test(verb.lower) && /^(me|us)$/.test(object.lower) && !isReport)
    return { verbs: ['want'], verbStem: 'want', verbTokens: [index] }
  return undefined
}

/** "Do you have …", "are there any …" ask to look for something; other questions ask for what is known. */
function questionVerbs(tokens: readonly Token[]): readonly VerbClass[] {
  const text = tokens.map((token) => token.lower).join(' ')
  if (/\b(way|possible)\b/.test(text)) return ['get']
  return /\b(do|does|have|has|can) (you|i|we|they) (have|sell|got|get|stock|offer|find)\b|\b(are|is) there\b|\bany\b/.test(
    text,
  )
    ? ['get', 'find']
    : ['get']
}

/** "Remove everything" empties. */
function withAll(verbs: readonly VerbClass[], tokens: readonly Token[]): readonly VerbClass[] {
  return verbs.includes('remove') && tokens.some((token) => /^(everything|all)$/.test(token.lower))
    ? ['clear', ...verbs]
    : verbs
}

/** After an article, a possessive or a number a word is a noun: "my order", "the light". */
function isNounPlace(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]
  if (!before) return false
  if (before.kind === 'number') return true
  if (PRONOUNS.has(before.lower)) return !/^(it|them)$/.test(before.lower)
  return (
    /^(a|an|the|my|your|our|his|her|their|in|to|of|for|with|about|from|at|on|into|onto|by|new|last|first|all|every|one|two|three|four|five|six|seven|eight|nine|ten)$/.test(
      before.lower,
    ) && !(before.lower === 'to' && index === 1)
  )
}

function findParticle(tokens: readonly Token[], index: number): { verbClass: VerbClass; index: number } | undefined {
  const verb = tokens[index]
  if (!verb) return undefined
  for (let at = index + 1; at < Math.min(tokens.length, index + 8); at++) {
    const particle = tokens[at]
    if (!particle || !PARTICLES.test(particle.lower)) continue
    const verbClass = phrasalVerbClass(verb.stem, particle.lower)
    if (!verbClass) continue
    // Away from its verb, only a particle that ends the phrase belongs to it: "turn the lights off".
    if (at > index + 1 && !/^(on|off|up|down|out|away|back)$/.test(particle.lower)) continue
    return { verbClass, index: at }
  }
  return undefined
}
