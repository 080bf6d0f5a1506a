import { describe, expect, it } from 'vitest'
import { readDate } from './dates.ts'

describe('dates in text', () => {
  it.each([
    ['2026-11-29', 'en', '2026-11-29'],
    ['2026-11-29T14:30:00Z', 'en', '2026-11-29T14:30:00Z'],
    ['29.11.2026', 'en', '2026-11-29'],
    ['11/29/2026', 'en', '2026-11-29'],
    ['05/06/2026', 'en-US', '2026-05-06'],
    ['05/06/2026', 'en-GB', '2026-06-05'],
    ['29/11/2026', 'en-US', '2026-11-29'],
    ['November 29, 2026', 'en', '2026-11-29'],
    ['Sunday, 29th November 2026 at 2:05 pm', 'en', '2026-11-29T14:05'],
    ['29. März 2026', 'de', '2026-03-29'],
    ['29 nov. 2026', 'fr', '2026-11-29'],
    ['31.02.2026', 'en', undefined],
    ['soon', 'en', undefined],
  ])('%s in %s is %s', (text, language, expected) => {
    expect(readDate(text, language)).toBe(expected)
  })
})
