import { PRODUCTS, type Product, productById } from './products.ts'

/** How an order travels. */
export const DELIVERY_METHODS = ['standard', 'express'] as const

/** One of {@link DELIVERY_METHODS}. */
export type DeliveryMethod = (typeof DELIVERY_METHODS)[number]

/** Orders of this worth and above travel free by standard delivery, in cents. */
export const FREE_DELIVERY_FROM_CENTS = 5_000

/** The most of one product that a cart takes. */
export const MAX_QUANTITY = 10

/** One product in the cart. */
export interface CartLine {
  readonly productId: string
  readonly quantity: number
}

/** A placed order, with the prices of its day. */
export interface Order {
  readonly id: string
  readonly placedAt: number
  readonly lines: readonly (CartLine & { readonly priceCents: number })[]
  readonly delivery: DeliveryMethod
  readonly totalCents: number
}

/** Who shops; `null` in the state once the account is deleted. */
export interface Account {
  readonly name: string
  readonly email: string
  readonly street: string
  readonly city: string
}

/** Everything the shop remembers. */
export interface ShopState {
  readonly cart: readonly CartLine[]
  readonly likes: readonly string[]
  readonly orders: readonly Order[]
  readonly delivery: DeliveryMethod
  readonly account: Account | null
}

/** A wish the shop cannot fulfil; the message is a sentence for a person, or for a model that explains it to one. */
export class ShopError extends Error {
  override readonly name = 'ShopError'
}

/** The state of a first visit. */
export const INITIAL_STATE: ShopState = {
  cart: [],
  likes: [],
  orders: [],
  delivery: 'standard',
  account: {
    name: 'Demo shopper',
    email: 'shopper@example.com',
    street: '1 Example Street',
    city: '10000 Example City',
  },
}

/** What is left of a product: the stock less what was ordered. */
export function stockOf(state: ShopState, product: Product): number {
  const sold = state.orders.flatMap((order) => order.lines).filter((line) => line.productId === product.id)
  return Math.max(0, product.stock - sold.reduce((sum, line) => sum + line.quantity, 0))
}

/** How many of a product lie in the cart. */
export function quantityInCart(state: ShopState, productId: string): number {
  return state.cart.find((line) => line.productId === productId)?.quantity ?? 0
}

/** The cart in numbers, in cents. */
export function cartTotals(state: ShopState): {
  readonly count: number
  readonly subtotalCents: number
  readonly deliveryCents: number
  readonly totalCents: number
} {
  const count = state.cart.reduce((sum, line) => sum + line.quantity, 0)
  const subtotalCents = state.cart.reduce(
    (sum, line) => sum + line.quantity * (productById(line.productId)?.priceCents ?? 0),
    0,
  )
  const free = count === 0 || subtotalCents >= FREE_DELIVERY_FROM_CENTS
  const deliveryCents = state.delivery === 'express' ? (count === 0 ? 0 : 990) : free ? 0 : 490
  return { count, subtotalCents, deliveryCents, totalCents: subtotalCents + deliveryCents }
}

/** Sets how many of a product lie in the cart; 0 removes it. Throws {@link ShopError} when there is not enough. */
export function withQuantity(state: ShopState, product: Product, quantity: number): ShopState {
  if (!Number.isInteger(quantity) || quantity < 0) throw new ShopError('The quantity has to be a whole number.')
  if (quantity > MAX_QUANTITY) throw new ShopError(`A cart takes at most ${MAX_QUANTITY} of one product.`)
  const left = stockOf(state, product)
  if (quantity > 0 && left === 0) throw new ShopError(`${product.name} is sold out.`)
  if (quantity > left) throw new ShopError(onlyLeft(product, left))
  if (quantity === 0) return { ...state, cart: state.cart.filter((line) => line.productId !== product.id) }
  if (!state.cart.some((line) => line.productId === product.id)) {
    return { ...state, cart: [...state.cart, { productId: product.id, quantity }] }
  }
  return { ...state, cart: state.cart.map((line) => (line.productId === product.id ? { ...line, quantity } : line)) }
}

/** Adds to what lies in the cart already. */
export function withAdded(state: ShopState, product: Product, quantity: number): ShopState {
  if (quantity < 1) throw new ShopError('The quantity has to be at least 1.')
  return withQuantity(state, product, quantityInCart(state, product.id) + quantity)
}

/** Likes a product or takes the like back. */
export function withLike(state: ShopState, productId: string, liked: boolean): ShopState {
  const others = state.likes.filter((id) => id !== productId)
  return { ...state, likes: liked ? [...others, productId] : others }
}

/** Turns the cart into an order. Throws {@link ShopError} when it is empty or something sold out meanwhile. */
export function withOrder(state: ShopState, id: string, placedAt: number): ShopState {
  if (state.cart.length === 0) throw new ShopError('The cart is empty; there is nothing to order.')
  for (const line of state.cart) {
    const product = productById(line.productId)
    if (product && stockOf(state, product) < line.quantity) {
      throw new ShopError(`${onlyLeft(product, stockOf(state, product))} Change the cart first.`)
    }
  }
  const lines = state.cart.map((line) => ({ ...line, priceCents: productById(line.productId)?.priceCents ?? 0 }))
  const order: Order = { id, placedAt, lines, delivery: state.delivery, totalCents: cartTotals(state).totalCents }
  return { ...state, cart: [], orders: [order, ...state.orders] }
}

/** Forgets the account and all that belonged to it; the cart stays with the browser. */
export function withoutAccount(state: ShopState): ShopState {
  return { ...state, account: null, orders: [], likes: [] }
}

/** Keeps a new or changed account. Throws {@link ShopError} naming what is missing. */
export function withAccount(state: ShopState, account: Account): ShopState {
  const missing = missingFields(account)
  if (missing.length > 0) throw new ShopError(`Fill in ${missing.join(' and ')}.`)
  return { ...state, account }
}

/** The fields that an address still lacks, in words. */
export function missingFields(account: Account): readonly string[] {
  const labels = { name: 'the name', email: 'the e-mail address', street: 'the street', city: 'the town' } as const
  const keys = Object.keys(labels) as (keyof typeof labels)[]
  return keys
    .filter((key) => account[key].trim() === '' || (key === 'email' && !account.email.includes('@')))
    .map((key) => labels[key])
}

/** Reads what an earlier visit kept. Anything that does not fit is dropped, so that an old tab cannot break a new one. */
export function parseState(text: string | null): ShopState {
  let kept: Partial<ShopState>
  try {
    kept = JSON.parse(text ?? '{}') ?? {}
  } catch {
    return INITIAL_STATE
  }
  const known = new Set(PRODUCTS.map((product) => product.id))
  const list = <T>(value: readonly T[] | undefined): readonly T[] => (Array.isArray(value) ? value : [])
  const isLine = (line: CartLine | null): line is CartLine =>
    line !== null && known.has(line?.productId) && Number.isInteger(line.quantity) && line.quantity > 0
  return {
    cart: list(kept.cart).filter(isLine),
    likes: list(kept.likes).filter((id) => known.has(id)),
    orders: list(kept.orders)
      .filter(
        (order) =>
          typeof order?.id === 'string' && Number.isFinite(order.totalCents) && Number.isFinite(order.placedAt),
      )
      .map((order) => ({ ...order, lines: list(order.lines).filter(isLine) })),
    delivery: DELIVERY_METHODS.find((method) => method === kept.delivery) ?? 'standard',
    account: kept.account === null ? null : accountFrom(kept.account),
  }
}

function onlyLeft(product: Product, left: number): string {
  return `Only ${left} of ${product.name} ${left === 1 ? 'is' : 'are'} left.`
}

function accountFrom(value: Partial<Account> | undefined): Account | null {
  const { name, email, street, city } = value ?? {}
  const texts = [name, email, street, city]
  if (!texts.every((text) => typeof text === 'string')) return INITIAL_STATE.account
  return { name, email, street, city } as Account
}
