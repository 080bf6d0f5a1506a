/** A word, number, quotation, address or mark of a sentence, with its place. */
export interface Token {
  readonly kind: 'word' | 'number' | 'quote' | 'email' | 'url' | 'mark'
  /** As written; the inside of a quotation. */
  readonly text: string
  readonly lower: string
  /** The word without its endings; equal for `remove`, `removed` and `removing`. */
  readonly stem: string
  readonly start: number
  readonly end: number
}

const TOKEN =
  /(?<quote>"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|(?<![\p{L}\p{N}])'[^']+'(?![\p{L}\p{N}]))|(?<email>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)|(?<url>https?:\/\/[^\s]+)|(?<number>\d{1,2}:\d{2}(?::\d{2})?|\d{4}-\d{2}-\d{2}|(?:(?<![^\s(])[-−])?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?))|(?<word>\p{L}[\p{L}\p{M}\p{N}]*(?:['’]\p{L}+)?)|(?<mark>[,;:.?!%$€£°])/gu

/** Longest utterance that is read; the rest is left out. */
export const MAX_UTTERANCE_CHARACTERS = 2000

/** Cuts a sentence into tokens. Hyphens and underscores separate words. */
export function tokenize(sentence: string): Token[] {
  const tokens: Token[] = []
  for (const match of sentence.slice(0, MAX_UTTERANCE_CHARACTERS).matchAll(TOKEN)) {
    const groups = match.groups ?? {}
    const kind = (['quote', 'email', 'url', 'number', 'word', 'mark'] as const).find(
      (name) => groups[name] !== undefined,
    )
    if (kind === undefined) continue
    const raw = match[0]
    const text = kind === 'quote' ? raw.slice(1, -1) : raw
    const lower = text.toLowerCase().replaceAll('’', "'")
    tokens.push({ kind, text, lower, stem: stem(lower), start: match.index, end: match.index + raw.length })
  }
  return tokens
}

/** Words of an identifier or a phrase: `addToCart`, `add_to_cart` and "add to cart" give the same three, lower-case. */
export function identifierWords(name: string): string[] {
  return name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}']+/u)
    .filter((word) => word !== '')
}

const VOWEL = /[aeiouy]/

/** A light English stemmer; other languages lose at most a final s or e. */
export function stem(word: string): string {
  let base = word.replace(/'s$|'$/, '')
  if (base.length > 4 && /i(es|ed)$/.test(base)) base = `${base.slice(0, -3)}y`
  else if (base.length > 4 && /(ss|sh|ch|x|z)es$/.test(base)) base = base.slice(0, -2)
  else if (base.length > 3 && /[^sui]s$/.test(base)) base = base.slice(0, -1)
  for (const ending of ['ing', 'ed']) {
    const rest = base.slice(0, -ending.length)
    if (base.endsWith(ending) && rest.length >= 3 && VOWEL.test(rest)) {
      base = rest
      break
    }
  }
  if (base.length > 3 && base.endsWith('e')) base = base.slice(0, -1)
  if (base.length > 2 && base.at(-1) === base.at(-2) && !VOWEL.test(base.at(-1) ?? '')) base = base.slice(0, -1)
  return base
}

/** Whether two words differ by one letter put in, left out or exchanged; false for words under five letters. */
export function isMisspelling(a: string, b: string): boolean {
  if (a === b) return true
  if (Math.min(a.length, b.length) < 5 || Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let endA = a.length
  let endB = b.length
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--
    endB--
  }
  if (endA - start <= 1 && endB - start <= 1) return true
  return endA - start === 2 && endB - start === 2 && a[start] === b[start + 1] && a[start + 1] === b[start]
}
