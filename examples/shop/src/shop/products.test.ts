import { describe, expect, it } from 'vitest'
import { findProduct, searchProducts } from './products.ts'

const names = (query: string, category?: 'Sound' | 'Desk') => searchProducts(query, category).map(({ name }) => name)

describe('searching', () => {
  it('finds by name, keyword and shelf, whatever the case', () => {
    expect(names('HEADPHONES')).toEqual(['Pro Headphones'])
    expect(names('vinyl')).toEqual(['Oak Turntable'])
    expect(names('outdoors')).toEqual(['Roll-top Backpack', 'Steel Bottle', 'Rain Umbrella'])
  })

  it('wants every word and takes plurals for their word', () => {
    expect(names('wireless keyboards')).toEqual(['Mechanical Keyboard'])
    expect(names('submarine')).toEqual([])
  })

  it('passes over words that fit nothing in the shop, as long as one is left', () => {
    expect(names('3 brass pens')).toEqual(['Brass Pen'])
    expect(names('coffee under 60 euro')).toEqual(names('coffee'))
    expect(names('submarine 60')).toEqual([])
  })

  it('keeps to a shelf when one is named', () => {
    expect(names('wireless', 'Sound')).toEqual(['Pro Headphones', 'Mini Earbuds'])
  })

  it('finds everything for nothing', () => {
    expect(searchProducts('  ')).toHaveLength(20)
  })
})

describe('the product that is meant', () => {
  it.each([
    ['pro-headphones', 'pro-headphones'],
    ['Pro Headphones', 'pro-headphones'],
    ['headphones', 'pro-headphones'],
    ['mug', 'stoneware-mug'],
    [' desk lamp ', 'arc-desk-lamp'],
  ])('%s', (said, id) => {
    expect(findProduct(said)?.id).toBe(id)
  })

  it.each(['', 'submarine', 'pro'.repeat(30)])('is none for "%s"', (said) => {
    expect(findProduct(said)).toBeUndefined()
  })
})
