/** Words as they are compared: lower case, letters, digits and apostrophes. */
export function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu) ?? []
}

/** The same sentence for our purposes: spelling of the words, no case, no punctuation. */
export function sameWords(one: string, other: string): boolean {
  return wordsOf(one).join(' ') === wordsOf(other).join(' ')
}

const HESITATIONS = new Set([
  'uh',
  'um',
  'uhm',
  'hmm',
  'hm',
  'mm',
  'mhm',
  'mmhm',
  'huh',
  'ah',
  'er',
  'erm',
  'äh',
  'ähm',
])
const BACKCHANNELS = new Set([
  ...HESITATIONS,
  ...['yeah', 'yes', 'yep', 'ok', 'okay', 'right', 'sure', 'aha', 'oh', 'i', 'see', 'uh-huh', 'cool', 'nice', 'good'],
  ...['ja', 'genau', 'gut', 'klar', 'ach', 'so'],
])
const STOPS = new Set([
  ...['stop', 'stop it', 'stop please', 'please stop', 'stop talking', 'be quiet', 'quiet', 'silence', 'shut up'],
  ...['cancel', 'cancel that', 'cancel it', 'never mind', 'nevermind', 'enough', "that's enough", 'thats enough'],
  ...['wait', 'hold on', 'stopp', 'halt', 'ruhe', 'abbrechen'],
])
const YESES = new Set([
  'yes',
  'yes please',
  'yeah',
  'yep',
  'ok',
  'okay',
  'sure',
  'approve',
  'confirm',
  'do it',
  'go ahead',
])
const CONNECTORS = new Set([
  ...[
    'and',
    'or',
    'but',
    'to',
    'the',
    'a',
    'an',
    'of',
    'for',
    'with',
    'in',
    'on',
    'at',
    'from',
    'my',
    'your',
    'is',
    'are',
  ],
  ...['if', 'because', 'that', 'then', 'so', 'as', 'by', 'into', 'about', 'please', 'und', 'oder', 'der', 'die', 'das'],
])
const NUMBERS = new Set([
  ...['zero', 'oh', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
  ...['thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen', 'twenty', 'thirty', 'forty'],
  ...['fifty', 'sixty', 'seventy', 'eighty', 'ninety', 'hundred', 'thousand', 'point', 'double'],
])

/** Nothing but hesitation: "uh", "hmm". */
export function isHesitation(text: string): boolean {
  return wordsOf(text).every((word) => HESITATIONS.has(word))
}

/** What people say to show that they listen; it wants no answer while one is being given. */
export function isBackchannel(text: string): boolean {
  const words = wordsOf(text)
  return words.length <= 3 && words.every((word) => BACKCHANNELS.has(word))
}

/** Asks for silence and nothing else. */
export function isStop(text: string): boolean {
  return STOPS.has(wordsOf(text).join(' '))
}

/** A plain yes, as to a question whether something may be done. */
export function isYes(text: string): boolean {
  return YESES.has(wordsOf(text).join(' '))
}

/** What the last word says about going on: a connecting word or hesitation, a number, or nothing. */
export function trailing(text: string): 'connector' | 'number' | 'none' {
  const last = wordsOf(text).at(-1)
  if (last === undefined) return 'none'
  if (CONNECTORS.has(last) || HESITATIONS.has(last)) return 'connector'
  if (NUMBERS.has(last) || /^\d+$/.test(last)) return 'number'
  return 'none'
}

/** One or two words that say nothing by themselves; recognizers make them of coughs and knocks. */
export function saysNothing(text: string): boolean {
  const words = wordsOf(text)
  return (
    words.length <= 2 && words.every((word) => word !== 'please' && (CONNECTORS.has(word) || HESITATIONS.has(word)))
  )
}

/** Whether there is a word by which somebody can be known to want the word. */
export function hasContent(text: string): boolean {
  return wordsOf(text).some((word) => !CONNECTORS.has(word) && !HESITATIONS.has(word))
}

/**
 * Whether nearly all of the words stand in the spoken text, one after the other: then it is that text coming back. Short
 * repetitions are left alone, for people answer questions with the words of the question.
 */
export function isRepeatOf(text: string, spoken: string): boolean {
  const heard = wordsOf(text)
  if (heard.length < 4) return false
  const said = wordsOf(spoken)
  return said.some((_, start) => {
    let at = start
    let found = 0
    for (const word of heard) {
      const next = said.indexOf(word, at)
      if (next < 0 || next > at + 2) continue
      found += 1
      at = next + 1
    }
    return found >= Math.ceil(heard.length * 0.75)
  })
}
