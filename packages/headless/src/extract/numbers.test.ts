import { describe, expect, it } from 'vitest'
import { findNumbers } from './numbers.ts'

const values = (text: string, language = 'en') => findNumbers(text, language).map(({ value }) => value)

describe('numbers in text', () => {
  it.each([
    ['$1,299.50', 'en', [1299.5]],
    ['1.299,50 €', 'de', [1299.5]],
    ['1.299,50 €', 'en', [1299.5]],
    ['1 299,50', 'fr', [1299.5]],
    ["CHF 1'299.50", 'de-CH', [1299.5]],
    ['1,299', 'en', [1299]],
    ['1,299', 'de', [1.299]],
    ['1.299', 'de', [1299]],
    ['1.299', 'en', [1.299]],
    ['1,234,567', 'de', [1234567]],
    ['12,5 %', 'en', [12.5]],
    ['0.999', 'de', [0.999]],
    ['-5 °C', 'en', [-5]],
    ['−$5.20', 'en', [-5.2]],
    ['($5.20)', 'en', [-5.2]],
    ['10-20 items', 'en', [10, 20]],
    ['(20 reviews)', 'en', [20]],
    ['v2 and USB3', 'en', []],
    ['no number', 'en', []],
    ['￥12.50元', 'zh', [12.5]],
  ])('%s in %s gives %j', (text, language, expected) => {
    expect(values(text, language)).toEqual(expected)
  })

  it('name the currency that stands beside them', () => {
    expect(findNumbers('was $20, now 15 EUR (3 left)', 'en')).toMatchObject([
      { currency: 'USD' },
      { currency: 'EUR' },
      {},
    ])
  })
})
