import { useAgentContext, useTool } from '@domos/react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { describeCart } from '../agent/answers.ts'
import { delivery, nothing } from '../agent/schemas.ts'
import { AddressFields, NOBODY } from '../parts/address-fields.tsx'
import { Icon } from '../parts/icons.tsx'
import { Summary } from '../parts/summary.tsx'
import { showToast } from '../parts/toasts.tsx'
import { countOf, formatCents, toUnits } from '../shop/money.ts'
import { productById } from '../shop/products.ts'
import { HOME, Link, navigate } from '../shop/router.tsx'
import {
  cartTotals,
  DELIVERY_METHODS,
  missingFields,
  type Order,
  ShopError,
  type ShopState,
  withOrder,
} from '../shop/shop-state.ts'
import { getShop, updateShop } from '../shop/shop-store.ts'
import { EmptyBag } from './cart-page.tsx'

const METHODS = {
  standard: { title: 'Standard', text: 'In three days. Free from €50.' },
  express: { title: 'Express', text: 'Tomorrow before noon, €9.90.' },
} as const

/** Address, delivery and the order itself. */
export function CheckoutPage({ state }: { readonly state: ShopState }): ReactNode {
  const [address, setAddress] = useState(state.account ?? NOBODY)
  const totals = cartTotals(state)
  const filled = totals.count > 0

  const placeOrder = (): Order => {
    const missing = missingFields(address)
    if (missing.length > 0)
      throw new ShopError(`The order cannot go out yet: fill in ${missing.join(' and ')} on the page.`)
    const id = `HH-${crypto.randomUUID().slice(0, 6).toUpperCase()}`
    const order = updateShop((now) => withOrder(now, id, Date.now())).orders[0]
    if (!order) throw new ShopError('The order was not kept.')
    navigate({ page: 'order', orderId: order.id })
    return order
  }

  useAgentContext({
    page: 'checkout',
    delivery: state.delivery,
    ...(filled ? { order: describeCart(state) } : {}),
    addressComplete: missingFields(address).length === 0,
  })
  useTool({
    name: 'choose_delivery',
    description: 'Choose standard or express delivery for the order',
    parameters: delivery,
    risk: 'low',
    enabled: filled,
    handler: ({ method }) => {
      const next = updateShop((now) => ({ ...now, delivery: method }))
      return { delivery: method, total: toUnits(cartTotals(next).totalCents), currency: 'EUR' }
    },
  })
  useTool({
    name: 'confirm_order',
    description: 'Place the order that the checkout page shows, and pay it',
    parameters: nothing,
    risk: 'critical',
    navigates: true,
    enabled: filled,
    approvalText: `${countOf(totals.count, 'item')}, ${state.delivery} delivery, ${formatCents(totals.totalCents)} in all.`,
    handler: () => {
      const order = placeOrder()
      return { confirmed: true, orderId: order.id, total: toUnits(order.totalCents), currency: 'EUR' }
    },
  })

  if (!filled) {
    return (
      <div className="empty">
        <EmptyBag />
        <h1 tabIndex={-1}>Nothing to check out</h1>
        <p>Your cart is empty.</p>
        <Link to={HOME} className="button primary">
          Look around
        </Link>
      </div>
    )
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    try {
      placeOrder()
    } catch (error) {
      if (!(error instanceof ShopError)) throw error
      showToast(error.message)
    }
  }
  return (
    <form onSubmit={onSubmit}>
      <div className="list-head">
        <h1 tabIndex={-1}>Checkout</h1>
      </div>
      <div className="columns">
        <div className="stack">
          <section className="panel" aria-labelledby="address-title">
            <h2 id="address-title">Where to</h2>
            <AddressFields value={address} onChange={setAddress} />
          </section>
          <fieldset className="panel">
            <legend>How fast</legend>
            <div className="choices">
              {DELIVERY_METHODS.map((method) => (
                <label key={method} className="choice">
                  <input
                    type="radio"
                    name="delivery"
                    value={method}
                    checked={state.delivery === method}
                    onChange={() => updateShop((now) => ({ ...now, delivery: method }))}
                  />
                  <Icon name={method === 'express' ? 'spark' : 'truck'} />
                  <span>
                    <strong>{METHODS[method].title}</strong>
                    <small>{METHODS[method].text}</small>
                  </span>
                </label>
              ))}
            </div>
          </fieldset>
          <section className="panel" aria-labelledby="items-title">
            <h2 id="items-title">What</h2>
            <ul className="plain">
              {getShop().cart.map((line) => (
                <li key={line.productId}>
                  <span>
                    {line.quantity} × {productById(line.productId)?.name}
                  </span>
                  <span className="price">
                    {formatCents(line.quantity * (productById(line.productId)?.priceCents ?? 0))}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        </div>
        <Summary state={state}>
          <button type="submit" className="button primary wide">
            Place order
          </button>
          <p className="muted small">This is a demonstration: nothing is charged and nothing is sent.</p>
        </Summary>
      </div>
    </form>
  )
}
