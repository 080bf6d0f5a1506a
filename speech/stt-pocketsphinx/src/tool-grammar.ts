import type { SpeechHints, SpeechToolHint } from '@domos/spec'
import { choice, type Expansion, type Grammar, optional, phrase, repeated, rule, sequence } from './grammar.ts'
import type { PocketsphinxLimits } from './limits.ts'
import { readSchema } from './schema-values.ts'
import { otherNumber, sayWords } from './spoken-words.ts'
import { ALWAYS, GLUE, phrasesOfVerb, POLITE_ENDINGS, POLITE_OPENINGS, STOP_WORDS } from './verbs.ts'

/** A grammar made from hints, and how much of them did not fit. */
export interface HintGrammar {
  readonly grammar: Grammar
  /** Tools, values, phrases and vocabulary entries left out by a limit. */
  readonly leftOut: number
}

type GrammarLimits = Pick<PocketsphinxLimits, 'maxGrammarTools' | 'maxGrammarPhrases' | 'maxPhraseWords'>

const ORDINARY_DESCRIPTION_WORDS = 8

/**
 * How people will ask for these tools: a verb, then the tool's values and nouns in any order with small words between
 * them. A tool with required arguments needs at least one value to make a complete sentence. Free text that no vocabulary
 * covers is left to general language.
 */
export function grammarFromHints(hints: SpeechHints, limits: GrammarLimits): HintGrammar {
  const budget = createBudget(limits)
  const rules = new Map<string, Expansion>()
  const phrases = budget.spend((hints.phrases ?? []).map(sayWords))
  const vocabulary = budget.spend((hints.vocabulary ?? []).map(sayWords))
  if (vocabulary.length > 0) rules.set('vocabulary', choice(bothNumbers(vocabulary).map(phrase)))
  const tools = (hints.tools ?? []).slice(0, limits.maxGrammarTools)
  budget.leftOut += (hints.tools?.length ?? 0) - tools.length

  rules.set('glue', choice(GLUE.map(phrase)))
  rules.set('number', NUMBER)
  const commands = tools.flatMap((tool, index) => {
    const command = commandOf(tool, index, { rules, budget, hasVocabulary: vocabulary.length > 0 })
    return command === undefined ? [] : [command]
  })
  const requests = [...commands, ...phrases.map(phrase)]
  const always = choice(ALWAYS.map(phrase))
  const start =
    requests.length === 0
      ? always
      : choice([
          sequence(
            optional(choice(POLITE_OPENINGS.map(phrase))),
            choice(requests),
            optional(choice(POLITE_ENDINGS.map(phrase))),
          ),
          always,
        ])
  return { grammar: { start, rules }, leftOut: budget.leftOut }
}

interface CommandContext {
  readonly rules: Map<string, Expansion>
  readonly budget: Budget
  readonly hasVocabulary: boolean
}

function commandOf(tool: SpeechToolHint, index: number, context: CommandContext): Expansion | undefined {
  const { rules, budget } = context
  const schema = readSchema(tool.parameters)
  const { verbs, nouns } = partsOf(tool)
  const valuePhrases = bothNumbers(budget.spend(schema.values.map(sayWords)))
  const values: Expansion[] = valuePhrases.map(phrase)
  if (schema.hasBoolean) values.push('on', 'off')
  if (schema.hasNumber) values.push(rule('number'))
  if (schema.hasFreeText && context.hasVocabulary) values.push(rule('vocabulary'))
  if (schema.hasRequired && values.length === 0) return undefined

  const known = new Set(valuePhrases)
  const nounPhrases = [...nouns, ...schema.names.map((name) => sayWords(name).join(' '))]
  const others = bothNumbers(unique(nounPhrases.filter((noun) => noun !== '' && !known.has(noun))))
    .filter((noun) => !known.has(noun))
    .map(phrase)
  if (values.length > 0) rules.set(`value${index}`, choice(values))
  if (others.length > 0) rules.set(`noun${index}`, choice(others))
  const slots = [
    ...(values.length > 0 ? [rule(`value${index}`)] : []),
    ...(others.length > 0 ? [rule(`noun${index}`)] : []),
  ]
  const verb = choice(verbs.map(phrase))
  if (slots.length === 0) return verb
  const some = repeated(sequence(optional(rule('glue')), choice(slots)))
  if (!schema.hasRequired) return sequence(verb, optional(some))
  return sequence(verb, optional(some), optional(rule('glue')), rule(`value${index}`), optional(some))
}

/** Verb phrases and nouns of a tool, from its name and the first sentence of its description. */
function partsOf(tool: SpeechToolHint): { readonly verbs: readonly string[]; readonly nouns: readonly string[] } {
  const name = sayWords(tool.name).slice(0, 8)
  const verbs: string[] = []
  const nouns: string[] = []
  for (const word of name) {
    const phrases = phrasesOfVerb(word)
    if (phrases) verbs.push(...phrases)
    else if (!STOP_WORDS.has(word)) nouns.push(word)
  }
  const description = sayWords(tool.description.split(/[.!?\n]/, 1)[0] ?? '')
  const opening = description[0] === undefined ? undefined : phrasesOfVerb(description[0])
  if (opening) verbs.push(...opening)
  const content = description.slice(opening ? 1 : 0).filter((word) => !STOP_WORDS.has(word) && word.length > 2)
  nouns.push(...content.slice(0, ORDINARY_DESCRIPTION_WORDS))
  // The name itself said aloud is always a way to ask.
  if (name.length > 0) verbs.push(name.join(' '))
  return { verbs: unique(verbs), nouns: unique(nouns) }
}

const DIGITS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const NUMBER: Expansion = choice([
  ...['zero', 'a', 'half', ...DIGITS, 'ten', 'eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen'],
  ...['seventeen', 'eighteen', 'nineteen', 'a hundred', 'one hundred', 'a couple of', 'a dozen'].map(phrase),
  sequence(
    choice(['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']),
    optional(choice(DIGITS)),
  ),
  sequence(choice(['ten', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety', 'hundred']), 'percent'),
])

interface Budget {
  leftOut: number
  /** The phrases that fit, as text, without repetitions. */
  spend(phrases: readonly (readonly string[])[]): readonly string[]
}

function createBudget(limits: GrammarLimits): Budget {
  let left = limits.maxGrammarPhrases
  return {
    leftOut: 0,
    spend(phrases) {
      const usable = phrases.filter((words) => words.length > 0 && words.length <= limits.maxPhraseWords)
      const texts = unique(usable.map((words) => words.join(' ')))
      const kept = texts.slice(0, left)
      left -= kept.length
      this.leftOut += phrases.length - usable.length + texts.length - kept.length
      return kept
    },
  }
}

/** Each phrase as it is, and with its last word in the other number. */
function bothNumbers(phrases: readonly string[]): readonly string[] {
  return unique(
    phrases.flatMap((text) => {
      const words = text.split(' ')
      const other = otherNumber(words.at(-1) as string)
      return other === undefined ? [text] : [text, [...words.slice(0, -1), other].join(' ')]
    }),
  )
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}
