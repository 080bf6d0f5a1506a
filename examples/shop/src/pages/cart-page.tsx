import { useAgentContext, useTool } from '@domos/react'
import type { ReactNode } from 'react'
import { productFor } from '../agent/answers.ts'
import { setQuantity } from '../agent/schemas.ts'
import { Picture } from '../art/picture.tsx'
import { Icon } from '../parts/icons.tsx'
import { stockWords } from '../parts/product-card.tsx'
import { QuantityStepper } from '../parts/quantity.tsx'
import { Summary } from '../parts/summary.tsx'
import { formatCents, toUnits } from '../shop/money.ts'
import { productById } from '../shop/products.ts'
import { HOME, Link } from '../shop/router.tsx'
import { changeQuantity, clearCart } from '../shop/shop-actions.ts'
import { cartTotals, MAX_QUANTITY, type ShopState, stockOf, withQuantity } from '../shop/shop-state.ts'
import { updateShop } from '../shop/shop-store.ts'

/** What lies in the cart. */
export function CartPage({ state }: { readonly state: ShopState }): ReactNode {
  useAgentContext({ page: 'cart' })
  useTool({
    name: 'set_quantity',
    description: 'Change how many of a product the cart holds',
    parameters: setQuantity,
    risk: 'low',
    enabled: state.cart.length > 0,
    handler: ({ productId, quantity }) => {
      const product = productFor(productId)
      const next = updateShop((now) => withQuantity(now, product, quantity))
      return { product: product.name, quantity, cartTotal: toUnits(cartTotals(next).subtotalCents), currency: 'EUR' }
    },
  })
  if (state.cart.length === 0) {
    return (
      <div className="empty">
        <EmptyBag />
        <h1 tabIndex={-1}>Your cart is empty</h1>
        <p>Put something in yourself, or tell the assistant what you are after.</p>
        <Link to={HOME} className="button primary">
          Look around
        </Link>
      </div>
    )
  }
  return (
    <>
      <div className="list-head">
        <h1 tabIndex={-1}>Cart</h1>
        <button type="button" className="text-button" onClick={clearCart}>
          Empty the cart
        </button>
      </div>
      <div className="columns">
        <ul className="lines">
          {state.cart.map((line) => {
            const product = productById(line.productId)
            if (!product) return null
            const left = stockOf(state, product)
            return (
              <li key={line.productId} className="line">
                <Link to={{ page: 'product', productId: product.id }} tabIndex={-1} aria-hidden="true">
                  <Picture product={product} className="thumb" />
                </Link>
                <div className="line-text">
                  <h2>
                    <Link to={{ page: 'product', productId: product.id }}>{product.name}</Link>
                  </h2>
                  <p className="muted small">
                    {formatCents(product.priceCents)} each{stockWords(left) ? ` · ${stockWords(left)}` : ''}
                  </p>
                  <div className="line-controls">
                    <QuantityStepper
                      value={line.quantity}
                      most={Math.min(left, MAX_QUANTITY)}
                      name={product.name}
                      onChange={(value) => changeQuantity(product, value)}
                    />
                    <button
                      type="button"
                      className="icon-button"
                      aria-label={`Remove ${product.name}`}
                      onClick={() => changeQuantity(product, 0)}
                    >
                      <Icon name="trash" />
                    </button>
                  </div>
                </div>
                <p className="price">{formatCents(line.quantity * product.priceCents)}</p>
              </li>
            )
          })}
        </ul>
        <Summary state={state}>
          <Link to={{ page: 'checkout' }} className="button primary wide">
            Go to checkout
          </Link>
        </Summary>
      </div>
    </>
  )
}

/** A bag with nothing in it. */
export function EmptyBag(): ReactNode {
  return (
    <svg className="empty-art" viewBox="0 0 160 140" aria-hidden="true">
      <ellipse cx="80" cy="128" rx="58" ry="8" fill="currentColor" opacity=".08" />
      <path d="M38 48h84l8 80H30z" fill="var(--hero-sun)" />
      <path d="M38 48h84l2.500 22H35.500z" fill="var(--hero-shelf)" />
      <path d="M58 62V42a22 22 0 0 1 44 0v20" fill="none" stroke="var(--brand)" strokeWidth="5" strokeLinecap="round" />
      <path d="M64 96q16 12 32 0" fill="none" stroke="var(--brand)" strokeWidth="4" strokeLinecap="round" />
    </svg>
  )
}
