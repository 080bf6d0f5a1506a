// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { hrefOf, type Route, routeOf } from './router.tsx'

const routes: readonly Route[] = [
  { page: 'list', query: '', category: undefined },
  { page: 'list', query: 'tea & coffee', category: 'Kitchen' },
  { page: 'list', query: '', category: 'Desk', maxPrice: 59.5 },
  { page: 'product', productId: 'brass-pen' },
  { page: 'product', productId: 'a/b ü' },
  { page: 'cart' },
  { page: 'checkout' },
  { page: 'order', orderId: 'HH-1' },
  { page: 'account' },
]

it.each(routes)('finds its way back from the address of %o', (route) => {
  const url = new URL(hrefOf(route), 'http://shop.example')
  expect(routeOf(url.pathname, url.search)).toEqual(route)
})

it.each(['/demo/nowhere', '/demo/product', '/demo/cart/2', '/demo/product/a/b', '/demo/%E0%A4%A'])(
  'has no page at %s',
  (path) => {
    expect(routeOf(path, '')).toEqual({ page: 'missing' })
  },
)

it('ignores a shelf that does not exist', () => {
  expect(routeOf('/demo/', '?category=garden')).toEqual({ page: 'list', query: '', category: undefined })
})
