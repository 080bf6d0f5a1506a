// @vitest-environment happy-dom
import { type Approver, DomOSClient } from '@domos/core'
import { DomOSProvider } from '@domos/react'
import { act, StrictMode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { App } from '../app.tsx'
import { navigate } from '../shop/router.tsx'
import { getShop, resetShop } from '../shop/shop-store.ts'

let root: Root
let client: DomOSClient
let answers: boolean[]

const person: Approver = {
  ask: async () => (answers.shift() ? { approved: true } : { approved: false, why: 'denied' }),
}

const EVERYWHERE = ['go_to', 'search_products', 'get_cart']
const FILLED = ['remove_from_cart', 'clear_cart']
const PRODUCT = ['add_to_cart', 'like_product', 'view_product']

const tools = () => client.registeredTools.map(({ name }) => name).sort()
const sorted = (...names: readonly (readonly string[])[]) => names.flat().sort()
const riskOf = (name: string) => client.registeredTools.find((tool) => tool.name === name)?.risk
const call = (name: string, args: Readonly<Record<string, unknown>> = {}) => act(() => client.callTool(name, args))
const go = (route: Parameters<typeof navigate>[0]) => act(() => navigate(route))

beforeAll(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
})

beforeEach(async () => {
  localStorage.clear()
  sessionStorage.clear()
  answers = []
  history.replaceState(null, '', '/demo/')
  resetShop()
  client = new DomOSClient({
    endpoint: 'ws://127.0.0.1:9/adtp',
    approvals: 'custom-unsafe',
    approver: person,
    navigationMaxMs: 60,
  })
  const box = document.body.appendChild(document.createElement('div'))
  root = createRoot(box)
  await act(() =>
    root.render(
      <StrictMode>
        <DomOSProvider client={client}>
          <App />
        </DomOSProvider>
      </StrictMode>,
    ),
  )
})

afterEach(async () => {
  await act(() => root.unmount())
  client.destroy()
  document.body.replaceChildren()
})

describe('the tools of a page', () => {
  it('come and go with the page and with what is in the cart', async () => {
    expect(tools()).toEqual(sorted(EVERYWHERE, PRODUCT))
    await call('add_to_cart', { productId: 'brass-pen' })
    expect(tools()).toEqual(sorted(EVERYWHERE, PRODUCT, FILLED))
    await go({ page: 'cart' })
    expect(tools()).toEqual(sorted(EVERYWHERE, FILLED, ['set_quantity']))
    await go({ page: 'checkout' })
    expect(tools()).toEqual(sorted(EVERYWHERE, FILLED, ['choose_delivery', 'confirm_order']))
    await go({ page: 'account' })
    expect(tools()).toEqual(sorted(EVERYWHERE, FILLED, ['delete_account', 'get_orders']))
    await go({ page: 'product', productId: 'brass-pen' })
    expect(tools()).toEqual(sorted(EVERYWHERE, FILLED, PRODUCT))
  })

  it('carry the risks of the documents', async () => {
    const risks: Record<string, string | undefined> = {}
    const note = (...names: readonly string[]) => {
      for (const name of names) risks[name] = riskOf(name)
    }
    await call('add_to_cart', { productId: 'brass-pen' })
    note('search_products', 'get_cart', 'add_to_cart', 'like_product', 'remove_from_cart', 'clear_cart')
    await go({ page: 'checkout' })
    note('confirm_order')
    await go({ page: 'account' })
    note('delete_account')
    expect(risks).toEqual({
      search_products: 'none',
      get_cart: 'none',
      add_to_cart: 'low',
      like_product: 'low',
      remove_from_cart: 'high',
      clear_cart: 'high',
      confirm_order: 'critical',
      delete_account: 'critical',
    })
  })

  it('are not registered anew by renders, and are all gone with the page', async () => {
    const registered = vi.spyOn(client, 'registerTool')
    await call('like_product', { productId: 'brass-pen' })
    await call('like_product', { productId: 'cedar-candle' })
    expect(getShop().likes).toEqual(['brass-pen', 'cedar-candle'])
    expect(registered).not.toHaveBeenCalled()
    await act(() => root.unmount())
    expect(tools()).toEqual([])
    root = createRoot(document.createElement('div'))
  })
})

describe('a call', () => {
  it('puts two headphones into the cart and tells the real total', async () => {
    expect(await call('add_to_cart', { productId: 'pro-headphones', quantity: 2 })).toMatchObject({
      added: true,
      quantity: 2,
      cartTotal: 299.98,
    })
    expect(getShop().cart).toEqual([{ productId: 'pro-headphones', quantity: 2 }])
    expect(document.querySelector('.cart-button')?.getAttribute('aria-label')).toBe('Cart, 2 items')
  })

  it('means the product on its page when none is named', async () => {
    await go({ page: 'product', productId: 'stoneware-mug' })
    await call('add_to_cart', { quantity: 3 })
    expect(getShop().cart).toEqual([{ productId: 'stoneware-mug', quantity: 3 }])
  })

  it('fails with a sentence and changes nothing when there is not enough', async () => {
    await expect(call('add_to_cart', { productId: 'mechanical-keyboard', quantity: 9 })).rejects.toThrow(
      'Only 4 of Mechanical Keyboard are left.',
    )
    await expect(call('add_to_cart', { productId: 'submarine' })).rejects.toThrow('no product "submarine"')
    await expect(call('add_to_cart', { productId: 'brass-pen', quantity: 0 })).rejects.toThrow('quantity')
    expect(getShop().cart).toEqual([])
  })

  it('shows on the page what it found', async () => {
    expect(await call('search_products', { query: 'coffee' })).toMatchObject({ count: 3 })
    expect(location.search).toBe('?q=coffee')
    expect(document.querySelector('h1')?.textContent).toContain('coffee')
    expect(client.getContext()).toMatchObject({
      page: 'search',
      query: 'coffee',
      products: [{ id: 'stoneware-mug' }, {}, {}],
    })
  })

  it('keeps to a price when one is named', async () => {
    expect(await call('search_products', { query: 'coffee', maxPrice: 60 })).toMatchObject({ count: 2 })
    expect(location.search).toBe('?q=coffee&max=60')
    expect(document.querySelectorAll('article')).toHaveLength(2)
  })

  it('clears the cart only when the person agrees', async () => {
    await call('add_to_cart', { productId: 'brass-pen' })
    answers = [false, true]
    await expect(call('clear_cart')).rejects.toThrow('declined')
    expect(getShop().cart).toHaveLength(1)
    expect(await call('clear_cart')).toEqual({ cleared: true, removed: 1 })
    expect(getShop().cart).toEqual([])
  })

  it('places the order and shows it', async () => {
    await call('add_to_cart', { productId: 'brass-pen', quantity: 2 })
    await call('go_to', { page: 'checkout' })
    answers = [true]
    const order = await call('confirm_order')
    expect(order).toMatchObject({ confirmed: true, total: 56 })
    expect(getShop()).toMatchObject({ cart: [], orders: [{ totalCents: 5_600 }] })
    expect(location.pathname).toBe(`/demo/order/${getShop().orders[0]?.id}`)
  })

  it('deletes the account only when the person agrees', async () => {
    await call('go_to', { page: 'account' })
    answers = [false, true]
    await expect(call('delete_account')).rejects.toThrow('declined')
    expect(getShop().account).not.toBeNull()
    expect(await call('delete_account')).toEqual({ deleted: true })
    expect(getShop().account).toBeNull()
    expect(tools()).not.toContain('delete_account')
  })
})

it('tells the agent what the person sees', async () => {
  expect(client.getContext()).toMatchObject({ page: 'products', user: { isLoggedIn: true }, cart: { count: 0 } })
  await go({ page: 'product', productId: 'mechanical-keyboard' })
  expect(client.getContext()).toMatchObject({
    page: 'product_detail',
    productId: 'mechanical-keyboard',
    price: 89.99,
    stock: 4,
  })
  expect(client.getContext()).not.toHaveProperty('products')
})
