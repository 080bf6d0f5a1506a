const ONES = [
  ...[
    'zero',
    'one',
    'two',
    'three',
    'four',
    'five',
    'six',
    'seven',
    'eight',
    'nine',
    'ten',
    'eleven',
    'twelve',
    'thirteen',
  ],
  ...['fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'],
]
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']

/** The words a person says for a number of up to six digits; longer ones digit by digit. */
export function sayNumber(digits: string): string {
  const value = Number(digits)
  if (!Number.isSafeInteger(value) || digits.length > 6)
    return [...digits].map((digit) => ONES[Number(digit)]).join(' ')
  if (value < 20) return ONES[value] as string
  if (value < 100) return [TENS[Math.floor(value / 10)], value % 10 ? ONES[value % 10] : ''].join(' ').trim()
  if (value < 1_000) return join(`${ONES[Math.floor(value / 100)]} hundred`, value % 100)
  return join(`${sayNumber(String(Math.floor(value / 1_000)))} thousand`, value % 1_000)
}

function join(head: string, rest: number): string {
  return rest === 0 ? head : `${head} ${sayNumber(String(rest))}`
}

/**
 * The words a person says for a name as programs write it: `addToCart`, `living_room`, `WH-1000XM5`, "Crème brûlée (2 pcs)".
 * Lower case, letters and apostrophes only; empty when nothing can be said.
 */
export function sayWords(text: string): readonly string[] {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[’‘]/g, "'")
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/&/g, ' and ')
    .replace(/%/g, ' percent ')
    .replace(/\d+/g, (digits) => ` ${sayNumber(digits)} `)
    .toLowerCase()
    .replace(/[^a-z']+/g, ' ')
    .split(' ')
    .map((word) => word.replace(/^'+|'+$/g, ''))
    .filter((word) => word !== '')
}

/** The other number of a noun, as most of them form it: light and lights, box and boxes, battery and batteries. */
export function otherNumber(word: string): string | undefined {
  if (word.length < 3 || /(?:ss|us|is)$/.test(word)) return undefined
  if (/ies$/.test(word)) return `${word.slice(0, -3)}y`
  if (/(?:[sx]|ch|sh)es$/.test(word)) return word.slice(0, -2)
  if (word.endsWith('s')) return word.slice(0, -1)
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`
  return /(?:[sxz]|ch|sh)$/.test(word) ? `${word}es` : `${word}s`
}
