import { useAgentContext, useTool } from '@domos/react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { nothing } from '../agent/schemas.ts'
import { AddressFields, NOBODY } from '../parts/address-fields.tsx'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { OrderCard } from '../parts/order-card.tsx'
import { ProductCard } from '../parts/product-card.tsx'
import { showToast } from '../parts/toasts.tsx'
import { countOf, toUnits } from '../shop/money.ts'
import { productById } from '../shop/products.ts'
import { HOME, Link } from '../shop/router.tsx'
import { attempt } from '../shop/shop-actions.ts'
import { type ShopState, withAccount, withoutAccount } from '../shop/shop-state.ts'
import { getShop, updateShop } from '../shop/shop-store.ts'

/** Orders, likes, the address, and the way out. */
export function AccountPage({ state }: { readonly state: ShopState }): ReactNode {
  const exists = state.account !== null
  useAgentContext({ page: 'account', orders: state.orders.length, likes: state.likes.length })
  useTool({
    name: 'get_orders',
    description: 'List the past orders of this account',
    parameters: nothing,
    risk: 'none',
    enabled: exists,
    handler: () => ({
      count: getShop().orders.length,
      orders: getShop()
        .orders.slice(0, 10)
        .map((order) => ({
          orderId: order.id,
          placedOn: new Date(order.placedAt).toISOString().slice(0, 10),
          total: toUnits(order.totalCents),
          items: order.lines.map((line) => ({ name: productById(line.productId)?.name, quantity: line.quantity })),
        })),
      currency: 'EUR',
    }),
  })
  useTool({
    name: 'delete_account',
    description: 'Delete the account with its orders and likes, for good',
    parameters: nothing,
    risk: 'critical',
    enabled: exists,
    approvalText: `The account of ${state.account?.name ?? ''}, ${countOf(state.orders.length, 'order')} and ${countOf(state.likes.length, 'like')} are lost for good.`,
    handler: () => {
      updateShop(withoutAccount)
      return { deleted: true }
    },
  })
  return state.account ? <Account state={state} /> : <NoAccount />
}

function Account({ state }: { readonly state: ShopState }): ReactNode {
  const [asking, setAsking] = useState(false)
  const likes = state.likes.flatMap((id) => productById(id) ?? [])
  return (
    <>
      <div className="list-head">
        <h1 tabIndex={-1}>Hello, {state.account?.name}</h1>
      </div>
      <div className="columns">
        <div className="stack">
          <section aria-labelledby="orders-title" className="stack">
            <h2 id="orders-title" className="section-title">
              Orders
            </h2>
            {state.orders.length === 0 ? (
              <p className="hollow">
                No orders yet. <Link to={HOME}>Find something</Link>
              </p>
            ) : (
              state.orders.map((order) => <OrderCard key={order.id} order={order} />)
            )}
          </section>
          <section aria-labelledby="likes-title">
            <h2 id="likes-title" className="section-title">
              Likes
            </h2>
            {likes.length === 0 ? (
              <p className="hollow">Nothing liked yet. The heart on a product keeps it here.</p>
            ) : (
              <div className="grid">
                {likes.map((product) => (
                  <ProductCard key={product.id} product={product} state={state} />
                ))}
              </div>
            )}
          </section>
        </div>
        <div className="stack">
          <section className="panel" aria-labelledby="details-title">
            <h2 id="details-title">Your details</h2>
            <Details state={state} label="Save" said="Saved." />
          </section>
          <section className="panel danger" aria-labelledby="danger-title">
            <h2 id="danger-title">Delete the account</h2>
            <p className="muted small danger-note">
              Orders and likes go with it, for good. Your cart stays in this browser.
            </p>
            <button type="button" className="button danger" onClick={() => setAsking(true)}>
              Delete account…
            </button>
          </section>
        </div>
      </div>
      {asking && (
        <ConfirmDialog
          title="Delete your account?"
          text={`${countOf(state.orders.length, 'order')} and ${countOf(state.likes.length, 'like')} are lost for good.`}
          confirm="Delete account"
          onClose={(confirmed) => {
            setAsking(false)
            if (confirmed) updateShop(withoutAccount)
          }}
        />
      )}
    </>
  )
}

function NoAccount(): ReactNode {
  return (
    <div className="narrow">
      <div className="list-head">
        <h1 tabIndex={-1}>Make an account</h1>
      </div>
      <section className="panel">
        <p className="muted">There is none in this browser. Nothing you type leaves it.</p>
        <Details label="Make account" said="Welcome." />
      </section>
    </div>
  )
}

function Details({
  state,
  label,
  said,
}: {
  readonly state?: ShopState
  readonly label: string
  readonly said: string
}): ReactNode {
  const [draft, setDraft] = useState(state?.account ?? NOBODY)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (attempt((now) => withAccount(now, draft))) showToast(said)
  }
  return (
    <form onSubmit={onSubmit} className="stack">
      <AddressFields value={draft} onChange={setDraft} />
      <button type="submit" className="button">
        {label}
      </button>
    </form>
  )
}
