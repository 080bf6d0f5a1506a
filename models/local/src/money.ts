import type { JsonValue } from '@domos/spec'
import { identifierWords } from './tokens.ts'
import { isObject } from './tools.ts'

const MONEY = /^(price|cost|total|subtotal|sum|balance|delivery|shipping|fee|discount|tax)$/

/** The ISO 4217 code a result or an entry gives beside its amounts; undefined where it gives none. */
export function currencyOf(value: JsonValue): string | undefined {
  const code = isObject(value) ? (value.currency ?? value.currencyCode) : undefined
  return typeof code === 'string' && /^[A-Z]{3}$/.test(code) ? code : undefined
}

/** Whether a value is an amount of money, by its name. */
export function isMoney(key: string, value: JsonValue): value is number {
  return typeof value === 'number' && identifierWords(key).some((word) => MONEY.test(word))
}

/** "€14.50"; an amount without a currency is told as it is. */
export function moneyText(amount: JsonValue, currency: string | undefined): string {
  if (typeof amount !== 'number' || currency === undefined) return String(amount)
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount)
  } catch {
    return `${amount} ${currency}`
  }
}
