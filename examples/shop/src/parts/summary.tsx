import type { ReactNode } from 'react'
import { countOf, formatCents } from '../shop/money.ts'
import { cartTotals, FREE_DELIVERY_FROM_CENTS, type ShopState } from '../shop/shop-state.ts'

/** What the cart costs, line by line, with room for a button below. */
export function Summary({ state, children }: { readonly state: ShopState; readonly children: ReactNode }): ReactNode {
  const totals = cartTotals(state)
  const missing = FREE_DELIVERY_FROM_CENTS - totals.subtotalCents
  return (
    <aside className="summary" aria-labelledby="summary-title">
      <h2 id="summary-title">Summary</h2>
      <dl>
        <div>
          <dt>{countOf(totals.count, 'item')}</dt>
          <dd>{formatCents(totals.subtotalCents)}</dd>
        </div>
        <div>
          <dt>Delivery, {state.delivery}</dt>
          <dd>{totals.deliveryCents === 0 ? 'Free' : formatCents(totals.deliveryCents)}</dd>
        </div>
        <div className="total">
          <dt>Total</dt>
          <dd>{formatCents(totals.totalCents)}</dd>
        </div>
      </dl>
      {state.delivery === 'standard' && missing > 0 && (
        <p className="muted small">
          <progress max={FREE_DELIVERY_FROM_CENTS} value={totals.subtotalCents} aria-label="Way to free delivery" />
          {formatCents(missing)} more for free delivery.
        </p>
      )}
      {children}
    </aside>
  )
}
