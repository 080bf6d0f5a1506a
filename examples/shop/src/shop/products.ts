/** The shelves of the shop. */
export const CATEGORIES = ['Sound', 'Desk', 'Kitchen', 'Home', 'Outdoors'] as const

/** One of {@link CATEGORIES}. */
export type Category = (typeof CATEGORIES)[number]

/** Something for sale. Prices are whole cents; `stock` is what the warehouse held at the start. */
export interface Product {
  readonly id: string
  readonly name: string
  readonly category: Category
  readonly priceCents: number
  readonly stock: number
  readonly line: string
  readonly about: string
  readonly details: readonly string[]
  readonly keywords: string
}

/** All twenty products, in shelf order. */
export const PRODUCTS: readonly Product[] = [
  {
    id: 'pro-headphones',
    name: 'Pro Headphones',
    category: 'Sound',
    priceCents: 14_999,
    stock: 12,
    line: 'Over-ear, forty hours, a switch for silence.',
    about:
      'Closed cups with memory foam, a steel headband that bends instead of breaking, and noise cancelling that leaves the doorbell in.',
    details: ['40 h battery', 'Wired or wireless', 'Replaceable cushions', '268 g'],
    keywords: 'headset audio music over-ear wireless noise cancelling',
  },
  {
    id: 'mini-earbuds',
    name: 'Mini Earbuds',
    category: 'Sound',
    priceCents: 5_900,
    stock: 30,
    line: 'Small enough to forget, loud enough not to.',
    about: 'Two buds and a case the size of a matchbox. Pairs with two devices and rides out rain.',
    details: ['7 h + 21 h in the case', 'IPX4', 'Three tip sizes', '4 g each'],
    keywords: 'earphones in-ear audio music wireless',
  },
  {
    id: 'pebble-speaker',
    name: 'Pebble Speaker',
    category: 'Sound',
    priceCents: 7_950,
    stock: 9,
    line: 'A round voice for a small room.',
    about:
      'One driver, tuned for speech and strings, in a shell of recycled glass fibre. A loop hangs it on a door handle.',
    details: ['14 h battery', 'Stereo when paired', 'Recycled shell', '410 g'],
    keywords: 'audio music bluetooth portable loudspeaker',
  },
  {
    id: 'oak-turntable',
    name: 'Oak Turntable',
    category: 'Sound',
    priceCents: 22_900,
    stock: 3,
    line: 'Side A, side B, nothing to scroll.',
    about:
      'Belt drive on a solid oak plinth with feet that ignore footsteps. The built-in preamplifier can be switched off.',
    details: ['33 and 45 rpm', 'Carbon arm', 'Built-in preamplifier', '5.2 kg'],
    keywords: 'record player vinyl music audio',
  },
  {
    id: 'mechanical-keyboard',
    name: 'Mechanical Keyboard',
    category: 'Desk',
    priceCents: 8_999,
    stock: 4,
    line: 'Quiet switches, honest clicks.',
    about:
      'Sixty-eight keys on a gasket mount, so it sounds like rain rather than hail. Every switch can be pulled and swapped.',
    details: ['68 keys', 'Hot-swap switches', 'USB-C and wireless', '720 g'],
    keywords: 'typing computer keys wireless',
  },
  {
    id: 'vertical-mouse',
    name: 'Vertical Mouse',
    category: 'Desk',
    priceCents: 4_490,
    stock: 18,
    line: 'A handshake for your wrist.',
    about: 'Holds the hand at fifty-seven degrees, where the forearm rests. Left-handed and right-handed shells.',
    details: ['57° angle', 'Silent buttons', '3 months a charge', '98 g'],
    keywords: 'computer ergonomic wireless pointer',
  },
  {
    id: 'arc-desk-lamp',
    name: 'Arc Desk Lamp',
    category: 'Desk',
    priceCents: 6_400,
    stock: 7,
    line: 'Daylight until six, candlelight after.',
    about:
      'One arc of steel with an LED head that moves from cool to warm through the day, or stays where you leave it.',
    details: ['2200 to 5000 K', 'Dims to 1 %', 'Weighted base', '8 W'],
    keywords: 'light lighting led reading',
  },
  {
    id: 'dotted-notebook',
    name: 'Dotted Notebook',
    category: 'Desk',
    priceCents: 1_450,
    stock: 60,
    line: 'Lies flat. Stays flat.',
    about: 'Thread-bound, 192 numbered pages of 100 g paper that takes fountain ink without a ghost on the other side.',
    details: ['A5', '192 pages', '100 g paper', 'Two ribbons'],
    keywords: 'paper journal writing stationery book',
  },
  {
    id: 'brass-pen',
    name: 'Brass Pen',
    category: 'Desk',
    priceCents: 2_800,
    stock: 25,
    line: 'Gets better looking every year.',
    about: 'Turned from one brass rod and left bare, so it darkens where you hold it. Takes common refills.',
    details: ['Standard refill', 'Solid brass', '38 g', 'No clip'],
    keywords: 'writing ballpoint stationery ink',
  },
  {
    id: 'stoneware-mug',
    name: 'Stoneware Mug',
    category: 'Kitchen',
    priceCents: 1_800,
    stock: 40,
    line: 'Room for all of your fingers.',
    about: 'Thrown stoneware with a raw foot and a handle for a whole hand. No two glazes run the same way.',
    details: ['350 ml', 'Dishwasher safe', 'Handle for four fingers', '390 g'],
    keywords: 'cup coffee tea ceramic',
  },
  {
    id: 'gooseneck-kettle',
    name: 'Gooseneck Kettle',
    category: 'Kitchen',
    priceCents: 7_400,
    stock: 6,
    line: 'A thin, slow, steady pour.',
    about: 'Set the degree, hear one soft tone, pour exactly where you look. Keeps the heat for half an hour.',
    details: ['40 to 100 °C', '0.9 l', 'Holds 30 min', '1200 W'],
    keywords: 'coffee tea water boil pour over',
  },
  {
    id: 'glass-teapot',
    name: 'Glass Teapot',
    category: 'Kitchen',
    priceCents: 3_600,
    stock: 15,
    line: 'Watch it happen.',
    about: 'Borosilicate glass with a steel basket you lift out when the colour is right.',
    details: ['700 ml', 'Lift-out basket', 'Hob safe', '310 g'],
    keywords: 'tea pot infuser brew',
  },
  {
    id: 'hand-grinder',
    name: 'Hand Grinder',
    category: 'Kitchen',
    priceCents: 5_200,
    stock: 11,
    line: 'Thirty turns to good coffee.',
    about: 'Conical steel burrs on two bearings, stepped so that you find yesterday’s setting again.',
    details: ['25 g a load', '36 steps', 'Steel burrs', '480 g'],
    keywords: 'coffee beans mill burr',
  },
  {
    id: 'potted-monstera',
    name: 'Potted Monstera',
    category: 'Home',
    priceCents: 3_200,
    stock: 8,
    line: 'Forgives a week of forgetting.',
    about: 'A young plant in a terracotta pot with a reservoir. It wants a bright corner and very little else.',
    details: ['35 cm tall', 'Reservoir pot', 'Bright shade', 'Water weekly'],
    keywords: 'plant green leaf pot houseplant',
  },
  {
    id: 'cedar-candle',
    name: 'Cedar Candle',
    category: 'Home',
    priceCents: 2_200,
    stock: 35,
    line: 'A walk in the woods, indoors.',
    about: 'Rapeseed wax with cedar and a little smoke, in an amber glass you will keep for pencils.',
    details: ['45 h', 'Rapeseed wax', 'Cotton wick', '220 g'],
    keywords: 'scent light wax wood',
  },
  {
    id: 'wool-blanket',
    name: 'Wool Blanket',
    category: 'Home',
    priceCents: 9_500,
    stock: 5,
    line: 'Heavy in the right way.',
    about: 'Lambswool woven in a broken check, washed twice so that it is soft on the first evening.',
    details: ['130 × 190 cm', 'Lambswool', 'Fringed', '1.1 kg'],
    keywords: 'throw warm bed sofa',
  },
  {
    id: 'wall-clock',
    name: 'Wall Clock',
    category: 'Home',
    priceCents: 4_800,
    stock: 0,
    line: 'Sweeps, never ticks.',
    about: 'A pressed steel face and a movement without a tick. Readable from the next room.',
    details: ['Ø 28 cm', 'Silent sweep', 'One AA cell', '520 g'],
    keywords: 'time watch hours',
  },
  {
    id: 'rolltop-backpack',
    name: 'Roll-top Backpack',
    category: 'Outdoors',
    priceCents: 11_900,
    stock: 10,
    line: 'Grows from desk to weekend.',
    about: 'Waxed canvas with a roll top: eighteen litres for a laptop, twenty-six when you come home with bread.',
    details: ['18 to 26 l', '15" sleeve', 'Waxed canvas', '1.2 kg'],
    keywords: 'bag rucksack travel laptop',
  },
  {
    id: 'steel-bottle',
    name: 'Steel Bottle',
    category: 'Outdoors',
    priceCents: 2_900,
    stock: 45,
    line: 'Cold at noon, warm at night.',
    about: 'Double-walled steel with a cap that needs one turn. It dents; it does not die.',
    details: ['0.6 l', '24 h cold', '12 h warm', '330 g'],
    keywords: 'water flask thermos drink',
  },
  {
    id: 'rain-umbrella',
    name: 'Rain Umbrella',
    category: 'Outdoors',
    priceCents: 3_900,
    stock: 14,
    line: 'Turns inside out, turns back.',
    about: 'Eight fibreglass ribs that give way in a gust and return. A beech handle to hang it by.',
    details: ['Ø 104 cm', 'Fibreglass ribs', 'Beech handle', '470 g'],
    keywords: 'weather wet storm',
  },
]

const byId = new Map(PRODUCTS.map((product) => [product.id, product]))

/** The product with this id. */
export function productById(id: string): Product | undefined {
  return byId.get(id)
}

/** The product meant by an id or a name, whatever its case; `undefined` when none or several fit. */
export function findProduct(idOrName: string): Product | undefined {
  const wanted = idOrName.trim().toLowerCase()
  if (wanted === '') return undefined
  const exact = byId.get(wanted) ?? PRODUCTS.find((product) => product.name.toLowerCase() === wanted)
  if (exact) return exact
  const close = PRODUCTS.filter((product) => wordsOf(wanted).every((word) => wordsOf(product.name).includes(word)))
  return close.length === 1 ? close[0] : undefined
}

/**
 * Products whose name, shelf or keywords hold every word of the query; all when it is empty. A plural counts as its word.
 * `maxPrice` is in whole units. Words that fit no product at all are passed over, unless none is left: "3 brass pens" finds the pen.
 */
export function searchProducts(
  query: string,
  category?: Category,
  maxPrice = Number.POSITIVE_INFINITY,
): readonly Product[] {
  const words = wordsOf(query)
  const known = words.filter((word) => PRODUCTS.some((product) => holds(product, word)))
  if (words.length > 0 && known.length === 0) return []
  const onShelf = PRODUCTS.filter(
    (product) => (category === undefined || product.category === category) && product.priceCents <= maxPrice * 100,
  )
  return onShelf.filter((product) => known.every((word) => holds(product, word)))
}

function holds(product: Product, word: string): boolean {
  return wordsOf(`${product.name} ${product.category} ${product.line} ${product.keywords}`).some((own) =>
    own.startsWith(word),
  )
}

function wordsOf(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.map((word) => (word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word))
}
