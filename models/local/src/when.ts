import type { Token } from './tokens.ts'

/** A day or a time of day found in a sentence. */
export interface WhenMention {
  /** `YYYY-MM-DD` where a day was named. */
  readonly date: string | undefined
  /** `HH:MM` where a time was named. */
  readonly time: string | undefined
  /** Indices of the tokens it covers. */
  readonly tokens: readonly number[]
}

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const DAY_MS = 86_400_000
const TIMES = new Map([
  ['noon', '12:00'],
  ['midday', '12:00'],
  ['midnight', '00:00'],
])

/**
 * Finds a day and a time: "tomorrow at 5 pm", "next Friday", "2027-03-01", "March 3rd", "7:30".
 * @param now epoch milliseconds; days are counted in UTC
 */
export function findWhen(tokens: readonly Token[], now: number): WhenMention | undefined {
  let date: string | undefined
  let time: string | undefined
  const used: number[] = []
  for (let index = 0; index < tokens.length; index++) {
    const day = date === undefined ? readDay(tokens, index, now) : undefined
    if (day) {
      date = day.date
      used.push(...day.tokens)
      continue
    }
    const hour = time === undefined ? readTime(tokens, index) : undefined
    if (hour) {
      time = hour.time
      used.push(...hour.tokens)
    }
  }
  for (const index of [...used]) {
    if (/^(at|on|for|by|from|next|this)$/.test(tokens[index - 1]?.lower ?? '')) used.push(index - 1)
  }
  return used.length === 0 ? undefined : { date, time, tokens: used }
}

function readDay(tokens: readonly Token[], index: number, now: number): { date: string; tokens: number[] } | undefined {
  const word = tokens[index]?.lower ?? ''
  const next = tokens[index + 1]
  if (/^\d{4}-\d{2}-\d{2}$/.test(word)) return { date: word, tokens: [index] }
  if (word === 'today' || word === 'tonight') return { date: isoDate(now), tokens: [index] }
  if (word === 'tomorrow') return { date: isoDate(now + DAY_MS), tokens: [index] }
  if (word === 'yesterday') return { date: isoDate(now - DAY_MS), tokens: [index] }
  const weekday = DAYS.indexOf(word)
  if (weekday >= 0) {
    const ahead = (weekday - new Date(now).getUTCDay() + 7) % 7 || 7
    return { date: isoDate(now + ahead * DAY_MS), tokens: [index] }
  }
  const month = MONTHS.findIndex(
    (name) => word === name || (word.length === 3 && name.startsWith(word) && word !== 'may'),
  )
  if (month >= 0) {
    const before = tokens[index - 1]?.lower === 'of' ? tokens[index - 2] : tokens[index - 1]
    if (next?.kind === 'number' && Number(next.text) <= 31)
      return { date: dayOf(now, month, Number(next.text)), tokens: [index, index + 1, ...suffix(tokens, index + 2)] }
    const earlier = before && /^(st|nd|rd|th)$/.test(before.lower) ? tokens[tokens.indexOf(before) - 1] : before
    if (earlier?.kind === 'number' && Number(earlier.text) <= 31) {
      const first = tokens.indexOf(earlier)
      return {
        date: dayOf(now, month, Number(earlier.text)),
        tokens: Array.from({ length: index - first + 1 }, (_, offset) => first + offset),
      }
    }
  }
  return undefined
}

function suffix(tokens: readonly Token[], index: number): number[] {
  return /^(st|nd|rd|th)$/.test(tokens[index]?.lower ?? '') ? [index] : []
}

function dayOf(now: number, month: number, day: number): string {
  const today = new Date(now)
  const year = today.getUTCFullYear()
  const this_ = Date.UTC(year, month, day)
  return isoDate(this_ < now - DAY_MS ? Date.UTC(year + 1, month, day) : this_)
}

function isoDate(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

function readTime(tokens: readonly Token[], index: number): { time: string; tokens: number[] } | undefined {
  const token = tokens[index]
  const next = tokens[index + 1]
  const fixed = TIMES.get(token?.lower ?? '')
  if (fixed) return { time: fixed, tokens: [index] }
  const spoken = readSpokenTime(tokens, index)
  if (spoken) return spoken
  if (token?.kind !== 'number') return undefined
  const half = next && /^(am|pm|o'clock)$/.test(next.lower) ? next.lower : undefined
  if (!half && !token.text.includes(':')) return undefined
  const [hourText, minuteText] = token.text.split(':')
  let hour = Number(hourText)
  if (half === 'pm' && hour < 12) hour += 12
  if (half === 'am' && hour === 12) hour = 0
  if (hour > 23) return undefined
  return {
    time: `${String(hour).padStart(2, '0')}:${(minuteText ?? '00').padStart(2, '0')}`,
    tokens: half ? [index, index + 1] : [index],
  }
}

const HOURS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** "half past six", "quarter to seven", "ten past eight"; "at six" without more words. */
function readSpokenTime(tokens: readonly Token[], index: number): { time: string; tokens: number[] } | undefined {
  const word = tokens[index]?.lower ?? ''
  const relation = tokens[index + 1]?.lower
  const minutes = word === 'half' ? 30 : word === 'quarter' ? 15 : numberOf(word)
  const hour = hourOf(tokens[index + 2]?.lower)
  if (minutes !== undefined && hour !== undefined && (relation === 'past' || (relation === 'to' && word !== 'half'))) {
    const total = (hour * 60 + (relation === 'past' ? minutes : -minutes) + 1440) % 1440
    const before = tokens[index - 1]?.lower === 'a' ? [index - 1] : []
    return { time: clock(Math.floor(total / 60), total % 60), tokens: [...before, index, index + 1, index + 2] }
  }
  const alone = hourOf(word)
  const next = tokens[index + 1]?.lower
  if (alone === undefined || tokens[index - 1]?.lower !== 'at') return undefined
  if (next === undefined || /^(,|and|on|tomorrow|today|o'clock)$/.test(next))
    return { time: clock(alone, 0), tokens: [index] }
  return next === 'am' || next === 'pm'
    ? { time: clock((alone % 12) + (next === 'pm' ? 12 : 0), 0), tokens: [index, index + 1] }
    : undefined
}

function hourOf(word: string | undefined): number | undefined {
  const hour = HOURS.indexOf(word ?? '') + 1
  if (hour > 0) return hour
  return word !== undefined && /^\d{1,2}$/.test(word) && Number(word) <= 23 ? Number(word) : undefined
}

function numberOf(word: string): number | undefined {
  if (/^\d{1,2}$/.test(word)) return Number(word)
  return word === 'twenty' ? 20 : HOURS.includes(word) ? HOURS.indexOf(word) + 1 : undefined
}

function clock(hour: number, minute: number): string {
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}
