import { expect, it } from 'vitest'
import { describe } from './som.ts'

it('a page becomes an outline, a target an element, and a change a patch that keeps its id', () => {
  const page = (total: string) => `<main><h1>Cart</h1><p>Total ${total}</p><form><button>Pay</button></form></main>`
  const { outline, elementId, patch } = describe('https://shop.example/cart', page('$40'), page('$60'))
  expect(outline).toContain('Cart')
  expect(outline).toMatch(/\[\d+ button Pay\]/)
  expect(elementId).toMatch(/^e_/)
  expect(JSON.stringify(patch)).toContain('$60')
  expect(JSON.stringify(patch)).not.toContain(elementId)
})
