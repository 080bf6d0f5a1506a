import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { settle } from './test/fake-clock.ts'
import { ALL, BASE, type FakeServer } from './test/fake-server.ts'
import { openClient } from './test/open-client.ts'

const results = (server: FakeServer) => server.of('TOOL_RESULT').map((message) => message.payload)
const call = (server: FakeServer, name: string, args = {}, callId = 'tc_1') =>
  server.send('TOOL_CALL', { callId, name, args })

describe('a tool call', () => {
  it('waits for the handler’s promise and answers once with its result (ADTP-MSG-5, ADTP-MSG-6, CORE-TOOL-1, CORE-TOOL-2, CORE-HITL-2)', async () => {
    const { client, server, person } = await openClient()
    const { promise, resolve } = Promise.withResolvers<object>()
    client.registerTool({ name: 'get_cart', description: 'Shows the cart', handler: () => promise })
    call(server, 'get_cart')
    await settle()
    expect(results(server)).toEqual([])
    resolve({ items: 2 })
    await settle()
    expect(results(server)).toEqual([{ callId: 'tc_1', status: 'success', result: { items: 2 } }])
    expect(person.asked).toEqual([])
    expect(person.notices).toEqual([])
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('Sold out')
      },
      'Sold out',
    ],
    [
      'rejects',
      async () => {
        throw new Error('Sold out')
      },
      'Sold out',
    ],
    [
      'throws a text',
      () => {
        throw 'Sold out'
      },
      'Sold out',
    ],
    [
      'gives back a cycle',
      () => {
        const own: Record<string, unknown> = {}
        own.own = own
        return own
      },
      'cannot be sent as JSON',
    ],
    ['gives back too much', () => 'x'.repeat(2_000_000), 'too large'],
  ])('becomes a failure the model reads when the handler %s (CORE-TOOL-3)', async (_, handler, text) => {
    const { client, server } = await openClient()
    client.registerTool({ name: 'buy', description: 'Buys', handler })
    call(server, 'buy')
    await settle()
    expect(results(server)).toMatchObject([
      { callId: 'tc_1', status: 'error', code: 'failed', error: expect.stringContaining(text) },
    ])
    expect(client.isConnected).toBe(true)
  })

  it('ends at the time limit, aborts the handler’s signal and ignores what comes later (CORE-CLIENT-7)', async () => {
    const { client, server, clock } = await openClient({ handlerTimeoutMs: 1000 })
    let signal: AbortSignal | undefined
    const { promise, resolve } = Promise.withResolvers<string>()
    client.registerTool({
      name: 'slow',
      description: 'Slow',
      handler: (_, context) => {
        signal = context.signal
        return promise
      },
    })
    call(server, 'slow')
    await clock.advance(999)
    expect(results(server)).toEqual([])
    await clock.advance(1)
    resolve('late')
    await settle()
    expect(results(server)).toMatchObject([{ status: 'error', code: 'timeout' }])
    expect(signal?.aborted).toBe(true)
  })

  it('lives longer with each report of progress, which reaches the server', async () => {
    const { client, server, clock } = await openClient({ handlerTimeoutMs: 1000 })
    client.registerTool({
      name: 'long',
      description: 'Long',
      handler: (_, { progress }) =>
        new Promise((done) => {
          clock.schedule(800, () => progress({ fraction: 0.5, message: 'half' }))
          clock.schedule(1600, () => done('whole'))
        }),
    })
    call(server, 'long')
    await clock.advance(1700)
    expect(results(server)).toMatchObject([{ status: 'success', result: 'whole' }])
    expect(server.of('TOOL_PROGRESS')[0]?.payload).toEqual({ callId: 'tc_1', fraction: 0.5, message: 'half' })
  })

  it('runs once however often it is delivered, and the repeat gets the first result', async () => {
    const { client, server } = await openClient()
    const handler = vi.fn(async () => ({ added: true }))
    client.registerTool({ name: 'add', description: 'Adds', handler })
    call(server, 'add')
    call(server, 'add')
    await settle()
    call(server, 'add')
    await settle()
    expect(handler).toHaveBeenCalledTimes(1)
    expect(new Set(results(server).map((result) => JSON.stringify(result)))).toEqual(
      new Set([JSON.stringify({ callId: 'tc_1', status: 'success', result: { added: true } })]),
    )
  })

  it('is checked with the tool’s own schema before anybody is asked; defaults and conversions reach the handler', async () => {
    const { client, server, person } = await openClient({}, BASE)
    const handler = vi.fn()
    client.registerTool({
      name: 'delete_account',
      description: 'Deletes',
      risk: 'critical',
      parameters: z.object({ id: z.string().min(3), reason: z.string().default('none given') }),
      handler,
    })
    call(server, 'delete_account', { id: 'x' })
    await settle()
    expect(results(server)).toMatchObject([
      { code: 'invalid_arguments', error: expect.stringContaining('"delete_account"') },
    ])
    expect(person.asked).toEqual([])
    call(server, 'delete_account', { id: 'abc' }, 'tc_2')
    await settle()
    expect(person.asked[0]?.question.args).toEqual({ id: 'abc', reason: 'none given' })
    person.asked[0]?.answer({ approved: true })
    await settle()
    expect(handler).toHaveBeenCalledWith({ id: 'abc', reason: 'none given' }, expect.anything())
  })

  it('to a tool the page does not offer is answered at once', async () => {
    const { client, server } = await openClient()
    client.registerTool({ name: 'get_cart', description: 'Cart', handler: () => 1 })
    call(server, 'gone')
    await settle()
    expect(results(server)).toMatchObject([{ code: 'unavailable', error: expect.stringContaining('"gone"') }])
  })

  it('is stopped when its component unmounts, and goes on when the tool only came anew', async () => {
    const { client, server, clock } = await openClient()
    const signals: AbortSignal[] = []
    const definition = {
      name: 'tool',
      description: 'Tool',
      handler: (_: unknown, context: { signal: AbortSignal }) => {
        signals.push(context.signal)
        return new Promise(() => {})
      },
    }
    let unregister = client.registerTool(definition)
    call(server, 'tool')
    await settle()
    unregister()
    unregister = client.registerTool(definition)
    await clock.advance(100)
    expect(results(server)).toEqual([])
    unregister()
    await clock.advance(50)
    expect(results(server)).toMatchObject([{ code: 'unavailable' }])
    expect(signals[0]?.aborted).toBe(true)
  })

  it('withdrawn by the server aborts the handler', async () => {
    const { client, server } = await openClient()
    let signal: AbortSignal | undefined
    client.registerTool({
      name: 'slow',
      description: 'Slow',
      handler: (_, context) => {
        signal = context.signal
        return new Promise(() => {})
      },
    })
    call(server, 'slow')
    await settle()
    server.send('TOOL_CANCEL', { callId: 'tc_1' })
    await settle()
    expect(signal?.aborted).toBe(true)
    expect(results(server)).toMatchObject([{ code: 'cancelled' }])
  })

  it('by the page’s own script goes through the same gate and never over the wire', async () => {
    const { client, server, person } = await openClient()
    const handler = vi.fn(({ n }: { n: number }) => n + 1)
    client.registerTool({
      name: 'high',
      description: 'High',
      risk: 'high',
      parameters: z.object({ n: z.number() }),
      handler,
    })
    await expect(client.callTool('high', { n: 'x' })).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(client.callTool('none')).rejects.toMatchObject({ code: 'not_found' })
    const declined = client.callTool('high', { n: 1 })
    await settle()
    expect(person.asked[0]?.question).toMatchObject({ origin: 'page', toolName: 'high' })
    person.asked[0]?.answer({ approved: false, why: 'denied' })
    await expect(declined).rejects.toMatchObject({ code: 'forbidden' })
    expect(handler).not.toHaveBeenCalled()
    const approved = client.callTool('high', { n: 1 })
    await settle()
    person.asked[1]?.answer({ approved: true })
    await expect(approved).resolves.toBe(2)
    expect(results(server)).toEqual([])
    expect(server.of('APPROVAL_RESPONSE')).toEqual([])
  })

  it('gets arguments no caller can change afterwards', async () => {
    const { client } = await openClient()
    let seen: unknown
    client.registerTool({
      name: 'keep',
      description: 'Keeps',
      handler: (args) => {
        seen = args
      },
    })
    const args = { list: [1] }
    const done = client.callTool('keep', args)
    args.list.push(2)
    await done
    expect(seen).toEqual({ list: [1] })
    expect(Object.isFrozen((seen as typeof args).list)).toBe(true)
  })
})

describe('after a navigating tool', () => {
  it('the result waits until the new page has declared its tools, and comes after them', async () => {
    const { client, server, clock } = await openClient()
    client.registerTool({ name: 'go', description: 'Goes', navigates: true, handler: () => 'there' })
    await settle()
    const frames = server.received.length
    call(server, 'go')
    await clock.advance(30)
    client.registerTool({ name: 'new_tool', description: 'New', handler: () => 1 })
    await clock.advance(49)
    expect(results(server)).toEqual([])
    await clock.advance(1)
    expect(server.received.slice(frames).map((message) => message.type)).toEqual(['CONTEXT_UPDATE', 'TOOL_RESULT'])
  })

  it('a page that never comes to rest delays the result by 500 ms at most', async () => {
    const { client, server, clock } = await openClient()
    client.registerTool({ name: 'go', description: 'Goes', navigates: true, handler: () => 'there' })
    let count = 0
    const churn = () => {
      count += 1
      client.registerTool({ name: `t${count}`, description: 'Churn', handler: () => 1 })
      if (count < 30) clock.schedule(30, churn)
    }
    call(server, 'go')
    await settle()
    churn()
    await clock.advance(499)
    expect(results(server)).toEqual([])
    await clock.advance(1)
    expect(results(server)).toMatchObject([{ status: 'success' }])
  })

  it('unmounting itself does not stop the call', async () => {
    const { client, server, clock } = await openClient()
    const unregister = client.registerTool({
      name: 'go',
      description: 'Goes',
      navigates: true,
      handler: async () => {
        unregister()
        await new Promise<void>((done) => clock.schedule(80, done))
        return 'there'
      },
    })
    call(server, 'go')
    await clock.advance(300)
    expect(results(server)).toMatchObject([{ status: 'success', result: 'there' }])
  })
})

describe('capabilities', () => {
  it('nothing of an extension goes to a server that did not announce it', async () => {
    const { client, server } = await openClient({}, BASE)
    client.registerTool({ name: 'p', description: 'P', handler: (_, { progress }) => progress({ fraction: 0.1 }) })
    call(server, 'p')
    client.sendText('hello')
    client.stop()
    await settle()
    expect(server.received.map((message) => message.type)).toEqual([
      'HANDSHAKE_INIT',
      'CONTEXT_UPDATE',
      'USER_INPUT',
      'CONTEXT_UPDATE',
      'TOOL_RESULT',
    ])
    expect(ALL).toContain('tool_progress')
  })
})
