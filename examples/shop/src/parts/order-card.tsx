import type { ReactNode } from 'react'
import { Picture } from '../art/picture.tsx'
import { formatCents } from '../shop/money.ts'
import { productById } from '../shop/products.ts'
import type { Order } from '../shop/shop-state.ts'

const date = new Intl.DateTimeFormat('en', { dateStyle: 'long' })

/** One order in a list. */
export function OrderCard({
  order,
  heading: Heading = 'h3',
}: {
  readonly order: Order
  readonly heading?: 'h2' | 'h3'
}): ReactNode {
  return (
    <article className="panel order">
      <header>
        <Heading>Order {order.id}</Heading>
        <p className="muted small">
          <time dateTime={new Date(order.placedAt).toISOString()}>{date.format(order.placedAt)}</time> ·{' '}
          {order.delivery} delivery
        </p>
      </header>
      <ul className="plain">
        {order.lines.map((line) => {
          const product = productById(line.productId)
          return (
            product && (
              <li key={line.productId}>
                <span className="row">
                  <Picture product={product} className="tiny" />
                  {line.quantity} × {product.name}
                </span>
                <span className="price">{formatCents(line.quantity * line.priceCents)}</span>
              </li>
            )
          )
        })}
        <li className="total">
          <span>Total with delivery</span>
          <span className="price">{formatCents(order.totalCents)}</span>
        </li>
      </ul>
    </article>
  )
}
