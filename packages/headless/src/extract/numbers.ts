/** A number found in a text, and how much of the text it is. */
export interface FoundNumber {
  readonly value: number
  /** A currency sign or code stands beside it. */
  readonly currency?: string
  readonly start: number
  readonly end: number
}

const CURRENCY =
  '[$€£¥₹₽₩₺₪฿₫₴₦]|\\b(?:USD|EUR|GBP|JPY|CHF|CNY|INR|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|ZAR|KRW|TRY|RUB|kr|zł|Kč|元)(?![\\p{L}])'
const GROUPS = "[.,'’\\u00a0\\u202f\\u2009 ]"
const NUMBER = new RegExp(`\\d{1,3}(?:${GROUPS}\\d{3})+(?:[.,]\\d+)?(?!\\d)|\\d+(?:[.,]\\d+)?`, 'gu')
const BEFORE = new RegExp(`(?:${CURRENCY})\\s*$`, 'iu')
const AFTER = new RegExp(`^\\s*(?:${CURRENCY})`, 'iu')
const SIGNS: Readonly<Record<string, string>> = {
  $: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
  '₽': 'RUB',
  '₩': 'KRW',
}
const MAX_TEXT = 10_000

/**
 * The numbers of a text as people write them: grouped by comma, point, apostrophe or space, with either decimal sign, in
 * parentheses or with a minus when negative. Where one sign could be both, the language of the page decides.
 */
export function findNumbers(text: string, language: string): readonly FoundNumber[] {
  const found: FoundNumber[] = []
  const scanned = text.slice(0, MAX_TEXT)
  for (const match of scanned.matchAll(NUMBER)) {
    const start = match.index
    const end = start + match[0].length
    const before = scanned.slice(Math.max(0, start - 8), start)
    const after = scanned.slice(end, end + 8)
    // Part of a word, a version or a date is no number of its own.
    if (/[\p{L}_]$/u.test(before) && !BEFORE.test(before)) continue
    const size = readNumber(match[0], language)
    const isNegative =
      /[-−–]\s*(?:[^\d\s]{1,3}\s*)?$/u.test(before) && !/[\p{L}\d]\s*[-−–]\s*(?:[^\d\s]{1,3}\s*)?$/u.test(before)
    const isBracketed =
      /\(\s*(?:[^\d\s)]{1,3}\s*)?$/u.test(before) && new RegExp(`^\\s*(?:${CURRENCY})?\\s*\\)`, 'iu').test(after)
    const currency = (BEFORE.exec(before)?.[0] ?? AFTER.exec(after)?.[0])?.trim()
    found.push({
      value: isNegative || (isBracketed && currency !== undefined) ? -size : size,
      ...(currency === undefined ? {} : { currency: SIGNS[currency] ?? currency }),
      start,
      end,
    })
  }
  return found
}

/** Reads one written number. */
export function readNumber(written: string, language: string): number {
  const text = written.replaceAll(/['’\u00a0\u202f\u2009 ]/g, '')
  const lastPoint = text.lastIndexOf('.')
  const lastComma = text.lastIndexOf(',')
  const decimal = decimalSign(text, lastPoint, lastComma, language)
  const grouping = decimal === '.' ? ',' : '.'
  const plain = text.replaceAll(grouping, '').replace(decimal ?? '\u0000', '.')
  return Number(decimal === undefined ? text.replaceAll(/[.,]/g, '') : plain)
}

function decimalSign(text: string, lastPoint: number, lastComma: number, language: string): '.' | ',' | undefined {
  if (lastPoint < 0 && lastComma < 0) return undefined
  if (lastPoint >= 0 && lastComma >= 0) return lastPoint > lastComma ? '.' : ','
  const sign = lastPoint >= 0 ? '.' : ','
  const parts = text.split(sign)
  if (parts.length > 2) return undefined
  const [whole = '', rest = ''] = parts
  const couldGroup = rest.length === 3 && whole.length >= 1 && whole.length <= 3 && whole !== '0'
  return couldGroup && decimalOf(language) !== sign ? undefined : sign
}

const decimals = new Map<string, string>()

/** The decimal sign of a language; a point where the language is not known. */
export function decimalOf(language: string): string {
  let sign = decimals.get(language)
  if (sign === undefined) {
    try {
      sign = new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'
    } catch {
      sign = '.'
    }
    if (decimals.size < 200) decimals.set(language, sign)
  }
  return sign
}
