import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { useCartTools, useNavigationTool, useSearchTool } from '../agent/shop-tools.ts'
import { countOf } from '../shop/money.ts'
import { HOME, Link, navigate, type Route } from '../shop/router.tsx'
import { cartTotals, type ShopState } from '../shop/shop-state.ts'
import { Icon } from './icons.tsx'
import { ThemeButton } from './theme.tsx'

/** Name, search, account and cart, on every page. */
export function Header({ route, state }: { readonly route: Route; readonly state: ShopState }): ReactNode {
  useNavigationTool()
  return (
    <header className="header">
      <Link to={HOME} className="brand" aria-label="Hearth & Hum, home">
        <svg viewBox="0 0 32 32" aria-hidden="true" className="brand-mark">
          <rect width="32" height="32" rx="10" fill="var(--brand)" />
          <path
            d="M8 21.500V16a8 8 0 0 1 16 0v5.500"
            fill="none"
            stroke="var(--on-brand)"
            strokeWidth="2.6"
            strokeLinecap="round"
          />
          <path
            d="M16 25.500c-3.300 0-4.600-2.400-3.200-4.900.5 1 1.200 1.300 1.200 1.300-.2-2.100.8-3.900 2.600-5 0 2 2.800 3 2.800 5.600 0 1.900-1.400 3-3.400 3z"
            fill="#f2a65a"
          />
        </svg>
        <span>Hearth &amp; Hum</span>
      </Link>
      <SearchField query={route.page === 'list' ? route.query : ''} />
      <nav aria-label="Shop" className="header-nav">
        <ThemeButton />
        <Link
          to={{ page: 'account' }}
          className="icon-button"
          aria-label="Account"
          {...current(route.page === 'account')}
        >
          <Icon name="person" />
        </Link>
        <CartButton state={state} isCurrent={route.page === 'cart'} />
      </nav>
    </header>
  )
}

function SearchField({ query }: { readonly query: string }): ReactNode {
  useSearchTool()
  const [text, setText] = useState(query)
  useEffect(() => setText(query), [query])
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    navigate({ page: 'list', query: text.trim(), category: undefined })
  }
  return (
    <search className="search">
      <form onSubmit={onSubmit}>
        <Icon name="search" />
        <input
          type="search"
          name="q"
          aria-label="Search the shop"
          placeholder="Search twenty good things"
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
    </search>
  )
}

function CartButton({ state, isCurrent }: { readonly state: ShopState; readonly isCurrent: boolean }): ReactNode {
  useCartTools(state)
  const { count } = cartTotals(state)
  return (
    <Link
      to={{ page: 'cart' }}
      className="icon-button cart-button"
      aria-label={`Cart, ${countOf(count, 'item')}`}
      {...current(isCurrent)}
    >
      <Icon name="bag" />
      {count > 0 && (
        <span className="count" key={count} aria-hidden="true">
          {count}
        </span>
      )}
    </Link>
  )
}

function current(is: boolean): { readonly 'aria-current'?: 'page' } {
  return is ? { 'aria-current': 'page' } : {}
}
