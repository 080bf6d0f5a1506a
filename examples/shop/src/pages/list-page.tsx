import { useAgentContext } from '@domos/react'
import type { ReactNode } from 'react'
import { describeProduct } from '../agent/answers.ts'
import { useProductTools } from '../agent/product-tools.ts'
import { Hero } from '../parts/hero.tsx'
import { ProductCard } from '../parts/product-card.tsx'
import { countOf, formatCents } from '../shop/money.ts'
import { CATEGORIES, searchProducts } from '../shop/products.ts'
import { HOME, Link, type Route } from '../shop/router.tsx'
import type { ShopState } from '../shop/shop-state.ts'

/** All products, a shelf, or what a search found. */
export function ListPage({
  route,
  state,
}: {
  readonly route: Extract<Route, { page: 'list' }>
  readonly state: ShopState
}): ReactNode {
  const { query, category, maxPrice } = route
  const found = searchProducts(query, category, maxPrice)
  useProductTools()
  useAgentContext({
    page: query ? 'search' : 'products',
    ...(query ? { query } : {}),
    ...(category ? { category } : {}),
    ...(maxPrice ? { maxPrice } : {}),
    products: found.map((product) => describeProduct(state, product)),
  })
  return (
    <>
      {query === '' && category === undefined && !maxPrice && <Hero />}
      <nav className="shelves" aria-label="Shelves">
        <Link to={{ page: 'list', query, category: undefined }} {...current(category === undefined)}>
          Everything
        </Link>
        {CATEGORIES.map((name) => (
          <Link key={name} to={{ page: 'list', query, category: name }} {...current(category === name)}>
            {name}
          </Link>
        ))}
      </nav>
      <div className="list-head">
        <h1 tabIndex={-1} className={query || category ? undefined : 'small-title'}>
          {query ? <>Results for “{query}”</> : (category ?? 'Everything')}
        </h1>
        <p className="muted">
          {maxPrice && `up to ${formatCents(maxPrice * 100)} · `}
          {countOf(found.length, 'product')}
        </p>
      </div>
      {found.length === 0 ? (
        <div className="empty">
          <h2>Nothing on the shelves by that name</h2>
          <p>
            Try a plainer word, such as <Link to={{ page: 'list', query: 'coffee', category: undefined }}>coffee</Link>,
            or look at everything.
          </p>
          <Link to={HOME} className="button">
            See everything
          </Link>
        </div>
      ) : (
        <div className="grid">
          {found.map((product) => (
            <ProductCard key={product.id} product={product} state={state} heading="h2" />
          ))}
        </div>
      )}
    </>
  )
}

function current(is: boolean): { readonly 'aria-current'?: 'page' } {
  return is ? { 'aria-current': 'page' } : {}
}
