import { type AnchorHTMLAttributes, type MouseEvent, type ReactNode, useSyncExternalStore } from 'react'
import { CATEGORIES, type Category } from './products.ts'

/** Where the shop lives below the host, without the closing slash. */
const BASE = '/demo'
const CHANGED = 'shop:navigated'

/** The pages of the shop. */
export type Route =
  | {
      readonly page: 'list'
      readonly query: string
      readonly category: Category | undefined
      readonly maxPrice?: number
    }
  | { readonly page: 'product'; readonly productId: string }
  | { readonly page: 'cart' }
  | { readonly page: 'checkout' }
  | { readonly page: 'order'; readonly orderId: string }
  | { readonly page: 'account' }
  | { readonly page: 'missing' }

/** The page that an address means. */
export function routeOf(pathname: string, search: string): Route {
  const [page = '', id = '', ...rest] = pathname.replace(BASE, '').split('/').filter(Boolean).map(decode)
  if (rest.length > 0) return { page: 'missing' }
  if (page === '') {
    const params = new URLSearchParams(search)
    const category = CATEGORIES.find((name) => name.toLowerCase() === params.get('category')?.toLowerCase())
    const maxPrice = Number(params.get('max') ?? Number.NaN)
    const bound = maxPrice > 0 ? { maxPrice } : {}
    return { page: 'list', query: params.get('q')?.trim() ?? '', category, ...bound }
  }
  if (page === 'product' && id) return { page, productId: id }
  if (page === 'order' && id) return { page, orderId: id }
  if ((page === 'cart' || page === 'checkout' || page === 'account') && !id) return { page }
  return { page: 'missing' }
}

/** The address of a page. */
export function hrefOf(route: Route): string {
  switch (route.page) {
    case 'list': {
      const params = new URLSearchParams()
      if (route.query) params.set('q', route.query)
      if (route.category) params.set('category', route.category.toLowerCase())
      if (route.maxPrice) params.set('max', String(route.maxPrice))
      return `${BASE}/${params.size > 0 ? `?${params}` : ''}`
    }
    case 'product':
      return `${BASE}/product/${encodeURIComponent(route.productId)}`
    case 'order':
      return `${BASE}/order/${encodeURIComponent(route.orderId)}`
    case 'missing':
      return `${BASE}/`
    default:
      return `${BASE}/${route.page}`
  }
}

/** The first page, unfiltered. */
export const HOME: Route = { page: 'list', query: '', category: undefined }

/** Goes to a page by the History API; `replace` leaves no step behind. */
export function navigate(route: Route, { replace = false }: { readonly replace?: boolean } = {}): void {
  const href = hrefOf(route)
  if (href === location.pathname + location.search) return
  history[replace ? 'replaceState' : 'pushState'](null, '', href)
  if (!replace) window.scrollTo({ top: 0 })
  window.dispatchEvent(new Event(CHANGED))
}

/** The page now shown. */
export function useRoute(): Route {
  const address = useSyncExternalStore(subscribe, () => location.pathname + location.search)
  const cut = address.indexOf('?')
  return cut < 0 ? routeOf(address, '') : routeOf(address.slice(0, cut), address.slice(cut))
}

/** A link within the shop; opens in a new tab as every link does when asked to. */
export function Link({
  to,
  children,
  ...rest
}: { readonly to: Route; readonly children: ReactNode } & Omit<
  AnchorHTMLAttributes<HTMLAnchorElement>,
  'href'
>): ReactNode {
  const onClick = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    navigate(to)
  }
  return (
    <a {...rest} href={hrefOf(to)} onClick={onClick}>
      {children}
    </a>
  )
}

function subscribe(listener: () => void): () => void {
  window.addEventListener(CHANGED, listener)
  window.addEventListener('popstate', listener)
  return () => {
    window.removeEventListener(CHANGED, listener)
    window.removeEventListener('popstate', listener)
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
