const months = new Map<string, ReadonlyMap<string, number>>()

/**
 * Reads a date as people write it and gives it in ISO form: `2026-11-29`, with time where there is one. 29.11.2026 is day
 * first; 11/29/2026 is by the language of the page, and the only possible way where only one is possible.
 */
export function readDate(text: string, language: string): string | undefined {
  const given = text.trim().slice(0, 200)
  const iso = /(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?/.exec(given)
  if (iso !== null) {
    const date = toIso(Number(iso[1]), Number(iso[2]), Number(iso[3]))
    return date === undefined || iso[4] === undefined ? date : `${date}T${iso[4]}${iso[5] ?? ''}`
  }
  const time = timeIn(given)
  const date = numeric(given, language) ?? written(given, language)
  return date === undefined ? undefined : time === undefined ? date : `${date}T${time}`
}

function numeric(text: string, language: string): string | undefined {
  const parts = /(?<!\d)(\d{1,4})\s*([./-])\s*(\d{1,2})\s*\2\s*(\d{2,4})(?!\d)/.exec(text)
  if (parts === null) return undefined
  const [, first = '', sign = '', second = '', third = ''] = parts
  if (first.length === 4) return toIso(Number(first), Number(second), Number(third))
  const year = third.length === 2 ? 2_000 + Number(third) : Number(third)
  const dayFirst = toIso(year, Number(second), Number(first))
  const monthFirst = toIso(year, Number(first), Number(second))
  if (sign === '.') return dayFirst
  const isAmerican = /^en(-(US|PH|CA))?$/i.test(language)
  return isAmerican ? (monthFirst ?? dayFirst) : (dayFirst ?? monthFirst)
}

function written(text: string, language: string): string | undefined {
  for (const locale of new Set([language, 'en'])) {
    const names = monthNames(locale)
    const words = text.toLowerCase().match(/\p{L}+\.?/gu) ?? []
    const month = words.map((word) => names.get(word.replace('.', ''))).find((found) => found !== undefined)
    if (month === undefined) continue
    const year = /(?<!\d)(\d{4})(?!\d)/.exec(text)?.[1]
    const day = /(?<![\d:])(\d{1,2})(?:st|nd|rd|th|\.|er)?(?![\d:])/i.exec(text.replace(year ?? '\u0000', ' '))?.[1]
    if (year !== undefined && day !== undefined) return toIso(Number(year), month, Number(day))
  }
  return undefined
}

function timeIn(text: string): string | undefined {
  const parts = /(?<!\d)([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?\s*(am|pm)?/i.exec(text)
  if (parts === null) return undefined
  let hour = Number(parts[1])
  const half = parts[4]?.toLowerCase()
  if (half === 'pm' && hour < 12) hour += 12
  if (half === 'am' && hour === 12) hour = 0
  return `${String(hour).padStart(2, '0')}:${parts[2]}${parts[3] === undefined ? '' : `:${parts[3]}`}`
}

/** Month names of a language, long and short, by name. */
function monthNames(locale: string): ReadonlyMap<string, number> {
  const known = months.get(locale)
  if (known !== undefined) return known
  const names = new Map<string, number>()
  try {
    for (const style of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(locale, { month: style, day: 'numeric', timeZone: 'UTC' })
      for (let month = 0; month < 12; month++) {
        const name = format.formatToParts(Date.UTC(2026, month, 15)).find(({ type }) => type === 'month')?.value
        if (name !== undefined) names.set(name.toLowerCase().replace('.', ''), month + 1)
      }
    }
  } catch {
    // An unknown language has no month names; English ones are tried after it.
  }
  if (months.size < 100) months.set(locale, names)
  return names
}

function toIso(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isReal
    ? `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
    : undefined
}
