import { useAgentContext } from '@domos/react'
import type { ReactNode } from 'react'
import { Icon } from '../parts/icons.tsx'
import { OrderCard } from '../parts/order-card.tsx'
import { toUnits } from '../shop/money.ts'
import { HOME, Link } from '../shop/router.tsx'
import type { Order } from '../shop/shop-state.ts'

/** Thanks for an order. */
export function OrderPage({ order }: { readonly order: Order }): ReactNode {
  useAgentContext({ page: 'order', orderId: order.id, total: toUnits(order.totalCents), delivery: order.delivery })
  return (
    <div className="narrow">
      <div className="thanks">
        <span className="thanks-mark">
          <Icon name="check" />
        </span>
        <h1 tabIndex={-1}>Thank you. It is on its way.</h1>
        <p className="muted">
          {order.delivery === 'express' ? 'Look for it tomorrow before noon.' : 'Look for it in three days.'}
        </p>
      </div>
      <OrderCard order={order} heading="h2" />
      <p className="row">
        <Link to={HOME} className="button primary">
          Keep looking
        </Link>
        <Link to={{ page: 'account' }} className="button">
          All orders
        </Link>
      </p>
    </div>
  )
}
