import type { ModelPart, ToolDeclaration, ToolOutcome } from '@domos/spec'
import { describe, expect, it } from 'vitest'
import { createLocalModel } from './local-model.ts'
import { createShop, HOME_PAGE, LIST_PAGE, PRODUCT_PAGE, SHOP_TOOLS } from './test/shop.ts'
import { openTalk } from './test/talk.ts'

const without = (...names: string[]): readonly ToolDeclaration[] =>
  SHOP_TOOLS.filter((tool) => !names.includes(tool.name))

function openShop(context = LIST_PAGE, cart: Record<string, number> = {}) {
  const shop = createShop(cart)
  return { shop, talk: openTalk({ tools: SHOP_TOOLS, context, run: shop.run }) }
}

describe('one call', () => {
  it('takes the product from the page and the number from its word', async () => {
    const { calls, text } = await openShop().talk.say('add two headphones to my cart')
    expect(calls).toEqual([{ name: 'add_to_cart', args: { productId: 'p-11', quantity: 2 } }])
    expect(text).toContain('2 × Pro Headphones')
    expect(text).toContain('299.98')
  })

  it('takes the product the page is about when none is named', async () => {
    const { calls } = await openShop(PRODUCT_PAGE).talk.say('Add 2 to my cart')
    expect(calls).toEqual([{ name: 'add_to_cart', args: { productId: 'p-11', quantity: 2 } }])
  })

  it.each([
    ['what is in my cart?', 'get_cart', {}],
    ["What's in the basket", 'get_cart', {}],
    ['clear my cart', 'clear_cart', {}],
    ['Empty it the cart please', 'clear_cart', {}],
    ['confirm my order', 'confirm_order', {}],
    ['delete my account', 'delete_account', {}],
    ['search for a keyboard', 'search_products', { query: 'keyboard' }],
    ['find keyboards under 60 euros', 'search_products', { query: 'keyboards', maxPrice: 60 }],
  ])('%s', async (utterance, name, args) => {
    const { calls } = await openShop().talk.say(utterance)
    expect(calls).toEqual([{ name, args }])
  })

  it('likes what the page is about', async () => {
    const { calls } = await openShop(PRODUCT_PAGE).talk.say('like this')
    expect(calls).toEqual([{ name: 'like_product', args: { productId: 'p-11' } }])
  })

  it('uses a tool that takes only a number, as the protocol document prints it', async () => {
    const tool: ToolDeclaration = {
      name: 'add_to_cart',
      description: 'Add the currently viewed product to the shopping cart',
      risk: 'low',
      parameters: { type: 'object', properties: { quantity: { type: 'number', minimum: 1 } }, required: ['quantity'] },
    }
    const talk = openTalk({ tools: [tool], context: PRODUCT_PAGE })
    expect((await talk.say('Add 2 to my cart')).calls).toEqual([{ name: 'add_to_cart', args: { quantity: 2 } }])
    expect((await talk.say('add a lamp')).calls).toEqual([])
  })
})

describe('two calls', () => {
  it('searches and adds the first hit', async () => {
    const { calls } = await openShop(HOME_PAGE).talk.say('search for a keyboard and add the first one')
    expect(calls).toEqual([
      { name: 'search_products', args: { query: 'keyboard' } },
      { name: 'add_to_cart', args: { productId: 'p-22', quantity: 1 } },
    ])
  })

  it('looks for a product that the page does not show', async () => {
    const { calls } = await openShop(HOME_PAGE).talk.say('add two headphones to my cart')
    expect(calls).toEqual([
      { name: 'search_products', args: { query: 'headphones' } },
      { name: 'add_to_cart', args: { productId: 'p-11', quantity: 2 } },
    ])
  })

  it('reads the cart to know what to take out', async () => {
    const { calls, shop } = await (async () => {
      const opened = openShop(HOME_PAGE, { 'p-21': 1, 'p-22': 1 })
      return { ...(await opened.talk.say('remove the lamp')), shop: opened.shop }
    })()
    expect(calls.at(-1)).toEqual({ name: 'remove_from_cart', args: { productId: 'p-21' } })
    expect(shop.cart).toEqual({ 'p-22': 1 })
  })

  it('says that a search found nothing instead of adding something else', async () => {
    const { calls, text } = await openShop(HOME_PAGE).talk.say('add a bicycle to my cart')
    expect(calls).toEqual([{ name: 'search_products', args: { query: 'bicycle' } }])
    expect(text).toMatch(/could not find .*bicycle/)
  })

  it('does both of two things joined by "then"', async () => {
    const { calls } = await openShop(LIST_PAGE, { 'p-21': 1 }).talk.say('Empty the cart, then add two lamps')
    expect(calls).toEqual([
      { name: 'clear_cart', args: {} },
      { name: 'add_to_cart', args: { productId: 'p-21', quantity: 2 } },
    ])
  })

  it('adds each of two things', async () => {
    const { calls } = await openShop().talk.say('add the lamp and two kettles to my cart')
    expect(calls).toEqual([
      { name: 'add_to_cart', args: { productId: 'p-21', quantity: 1 } },
      { name: 'add_to_cart', args: { productId: 'p-31', quantity: 2 } },
    ])
  })
})

describe('over several turns', () => {
  it('knows what "the second one" and "it" were', async () => {
    const { talk } = openShop(HOME_PAGE)
    await talk.say('search for keyboards')
    expect((await talk.say('add the second one')).calls).toEqual([
      { name: 'add_to_cart', args: { productId: 'p-23', quantity: 1 } },
    ])
    expect((await talk.say('like it too')).calls).toEqual([{ name: 'like_product', args: { productId: 'p-23' } }])
  })

  it('asks for what is missing and uses the answer', async () => {
    const { talk } = openShop()
    const asked = await talk.say('add something to my cart')
    expect(asked.calls).toEqual([])
    expect(asked.text).toMatch(/\?$/)
    expect((await talk.say('the kettle')).calls).toEqual([
      { name: 'add_to_cart', args: { productId: 'p-31', quantity: 1 } },
    ])
  })

  it('drops its question when the person asks for something else or says no', async () => {
    const { talk } = openShop()
    await talk.say('add something to my cart')
    expect((await talk.say('what is in my cart?')).calls).toEqual([{ name: 'get_cart', args: {} }])
    await talk.say('like something')
    expect((await talk.say('never mind')).calls).toEqual([])
  })
})

describe('several things that fit', () => {
  it('takes the first for a harmless tool and says so', async () => {
    const { talk } = openShop()
    const { calls, notes } = await talk.say('add a keyboard to my cart')
    expect(calls).toEqual([{ name: 'add_to_cart', args: { productId: 'p-22', quantity: 1 } }])
    expect(notes).toMatch(/Slate Keyboard, Travel Keyboard/)
  })

  it('asks before a risky one', async () => {
    const { talk } = openShop(LIST_PAGE, { 'p-22': 1, 'p-23': 1 })
    const asked = await talk.say('remove the keyboard')
    expect(asked.calls).toEqual([])
    expect(asked.text).toMatch(/Slate Keyboard, Travel Keyboard.*\?$/)
    expect((await talk.say('the travel one')).calls).toEqual([
      { name: 'remove_from_cart', args: { productId: 'p-23' } },
    ])
  })
})

describe('questions the page answers', () => {
  it('tells a property of a thing, of the dearest and of what "it" is', async () => {
    const { talk } = openShop()
    expect((await talk.say('how much is the kettle?')).text).toContain('64')
    expect((await talk.say('what is the most expensive product?')).text).toContain('Pro Headphones')
    await talk.say('search for earbuds')
    expect((await talk.say('how much is it?')).text).toContain('59')
    expect((await talk.say('add it')).calls).toEqual([
      { name: 'add_to_cart', args: { productId: 'p-12', quantity: 1 } },
    ])
  })
})

describe('honesty', () => {
  const failing = (outcome: ToolOutcome) => openTalk({ tools: SHOP_TOOLS, context: LIST_PAGE, run: () => outcome })

  it('does not repeat a declined call and says that it was declined', async () => {
    const { calls, text } = await failing({ type: 'failure', code: 'denied', message: 'declined by the person' }).say(
      'clear my cart',
    )
    expect(calls).toHaveLength(1)
    expect(text).toMatch(/declined/)
    expect(text).not.toMatch(/Done/)
  })

  it('does not say that the person declined what policy refused', async () => {
    const { text } = await failing({
      type: 'failure',
      code: 'denied',
      deniedBy: 'policy',
      message: 'This key lacks the scope shop:write; the tool did not run.',
    }).say('clear my cart')
    expect(text).not.toMatch(/you declined/i)
    expect(text).toContain('shop:write')
  })

  it('says what failed', async () => {
    const { text } = await failing({ type: 'failure', code: 'failed', message: 'The warehouse is closed' }).say(
      'confirm my order',
    )
    expect(text).toContain('The warehouse is closed')
  })

  it('does not take a success that says "added: false" for done', async () => {
    const { text } = await failing({ type: 'success', value: { added: false, reason: 'sold out' } }).say('add the lamp')
    expect(text).toContain('sold out')
    expect(text).not.toMatch(/Done/)
  })

  it.each([
    'paint the cart red',
    'book a flight to Lisbon',
    'what is the weather like in Oslo?',
    'xyzzy',
    'Was kostet das alles?',
  ])('calls nothing for "%s"', async (utterance) => {
    const { calls, text } = await openShop().talk.say(utterance)
    expect(calls).toEqual([])
    expect(text.length).toBeGreaterThan(0)
  })

  it.each([
    'my account was deleted',
    'I already ordered',
    'why was my order cancelled',
    'what happens if I clear my cart?',
    'how do I delete my account?',
    'is my order confirmed?',
    'I placed an order yesterday',
  ])('takes no statement and no question for a command: %s', async (utterance) => {
    const { calls } = await openShop().talk.say(utterance)
    expect(calls.filter((call) => call.name !== 'get_cart' && call.name !== 'search_products')).toEqual([])
  })

  it.each(["don't clear my cart", 'please do not delete my account', 'never confirm my order'])(
    'leaves undone: %s',
    async (utterance) => {
      expect((await openShop().talk.say(utterance)).calls).toEqual([])
    },
  )

  it('does the other half when one half is negated', async () => {
    expect((await openShop().talk.say("don't add the lamp, add the kettle")).calls).toEqual([
      { name: 'add_to_cart', args: { productId: 'p-31', quantity: 1 } },
    ])
  })

  it('never offers the opposite of what was asked', async () => {
    const talk = openTalk({ tools: without('add_to_cart', 'search_products'), context: LIST_PAGE })
    expect((await talk.say('add the lamp to my cart')).calls).toEqual([])
  })

  it('says why a number cannot be used', async () => {
    const { calls, text } = await openShop().talk.say('add 50 lamps to my cart')
    expect(calls).toEqual([])
    expect(text).toContain('at most 20')
  })

  it('tells what it can do', async () => {
    expect((await openShop().talk.say('what can you do?')).text).toContain('add to cart')
    expect((await openTalk({ tools: [] }).say('hello')).text).toContain('nothing to do')
  })
})

describe('as a model', () => {
  const request = {
    system: '',
    messages: [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'help' }] }],
    tools: SHOP_TOOLS,
  }

  it('streams text in pieces and ends with a finish', async () => {
    const parts: ModelPart[] = []
    for await (const part of createLocalModel().stream(request, new AbortController().signal)) parts.push(part)
    expect(parts.filter((part) => part.type === 'text-delta').length).toBeGreaterThan(5)
    expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' })
  })

  it('stops when the signal aborts', async () => {
    const abort = new AbortController()
    const seen: ModelPart[] = []
    await expect(async () => {
      for await (const part of createLocalModel().stream(request, abort.signal)) {
        seen.push(part)
        abort.abort()
      }
    }).rejects.toMatchObject({ code: 'cancelled' })
    expect(seen).toHaveLength(1)
  })
})
