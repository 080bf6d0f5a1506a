/** The one currency of the shop. */
export const CURRENCY = 'EUR'

const format = new Intl.NumberFormat('en', { style: 'currency', currency: CURRENCY })

/** Cents as people read them: `€149.99`. */
export function formatCents(cents: number): string {
  return format.format(cents / 100)
}

/** Cents as a number of whole units for tool results and context: `149.99`. */
export function toUnits(cents: number): number {
  return Math.round(cents) / 100
}

/** A number with its noun: `1 order`, `2 orders`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
