import type { JsonObject, JsonValue, PageContext, ToolDeclaration, ToolOutcome } from '@domos/spec'

const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
})

/** The shop tools the documents name, as an application would declare them. */
export const SHOP_TOOLS: readonly ToolDeclaration[] = [
  {
    name: 'search_products',
    description: 'Search the shop and show the matching products',
    risk: 'none',
    parameters: object(
      {
        query: { type: 'string', description: 'Words to look for' },
        maxPrice: { type: 'number', description: 'Only products up to this price' },
      },
      ['query'],
    ),
  },
  {
    name: 'get_cart',
    description: 'Tell what is in the shopping cart and what it costs',
    risk: 'none',
    parameters: object({}),
  },
  {
    name: 'add_to_cart',
    description: 'Add a product to the shopping cart',
    risk: 'low',
    parameters: object(
      {
        productId: { type: 'string', description: 'Id of the product to add' },
        quantity: { type: 'integer', minimum: 1, maximum: 20, default: 1 },
      },
      ['productId', 'quantity'],
    ),
  },
  {
    name: 'like_product',
    description: 'Like a product, to find it again in the account',
    risk: 'low',
    parameters: object({ productId: { type: 'string' } }, ['productId']),
  },
  {
    name: 'remove_from_cart',
    description: 'Remove a product from the shopping cart',
    risk: 'high',
    parameters: object({ productId: { type: 'string' } }, ['productId']),
  },
  { name: 'clear_cart', description: 'Empty the shopping cart', risk: 'high', parameters: object({}) },
  { name: 'confirm_order', description: 'Confirm the order and pay', risk: 'critical', parameters: object({}) },
  {
    name: 'delete_account',
    description: 'Delete the account of the customer for good',
    risk: 'critical',
    parameters: object({}),
  },
]

/** What the shop sells. */
export const PRODUCTS = [
  { id: 'p-11', name: 'Pro Headphones', category: 'Sound', price: 149.99 },
  { id: 'p-12', name: 'Mini Earbuds', category: 'Sound', price: 59 },
  { id: 'p-21', name: 'Arc Desk Lamp', category: 'Desk', price: 89.5 },
  { id: 'p-22', name: 'Slate Keyboard', category: 'Desk', price: 119 },
  { id: 'p-23', name: 'Travel Keyboard', category: 'Desk', price: 49 },
  { id: 'p-31', name: 'Pour-over Kettle', category: 'Kitchen', price: 64 },
] as const

/** The list page: all products are in the page context. */
export const LIST_PAGE: PageContext = { url: '/', title: 'Shop', data: { page: 'list', products: PRODUCTS } }
/** A page that shows nothing to buy. */
export const HOME_PAGE: PageContext = {
  url: '/account',
  title: 'Account',
  data: { page: 'account', user: { name: 'Kim' } },
}
/** A product page, as the protocol document prints it. */
export const PRODUCT_PAGE: PageContext = {
  url: '/products/headphones',
  title: 'Pro Headphones - Store',
  data: { page: 'product_detail', productId: 'p-11', price: 149.99 },
}

/** A shop that really searches and keeps a cart. */
export function createShop(cart: Record<string, number> = {}): {
  run(name: string, args: JsonObject): ToolOutcome
  readonly cart: Record<string, number>
} {
  const success = (value: JsonValue): ToolOutcome => ({ type: 'success', value })
  return {
    cart,
    run(name, args) {
      switch (name) {
        case 'search_products': {
          const words = String(args.query)
            .toLowerCase()
            .split(/\s+/)
            .map((word) => word.replace(/s$/, ''))
          const products = PRODUCTS.filter((product) =>
            words.some((word) => `${product.name} ${product.category}`.toLowerCase().includes(word)),
          )
          return success({ count: products.length, products })
        }
        case 'get_cart':
          return success({
            items: Object.entries(cart).map(([productId, quantity]) => ({
              productId,
              name: PRODUCTS.find((product) => product.id === productId)?.name ?? '',
              quantity,
            })),
            total: 10,
          })
        case 'add_to_cart':
          cart[String(args.productId)] = (cart[String(args.productId)] ?? 0) + Number(args.quantity)
          return success({ added: true, cartTotal: 299.98 })
        case 'remove_from_cart':
          delete cart[String(args.productId)]
          return success({ removed: true })
        case 'clear_cart':
          for (const key of Object.keys(cart)) delete cart[key]
          return success({ cleared: true })
        default:
          return success({ ok: true })
      }
    },
  }
}
