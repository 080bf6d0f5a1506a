import { showToast } from '../parts/toasts.tsx'
import type { Product } from './products.ts'
import { ShopError, type ShopState, withAdded, withLike, withQuantity } from './shop-state.ts'
import { getShop, updateShop } from './shop-store.ts'

// What a person's own clicks do. A click needs no approval, but it can be taken back.

/** Runs a transition; a wish that cannot be fulfilled is said, not thrown. */
export function attempt(transition: (state: ShopState) => ShopState): boolean {
  try {
    updateShop(transition)
    return true
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    showToast(error.message)
    return false
  }
}

/** Puts some of a product into the cart. */
export function addToCart(product: Product, quantity: number): void {
  if (attempt((state) => withAdded(state, product, quantity))) showToast(`${quantity} × ${product.name} in your cart.`)
}

/** Likes or unlikes. */
export function toggleLike(product: Product): void {
  attempt((state) => withLike(state, product.id, !state.likes.includes(product.id)))
}

/** Changes how many; 0 takes it out, which can be undone. */
export function changeQuantity(product: Product, quantity: number): void {
  const before = getShop().cart
  if (!attempt((state) => withQuantity(state, product, quantity))) return
  if (quantity === 0) showToast(`${product.name} removed.`, () => updateShop((state) => ({ ...state, cart: before })))
}

/** Empties the cart, which can be undone. */
export function clearCart(): void {
  const before = getShop().cart
  updateShop((state) => ({ ...state, cart: [] }))
  showToast('Your cart is empty.', () => updateShop((state) => ({ ...state, cart: before })))
}
