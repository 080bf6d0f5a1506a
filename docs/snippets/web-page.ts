import { DomOSClient } from '@domos/core'

/** Lets an agent fill the cart of this page; the person is asked before an order goes out. */
export async function offerCart(endpoint: string, show: (answer: string) => void) {
  const cart: { product: string; quantity: number }[] = []
  const client = new DomOSClient({ endpoint })
  client.registerTool({
    name: 'add_to_cart',
    description: 'Puts a product into the shopping cart',
    parameters: {
      type: 'object',
      properties: { product: { type: 'string' }, quantity: { type: 'integer', minimum: 1 } },
      required: ['product', 'quantity'],
    } as const,
    handler: (item) => cart.push(item),
  })
  client.registerTool({ name: 'confirm_order', description: 'Orders the cart', risk: 'high', handler: () => 'Ordered' })
  client.setContext({ page: 'shop', currency: 'EUR' })
  client.on('agent.response.done', ({ text }) => show(text))
  await client.connect()
  return { client, cart }
}
