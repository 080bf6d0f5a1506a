import { CATEGORIES, PRODUCTS } from '../shop/products.ts'

/** What people search for here and no product is called. Few words: each one more can be misheard for another. */
const SEARCHED = ['coffee', 'music', 'wireless', 'earphones', 'light']

/** Words a recognizer should expect in this shop: names of products, what they are for short, shelves, and what is searched for. */
export const SHOP_VOCABULARY: readonly string[] = [
  ...new Set(
    [
      ...PRODUCTS.map(({ name }) => name),
      ...PRODUCTS.map(({ name }) => name.split(/[\s-]/).at(-1) ?? name),
      ...CATEGORIES,
      ...SEARCHED,
    ].map((word) => word.toLowerCase().replaceAll('-', ' ')),
  ),
]
