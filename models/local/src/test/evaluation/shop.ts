import type { JsonObject, PageContext } from '@domos/spec'
import { SHOP_TOOLS } from '../shop.ts'
import type { Sentence } from './sentence.ts'

export { SHOP_TOOLS }

const GARDEN = [
  { id: 'g-1', name: 'Clay Pot', category: 'Pots', price: 12.5, color: 'red' },
  { id: 'g-2', name: 'Zinc Watering Can', category: 'Tools', price: 34, color: 'grey' },
  { id: 'g-3', name: 'Hand Rake', category: 'Tools', price: 18, color: 'green' },
  { id: 'g-4', name: 'Tulip Bulbs', category: 'Plants', price: 9.9, color: 'yellow' },
  { id: 'g-5', name: 'Leather Gloves', category: 'Clothes', price: 22, color: 'brown' },
]
const LIST: PageContext = { url: '/garden', title: 'Garden', data: { page: 'list', products: GARDEN } }
const DETAIL: PageContext = {
  url: '/garden/g-2',
  title: 'Zinc Watering Can',
  data: { page: 'detail', productId: 'g-2', name: 'Zinc Watering Can', price: 34, stock: 4 },
}
const CART: PageContext = {
  url: '/cart',
  title: 'Cart',
  data: {
    page: 'cart',
    cart: {
      items: [
        { productId: 'g-3', name: 'Hand Rake', quantity: 1 },
        { productId: 'g-5', name: 'Leather Gloves', quantity: 2 },
      ],
      total: 62,
    },
  },
}
const BLANK: PageContext = { url: '/', title: 'Welcome' }
const call = (name: string, args: JsonObject) => ({ name, args })
const found = (...ids: readonly string[]): JsonObject => ({
  products: GARDEN.filter((product) => ids.includes(product.id)),
})

/** Twenty things said to a shop. */
export const SHOP_SENTENCES: readonly Sentence[] = [
  {
    say: ['put three clay pots in my basket'],
    context: LIST,
    calls: [call('add_to_cart', { productId: 'g-1', quantity: 3 })],
  },
  { say: ["I'll take the gloves"], context: LIST, calls: [call('add_to_cart', { productId: 'g-5', quantity: 1 })] },
  { say: ['add a dozen tulip bulbs'], context: LIST, calls: [call('add_to_cart', { productId: 'g-4', quantity: 12 })] },
  { say: ['I want to buy this'], context: DETAIL, calls: [call('add_to_cart', { productId: 'g-2', quantity: 1 })] },
  { say: ['give me five of these'], context: DETAIL, calls: [call('add_to_cart', { productId: 'g-2', quantity: 5 })] },
  { say: ['look for a spade'], context: LIST, calls: [call('search_products', { query: 'spade' })] },
  {
    say: ['do you have wheelbarrows for less than 80 euros?'],
    context: LIST,
    calls: [call('search_products', { query: 'wheelbarrows', maxPrice: 80 })],
  },
  { say: ['show me what I have in the cart'], context: LIST, calls: [call('get_cart', {})] },
  { say: ['how much is my basket?'], context: LIST, calls: [call('get_cart', {})] },
  { say: ['take the rake out of my cart'], context: CART, calls: [call('remove_from_cart', { productId: 'g-3' })] },
  {
    say: ['I do not want the gloves any more, remove them'],
    context: CART,
    calls: [call('remove_from_cart', { productId: 'g-5' })],
  },
  { say: ['throw everything out of the cart'], context: CART, calls: [call('clear_cart', {})] },
  { say: ['place the order'], context: CART, calls: [call('confirm_order', {})] },
  { say: ['I would like to pay now'], context: CART, calls: [call('confirm_order', {})] },
  { say: ['close my account for good'], context: BLANK, calls: [call('delete_account', {})] },
  { say: ['like the yellow one'], context: LIST, calls: [call('like_product', { productId: 'g-4' })] },
  {
    say: ['find a hose and put two of the cheapest in my cart'],
    context: BLANK,
    calls: [call('search_products', { query: 'hose' }), call('add_to_cart', { productId: 'h-2', quantity: 2 })],
    results: {
      search_products: {
        products: [
          { id: 'h-1', name: 'Long Hose', price: 40 },
          { id: 'h-2', name: 'Short Hose', price: 25 },
        ],
      },
    },
  },
  {
    say: ['add the rake and the gloves'],
    context: LIST,
    calls: [
      call('add_to_cart', { productId: 'g-3', quantity: 1 }),
      call('add_to_cart', { productId: 'g-5', quantity: 1 }),
    ],
  },
  {
    say: ['search for tools', 'add the second one'],
    context: BLANK,
    calls: [call('search_products', { query: 'tools' }), call('add_to_cart', { productId: 'g-3', quantity: 1 })],
    results: { search_products: found('g-2', 'g-3') },
  },
  { say: ['send the watering can to my brother'], context: DETAIL, calls: [] },
]
