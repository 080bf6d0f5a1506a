import { DomOSClient } from '@domos/core'
import { afterEach, describe, expect, it } from 'vitest'
import { callsTool, listModel, openWorld, says, type World } from './world.ts'

let world: World | undefined
let client: DomOSClient | undefined

afterEach(async () => {
  client?.destroy()
  await world?.close()
  world = undefined
  client = undefined
})

describe('a tool that leads to another page', () => {
  it('gives its result to the model though it left with its page, and the next request lists the new page’s tools', async () => {
    const model = listModel([callsTool('open_cart'), says('Here is your cart.')])
    world = await openWorld(model)
    client = new DomOSClient({ endpoint: world.url, approvals: 'none' })
    const page = client
    const unmount = page.registerTool({
      name: 'open_cart',
      description: 'Opens the cart',
      navigates: true,
      handler: () => {
        unmount()
        page.setContext({ page: 'cart' })
        page.registerTool({ name: 'clear_cart', description: 'Empties the cart', handler: () => 'empty' })
        return { items: 2 }
      },
    })
    await page.connect()
    await expect(page.sendText('show my cart').done).resolves.toMatchObject({
      status: 'complete',
      text: 'Here is your cart.',
    })
    const second = model.requests[1]
    expect(second?.tools.map(({ name }) => name)).toEqual(['clear_cart'])
    const result = JSON.stringify(second?.messages.at(-1))
    expect(result).toContain('"items":2')
    expect(result).not.toContain('gone')
  })
})
