import { toUnits } from '../shop/money.ts'
import { findProduct, type Product, productById } from '../shop/products.ts'
import { cartTotals, ShopError, type ShopState, stockOf } from '../shop/shop-state.ts'

// What tools return and what the page context says: small, plain records with prices in whole units.

/** The product that an argument means, or a sentence that says why there is none. */
export function productFor(idOrName: string): Product {
  const product = findProduct(idOrName)
  if (!product) throw new ShopError(`The shop has no product "${idOrName}". Use an id from search_products.`)
  return product
}

/** A product as the agent sees it. */
export function describeProduct(state: ShopState, product: Product): Readonly<Record<string, unknown>> {
  return {
    id: product.id,
    name: product.name,
    category: product.category,
    price: toUnits(product.priceCents),
    stock: stockOf(state, product),
  }
}

/** The cart as the agent sees it. */
export function describeCart(state: ShopState): Readonly<Record<string, unknown>> {
  const totals = cartTotals(state)
  return {
    products: state.cart.map((line) => ({
      productId: line.productId,
      name: productById(line.productId)?.name,
      quantity: line.quantity,
      price: toUnits(productById(line.productId)?.priceCents ?? 0),
    })),
    count: totals.count,
    subtotal: toUnits(totals.subtotalCents),
    delivery: toUnits(totals.deliveryCents),
    total: toUnits(totals.totalCents),
    currency: 'EUR',
  }
}
