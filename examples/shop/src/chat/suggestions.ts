import { productById } from '../shop/products.ts'
import type { Route } from '../shop/router.tsx'
import type { ShopState } from '../shop/shop-state.ts'

/** Sentences that fit the page a person is on; the first is the likeliest. */
export function suggestionsFor(route: Route, state: ShopState): readonly string[] {
  const first = state.cart[0] && productById(state.cart[0].productId)
  switch (route.page) {
    case 'list':
      if (route.query) {
        return [
          'Add the first one to my cart',
          'What is in my cart?',
          `Search for ${/coffee/i.test(route.query) ? 'music' : 'coffee'}`,
        ]
      }
      return ['Add two headphones to my cart', 'Search for coffee', first ? 'Clear my cart' : 'What is in my cart?']
    case 'product':
      return ['Add two to my cart', 'Like this product', first ? 'Go to the checkout' : 'What is in my cart?']
    case 'cart':
      if (!first) return ['Search for wireless', 'Go to the home page']
      return ['Go to the checkout', `Remove the ${first.name}`, 'Clear my cart']
    case 'checkout':
      return first ? ['Choose express delivery', 'Confirm the order'] : ['Go to the home page', 'Search for tea']
    case 'account':
      return state.account ? ['List my orders', 'Delete my account'] : ['Go to the home page']
    default:
      return ['Go to the home page', 'Search for music']
  }
}
