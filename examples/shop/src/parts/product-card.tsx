import type { ReactNode } from 'react'
import { Picture } from '../art/picture.tsx'
import { formatCents } from '../shop/money.ts'
import type { Product } from '../shop/products.ts'
import { Link } from '../shop/router.tsx'
import { addToCart, toggleLike } from '../shop/shop-actions.ts'
import { quantityInCart, type ShopState, stockOf } from '../shop/shop-state.ts'
import { Icon } from './icons.tsx'

/** What is left, in words; nothing while there is plenty. */
export function stockWords(left: number): string | undefined {
  if (left === 0) return 'Sold out'
  return left <= 5 ? `Only ${left} left` : undefined
}

/** A product in a grid. */
export function ProductCard({
  product,
  state,
  heading: Heading = 'h3',
}: {
  readonly product: Product
  readonly state: ShopState
  readonly heading?: 'h2' | 'h3'
}): ReactNode {
  const left = stockOf(state, product)
  const inCart = quantityInCart(state, product.id)
  const liked = state.likes.includes(product.id)
  const words = stockWords(left)
  return (
    <article className={left === 0 ? 'card sold-out' : 'card'}>
      <Link to={{ page: 'product', productId: product.id }} className="card-link">
        <Picture product={product} />
        <Heading className="card-title">{product.name}</Heading>
      </Link>
      <p className="card-line">{product.line}</p>
      <div className="card-foot">
        <p className="price">
          {formatCents(product.priceCents)}
          {words && <span className={left === 0 ? 'tag' : 'tag warm'}>{words}</span>}
        </p>
        <button
          type="button"
          className="add-button"
          disabled={inCart >= left}
          aria-label={`Add ${product.name} to the cart${inCart > 0 ? `, ${inCart} in it` : ''}`}
          onClick={() => addToCart(product, 1)}
        >
          {inCart > 0 ? <span aria-hidden="true">{inCart}</span> : <Icon name="plus" />}
        </button>
      </div>
      <button
        type="button"
        className={liked ? 'like-button liked' : 'like-button'}
        aria-pressed={liked}
        aria-label={`Like ${product.name}`}
        onClick={() => toggleLike(product)}
      >
        <Icon name="heart" filled={liked} />
      </button>
    </article>
  )
}
