import type { SpeechHints, SpeechToolHint } from '@domos/spec'
import {
  choice,
  type Expansion,
  type Grammar,
  optional,
  phrase,
  repeated,
  rule,
  sequence,
  weighted,
} from './grammar.ts'
import type { PocketsphinxLimits } from './limits.ts'
import { readSchema } from './schema-values.ts'
import { otherNumber, sayWords } from './spoken-words.ts'
import { ALWAYS, ARTICLES, POLITE_ENDINGS, POLITE_OPENINGS, PREPOSITIONS, phrasesOfVerb, STOP_WORDS } from './verbs.ts'

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
  if (vocabulary.length > 0) rules.set('vocabulary', inBothNumbers(vocabulary, 0.5))
  const tools = (hints.tools ?? []).slice(0, limits.maxGrammarTools)
  budget.leftOut += (hints.tools?.length ?? 0) - tools.length

  rules.set('article', earlierMoreLikely(ARTICLES))
  rules.set('link', LINK_WORDS)
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
            rarely(choice(POLITE_OPENINGS.map(phrase))),
            choice(requests),
            rarely(choice(POLITE_ENDINGS.map(phrase))),
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
  const valuePhrases = budget.spend(schema.values.map(sayWords))
  const values: Expansion[] = valuePhrases.length > 0 ? [inBothNumbers(valuePhrases, 0.2)] : []
  if (schema.hasFreeText && context.hasVocabulary) values.push(rule('vocabulary'))
  if (schema.hasNumber) values.push(rule('number'))
  if (schema.hasRequired && values.length === 0 && !schema.hasBoolean) return undefined

  const known = new Set(valuePhrases)
  const nounPhrases = unique([...nouns, ...schema.names.map((name) => sayWords(name).join(' '))]).filter(
    (noun) => noun !== '' && noun !== 'on' && noun !== 'off' && !known.has(noun),
  )
  const noun = nounPhrases.length > 0 ? define(rules, `noun${index}`, inBothNumbers(nounPhrases, 0.1)) : undefined
  const value = values.length > 0 ? define(rules, `value${index}`, choice(values)) : undefined
  const verb = earlierMoreLikely(verbs)

  // On and off stand without an article: "turn off the light", "turn the light off".
  const state = schema.hasBoolean ? [define(rules, 'state', choice(['on', 'off']))] : []
  const slot = [...(value ? [value] : []), ...(noun ? [noun] : [])].map((part) => sequence(LINKED, part))
  const after = [...slot, ...state]
  if (after.length === 0) return verb
  const more = optional(repeated(choice(after)))
  const first = [...(value ? [value] : []), ...(noun ? [noun] : [])].map((part) => sequence(ARTICLE, part))
  if (!schema.hasRequired) return sequence(verb, optional(sequence(choice([...first, ...state]), more)))
  const filled = [...(value ? [sequence(LINKED, value)] : []), ...state]
  const named = noun && sequence(ARTICLE, noun, optional(repeated(sequence(LINKED, noun))))
  const forms: (readonly [number, Expansion])[] = []
  // "Add a lamp", "turn off the light", "turn the light off".
  if (value) forms.push([1, sequence(verb, ARTICLE, value, more)])
  for (const each of state)
    forms.push([1, slot.length > 0 ? sequence(verb, each, choice(slot), more) : sequence(verb, each)])
  if (named) forms.push([1, sequence(verb, named, choice(filled), more)])
  // "Kitchen lights off": no verb, but a value and a noun.
  if (named) forms.push([0.1, sequence(named, choice(filled), more)])
  if (named && value) forms.push([0.1, sequence(ARTICLE, value, LINKED, noun, more)])
  return weighted(forms)
}

function define(rules: Map<string, Expansion>, name: string, expansion: Expansion): Expansion {
  rules.set(name, expansion)
  return rule(name)
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
const TENS = ['ten', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
const NUMBER: Expansion = weighted([
  [4, earlierMoreLikely(DIGITS)],
  [
    1,
    choice([
      'zero',
      'eleven',
      'twelve',
      'thirteen',
      'fourteen',
      'fifteen',
      'sixteen',
      'seventeen',
      'eighteen',
      'nineteen',
    ]),
  ],
  [1, sequence(choice(TENS), optional(choice(DIGITS)))],
  [0.3, sequence(choice(TENS), 'percent')],
  [0.3, choice(['a hundred', 'one hundred', 'a couple of', 'a dozen'].map(phrase))],
])

const LINK_WORDS: Expansion = weighted([
  [2, earlierMoreLikely(ARTICLES.filter((article) => !article.startsWith('me ')))],
  [2, sequence(earlierMoreLikely(PREPOSITIONS), optional(choice(['the', 'my', 'a', 'an', 'this', 'that'])))],
])

const ARTICLE: Expansion = optional(rule('article'))
const LINKED: Expansion = weighted([
  [0.6, sequence()],
  [0.4, rule('link')],
])

/** A choice whose first members are the likelier ones. */
function earlierMoreLikely(phrases: readonly string[]): Expansion {
  return weighted(phrases.map((text, index) => [Math.round(100 / (index + 3)) / 10, phrase(text)]))
}

/** The part or, more likely, nothing. */
function rarely(part: Expansion): Expansion {
  return weighted([
    [0.7, sequence()],
    [0.3, part],
  ])
}

/** Each phrase as it is or, less likely, with its last word in the other number. */
function inBothNumbers(phrases: readonly string[], otherWeight: number): Expansion {
  const others = unique(phrases.flatMap(inOtherNumber)).filter((text) => !phrases.includes(text))
  return weighted([
    ...phrases.map((text) => [1, phrase(text)] as const),
    ...others.map((text) => [otherWeight, phrase(text)] as const),
  ])
}

function inOtherNumber(text: string): readonly string[] {
  const words = text.split(' ')
  const other = otherNumber(words.at(-1) ?? '')
  return other === undefined ? [] : [[...words.slice(0, -1), other].join(' ')]
}

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

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}
