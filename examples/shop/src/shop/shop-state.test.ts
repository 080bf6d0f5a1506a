import { describe, expect, it } from 'vitest'
import { PRODUCTS, productById } from './products.ts'
import {
  cartTotals,
  INITIAL_STATE,
  parseState,
  quantityInCart,
  ShopError,
  stockOf,
  withAccount,
  withAdded,
  withLike,
  withOrder,
  withoutAccount,
  withQuantity,
} from './shop-state.ts'

const product = (id: string) => {
  const found = productById(id)
  if (!found) throw new Error(`no product ${id}`)
  return found
}
const headphones = product('pro-headphones')
const keyboard = product('mechanical-keyboard')
const notebook = product('dotted-notebook')

describe('the cart', () => {
  it('adds up in whole cents', () => {
    const state = withAdded(withAdded(INITIAL_STATE, headphones, 2), notebook, 3)
    expect(cartTotals(state)).toEqual({ count: 5, subtotalCents: 34_348, deliveryCents: 0, totalCents: 34_348 })
  })

  it('adds to what lies in it already', () => {
    const state = withAdded(withAdded(INITIAL_STATE, headphones, 1), headphones, 2)
    expect(state.cart).toEqual([{ productId: 'pro-headphones', quantity: 3 }])
  })

  it('charges standard delivery below the free worth, none from it on, and express always', () => {
    const small = withAdded(INITIAL_STATE, notebook, 3)
    expect(cartTotals(small).deliveryCents).toBe(490)
    expect(cartTotals(withAdded(small, notebook, 1)).deliveryCents).toBe(0)
    expect(cartTotals({ ...withAdded(small, notebook, 1), delivery: 'express' }).deliveryCents).toBe(990)
    expect(cartTotals({ ...INITIAL_STATE, delivery: 'express' }).totalCents).toBe(0)
  })

  it('refuses more than is left, more than it takes, and what is sold out, each with a sentence', () => {
    expect(() => withAdded(INITIAL_STATE, keyboard, 5)).toThrow('Only 4 of Mechanical Keyboard are left.')
    expect(() => withAdded(INITIAL_STATE, notebook, 11)).toThrow('at most 10')
    expect(() => withAdded(INITIAL_STATE, product('wall-clock'), 1)).toThrow('Wall Clock is sold out.')
    expect(() => withQuantity(INITIAL_STATE, notebook, 1.5)).toThrow(ShopError)
    expect(() => withAdded(INITIAL_STATE, notebook, 0)).toThrow(ShopError)
  })

  it('drops a product whose quantity is set to nothing', () => {
    expect(withQuantity(withAdded(INITIAL_STATE, headphones, 2), headphones, 0).cart).toEqual([])
  })
})

describe('an order', () => {
  it('takes its products out of the stock and empties the cart', () => {
    const state = withOrder(withAdded(INITIAL_STATE, keyboard, 3), 'HH-1', 1_000)
    expect(state.cart).toEqual([])
    expect(stockOf(state, keyboard)).toBe(1)
    expect(state.orders[0]).toEqual({
      id: 'HH-1',
      placedAt: 1_000,
      delivery: 'standard',
      totalCents: 26_997,
      lines: [{ productId: 'mechanical-keyboard', quantity: 3, priceCents: 8_999 }],
    })
    expect(() => withAdded(state, keyboard, 2)).toThrow('Only 1 of Mechanical Keyboard is left.')
  })

  it('is refused for an empty cart and for what sold out meanwhile', () => {
    expect(() => withOrder(INITIAL_STATE, 'HH-1', 0)).toThrow('The cart is empty')
    const sold = withOrder(withAdded(INITIAL_STATE, keyboard, 3), 'HH-1', 0)
    const late = { ...sold, cart: [{ productId: 'mechanical-keyboard', quantity: 2 }] }
    expect(() => withOrder(late, 'HH-2', 0)).toThrow('Change the cart first')
  })
})

describe('the account', () => {
  it('takes its orders and likes with it and leaves the cart', () => {
    const ordered = withOrder(withAdded(withLike(INITIAL_STATE, 'brass-pen', true), notebook, 1), 'HH-1', 0)
    const state = withoutAccount(withAdded(ordered, headphones, 1))
    expect(state).toMatchObject({ account: null, orders: [], likes: [] })
    expect(quantityInCart(state, 'pro-headphones')).toBe(1)
  })

  it('names what an address lacks', () => {
    const lacking = { name: 'A', email: 'nowhere', street: ' ', city: 'B' }
    expect(() => withAccount(INITIAL_STATE, lacking)).toThrow('Fill in the e-mail address and the street.')
  })

  it('likes once, however often it is said, and takes a like back', () => {
    const liked = withLike(withLike(INITIAL_STATE, 'brass-pen', true), 'brass-pen', true)
    expect(liked.likes).toEqual(['brass-pen'])
    expect(withLike(liked, 'brass-pen', false).likes).toEqual([])
  })
})

describe('what an earlier visit kept', () => {
  it('comes back whole', () => {
    const state = withAdded(withOrder(withAdded(INITIAL_STATE, keyboard, 1), 'HH-1', 5), headphones, 2)
    expect(parseState(JSON.stringify(state))).toEqual(state)
    expect(parseState(JSON.stringify(withoutAccount(state))).account).toBeNull()
  })

  it.each([
    ['nothing', null],
    ['no JSON', '{'],
    ['null', 'null'],
    ['a number', '7'],
    ['another shape', '{"cart":"x","likes":[1],"orders":{"a":1},"delivery":"drone","account":{"name":1}}'],
  ])('starts anew from %s', (_, text) => {
    expect(parseState(text)).toEqual(INITIAL_STATE)
  })

  it('drops lines that no longer fit', () => {
    const cart = [
      { productId: 'gone', quantity: 1 },
      { productId: 'brass-pen', quantity: -1 },
      null,
      { productId: 'brass-pen', quantity: 2 },
    ]
    expect(parseState(JSON.stringify({ cart })).cart).toEqual([{ productId: 'brass-pen', quantity: 2 }])
  })
})

it('sells twenty products with ids of their own and prices in whole cents', () => {
  expect(PRODUCTS).toHaveLength(20)
  expect(new Set(PRODUCTS.map(({ id }) => id)).size).toBe(20)
  for (const { priceCents, stock } of PRODUCTS) {
    expect(Number.isInteger(priceCents) && priceCents > 0).toBe(true)
    expect(Number.isInteger(stock) && stock >= 0).toBe(true)
  }
})
