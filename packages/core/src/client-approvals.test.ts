import { callDigest } from '@domos/wire'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { settle } from './test/fake-clock.ts'
import { BASE, type FakeServer } from './test/fake-server.ts'
import { openClient } from './test/open-client.ts'

const results = (server: FakeServer) => server.of('TOOL_RESULT').map((message) => message.payload)
const answers = (server: FakeServer) => server.of('APPROVAL_RESPONSE').map((message) => message.payload)

describe('a server that speaks the document alone', () => {
  it('gets a TOOL_RESULT after the person approved, and the handler did not run before (CORE-HITL-1, CORE-HITL-4, CORE-HITL-6)', async () => {
    const { client, server, person, events } = await openClient({}, BASE)
    const handler = vi.fn(() => ({ cleared: true }))
    client.registerTool({ name: 'clear_cart', description: 'Clears', risk: 'high', handler })
    await settle()
    expect(server.of('CONTEXT_UPDATE').at(-1)?.payload.activeTools).toMatchObject([
      { name: 'clear_cart', risk: 'high' },
    ])
    server.send('TOOL_CALL', { callId: 'tc_1', name: 'clear_cart', args: { why: ['a'] } })
    await settle()
    expect(handler).not.toHaveBeenCalled()
    expect(person.asked[0]?.question).toMatchObject({
      toolName: 'clear_cart',
      args: { why: ['a'] },
      risk: 'high',
      origin: 'agent',
    })
    expect(Object.isFrozen(person.asked[0]?.question.args.why)).toBe(true)
    const asked = events.find(({ name }) => name === 'approval.requested')?.data as object
    expect(Object.values(asked).some((value) => typeof value === 'function')).toBe(false)
    person.asked[0]?.answer({ approved: true })
    await settle()
    expect(results(server)).toEqual([{ callId: 'tc_1', status: 'success', result: { cleared: true } }])
    expect(server.of('APPROVAL_REQUEST')).toEqual([])
    expect(answers(server)).toEqual([])
  })

  it('gets "denied" for a declined call, and the handler never runs', async () => {
    const { client, server, person } = await openClient({}, BASE)
    const handler = vi.fn()
    client.registerTool({ name: 'clear_cart', description: 'Clears', risk: 'high', handler })
    server.send('TOOL_CALL', { callId: 'tc_1', name: 'clear_cart', args: {} })
    await settle()
    person.asked[0]?.answer({ approved: false, why: 'denied', reason: 'Not that one.' })
    await settle()
    expect(results(server)).toMatchObject([
      { status: 'error', code: 'denied', error: expect.stringMatching(/declined.*not executed.*Not that one/) },
    ])
    expect(handler).not.toHaveBeenCalled()
  })

  it('gets "expired" when nobody answers, and an approval that comes later runs nothing', async () => {
    const { client, server, person, clock } = await openClient({ approvalTimeoutMs: 60_000 }, BASE)
    const handler = vi.fn()
    client.registerTool({ name: 'clear_cart', description: 'Clears', risk: 'high', handler })
    server.send('TOOL_CALL', { callId: 'tc_1', name: 'clear_cart', args: {} })
    await clock.advance(59_999)
    expect(results(server)).toEqual([])
    await clock.advance(1)
    person.asked[0]?.answer({ approved: true })
    await settle()
    expect(results(server)).toMatchObject([{ code: 'expired' }])
    expect(handler).not.toHaveBeenCalled()
  })

  it('runs nothing when the tool changed what it says of itself while the person was thinking', async () => {
    const { client, server, person } = await openClient({}, BASE)
    const handler = vi.fn()
    client.registerTool({ name: 'clear_cart', description: 'Clears', risk: 'high', handler })
    server.send('TOOL_CALL', { callId: 'tc_1', name: 'clear_cart', args: {} })
    await settle()
    client.registerTool({ name: 'clear_cart', description: 'Sells the house', risk: 'high', handler })
    person.asked[0]?.answer({ approved: true })
    await settle()
    expect(results(server)).toMatchObject([{ code: 'unavailable' }])
    expect(handler).not.toHaveBeenCalled()
  })

  it('can raise a risk with a call, never lower it', async () => {
    const { client, server, person } = await openClient({}, BASE)
    client.registerTool({ name: 'soft', description: 'Soft', handler: () => 1 })
    client.registerTool({ name: 'hard', description: 'Hard', risk: 'critical', handler: () => 1 })
    server.send('TOOL_CALL', { callId: 'tc_1', name: 'soft', args: {}, risk: 'high' })
    server.send('TOOL_CALL', { callId: 'tc_2', name: 'hard', args: {}, risk: 'none' })
    await settle()
    expect(person.asked.map(({ question }) => [question.toolName, question.risk])).toEqual([
      ['soft', 'high'],
      ['hard', 'critical'],
    ])
    expect(results(server)).toEqual([])
  })

  it('an unknown risk word counts as high; low runs and shows a notice (CORE-HITL-3)', async () => {
    const { client, server, person, events } = await openClient({}, BASE)
    client.registerTool({ name: 'odd', description: 'Odd', risk: 'medium' as 'high', handler: () => 1 })
    client.registerTool({ name: 'like_product', description: 'Likes', risk: 'low', handler: () => 2 })
    server.send('TOOL_CALL', { callId: 'tc_1', name: 'odd', args: {} })
    server.send('TOOL_CALL', { callId: 'tc_2', name: 'like_product', args: {} })
    await settle()
    expect(person.asked.map(({ question }) => question.risk)).toEqual(['high'])
    expect(results(server)).toEqual([{ callId: 'tc_2', status: 'success', result: 2 }])
    expect(person.notices).toEqual(['like_product'])
    expect(events.filter(({ name }) => name === 'notice.low-risk')).toHaveLength(1)
  })

  it('with approvals "none" every risky call is refused and says so', async () => {
    const { client, server } = await openClient({ approvals: 'none' }, BASE)
    const handler = vi.fn()
    client.registerTool({ name: 'clear_cart', description: 'Clears', risk: 'high', handler })
    server.send('TOOL_CALL', { callId: 'tc_1', name: 'clear_cart', args: {} })
    await settle()
    expect(results(server)).toMatchObject([
      { code: 'unavailable', error: expect.stringContaining('Nobody could be asked') },
    ])
    expect(handler).not.toHaveBeenCalled()
  })

  it('a flood of questions is bounded, the surplus refused at once', async () => {
    const { client, server, person } = await openClient({ approvalQueueMax: 3 }, BASE)
    client.registerTool({ name: 'clear_cart', description: 'Clears', risk: 'high', handler: () => 1 })
    for (let index = 0; index < 5; index += 1)
      server.send('TOOL_CALL', { callId: `tc_${index}`, name: 'clear_cart', args: {} })
    await settle()
    expect(person.asked).toHaveLength(3)
    expect(results(server).map(({ code }) => code)).toEqual(['unavailable', 'unavailable'])
  })
})

describe('a server with the extension "approval"', () => {
  async function openTicketed() {
    const opened = await openClient()
    const handler = vi.fn(() => 'done')
    opened.client.registerTool({
      name: 'confirm_order',
      description: 'Orders',
      risk: 'critical',
      parameters: z.object({ total: z.number() }),
      handler,
    })
    await settle()
    const request = async (args: { total: number }, callId = 'tc_1') =>
      opened.server.send('APPROVAL_REQUEST', {
        callId,
        toolName: 'confirm_order',
        args,
        risk: 'critical',
        digest: await callDigest('confirm_order', args),
        expiresAt: Date.now() + 60_000,
      })
    return { ...opened, handler, request }
  }

  it('says that nobody was asked when it asks nobody, so that no person is said to have declined', async () => {
    const { client, server } = await openClient({ approvals: 'none' })
    client.registerTool({ name: 'clear_cart', description: 'Clears', risk: 'high', handler: () => 1 })
    await settle()
    server.send('APPROVAL_REQUEST', { callId: 'tc_1', toolName: 'clear_cart', args: {}, risk: 'high', digest: 'd' })
    await settle()
    expect(answers(server)).toMatchObject([{ approved: false, why: 'unavailable' }])
  })

  it('asks first, then sends the call with a ticket, which runs without a second question and brings the ticket back', async () => {
    const { server, person, handler, request } = await openTicketed()
    await request({ total: 5 })
    await vi.waitFor(() => expect(person.asked).toHaveLength(1))
    expect(handler).not.toHaveBeenCalled()
    person.asked[0]?.answer({ approved: true })
    await settle()
    expect(answers(server)).toEqual([
      { callId: 'tc_1', approved: true, digest: await callDigest('confirm_order', { total: 5 }), by: 'custom' },
    ])
    server.send('TOOL_CALL', {
      callId: 'tc_1',
      name: 'confirm_order',
      args: { total: 5 },
      ticket: 'ticket-1',
      risk: 'critical',
    })
    await settle()
    expect(person.asked).toHaveLength(1)
    expect(results(server)).toEqual([{ callId: 'tc_1', status: 'success', result: 'done', ticket: 'ticket-1' }])
  })

  it.each([
    ['other arguments', 'tc_1', { total: 500 }],
    ['another call', 'tc_9', { total: 5 }],
  ])('the approval of one call is not good for %s', async (_, callId, args) => {
    const { server, person, handler, request } = await openTicketed()
    await request({ total: 5 })
    await vi.waitFor(() => expect(person.asked).toHaveLength(1))
    person.asked[0]?.answer({ approved: true })
    await settle()
    server.send('TOOL_CALL', { callId, name: 'confirm_order', args, ticket: 'ticket-1', risk: 'critical' })
    await settle()
    expect(handler).not.toHaveBeenCalled()
    expect(person.asked[1]?.question).toMatchObject({ callId, args })
  })

  it('a decline goes back with its reason, and no call comes of it', async () => {
    const { server, person, request } = await openTicketed()
    await request({ total: 5 })
    await vi.waitFor(() => expect(person.asked).toHaveLength(1))
    person.asked[0]?.answer({ approved: false, why: 'denied', reason: 'Too dear.' })
    await settle()
    expect(answers(server)).toMatchObject([{ callId: 'tc_1', approved: false, reason: 'Too dear.' }])
  })

  it('nobody is asked about arguments the tool’s own schema refuses', async () => {
    const { server, person, request } = await openTicketed()
    await request({ total: 'x' as unknown as number })
    await vi.waitFor(() => expect(answers(server)).toHaveLength(1))
    expect(answers(server)).toMatchObject([{ approved: false, reason: expect.stringContaining('total') }])
    expect(person.asked).toEqual([])
  })

  it('the time left counts by the server’s own clock, however wrong ours is', async () => {
    const { server, person, clock, request } = await openTicketed()
    // The fake clock stands years before the server's.
    await request({ total: 5 })
    await vi.waitFor(() => expect(person.asked).toHaveLength(1))
    const left = (person.asked[0]?.question.expiresAt ?? 0) - clock.now()
    expect(left).toBeGreaterThan(59_000)
    expect(left).toBeLessThanOrEqual(60_000)
    server.send('TOOL_CANCEL', { callId: 'tc_1' })
    await settle()
    expect(answers(server)).toEqual([])
  })

  it('the question about a tool of the server runs no handler of the page', async () => {
    const { server, person } = await openTicketed()
    server.send('APPROVAL_REQUEST', { callId: 'tc_7', toolName: 'send_mail', args: { to: 'a' }, risk: 'high' })
    await vi.waitFor(() => expect(person.asked).toHaveLength(1))
    person.asked[0]?.answer({ approved: true })
    await settle()
    expect(answers(server)).toMatchObject([{ callId: 'tc_7', approved: true }])
    expect(results(server)).toEqual([])
  })
})

describe('the spoken dialect', () => {
  it('announces the question, and the response carries the result in place of TOOL_RESULT', async () => {
    const { client, server, person } = await openClient({ dialect: 'spoken' }, BASE)
    client.registerTool({ name: 'empty_cart', description: 'Empties', risk: 'high', handler: () => ({ ok: true }) })
    await settle()
    server.send('TOOL_CALL', { callId: 'call_1', name: 'empty_cart', args: { reason: 'asked' } })
    await settle()
    expect(server.of('APPROVAL_REQUEST').map(({ payload }) => payload)).toMatchObject([
      {
        callId: 'call_1',
        toolName: 'empty_cart',
        risk: 'high',
        args: { reason: 'asked' },
        message: expect.stringContaining('empty_cart'),
      },
    ])
    person.asked[0]?.answer({ approved: true })
    await settle()
    expect(answers(server)).toEqual([{ callId: 'call_1', approved: true, result: { ok: true } }])
    server.send('TOOL_CALL', { callId: 'call_2', name: 'empty_cart', args: {} })
    await settle()
    person.asked[1]?.answer({ approved: false, why: 'denied' })
    await settle()
    expect(answers(server)[1]).toMatchObject({
      callId: 'call_2',
      approved: false,
      error: expect.stringContaining('declined'),
    })
    expect(results(server)).toEqual([])
  })
})
