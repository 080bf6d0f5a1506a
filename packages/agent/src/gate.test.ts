import type { AuditEntry, Tool, ToolExecution } from '@domos/spec'
import { describe, expect, it } from 'vitest'
import { callDigest } from './digest.ts'
import { createMemoryStore } from './memory-store.ts'
import {
  flush,
  instantTool,
  manualMember,
  manualTool,
  openWorld,
  scriptedModel,
  success,
  until,
  type World,
} from './test/harness.ts'

const risky = { name: 'delete_account', risk: 'critical' } as const

async function world(options: Parameters<typeof openWorld>[1] = {}, canApprove = true): Promise<World> {
  return openWorld(scriptedModel(), options, canApprove)
}

async function auditOf(store: ReturnType<typeof createMemoryStore>): Promise<readonly AuditEntry[]> {
  return store.listAudit({ limit: 1_000 })
}

describe('the gate', () => {
  it('runs a tool of risk none at once and tells members about one of risk low', async () => {
    const { session, page } = await world()
    session.tools.replace('page', [instantTool({ name: 'look' }), instantTool({ name: 'like', risk: 'low' })])
    expect(await session.call('look', {})).toEqual({ type: 'success', value: { ok: true } })
    expect(page.notices).toEqual([])
    await session.call('like', {})
    expect(page.notices).toEqual(['tool-ran'])
  })

  it('asks with frozen arguments and their digest, and executes exactly those with a ticket', async () => {
    const store = createMemoryStore()
    const { session, page } = await world({ store })
    const tool = manualTool(risky)
    session.tools.replace('page', [tool])
    const args = { confirm: 'yes', list: [1, { a: 2 }] }
    const outcome = session.call('delete_account', args)
    await until(() => page.asked.length > 0)
    const request = page.asked[0]?.request
    expect(request).toMatchObject({ toolName: 'delete_account', risk: 'critical', args })
    expect(request?.digest).toBe(await callDigest('delete_account', args))
    expect(Object.isFrozen(request?.args['list'])).toBe(true)
    args.confirm = 'changed after the question'
    expect(tool.calls).toHaveLength(0)
    page.asked[0]?.decide({ approved: true })
    await until(() => tool.calls.length > 0)
    expect(tool.calls[0]?.args).toBe(request?.args)
    expect(tool.calls[0]?.call.ticket).toMatch(/^v1\./)
    tool.calls[0]?.answer({ ...success({ gone: true }), ticket: tool.calls[0].call.ticket ?? '' })
    expect(await outcome).toEqual({ type: 'success', value: { gone: true } })
    const events = (await auditOf(store)).map((entry) => entry.event)
    expect(events).toEqual(['approval-asked', 'approval-given'])
    expect(JSON.stringify(await auditOf(store))).not.toContain('confirm')
  })

  const forgeries: readonly [string, (right: string, other: string) => string | undefined][] = [
    ['no ticket', () => undefined],
    ['a made-up ticket', () => 'yes'],
    ['a ticket with another expiry', (right) => right.replace(/^v1\.\d+/, 'v1.9999999999999')],
    ['a ticket with another signature', (right) => right.slice(0, -4) + (right.endsWith('0000') ? '1111' : '0000')],
    ['the ticket of another call', (_right, other) => other],
  ]
  for (const [what, forge] of forgeries) {
    it(`refuses and audits a result with ${what}`, async () => {
      const store = createMemoryStore()
      const { session, page } = await world({ store })
      const first = manualTool({ ...risky, name: 'first' })
      const second = manualTool({ ...risky, name: 'second' })
      session.tools.replace('page', [first, second])
      const outcome = session.call('first', {})
      void session.call('second', {})
      await until(() => page.asked.length === 2)
      for (const asked of page.asked) asked.decide({ approved: true })
      await until(() => first.calls.length + second.calls.length === 2)
      const ticket = forge(first.calls[0]?.call.ticket ?? '', second.calls[0]?.call.ticket ?? '')
      first.calls[0]?.answer({ ...success({ forged: true }), ...(ticket === undefined ? {} : { ticket }) })
      expect(await outcome).toMatchObject({ type: 'failure', code: 'failed' })
      expect((await auditOf(store)).at(-1)).toMatchObject({ event: 'ticket-refused', toolName: 'first' })
    })
  }

  it('takes a decision with another digest for a refusal', async () => {
    const store = createMemoryStore()
    const { session, page } = await world({ store })
    const tool = manualTool(risky)
    session.tools.replace('page', [tool])
    const outcome = session.call('delete_account', {})
    await until(() => page.asked.length > 0)
    page.asked[0]?.decide({ approved: true, digest: await callDigest('delete_account', { other: true }) })
    expect(await outcome).toMatchObject({ code: 'denied' })
    expect(tool.calls).toHaveLength(0)
    expect((await auditOf(store)).at(-1)).toMatchObject({
      event: 'approval-refused',
      details: { cause: 'digest-mismatch' },
    })
  })

  it('gives the reason of a refusal to the model', async () => {
    const { session, page } = await world()
    session.tools.replace('page', [manualTool(risky)])
    const outcome = session.call('delete_account', {})
    await until(() => page.asked.length > 0)
    page.asked[0]?.decide({ approved: false, reason: 'not today' })
    expect(await outcome).toMatchObject({ code: 'denied', message: expect.stringContaining('"not today"') })
  })

  it('expires on the approval clock, and only audits a decision that comes later', async () => {
    const store = createMemoryStore()
    const { session, page, clock } = await world({ store })
    const tool = manualTool(risky)
    session.tools.replace('page', [tool])
    const outcome = session.call('delete_account', {})
    await until(() => page.asked.length > 0)
    await clock.advance(119_999)
    expect(page.asked[0]?.signal.aborted).toBe(false)
    await clock.advance(1)
    expect(await outcome).toMatchObject({ code: 'expired' })
    expect(page.asked[0]?.signal.aborted).toBe(true)
    page.asked[0]?.decide({ approved: true })
    await flush()
    expect(tool.calls).toHaveLength(0)
    expect((await auditOf(store)).map((entry) => entry.event)).toEqual([
      'approval-asked',
      'approval-expired',
      'approval-late',
    ])
  })

  it('voids the question when the page declares the tool in another form meanwhile', async () => {
    const { session, page } = await world()
    session.tools.replace('page', [manualTool({ ...risky, description: 'Say hello' })])
    const outcome = session.call('delete_account', {})
    await until(() => page.asked.length > 0)
    const changed = manualTool({ ...risky, description: 'Wipe the disk' })
    session.tools.replace('page', [changed])
    page.asked[0]?.decide({ approved: true })
    expect(await outcome).toMatchObject({ code: 'unavailable' })
    expect(changed.calls).toHaveLength(0)
  })

  it('asks the owner of the tool first, whoever joined before', async () => {
    const { session, page } = await world()
    const owner = manualMember('tablet')
    session.join(owner)
    session.tools.replace('tablet', [instantTool(risky)])
    const outcome = session.call('delete_account', {})
    await until(() => owner.asked.length > 0)
    expect(page.asked).toHaveLength(0)
    owner.asked[0]?.decide({ approved: true })
    expect(await outcome).toMatchObject({ type: 'success' })
  })

  it('asks the next member when the one that was asked leaves', async () => {
    const { session } = await world({ tools: () => [instantTool(risky)] }, false)
    const [first, second] = [manualMember('first'), manualMember('second')]
    const leave = session.join(first)
    session.join(second)
    const outcome = session.call('delete_account', {})
    await until(() => first.asked.length > 0)
    leave()
    await until(() => second.asked.length > 0)
    expect(first.asked[0]?.signal.aborted).toBe(true)
    first.asked[0]?.decide({ approved: false })
    second.asked[0]?.decide({ approved: true })
    expect(await outcome).toMatchObject({ type: 'success' })
  })

  it('refuses a risky call when nobody is there who could approve', async () => {
    const { session } = await world({}, false)
    const tool = manualTool(risky)
    session.tools.replace('page', [tool])
    expect(await session.call('delete_account', {})).toMatchObject({
      code: 'denied',
      message: expect.stringContaining('Nobody'),
    })
    expect(tool.calls).toHaveLength(0)
  })

  it('says whose no it was: a person, the policy, or nobody, who can also be a page that asked nobody', async () => {
    const { session, page } = await world()
    const tool = manualTool(risky)
    session.tools.replace('page', [tool])
    const unasked = session.call('delete_account', {})
    await until(() => page.asked.length > 0)
    page.asked[0]?.decide({ approved: false, why: 'unavailable' })
    expect(await unasked).toMatchObject({ code: 'denied', deniedBy: 'nobody' })
    const late = session.call('delete_account', {})
    await until(() => page.asked.length > 1)
    page.asked[1]?.decide({ approved: false, why: 'expired' })
    expect(await late).toMatchObject({ code: 'expired' })
    session.tools.replace('page', [instantTool({ name: 'peek', scope: 'secrets' })])
    const scoped = await session.call('peek', {})
    expect(scoped).not.toHaveProperty('deniedBy', 'person')
    expect(tool.calls).toHaveLength(0)
  })

  it('takes a fault that speaks of permissions for no decision of a person', async () => {
    const { session } = await world()
    session.tools.replace('page', [
      { ...instantTool({ name: 'open_file' }), execute: () => Promise.reject(new Error('Permission denied: /etc')) },
    ])
    expect(await session.call('open_file', {})).toEqual({
      type: 'failure',
      code: 'failed',
      message: 'Permission denied: /etc',
    })
  })

  it('passes over an approver that fails', async () => {
    const { session, page } = await world()
    session.join({ id: 'broken', door: 'adtp', approver: { ask: () => Promise.reject(new Error('no screen')) } })
    session.tools.replace('broken', [instantTool(risky)])
    const outcome = session.call('delete_account', {})
    await until(() => page.asked.length > 0)
    page.asked[0]?.decide({ approved: true })
    expect(await outcome).toMatchObject({ type: 'success' })
  })

  it('bounds the questions that wait at the same time', async () => {
    const { session, page } = await world({ limits: { approvalsOpenMax: 2 } })
    session.tools.replace('page', [instantTool(risky)])
    const outcomes = [1, 2, 3].map((number) => session.call('delete_account', { number }))
    await until(() => page.asked.length === 2)
    expect(await outcomes[2]).toMatchObject({ code: 'unavailable' })
    for (const asked of page.asked) asked.decide({ approved: true })
    expect((await Promise.all(outcomes)).filter((outcome) => outcome.type === 'success')).toHaveLength(2)
  })

  it('raises a risk by policy, never lowers it', async () => {
    const { session, page } = await world({
      policy: {
        raise: [
          { tools: 'DELETE_*', risk: 'critical' },
          { tools: 'wipe', risk: 'none' },
        ],
        assess: (_tool, args) => (args['amount'] === 100 ? 'high' : undefined),
      },
    })
    const tools = ['delete_item', 'wipe', 'pay'].map((name) =>
      instantTool({ name, risk: name === 'wipe' ? 'high' : 'none' }),
    )
    session.tools.replace('page', tools)
    for (const [name, args] of [
      ['delete_item', {}],
      ['wipe', {}],
      ['pay', { amount: 100 }],
    ] as const) {
      const before = page.asked.length
      const outcome = session.call(name, args)
      await until(() => page.asked.length > before)
      page.asked.at(-1)?.decide({ approved: true })
      expect(await outcome).toMatchObject({ type: 'success' })
    }
    expect(page.asked.map((asked) => asked.request.risk)).toEqual(['critical', 'high', 'high'])
    expect(await session.call('pay', { amount: 1 })).toMatchObject({ type: 'success' })
  })

  it('refuses what is above the bound of a principal, without asking anybody', async () => {
    const { agent, page, session } = await world()
    const speaker = await agent.openSession(
      { ...session.principal, id: 'device-network', maxRisk: 'none' },
      { door: 'voice' },
    )
    speaker.join({ id: 'speaker', door: 'voice' })
    speaker.tools.replace('speaker', [
      instantTool({ name: 'look', risk: 'none' }),
      instantTool({ name: 'dim', risk: 'low' }),
    ])
    expect(await speaker.call('look', {})).toMatchObject({ type: 'success' })
    expect(await speaker.call('dim', {})).toMatchObject({ type: 'failure', code: 'denied' })
    expect(page.asked).toEqual([])
  })

  it('refuses a raised risk, or by option every risky call, to clients that ask by themselves', async () => {
    const raised = await world({ policy: { raise: [{ tools: 'a', risk: 'high' }] } })
    const tools = (): Tool[] =>
      ['a', 'b'].map((name) => instantTool({ name, risk: name === 'a' ? 'none' : 'high', approval: 'executor' }))
    raised.session.tools.replace('page', tools())
    expect(await raised.session.call('a', {})).toMatchObject({ code: 'denied' })
    expect(await raised.session.call('b', {})).toMatchObject({ type: 'success' })
    const strict = await world({ policy: { refuseRiskyWithoutApproval: true } })
    strict.session.tools.replace('page', tools())
    expect(await strict.session.call('a', {})).toMatchObject({ type: 'success' })
    expect(await strict.session.call('b', {})).toMatchObject({ code: 'denied' })
  })

  it('times a silent tool out, and gives it a new clock with each sign of life, within the total', async () => {
    const { session, clock } = await world()
    const tool = manualTool({ name: 'slow' })
    session.tools.replace('page', [tool])
    const silent = session.call('slow', {})
    await flush()
    await clock.advance(30_000)
    expect(await silent).toMatchObject({ code: 'timeout' })
    expect(tool.calls[0]?.call.signal.aborted).toBe(true)
    let ended = false
    const lively = session.call('slow', {}).then((outcome) => {
      ended = true
      return outcome
    })
    await flush()
    for (let round = 0; round < 14; round += 1) {
      await clock.advance(29_000)
      expect(ended).toBe(false)
      tool.calls[1]?.call.progress({ fraction: round / 20 })
    }
    await clock.advance(29_000)
    expect(await lively).toMatchObject({ code: 'timeout' })
  })

  it('waits on the approval clock once a page says that it asks its person, and not longer for saying it again', async () => {
    const { session, clock } = await world()
    const tool = manualTool({ name: 'careful', approval: 'executor' })
    session.tools.replace('page', [tool])
    const outcome = session.call('careful', {})
    await flush()
    tool.calls[0]?.call.progress({ awaitingApproval: true })
    await clock.advance(110_000)
    tool.calls[0]?.call.progress({ awaitingApproval: true })
    await clock.advance(10_000)
    expect(await outcome).toMatchObject({ code: 'expired' })
  })

  it('refuses a tool whose scope the principal lacks', async () => {
    const store = createMemoryStore()
    const { session } = await world({ store, anonymousScopes: ['agent:use'] })
    session.tools.replace('page', [instantTool({ name: 'act', scope: 'page:act' })])
    expect(await session.call('act', {})).toMatchObject({
      code: 'denied',
      message: expect.stringContaining('page:act'),
    })
    expect((await auditOf(store)).map((entry) => entry.event)).toEqual(['scope-refused'])
  })

  it('bounds the calls of a minute', async () => {
    const { session, clock } = await world({ limits: { toolCallsPerMinute: 2 } })
    session.tools.replace('page', [instantTool({ name: 'look' })])
    const outcomes = [await session.call('look', {}), await session.call('look', {}), await session.call('look', {})]
    expect(outcomes.map((outcome) => outcome.type)).toEqual(['success', 'success', 'failure'])
    await clock.advance(60_000)
    expect(await session.call('look', {})).toMatchObject({ type: 'success' })
  })

  it('takes throws, rejections and nonsense of a tool as failures', async () => {
    const { session } = await world()
    const throwing = (execute: () => unknown): Tool => ({
      name: 't',
      description: '',
      risk: 'none',
      execute: execute as Tool['execute'],
    })
    const cases: readonly [() => unknown, object][] = [
      [
        () => {
          throw new Error('sync')
        },
        { code: 'failed', message: 'sync' },
      ],
      [() => Promise.reject('just text'), { code: 'failed', message: 'just text' }],
      [() => Promise.reject(undefined), { code: 'failed' }],
      [() => ({}) as ToolExecution, { code: 'failed' }],
      [() => null, { code: 'failed' }],
    ]
    for (const [execute, expected] of cases) {
      session.tools.replace('page', [throwing(execute)])
      expect(await session.call('t', {})).toMatchObject({ type: 'failure', ...expected })
    }
  })

  it('lets no key of a prototype through', async () => {
    const { session } = await world()
    const tool = manualTool({ name: 't' })
    session.tools.replace('page', [tool])
    const outcome = session.call('t', JSON.parse('{"__proto__":{"admin":true},"a":{"constructor":1,"b":2}}'))
    await flush()
    expect(JSON.stringify(tool.calls[0]?.args)).toBe('{"a":{"b":2}}')
    tool.calls[0]?.answer({ type: 'success', value: JSON.parse('{"__proto__":{"x":1},"y":1}') })
    expect(JSON.stringify(await outcome)).toBe('{"type":"success","value":{"y":1}}')
  })

  it('asks no ticket back from tools of the server itself, which still need the approval', async () => {
    const { session, page } = await world({
      tools: () => [{ ...risky, description: '', execute: async () => success({ done: true }) }],
    })
    const outcome = session.call('delete_account', {})
    await until(() => page.asked.length > 0)
    page.asked[0]?.decide({ approved: true })
    expect(await outcome).toMatchObject({ type: 'success' })
  })
})
