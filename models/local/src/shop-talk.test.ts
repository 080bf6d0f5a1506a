import type { JsonObject, ToolDeclaration } from '@domos/spec'
import { describe, expect, it } from 'vitest'
import { openTalk } from './test/talk.ts'

const object = (properties: JsonObject, required: string[] = []) => ({ type: 'object' as const, properties, required })

// A small shop whose results say their currency, and whose checkout is another page.
const TOOLS: readonly ToolDeclaration[] = [
  {
    name: 'search_products',
    description: 'Search the shop and show the matching products',
    parameters: object(
      {
        query: { type: 'string', description: 'Words to look for, such as "coffee" or "wireless"' },
        category: { type: 'string', enum: ['Sound', 'Desk', 'Kitchen', 'Home'], description: 'Only this shelf' },
        maxPrice: { type: 'number', description: 'Only up to this price in euros' },
      },
      ['query'],
    ),
    risk: 'none',
  },
  {
    name: 'go_to',
    description: 'Go to another page of the shop: home (the start page), cart, checkout or account',
    parameters: object({ page: { type: 'string', enum: ['home', 'cart', 'checkout', 'account'] } }, ['page']),
    risk: 'none',
  },
  {
    name: 'get_cart',
    description: 'Tell what is in the shopping cart and what it costs',
    parameters: object({}),
    risk: 'none',
  },
  {
    name: 'add_to_cart',
    description: 'Add a product to the shopping cart',
    parameters: object(
      {
        productId: { type: 'string', description: 'Id of the product to add' },
        quantity: { type: 'integer', minimum: 1, maximum: 99, default: 1 },
      },
      ['productId'],
    ),
    risk: 'low',
  },
]

const talk = (results: Readonly<Record<string, JsonObject>> = {}) =>
  openTalk({ tools: TOOLS, run: (name) => ({ type: 'success', value: results[name] ?? { ok: true } }) })

describe('the words of a shop', () => {
  it.each(['go to the start page', 'take me to the start page', 'go home'])(
    '"%s" is the page that is called so',
    async (said) => {
      expect((await talk().say(said)).calls).toEqual([{ name: 'go_to', args: { page: 'home' } }])
    },
  )

  it('looks for what another filter says when nothing else is said', async () => {
    expect((await talk().say('show me something for the kitchen under 50 euros')).calls).toEqual([
      { name: 'search_products', args: { query: 'Kitchen', category: 'Kitchen', maxPrice: 50 } },
    ])
  })

  it.each(['show me all products', 'what do you sell?'])('"%s" is a search for everything', async (said) => {
    expect((await talk().say(said)).calls).toEqual([{ name: 'search_products', args: { query: '' } }])
  })

  it('takes a number of things for no price', async () => {
    const { calls } = await talk().say('I want 4 headphones')
    expect(calls.find(({ name }) => name === 'search_products')?.args).toEqual({ query: 'headphones' })
  })

  it('asks what to look for in the words of a person', async () => {
    expect((await talk().say('search for something')).text).toBe('What shall I look for?')
  })

  it.each([
    ['add -5 mugs to my cart', /at least 1, not -5/],
    ['add minus 5 mugs to my cart', /at least 1, not -5/],
    ['add 1000000 mugs to my cart', /at most 99, not 1000000/],
  ])('"%s" is asked back, and nothing else is put in', async (said, why) => {
    const shop = openTalk({
      tools: TOOLS,
      context: { url: '/', title: 'Shop', data: { products: [{ id: 'mug', name: 'Mug', price: 18 }] } },
    })
    const { calls, text } = await shop.say(said)
    expect(calls).toEqual([])
    expect(text).toMatch(why)
    expect((await shop.say('3')).calls).toEqual([{ name: 'add_to_cart', args: { productId: 'mug', quantity: 3 } }])
  })

  it('tells amounts in the currency that the result names, and numbers that are none as they are', async () => {
    const cart = {
      products: [{ productId: 'mug', name: 'Mug', quantity: 2, price: 18 }],
      count: 2,
      subtotal: 36,
      delivery: 4.9,
      total: 40.9,
      currency: 'EUR',
    }
    const { text } = await talk({ get_cart: cart }).say('what is in my cart?')
    expect(text).toContain('2 × Mug (€18.00)')
    expect(text).toContain('delivery: €4.90')
    expect(text).toContain('total: €40.90')
    const bare = await talk({ get_cart: { count: 1, total: 7 } }).say('what is in my cart?')
    expect(bare.text).toContain('total: 7')
  })

  it('says where there may be more when this page cannot do it', async () => {
    const { calls, text } = await talk().say('confirm my order')
    expect(calls).toEqual([])
    expect(text).toMatch(/nothing on this page .*“confirm my order”.*other pages may offer more/is)
  })

  it('says that it cannot answer, rather than that there is no tool', async () => {
    const { text } = await talk().say('do the lamps come with bulbs?')
    expect(text).toMatch(/does not tell me the answer/)
  })

  it.each([
    'zwei Kopfhörer in den Warenkorb bitte',
    'was ist in meinem Warenkorb?',
    'quiero dos lámparas por favor mi amor',
  ])('says of "%s" that it understands English only', async (said) => {
    const { calls, text } = await talk().say(said)
    expect(calls).toEqual([])
    expect(text).toMatch(/English only/)
  })
})
