import { useAgentContext } from '@domos/react'
import { type ReactNode, useState } from 'react'
import { describeProduct } from '../agent/answers.ts'
import { useProductTools } from '../agent/product-tools.ts'
import { Picture } from '../art/picture.tsx'
import { Icon } from '../parts/icons.tsx'
import { ProductCard, stockWords } from '../parts/product-card.tsx'
import { QuantityStepper } from '../parts/quantity.tsx'
import { formatCents } from '../shop/money.ts'
import { PRODUCTS, type Product } from '../shop/products.ts'
import { Link } from '../shop/router.tsx'
import { addToCart, toggleLike } from '../shop/shop-actions.ts'
import { MAX_QUANTITY, quantityInCart, type ShopState, stockOf } from '../shop/shop-state.ts'

/** One product. */
export function ProductPage({ product, state }: { readonly product: Product; readonly state: ShopState }): ReactNode {
  const [quantity, setQuantity] = useState(1)
  const left = stockOf(state, product)
  const inCart = quantityInCart(state, product.id)
  const liked = state.likes.includes(product.id)
  const most = Math.max(1, Math.min(MAX_QUANTITY, left) - inCart)
  const related = PRODUCTS.filter((other) => other.category === product.category && other.id !== product.id)
  const { id: productId, ...shown } = describeProduct(state, product)
  useProductTools(product)
  useAgentContext({
    page: 'product_detail',
    productId,
    ...shown,
    liked,
    about: product.about,
    details: product.details,
  })
  return (
    <>
      <nav className="crumbs" aria-label="Breadcrumb">
        <Link to={{ page: 'list', query: '', category: product.category }}>
          <Icon name="back" flips />
          {product.category}
        </Link>
      </nav>
      <div className="product">
        <Picture product={product} label={`Drawing of the ${product.name}`} className="large" />
        <div className="product-text">
          <h1 tabIndex={-1}>{product.name}</h1>
          <p className="lede">{product.line}</p>
          <p className="price big">
            {formatCents(product.priceCents)}
            <span className={left === 0 ? 'tag' : left <= 5 ? 'tag warm' : 'tag good'}>
              {stockWords(left) ?? `${left} in stock`}
            </span>
          </p>
          <div className="buy">
            {left > 0 && (
              <QuantityStepper
                value={Math.min(quantity, most)}
                most={most}
                name={product.name}
                onChange={setQuantity}
              />
            )}
            <button
              type="button"
              className="button primary grow"
              disabled={inCart >= Math.min(left, MAX_QUANTITY)}
              onClick={() => {
                addToCart(product, Math.min(quantity, most))
                setQuantity(1)
              }}
            >
              <Icon name="bag" />
              {left === 0 ? 'Sold out' : 'Add to cart'}
            </button>
            <button
              type="button"
              className={liked ? 'icon-button framed liked' : 'icon-button framed'}
              aria-pressed={liked}
              aria-label={`Like ${product.name}`}
              onClick={() => toggleLike(product)}
            >
              <Icon name="heart" filled={liked} />
            </button>
          </div>
          {inCart > 0 && (
            <p className="muted">
              {inCart} in your cart. <Link to={{ page: 'cart' }}>Look at the cart</Link>
            </p>
          )}
          <p className="about">{product.about}</p>
          <ul className="facts">
            {product.details.map((detail) => (
              <li key={detail}>{detail}</li>
            ))}
          </ul>
        </div>
      </div>
      <section aria-labelledby="related-title">
        <h2 id="related-title" className="section-title">
          Also on the {product.category} shelf
        </h2>
        <div className="grid">
          {related.slice(0, 4).map((other) => (
            <ProductCard key={other.id} product={other} state={state} />
          ))}
        </div>
      </section>
    </>
  )
}
