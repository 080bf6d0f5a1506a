import { useAgentContext } from '@domos/react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { describeCart } from './agent/answers.ts'
import { ChatPanel } from './chat/chat-panel.tsx'
import { AccountPage } from './pages/account-page.tsx'
import { CartPage } from './pages/cart-page.tsx'
import { CheckoutPage } from './pages/checkout-page.tsx'
import { ListPage } from './pages/list-page.tsx'
import { OrderPage } from './pages/order-page.tsx'
import { ProductPage } from './pages/product-page.tsx'
import { Header } from './parts/header.tsx'
import { Toasts } from './parts/toasts.tsx'
import { productById } from './shop/products.ts'
import { HOME, hrefOf, Link, type Route, useRoute } from './shop/router.tsx'
import type { ShopState } from './shop/shop-state.ts'
import { useShop } from './shop/shop-store.ts'

/** The shop with the assistant beside it. */
export function App(): ReactNode {
  const route = useRoute()
  const state = useShop()
  const main = useRef<HTMLElement>(null)
  useAgentContext({
    user: { isLoggedIn: state.account !== null, likes: state.likes.length, orders: state.orders.length },
    cart: describeCart(state),
  })
  usePageArrival(route, main)
  return (
    <div className="layout">
      <a className="skip" href="#main">
        Skip to the products
      </a>
      <div className="shop">
        <Header route={route} state={state} />
        <main id="main" ref={main} tabIndex={-1} className="main">
          <div className="page" key={hrefOf(route).split('?')[0]}>
            <Page route={route} state={state} />
          </div>
        </main>
        <footer className="footer">
          <p>Hearth &amp; Hum is a demonstration. Its products are drawings, and nothing you order is charged.</p>
        </footer>
      </div>
      <ChatPanel route={route} state={state} />
      <Toasts />
    </div>
  )
}

function Page({ route, state }: { readonly route: Route; readonly state: ShopState }): ReactNode {
  switch (route.page) {
    case 'list':
      return <ListPage route={route} state={state} />
    case 'product': {
      const product = productById(route.productId)
      return product ? <ProductPage key={product.id} product={product} state={state} /> : <MissingPage />
    }
    case 'order': {
      const order = state.orders.find(({ id }) => id === route.orderId)
      return order ? <OrderPage order={order} /> : <MissingPage />
    }
    case 'cart':
      return <CartPage state={state} />
    case 'checkout':
      return <CheckoutPage state={state} />
    case 'account':
      return <AccountPage state={state} />
    case 'missing':
      return <MissingPage />
  }
}

function MissingPage(): ReactNode {
  useAgentContext({ page: 'missing' })
  return (
    <div className="empty">
      <h1 tabIndex={-1}>There is no such page</h1>
      <p>The address may be old, or what it showed is gone.</p>
      <Link to={HOME} className="button primary">
        See everything
      </Link>
    </div>
  )
}

/** Titles the page, and after a change of page puts the focus on its heading, unless the person is in the chat. */
function usePageArrival(route: Route, main: { readonly current: HTMLElement | null }): void {
  const href = hrefOf(route)
  const [first] = useState(href)
  useEffect(() => {
    const heading = main.current?.querySelector('h1')
    document.title = `${heading?.textContent ?? 'Shop'} · Hearth & Hum`
    const inChat = document.activeElement?.closest('.chat') !== null && document.activeElement !== null
    const typing = document.activeElement?.closest('.search') !== null && document.activeElement !== null
    if (href !== first && !inChat && !typing) heading?.focus({ preventScroll: true })
  }, [href, first, main])
}
