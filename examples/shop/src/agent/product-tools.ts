import { useTool } from '@domos/react'
import { toUnits } from '../shop/money.ts'
import type { Product } from '../shop/products.ts'
import { navigate } from '../shop/router.tsx'
import { cartTotals, quantityInCart, ShopError, stockOf, withAdded, withLike } from '../shop/shop-state.ts'
import { getShop, updateShop } from '../shop/shop-store.ts'
import { productFor } from './answers.ts'
import { addOne, addThis, likeOne, likeThis, oneProduct } from './schemas.ts'

/** The tools of every page that shows products. `shown` is the product of a product page, which needs no naming. */
export function useProductTools(shown?: Product): void {
  const meant = (productId: string | undefined): Product => {
    if (productId !== undefined) return productFor(productId)
    if (!shown) throw new ShopError('Say which product.')
    return shown
  }
  useTool({
    name: 'add_to_cart',
    description: shown
      ? `Add the product on the page (${shown.name}) or another product to the shopping cart`
      : 'Add a product to the shopping cart',
    parameters: shown ? addThis : addOne,
    risk: 'low',
    handler: ({ productId, quantity }: { readonly productId?: string | undefined; readonly quantity: number }) => {
      const product = meant(productId)
      const state = updateShop((now) => withAdded(now, product, quantity))
      return {
        added: true,
        product: product.name,
        quantity,
        inCart: quantityInCart(state, product.id),
        cartTotal: toUnits(cartTotals(state).subtotalCents),
        currency: 'EUR',
      }
    },
  })
  useTool({
    name: 'like_product',
    description: shown
      ? `Like the product on the page (${shown.name}) or another product`
      : 'Like a product, to find it again in the account',
    parameters: shown ? likeThis : likeOne,
    risk: 'low',
    handler: ({ productId }: { readonly productId?: string | undefined }) => {
      const product = meant(productId)
      updateShop((now) => withLike(now, product.id, true))
      return { liked: true, product: product.name }
    },
  })
  useTool({
    name: 'view_product',
    description: 'Open the page of a product, with its details',
    parameters: oneProduct,
    risk: 'none',
    navigates: true,
    handler: ({ productId }) => {
      const product = productFor(productId)
      navigate({ page: 'product', productId: product.id })
      return {
        opened: product.name,
        price: toUnits(product.priceCents),
        stock: stockOf(getShop(), product),
      }
    },
  })
}
