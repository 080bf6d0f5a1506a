import { callDigest } from '@domos/wire'
import { afterEach, describe, expect, it } from 'vitest'
import { callsTool, frame, listModel, openPage, openReadyPage, openWorld, says, type World } from './world.ts'

let world: World | undefined

afterEach(async () => {
  await world?.close()
  world = undefined
})

const addToCart = {
  name: 'add_to_cart',
  description: 'Add the currently viewed product to the shopping cart',
  parameters: { type: 'object', properties: { quantity: { type: 'number', minimum: 1 } }, required: ['quantity'] },
}
const clearCart = { name: 'clear_cart', description: 'Empty the cart', risk: 'high' }

describe('one utterance through listener, door, agent and page', () => {
  it('ADTP-GEN-1, ADTP-GEN-2, ADTP-SEQ-3, ADTP-SEQ-4, ADTP-SEQ-5: input, context and tools reach the model; its call reaches the page; the answer streams back', async () => {
    const model = listModel([
      callsTool('add_to_cart', { quantity: 2 }),
      says('I have added two Pro Headphones to your cart.'),
    ])
    world = await openWorld(model)
    const page = await openReadyPage(world.url, ['text', 'audio', 'tools'])
    const data = { page: 'product_detail', productId: 'pro-headphones', price: 149.99 }
    page.send(
      frame('CONTEXT_UPDATE', {
        url: '/products/headphones',
        title: 'Pro Headphones - Store',
        activeTools: [addToCart],
        data,
      }),
    )
    page.send(frame('USER_INPUT', { modality: 'text', content: 'Add 2 to my cart' }))

    const call = await page.nextOf('TOOL_CALL')
    expect(call.payload).toEqual({
      callId: expect.stringMatching(/^tc_[0-9a-f]{32}$/),
      name: 'add_to_cart',
      args: { quantity: 2 },
    })
    page.send(
      frame('TOOL_RESULT', {
        callId: call.payload.callId as string,
        status: 'success',
        result: { added: true, cartTotal: 299.98 },
      }),
    )
    expect((await page.nextOf('AGENT_RESPONSE')).payload).toEqual({
      chunk: 'I have added two Pro Headphones to your cart.',
      done: true,
    })

    const [first, second] = model.requests
    const asked = JSON.stringify(first?.messages)
    for (const words of ['Add 2 to my cart', '/products/headphones', 'pro-headphones']) expect(asked).toContain(words)
    expect(first?.system).not.toContain('pro-headphones')
    expect(first?.tools.map(({ name }) => name)).toEqual(['add_to_cart'])
    expect(JSON.stringify(second?.messages.at(-1))).toContain('299.98')
  })

  it('CORE-REG-4, CORE-CTX-7: the next request sees the new page and its tools only', async () => {
    const model = listModel([says('One.'), says('Two.')])
    world = await openWorld(model)
    const page = await openReadyPage(world.url)
    page.send(frame('CONTEXT_UPDATE', { url: '/shop', activeTools: [addToCart], data: { shown: 'lamp' } }))
    page.send(frame('USER_INPUT', { modality: 'text', content: 'one' }))
    await page.nextOf('AGENT_RESPONSE')
    page.send(frame('CONTEXT_UPDATE', { url: '/account', activeTools: [clearCart], data: { shown: 'orders' } }))
    page.send(frame('USER_INPUT', { modality: 'text', content: 'two' }))
    await page.nextOf('AGENT_RESPONSE')
    expect(model.requests[1]?.tools.map(({ name }) => name)).toEqual(['clear_cart'])
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain('orders')
  })

  it('ADTP-EVENT-1: alerts the page when its context had to be cut, and the turn goes on', async () => {
    const model = listModel([says('Fine.')])
    world = await openWorld(model)
    const page = await openReadyPage(world.url)
    page.send(frame('CONTEXT_UPDATE', { url: '/t', activeTools: [], data: { big: 'z'.repeat(2_000_000) } }))
    expect((await page.nextOf('SYSTEM_EVENT')).payload).toMatchObject({
      kind: 'error',
      data: { code: 'context_cut', path: 'payload.data' },
    })
    page.send(frame('USER_INPUT', { modality: 'text', content: 'And now?' }))
    expect((await page.nextOf('AGENT_RESPONSE')).payload).toEqual({ chunk: 'Fine.', done: true })
    expect(JSON.stringify(model.requests[0]).length).toBeLessThan(200_000)
  })
})

describe('approval, with the real gate', () => {
  const capabilities = ['text', 'tools', 'approval']

  it('asks first, then calls with a ticket, and takes the result that brings it back', async () => {
    const model = listModel([callsTool('clear_cart'), says('Your cart is empty now.')])
    world = await openWorld(model)
    const page = await openReadyPage(world.url, capabilities)
    page.send(frame('CONTEXT_UPDATE', { url: '/cart', activeTools: [clearCart] }))
    page.send(frame('USER_INPUT', { modality: 'text', content: 'Empty my cart' }))
    const { payload } = await page.nextOf('APPROVAL_REQUEST')
    expect(payload).toMatchObject({
      toolName: 'clear_cart',
      args: {},
      risk: 'high',
      digest: await callDigest('clear_cart', {}),
    })
    expect(page.seen.some(({ type }) => type === 'TOOL_CALL')).toBe(false)
    const callId = payload.callId as string
    page.send(frame('APPROVAL_RESPONSE', { callId, approved: true, digest: payload.digest as string, by: 'overlay' }))
    const call = await page.nextOf('TOOL_CALL')
    expect(call.payload).toMatchObject({ callId, risk: 'high', ticket: expect.stringMatching(/^v1\./) })
    page.send(
      frame('TOOL_RESULT', {
        callId,
        status: 'success',
        result: { cleared: 3 },
        ticket: call.payload.ticket as string,
      }),
    )
    await page.nextOf('AGENT_RESPONSE')
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain('cleared')
  })

  it('refuses a result without the ticket: the model is not told of a success, and the audit log has it', async () => {
    const model = listModel([callsTool('clear_cart'), says('I could not verify that.')])
    world = await openWorld(model)
    const page = await openReadyPage(world.url, capabilities)
    page.send(frame('CONTEXT_UPDATE', { url: '/cart', activeTools: [clearCart] }))
    page.send(frame('USER_INPUT', { modality: 'text', content: 'Empty my cart' }))
    const { payload } = await page.nextOf('APPROVAL_REQUEST')
    const callId = payload.callId as string
    page.send(frame('APPROVAL_RESPONSE', { callId, approved: true, digest: payload.digest as string }))
    await page.nextOf('TOOL_CALL')
    page.send(frame('TOOL_RESULT', { callId, status: 'success', result: { cleared: 3 } }))
    expect(await page.nextError()).toBe('ticket_refused')
    await page.nextOf('AGENT_RESPONSE')
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).not.toContain('"cleared"')
    const [session] = world.agent.sessions()
    const audit = await world.agent.store.listAudit({ sessionId: session?.id ?? '', limit: 20 })
    expect(audit.map(({ event }) => event)).toContain('ticket-refused')
  })

  it('does not call the tool when the answer carries another digest', async () => {
    const model = listModel([callsTool('clear_cart'), says('All right.')])
    world = await openWorld(model)
    const page = await openReadyPage(world.url, capabilities)
    page.send(frame('CONTEXT_UPDATE', { url: '/cart', activeTools: [clearCart] }))
    page.send(frame('USER_INPUT', { modality: 'text', content: 'Empty my cart' }))
    const { payload } = await page.nextOf('APPROVAL_REQUEST')
    page.send(frame('APPROVAL_RESPONSE', { callId: payload.callId as string, approved: true, digest: 'f'.repeat(64) }))
    await page.nextOf('AGENT_RESPONSE')
    expect(page.seen.some(({ type }) => type === 'TOOL_CALL')).toBe(false)
  })

  it('gives every input one done when the person speaks instead of answering', async () => {
    const model = listModel([callsTool('clear_cart'), says('Only the hat, then.')])
    world = await openWorld(model)
    const page = await openReadyPage(world.url, [...capabilities, 'tool_cancel', 'stream'])
    page.send(frame('CONTEXT_UPDATE', { url: '/cart', activeTools: [clearCart] }))
    const first = frame('USER_INPUT', { modality: 'text', content: 'Empty my cart' })
    const second = frame('USER_INPUT', { modality: 'text', content: 'No, only the hat' })
    page.send(first)
    const { payload } = await page.nextOf('APPROVAL_REQUEST')
    page.send(second)
    expect((await page.nextOf('TOOL_CANCEL')).payload.callId).toBe(payload.callId)
    const ends = [await page.nextOf('AGENT_RESPONSE'), await page.nextOf('AGENT_RESPONSE')].map((seen) => seen.payload)
    expect(ends).toMatchObject([
      { done: true, ref: (first.meta as { id: string }).id },
      { chunk: 'Only the hat, then.', done: true, ref: (second.meta as { id: string }).id },
    ])
    page.send(
      frame('APPROVAL_RESPONSE', {
        callId: payload.callId as string,
        approved: true,
        digest: payload.digest as string,
      }),
    )
    expect(await page.nextError()).toBe('expired')
  })
})

describe('who is let in', () => {
  it('takes a key from Authorization, the query or the first frame, and no other', async () => {
    world = await openWorld(listModel([]), {
      agent: { keys: [{ id: 'shop', key: 'k_0123456789abcdef', tenant: 'default' }] },
    })
    const byHeader = await openPage(world.url, { headers: { authorization: 'Bearer k_0123456789abcdef' } })
    const byQuery = await openPage(`${world.url}?apiKey=k_0123456789abcdef`)
    const byFrame = await openPage(world.url)
    const wrong = await openPage(world.url)
    byHeader.send(frame('HANDSHAKE_INIT', { protocolVersion: '1.0.0', capabilities: [] }))
    byQuery.send(frame('HANDSHAKE_INIT', { protocolVersion: '1.0.0', capabilities: [] }))
    byFrame.send(frame('HANDSHAKE_INIT', { protocolVersion: '1.0.0', capabilities: [], apiKey: 'k_0123456789abcdef' }))
    wrong.send(frame('HANDSHAKE_INIT', { protocolVersion: '1.0.0', capabilities: [], apiKey: 'k_0123456789abcdee' }))
    for (const page of [byHeader, byQuery, byFrame]) await page.nextOf('HANDSHAKE_ACK')
    expect(await wrong.nextError()).toBe('unauthorized')
    expect(await wrong.closed).toBe(1008)
  })

  for (const alias of ['/domos', '/owllayer']) {
    it(`answers at ${alias} too`, async () => {
      world = await openWorld(listModel([]))
      await openReadyPage(world.url.replace('/adtp', alias))
    })
  }
})
