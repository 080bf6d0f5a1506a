import type { Token } from './tokens.ts'

/** A number found in a sentence: its value and the tokens it covers. */
export interface NumberMention {
  readonly value: number
  /** Index of the first token. */
  readonly first: number
  /** Index after the last token. */
  readonly after: number
  /** `a` and `an` count as one only where a quantity is asked for. */
  readonly isArticle: boolean
}

const UNITS = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
    .split(' ')
    .map((word, value) => [word, value]),
)
const TENS = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ').map((word, i) => [word, 20 + 10 * i]),
)
const WHOLE = new Map([
  ['couple', 2],
  ['pair', 2],
  ['both', 2],
  ['twice', 2],
  ['dozen', 12],
  ['single', 1],
  ['once', 1],
])
const ORDINALS = new Map(
  'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ').map((word, i) => [word, i + 1]),
)

/** All numbers of a sentence, left to right. "the first one" holds none, "twenty five" one. */
export function findNumbers(tokens: readonly Token[]): NumberMention[] {
  const found: NumberMention[] = []
  let index = 0
  while (index < tokens.length) {
    const mention = readNumber(tokens, index)
    if (mention) found.push(mention)
    index = mention?.after ?? index + 1
  }
  return found
}

function readNumber(tokens: readonly Token[], first: number): NumberMention | undefined {
  const token = tokens[first]
  if (!token) return undefined
  const next = tokens[first + 1]
  if (token.kind === 'number') {
    if (token.text.includes(':') || /^\d{4}-/.test(token.text)) return undefined
    if (next && /^(st|nd|rd|th|am|pm|o'clock)$/.test(next.lower) && next.start - token.end <= 1) return undefined
    const value = Number(token.text.replaceAll(',', '').replace('−', '-'))
    const isMinus = tokens[first - 1]?.lower === 'minus' && !/\d$/.test(tokens[first - 2]?.text ?? '')
    return { value: isMinus ? -value : value, first, after: first + 1, isArticle: false }
  }
  if (token.kind !== 'word') return undefined
  if (token.lower === 'a' || token.lower === 'an') {
    if (next && WHOLE.has(next.lower))
      return { value: WHOLE.get(next.lower) ?? 1, first, after: first + 2, isArticle: false }
    if (next && /^(hundred|thousand)$/.test(next.lower))
      return { value: next.lower === 'hundred' ? 100 : 1000, first, after: first + 2, isArticle: false }
    return { value: 1, first, after: first + 1, isArticle: true }
  }
  if (token.lower === 'one' && isPronounOne(tokens, first)) return undefined
  const whole = WHOLE.get(token.lower)
  if (whole !== undefined) return { value: whole, first, after: first + 1, isArticle: false }
  return readNumberWords(tokens, first)
}

/** "the first one", "that one", "the red one": a pronoun, not a count. */
function isPronounOne(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]
  if (before?.kind !== 'word') return false
  return (
    /^(this|that|first|last|second|third|fourth|fifth|next|other|the|which|cheapest|newest|latest|oldest|same|another)$/.test(
      before.lower,
    ) || isTheBefore(tokens, index)
  )
}

function isTheBefore(tokens: readonly Token[], index: number): boolean {
  const article = tokens[index - 2]
  return article !== undefined && article.lower === 'the'
}

function readNumberWords(tokens: readonly Token[], first: number): NumberMention | undefined {
  let total = 0
  let part = 0
  let after = first
  for (; after < tokens.length; after++) {
    const word = tokens[after]?.lower ?? ''
    const unit = UNITS.get(word)
    const ten = TENS.get(word)
    if (unit !== undefined) part += unit
    else if (ten !== undefined) part += ten
    else if (word === 'hundred' && part > 0) part *= 100
    else if (word === 'thousand' && part > 0) {
      total += part * 1000
      part = 0
    } else if (
      !(
        word === 'and' &&
        after > first &&
        /^(hundred|thousand)$/.test(tokens[after - 1]?.lower ?? '') &&
        isNumberWord(tokens[after + 1]?.lower)
      )
    )
      break
  }
  if (after === first) return undefined
  return { value: total + part, first, after, isArticle: false }
}

function isNumberWord(word: string | undefined): boolean {
  return word !== undefined && (UNITS.has(word) || TENS.has(word))
}

/** A place in a list: 1 is the first, -1 the last. */
export function findOrdinal(
  tokens: readonly Token[],
): { readonly position: number; readonly index: number } | undefined {
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]
    if (!token) continue
    const word = ORDINALS.get(token.lower)
    if (word !== undefined) return { position: word, index }
    if (token.lower === 'last' || token.lower === 'bottom') return { position: -1, index }
    if (token.lower === 'top' && tokens[index - 1]?.lower === 'the') return { position: 1, index }
    const next = tokens[index + 1]
    if (token.kind === 'number' && next && /^(st|nd|rd|th)$/.test(next.lower) && next.start === token.end)
      return { position: Number(token.text), index }
    if (token.lower === 'number' && next?.kind === 'number') return { position: Number(next.text), index }
  }
  return undefined
}
