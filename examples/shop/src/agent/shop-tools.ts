import { useTool } from '@domos/react'
import { CURRENCY, toUnits } from '../shop/money.ts'
import { searchProducts } from '../shop/products.ts'
import { HOME, navigate, type Route } from '../shop/router.tsx'
import { cartTotals, quantityInCart, ShopError, type ShopState, withQuantity } from '../shop/shop-state.ts'
import { getShop, updateShop } from '../shop/shop-store.ts'
import { describeCart, describeProduct, productFor } from './answers.ts'
import { nothing, oneProduct, place, searchQuery } from './schemas.ts'

/** Search belongs to the search field in the header, so it is there on every page. */
export function useSearchTool(): void {
  useTool({
    name: 'search_products',
    description: 'Search the shop and show the matching products',
    parameters: searchQuery,
    risk: 'none',
    navigates: true,
    handler: ({ query, category, maxPrice }) => {
      const found = searchProducts(query, category, maxPrice)
      navigate({ page: 'list', query: query.trim(), category, ...(maxPrice ? { maxPrice } : {}) })
      return {
        count: found.length,
        products: found.slice(0, 8).map((product) => describeProduct(getShop(), product)),
        currency: CURRENCY,
      }
    },
  })
}

/** Going from page to page belongs to the navigation in the header. */
export function useNavigationTool(): void {
  useTool({
    name: 'go_to',
    description: 'Go to another page of the shop: home (the start page), cart, checkout or account',
    parameters: place,
    risk: 'none',
    navigates: true,
    handler: ({ page }) => {
      const route: Route = page === 'home' ? HOME : { page }
      navigate(route)
      return { page }
    },
  })
}

/** The tools of the cart button: reading always, taking things out only while something is in. */
export function useCartTools(state: ShopState): void {
  const filled = state.cart.length > 0
  useTool({
    name: 'get_cart',
    description: 'Tell what is in the shopping cart and what it costs',
    parameters: nothing,
    risk: 'none',
    handler: () => describeCart(getShop()),
  })
  useTool({
    name: 'remove_from_cart',
    description: 'Remove a product from the shopping cart',
    parameters: oneProduct,
    risk: 'high',
    enabled: filled,
    handler: ({ productId }) => {
      const product = productFor(productId)
      if (quantityInCart(getShop(), product.id) === 0) throw new ShopError(`${product.name} is not in the cart.`)
      const next = updateShop((now) => withQuantity(now, product, 0))
      return {
        removed: true,
        product: product.name,
        cartTotal: toUnits(cartTotals(next).subtotalCents),
        currency: CURRENCY,
      }
    },
  })
  useTool({
    name: 'clear_cart',
    description: 'Empty the shopping cart',
    parameters: nothing,
    risk: 'high',
    enabled: filled,
    handler: () => {
      const removed = cartTotals(getShop()).count
      updateShop((now) => ({ ...now, cart: [] }))
      return { cleared: true, removed }
    },
  })
}
