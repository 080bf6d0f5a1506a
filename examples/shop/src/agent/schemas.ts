import { z } from 'zod'
import { CATEGORIES } from '../shop/products.ts'
import { DELIVERY_METHODS, MAX_QUANTITY } from '../shop/shop-state.ts'

// What each tool takes, in one place: typed for the handlers, sent to the agent as JSON Schema.

// The shop's page allows no code made from text, so zod shall not try.
z.config({ jitless: true })

const product = z.string().min(1).max(80)
const quantity = z.int().min(1).max(MAX_QUANTITY).default(1).describe('How many; one unless said otherwise')

export const nothing = z.object({})

export const searchQuery = z.object({
  query: z.string().max(80).describe('Words to look for, such as "coffee" or "wireless"'),
  category: z.enum(CATEGORIES).optional().describe('Only this shelf'),
  maxPrice: z.number().positive().optional().describe('Only up to this price in euros'),
})

export const oneProduct = z.object({ productId: product.describe('Id of the product') })

export const addOne = z.object({ productId: product.describe('Id of the product to add'), quantity })

export const addThis = z.object({
  productId: product.optional().describe('Id of the product to add; the one on the page when left out'),
  quantity,
})

export const likeOne = z.object({ productId: product.describe('Id of the product to like') })

export const likeThis = z.object({
  productId: product.optional().describe('Id of the product to like; the one on the page when left out'),
})

export const setQuantity = z.object({
  productId: product.describe('Id of a product in the cart'),
  quantity: z.int().min(1).max(MAX_QUANTITY).describe('How many the cart shall hold'),
})

export const place = z.object({
  page: z.enum(['home', 'cart', 'checkout', 'account']).describe('Where to go'),
})

export const delivery = z.object({
  method: z.enum(DELIVERY_METHODS).describe('standard takes 3 days, express comes tomorrow'),
})
