/** A stretch of text that is spoken in one go, with its place in the whole. */
export interface Sentence {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** A point after one of these does not end a sentence. */
const ABBREVIATION = /\b(?:Dr|Mr|Mrs|Ms|Prof|St|Mt|vs|No|approx|e\.g|i\.e|a\.m|p\.m|[A-Z])\.\s*$/

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/**
 * Cuts text into sentences. A first sentence of more than `firstWords` words is cut at a clause, so that speech starts soon;
 * any stretch over `maxCharacters` is cut at a clause, else between words, else anywhere.
 */
export function splitSentences(text: string, firstWords: number, maxCharacters: number): readonly Sentence[] {
  const whole: Sentence[] = []
  for (const { segment, index } of segmenter.segment(text)) {
    const before = whole.at(-1)
    if (before && ABBREVIATION.test(before.text)) {
      whole[whole.length - 1] = slice(text, before.start, index + segment.length)
    } else {
      whole.push(slice(text, index, index + segment.length))
    }
  }
  const first = whole[0]
  const clause = first && firstClause(first, firstWords)
  if (first && clause) {
    whole.splice(0, 1, slice(text, first.start, first.start + clause), slice(text, first.start + clause, first.end))
  }
  return whole
    .flatMap((sentence) => bounded(text, sentence, maxCharacters))
    .filter((sentence) => sentence.text.trim() !== '')
}

function slice(text: string, start: number, end: number): Sentence {
  return { text: text.slice(start, end), start, end }
}

/** Where the first clause of a long sentence ends, if it has one of at least two words within `words` words. */
function firstClause(sentence: Sentence, words: number): number | undefined {
  if (countWords(sentence.text) <= words) return undefined
  for (const match of sentence.text.matchAll(/[,;:](?=\s)/g)) {
    const count = countWords(sentence.text.slice(0, match.index))
    if (count > words) return undefined
    if (count >= 2) return match.index + 1
  }
  return undefined
}

function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0
}

function bounded(text: string, sentence: Sentence, maxCharacters: number): Sentence[] {
  const parts: Sentence[] = []
  let { start } = sentence
  while (sentence.end - start > maxCharacters) {
    const window = text.slice(start, start + maxCharacters)
    const clause = window.search(/[,;:]\s[^,;:]*$/)
    const space = window.search(/\s\S*$/)
    const length = clause > maxCharacters / 3 ? clause + 1 : space > 0 ? space : maxCharacters
    parts.push(slice(text, start, start + length))
    start += length
  }
  parts.push(slice(text, start, sentence.end))
  return parts
}
