import { describe, expect, it, vi } from 'vitest'
import { DomOSClient } from './client.ts'
import { FakeClock, settle } from './test/fake-clock.ts'
import { ALL, BASE, FakeServer } from './test/fake-server.ts'
import { openClient } from './test/open-client.ts'

const inputs = (server: FakeServer) => server.of('USER_INPUT')
const updates = (server: FakeServer) => server.of('CONTEXT_UPDATE').map((message) => message.payload)

/** Lets the server take the client's session up again. */
function resumes(server: FakeServer): void {
  server.acknowledge = ({ payload }) => ({
    sessionId: payload.resume?.sessionId ?? 'ses_new',
    capabilities: ['text', 'tools', 'resume', 'stream', 'approval'],
    resumeToken: 'token-next',
    resumed: payload.resume !== undefined,
  })
}

describe('a turn', () => {
  it('sends the input, is thinking until done, streams the text and completes (ADTP-MSG-4, ADTP-MSG-7, ADTP-INPUT-1)', async () => {
    const { client, server, events } = await openClient()
    const chunks: [string, boolean][] = []
    client.on({ onAgentResponse: (text, done) => chunks.push([text, done]) })
    const turn = client.sendText('Add 2 to my cart')
    await settle()
    expect(inputs(server)[0]?.payload).toEqual({ modality: 'text', content: 'Add 2 to my cart' })
    expect(client).toMatchObject({ state: 'thinking', isConnected: true })
    server.send('AGENT_RESPONSE', { chunk: 'I have ', done: false })
    server.send('AGENT_RESPONSE', { chunk: 'added two.', done: true })
    await expect(turn.done).resolves.toEqual({ status: 'complete', text: 'I have added two.' })
    expect(client.state).toBe('connected')
    expect(chunks).toEqual([
      ['I have ', false],
      ['added two.', false],
      ['', true],
    ])
    expect(events.filter(({ name }) => name === 'agent.response.done').map(({ data }) => data)).toEqual([
      { text: 'I have added two.', turnId: turn.id },
    ])
  })

  it('that ends without a word still ends', async () => {
    const { client, server } = await openClient()
    const turn = client.sendText('hm')
    await settle()
    server.send('AGENT_RESPONSE', { chunk: '', done: true })
    await expect(turn.done).resolves.toEqual({ status: 'complete', text: '' })
    expect(client.state).toBe('connected')
  })

  it.each([
    ['names the input', true, ALL],
    ['knows the document alone', false, BASE],
  ])(
    'refused by a server that %s fails with its code, and does not take the answer of the one before it',
    async (_, named, capabilities) => {
      const { client, server } = await openClient({}, capabilities)
      const first = client.sendText('one')
      const second = client.sendText('two')
      await settle()
      server.send('SYSTEM_EVENT', {
        kind: 'error',
        message: 'A turn waits already.',
        data: { code: 'busy', ref: inputs(server)[1]?.id ?? '', path: '' },
      })
      if (named) server.send('AGENT_RESPONSE', { chunk: '', done: true, ref: second.id })
      await expect(second.done).resolves.toMatchObject({ status: 'failed', error: { code: 'busy' } })
      server.send('AGENT_RESPONSE', { chunk: 'One.', done: true, ...(named && { ref: first.id }) })
      await expect(first.done).resolves.toMatchObject({ status: 'complete', text: 'One.' })
    },
  )

  it('stopped by the person tells the server, shows nothing more of it and ends as cancelled', async () => {
    const { client, server, events } = await openClient()
    const turn = client.sendText('tell me a story')
    await settle()
    server.send('AGENT_RESPONSE', { chunk: 'Once', done: false })
    await settle()
    client.stop()
    await settle()
    expect(server.of('TURN_CANCEL')).toHaveLength(1)
    server.send('AGENT_RESPONSE', { chunk: ' upon', done: false })
    server.send('AGENT_RESPONSE', { chunk: '', done: true })
    await expect(turn.done).resolves.toEqual({ status: 'cancelled', text: 'Once' })
    expect(events.filter(({ name }) => name === 'agent.response.delta')).toHaveLength(1)
  })
})

describe('without a connection', () => {
  it('what was said waits, goes out in order once there is one, and a full queue says so', async () => {
    const clock = new FakeClock()
    const server = new FakeServer()
    const client = new DomOSClient({ endpoint: 'ws://t/adtp', transport: server.transport, clock, sendQueueMax: 2 })
    client.sendText('one')
    client.sendText('two')
    const third = client.sendText('three')
    await expect(third.done).resolves.toMatchObject({
      status: 'failed',
      error: { code: 'busy', message: expect.stringContaining('sendQueueMax') },
    })
    await client.connect()
    await settle()
    expect(inputs(server).map(({ payload }) => payload.content)).toEqual(['one', 'two'])
    expect(server.received.map(({ type }) => type)).toEqual([
      'HANDSHAKE_INIT',
      'CONTEXT_UPDATE',
      'USER_INPUT',
      'USER_INPUT',
    ])
  })

  it('disconnect ends what was open, and a later connect starts a session of its own', async () => {
    const { client, server } = await openClient()
    const turn = client.sendText('one')
    await settle()
    client.disconnect()
    await expect(turn.done).resolves.toMatchObject({ status: 'failed', error: { code: 'cancelled' } })
    expect(client).toMatchObject({ state: 'disconnected', isConnected: false })
    expect(server.closes.at(-1)).toEqual({ code: 1000, reason: 'Client disconnect' })
    await client.connect()
    expect(server.of('HANDSHAKE_INIT')[1]?.payload.resume).toBeUndefined()
    expect(inputs(server)).toHaveLength(1)
  })
})

describe('after a drop', () => {
  it('comes back to its session with the number of the last frame it saw', async () => {
    const { client, server, clock } = await openClient()
    resumes(server)
    server.send('SYSTEM_EVENT', { kind: 'info', message: 'x' }, 7)
    await settle()
    server.connection.close(1006, '')
    await clock.advance(1000)
    expect(server.of('HANDSHAKE_INIT')[1]?.payload.resume).toEqual({
      sessionId: 'ses_9e210bbf',
      token: 'token-1',
      lastSeq: 7,
    })
    expect(client.sessionId).toBe('ses_9e210bbf')
  })

  it('an answer that had begun goes on, an unanswered input is sent again under its id, results are sent again', async () => {
    const { client, server, clock } = await openClient()
    resumes(server)
    const handler = vi.fn(() => 'done')
    client.registerTool({ name: 'buy', description: 'Buys', handler })
    const turn = client.sendText('buy it')
    await settle()
    server.send('TOOL_CALL', { callId: 'tc_1', name: 'buy', args: {} }, 1)
    await settle()
    const sent = server.received.length
    server.connection.close(1006, '')
    await clock.advance(1000)
    const again = server.received.slice(sent)
    expect(again.map(({ type }) => type)).toEqual(['HANDSHAKE_INIT', 'CONTEXT_UPDATE', 'TOOL_RESULT', 'USER_INPUT'])
    expect(again[3]?.id).toBe(inputs(server)[0]?.id)
    server.send('TOOL_CALL', { callId: 'tc_1', name: 'buy', args: {} }, 1)
    server.send('AGENT_RESPONSE', { chunk: 'Bought.', done: true }, 2)
    await expect(turn.done).resolves.toMatchObject({ status: 'complete', text: 'Bought.' })
    expect(handler).toHaveBeenCalledTimes(1)
  })

  it('a handler that ended while there was no connection answers when there is one', async () => {
    const { client, server, clock } = await openClient()
    resumes(server)
    const { promise, resolve } = Promise.withResolvers<string>()
    client.registerTool({ name: 'slow', description: 'Slow', handler: () => promise })
    server.send('TOOL_CALL', { callId: 'tc_1', name: 'slow', args: {} }, 1)
    await settle()
    server.refusals.push(new Error('down'))
    server.connection.close(1006, '')
    resolve('late')
    await settle()
    expect(server.of('TOOL_RESULT')).toEqual([])
    await clock.advance(5000)
    expect(server.of('TOOL_RESULT').map(({ payload }) => payload)).toEqual([
      { callId: 'tc_1', status: 'success', result: 'late' },
    ])
  })

  it('to a server that knows the session no more, open turns and calls end and say why', async () => {
    const { client, server, clock } = await openClient()
    let signal: AbortSignal | undefined
    client.registerTool({
      name: 'slow',
      description: 'Slow',
      handler: (_, context) => {
        signal = context.signal
        return new Promise(() => {})
      },
    })
    const turn = client.sendText('one')
    await settle()
    server.send('TOOL_CALL', { callId: 'tc_1', name: 'slow', args: {} })
    await settle()
    server.connection.close(1006, '')
    await settle()
    client.sendText('two')
    await clock.advance(1000)
    await expect(turn.done).resolves.toMatchObject({ status: 'failed', error: { code: 'unavailable' } })
    expect(signal?.aborted).toBe(true)
    expect(inputs(server).map(({ payload }) => payload.content)).toEqual(['one', 'two'])
    expect(server.of('TOOL_RESULT')).toEqual([])
    expect(client.state).toBe('thinking')
  })
})

describe('the page’s state', () => {
  it('N registrations in one task are one update, in order, after the first one of the session (CORE-REG-1, CORE-REG-2, CORE-CLIENT-5)', async () => {
    const { client, server } = await openClient()
    const before = updates(server).length
    for (let index = 0; index < 200; index += 1)
      client.registerTool({ name: `t${index}`, description: 'T', handler: () => 1 })
    await settle()
    expect(updates(server).length - before).toBe(1)
    expect(
      updates(server)
        .at(-1)
        ?.activeTools?.map(({ name }) => name)
        .slice(0, 3),
    ).toEqual(['t0', 't1', 't2'])
    expect(updates(server).at(-1)?.activeTools).toHaveLength(128)
  })

  it('200 tools mounted and unmounted in one task are one update (CORE-REG-3, CORE-REG-4)', async () => {
    const { client, server } = await openClient()
    const before = updates(server).length
    const ends = Array.from({ length: 200 }, (_, index) =>
      client.registerTool({ name: `t${index}`, description: 'T', handler: () => 1 }),
    )
    for (const end of ends) end()
    await settle()
    expect(updates(server).length - before).toBe(1)
    expect(updates(server).at(-1)?.activeTools).toEqual([])
  })

  it('a tool that leaves and comes back the same in one task, as in strict mode, is told to nobody', async () => {
    const { client, server } = await openClient()
    const register = () => client.registerTool({ name: 't', description: 'T', handler: () => 1 })
    const end = register()
    await settle()
    const before = updates(server).length
    end()
    register()
    await settle()
    expect(updates(server)).toHaveLength(before)
  })

  it('the same tool registered anew on every render sends nothing, and the newest handler runs', async () => {
    const { client, server } = await openClient()
    client.registerTool({ name: 't', description: 'T', handler: () => 0 })
    await settle()
    const before = updates(server).length
    for (let render = 1; render <= 20; render += 1)
      client.registerTool({ name: 't', description: 'T', handler: () => render })
    await settle()
    expect(updates(server)).toHaveLength(before)
    await expect(client.callTool('t')).resolves.toBe(20)
  })

  it('the function a registration gives back takes away that registration only', async () => {
    const { client } = await openClient()
    const first = client.registerTool({ name: 't', description: 'T', handler: () => 1 })
    client.registerTool('t', { description: 'T', handler: () => 2 })
    first()
    expect(client.toolCount).toBe(1)
    const abort = new AbortController()
    client.registerTool({ name: 'u', description: 'U', handler: () => 1, signal: abort.signal })
    abort.abort()
    expect(client.registeredTools.map(({ name }) => name)).toEqual(['t'])
  })

  it('is put together from its owners, in JSON, and nothing is sent when nothing changed (ADTP-CTX-1, CORE-CLIENT-6, CORE-CTX-1, CORE-CTX-2, CORE-CTX-4, CORE-CTX-5, CORE-CTX-6)', async () => {
    const { client, server } = await openClient()
    client.setContext({ page: 'detail', productId: 'kb-99' })
    const remove = client.setContext({ isLoggedIn: true }, 'account')
    client.updateContext({ price: 89.99, at: new Date(0) })
    await settle()
    expect(updates(server).at(-1)?.data).toEqual({
      page: 'detail',
      productId: 'kb-99',
      price: 89.99,
      at: '1970-01-01T00:00:00.000Z',
      isLoggedIn: true,
    })
    const before = updates(server).length
    client.updateContext({ price: 89.99 })
    client.setContext({ isLoggedIn: true }, 'account')
    await settle()
    expect(updates(server)).toHaveLength(before)
    remove()
    client.setContext({})
    await settle()
    expect(updates(server).at(-1)?.data, 'taken back, told as empty').toEqual({ isLoggedIn: true })
    expect(Object.isFrozen(client.getContext())).toBe(true)
  })

  it('syncToolsWithServer sends at once and takes the place of a pending update', async () => {
    const { client, server, events } = await openClient()
    const before = updates(server).length
    const synced = events.filter(({ name }) => name === 'tool.registry.synced').length
    client.registerTool({ name: 't', description: 'T', handler: () => 1 })
    client.syncToolsWithServer()
    await settle()
    expect(updates(server)).toHaveLength(before + 1)
    expect(events.filter(({ name }) => name === 'tool.registry.synced')).toHaveLength(synced + 1)
  })

  it('is sent to nobody without a session', async () => {
    const { client, server } = await openClient()
    server.connection.close(1008, 'no')
    await settle()
    const before = updates(server).length
    client.registerTool({ name: 't', description: 'T', handler: () => 1 })
    client.syncToolsWithServer()
    await settle()
    expect(updates(server)).toHaveLength(before)
  })

  it('keeps to the number of tools the server names, and reports the surplus', async () => {
    const clock = new FakeClock()
    const server = new FakeServer(BASE)
    server.acknowledge = () => ({ sessionId: 's', capabilities: BASE, maxActiveTools: 2 })
    const client = new DomOSClient({ endpoint: 'ws://t/adtp', transport: server.transport, clock })
    const limits: unknown[] = []
    client.on('tool.registry.limit', (data) => limits.push(data))
    const ends = ['a', 'b', 'c'].map((name) => client.registerTool({ name, description: name, handler: () => 1 }))
    await client.connect()
    await settle()
    expect(
      updates(server)
        .at(-1)
        ?.activeTools?.map(({ name }) => name),
    ).toEqual(['a', 'b'])
    expect(limits).toEqual([{ limit: 2, registered: 3, surplus: ['c'] }])
    expect(client.ignoredClientTools).toEqual(['c'])
    ends[0]?.()
    await settle()
    expect(
      updates(server)
        .at(-1)
        ?.activeTools?.map(({ name }) => name),
    ).toEqual(['b', 'c'])
  })

  it('the server’s account of the tools in force is kept and told', async () => {
    const { client, server, events } = await openClient()
    server.send('SYSTEM_EVENT', {
      kind: 'tools_effective',
      data: { effectiveTools: ['a'], serverTools: ['a'], clientTools: [], ignoredClientTools: ['b'] },
    })
    await settle()
    expect(client.effectiveTools).toEqual(['a'])
    expect(client.ignoredClientTools).toEqual(['b'])
    expect(events.some(({ name }) => name === 'tool.registry.effective')).toBe(true)
  })
})

describe('bad input', () => {
  it('a frame that cannot be read is told as an error and harms nothing (ADTP-EVENT-4, ADTP-MSG-8)', async () => {
    const { client, server, events } = await openClient()
    for (const frame of [
      '',
      'null',
      '[]',
      '{"type":"BANANA","payload":{}}',
      '{"type":"TOOL_CALL","payload":{}}',
      '{"__proto__":1}',
    ])
      server.connection.send(frame)
    await settle()
    expect(events.filter(({ name }) => name === 'system.error').length).toBeGreaterThanOrEqual(5)
    expect(client.state).toBe('connected')
  })

  it('an unusable tool or option is refused with a sentence that says what to do', async () => {
    const { client } = await openClient()
    const handler = () => 1
    expect(() => client.registerTool({ name: '', description: 'x', handler })).toThrow(/name/)
    expect(() => client.registerTool({ name: 'x', description: '', handler })).toThrow(/description/)
    expect(() => client.registerTool({ name: 'x', description: 'x', handler: undefined as never })).toThrow(/handler/)
    expect(() => new DomOSClient({ handlerTimeoutMs: -1 })).toThrow(/handlerTimeoutMs/)
  })

  it('a listener that throws stops neither the others nor the client', async () => {
    const { client, server } = await openClient()
    const report = vi.fn()
    vi.stubGlobal('reportError', report)
    const heard = vi.fn()
    client.on('turn.started', () => {
      throw new Error('page bug')
    })
    client.on('turn.started', heard)
    client.sendText('x')
    await settle()
    expect(heard).toHaveBeenCalledTimes(1)
    expect(report).toHaveBeenCalledTimes(1)
    expect(inputs(server)).toHaveLength(1)
    vi.unstubAllGlobals()
  })
})
