import { type ApprovalRequest, DomosError, type Door } from '@domos/spec'
import { beforeEach, describe, expect, it } from 'vitest'
import { createFakeHouse, type FakeHouse, type FakeSession } from '../test/fake-house.ts'
import { createManualClock, settle } from '../test/manual-clock.ts'
import { frame, init, openPage, type PagePeer, spoken } from '../test/page-peer.ts'
import { createAdtpDoor } from './index.ts'

let house: FakeHouse
let door: Door

beforeEach(() => {
  house = createFakeHouse(createManualClock())
  door = createAdtpDoor(house)
})

const tools = [
  { name: 'add_to_cart', description: 'Adds', risk: 'low' },
  { name: 'clear_cart', description: 'Empties', risk: 'high' },
]

async function ready(capabilities?: string[]): Promise<{ page: PagePeer; session: FakeSession }> {
  const page = openPage(door)
  await page.send(init(capabilities))
  await page.send(frame('CONTEXT_UPDATE', { url: '/', activeTools: tools }))
  return { page, session: house.sessions.at(-1) as FakeSession }
}

async function readySpoken(): Promise<{ page: PagePeer; session: FakeSession }> {
  const page = openPage(door)
  await page.send(
    spoken('HANDSHAKE_INIT', {
      apiKey: 'k',
      userAgent: 'x',
      viewport: '0x0',
      sdkVersion: '1',
      protocolVersion: '1.0.0',
    }),
  )
  await page.send(spoken('CONTEXT_UPDATE', { url: '/', activeTools: tools }))
  return { page, session: house.sessions.at(-1) as FakeSession }
}

function question(callId: string, more: Partial<ApprovalRequest> = {}): ApprovalRequest {
  const base = {
    callId,
    sessionId: 's',
    toolName: 'clear_cart',
    description: 'Empties',
    args: {},
    risk: 'high' as const,
  }
  return { ...base, digest: 'd1', expiresAt: 1_767_225_720_000, ...more }
}

describe('tool calls', () => {
  it('ADTP-SEQ-4, ADTP-MSG-5, ADTP-MSG-6: routes the call to the page as printed and gives its result back', async () => {
    const { page, session } = await ready()
    const call = session.call('add_to_cart', { quantity: 2 })
    expect(page.seen.at(-1)?.type).not.toBe('TOOL_CALL')
    await settle()
    expect(page.last('TOOL_CALL').payload).toEqual({ callId: call.id, name: 'add_to_cart', args: { quantity: 2 } })
    await page.send(
      frame('TOOL_RESULT', { callId: call.id, status: 'success', result: { added: true, cartTotal: 299.98 } }),
    )
    expect(await call.outcome).toEqual({ type: 'success', value: { added: true, cartTotal: 299.98 } })
  })

  it('gives a failure its code, and a refusal in words the code denied', async () => {
    const { page, session } = await ready()
    const answers = [
      [
        { status: 'error', error: 'no such item' },
        { code: 'failed', message: 'no such item' },
      ],
      [
        { status: 'error', error: 'Too slow', code: 'timeout' },
        { code: 'timeout', message: 'Too slow' },
      ],
      [
        { status: 'error', error: 'User denied the action' },
        { code: 'denied', message: 'User denied the action' },
      ],
      [
        { status: 'error', result: { reason: 'declined by user' } },
        { code: 'denied', message: '{"reason":"declined by user"}' },
      ],
      [
        { status: 'error', error: 'Access denied by the shop', code: 'failed' },
        { code: 'failed', message: 'Access denied by the shop' },
      ],
      [{ status: 'error' }, { code: 'failed', message: 'The tool failed.' }],
    ] as const
    for (const [answer, outcome] of answers) {
      const call = session.call('add_to_cart', {})
      await page.send(frame('TOOL_RESULT', { callId: call.id, ...answer }))
      expect(await call.outcome).toEqual({ type: 'failure', ...outcome })
    }
  })

  it('takes the first of two results and reports the second', async () => {
    const { page, session } = await ready()
    const call = session.call('add_to_cart', {})
    await page.send(frame('TOOL_RESULT', { callId: call.id, status: 'success', result: 1 }))
    await page.send(frame('TOOL_RESULT', { callId: call.id, status: 'success', result: 2 }, 'msg_twice'))
    expect(await call.outcome).toEqual({ type: 'success', value: 1 })
    expect(page.last('SYSTEM_EVENT').payload.data).toEqual({
      code: 'late_result',
      ref: 'msg_twice',
      path: 'payload.callId',
    })
  })

  it('ignores a result from another page, and the call stays open', async () => {
    const { page, session } = await ready()
    const { page: other } = await ready()
    const call = session.call('add_to_cart', {})
    await other.send(frame('TOOL_RESULT', { callId: call.id, status: 'success', result: 'forged' }))
    expect(other.errors()).toEqual(['unknown_call'])
    await page.send(frame('TOOL_RESULT', { callId: call.id, status: 'success', result: 'own' }))
    expect(await call.outcome).toEqual({ type: 'success', value: 'own' })
  })

  it('ends with the reason of the abort, and tells a page that announced tool_cancel', async () => {
    const { page, session } = await ready(['tools', 'tool_cancel'])
    const call = session.call('add_to_cart', {})
    await settle()
    call.abort(new DomosError('timeout', 'The tool took longer than 30 s.'))
    expect(await call.outcome).toEqual({ type: 'failure', code: 'timeout', message: 'The tool took longer than 30 s.' })
    await settle()
    expect(page.last('TOOL_CANCEL').payload).toEqual({ callId: call.id, reason: 'timeout' })
    await page.send(frame('TOOL_RESULT', { callId: call.id, status: 'success', result: 1 }))
    expect(page.errors()).toEqual(['late_result'])
  })

  it('sends no TOOL_CANCEL to a page that did not announce it', async () => {
    const { page, session } = await ready()
    const call = session.call('add_to_cart', {})
    call.abort()
    expect(await call.outcome).toMatchObject({ type: 'failure', code: 'cancelled' })
    await settle()
    expect(page.of('TOOL_CANCEL')).toEqual([])
  })

  it('passes progress on from a page that announced it, and refuses it from others', async () => {
    const { page, session } = await ready(['tools', 'tool_progress'])
    const call = session.call('add_to_cart', {})
    await page.send(frame('TOOL_PROGRESS', { callId: call.id, fraction: 0.5 }))
    expect(call.progress).toMatchObject([{ fraction: 0.5 }])
    const { page: bare, session: other } = await ready()
    const silent = other.call('add_to_cart', {})
    await bare.send(frame('TOOL_PROGRESS', { callId: silent.id, fraction: 0.5 }))
    expect(silent.progress).toEqual([])
    expect(bare.errors()).toEqual(['not_announced'])
  })

  it('fails the open calls of a page that leaves', async () => {
    const { page, session } = await ready()
    const call = session.call('add_to_cart', {})
    page.connection.close(1006, '')
    expect(await call.outcome).toMatchObject({ type: 'failure', code: 'unavailable' })
  })
})

describe('approval', () => {
  it('is left to the page without the extension: no approver, no ticket on the wire', async () => {
    const { page, session } = await ready()
    expect(session.members[0]?.approver).toBeUndefined()
    expect(session.tools.get('clear_cart')?.approval).toBe('executor')
    session.call('clear_cart', {}, { ticket: 'v1.x' })
    await settle()
    expect(page.last('TOOL_CALL').payload).toEqual({ callId: expect.any(String), name: 'clear_cart', args: {} })
  })

  it('asks with exactly the agreed fields, then calls with ticket and effective risk, and gives the ticket back', async () => {
    const { page, session } = await ready(['tools', 'approval'])
    expect(session.tools.get('clear_cart')?.approval).toBe('gate')
    const asked = session.members[0]?.approver?.ask(question('tc_1'), new AbortController().signal)
    await settle()
    expect(page.last('APPROVAL_REQUEST').payload).toEqual({
      callId: 'tc_1',
      toolName: 'clear_cart',
      args: {},
      risk: 'high',
      digest: 'd1',
      expiresAt: 1_767_225_720_000,
    })
    await page.send(frame('APPROVAL_RESPONSE', { callId: 'tc_1', approved: true, digest: 'd1', by: 'overlay' }))
    expect(await asked).toEqual({ approved: true, digest: 'd1', by: 'overlay' })

    const call = session.call('clear_cart', {}, { id: 'tc_1', ticket: 'v1.t', risk: 'critical' })
    await settle()
    expect(page.last('TOOL_CALL').payload).toEqual({
      callId: 'tc_1',
      name: 'clear_cart',
      args: {},
      ticket: 'v1.t',
      risk: 'critical',
    })
    await page.send(frame('TOOL_RESULT', { callId: 'tc_1', status: 'success', result: { cleared: 3 }, ticket: 'v1.t' }))
    expect(await call.outcome).toEqual({ type: 'success', value: { cleared: 3 }, ticket: 'v1.t' })
  })

  it('hands a result without its ticket to the gate as it is, and tells the page', async () => {
    const { page, session } = await ready(['tools', 'approval'])
    const call = session.call('clear_cart', {}, { ticket: 'v1.t' })
    await page.send(frame('TOOL_RESULT', { callId: call.id, status: 'success', result: 1 }))
    expect(await call.outcome).toEqual({ type: 'success', value: 1 })
    expect(page.errors()).toEqual(['ticket_refused'])
  })

  it('tells a no of a person from a page that asked nobody', async () => {
    const { page, session } = await ready(['tools', 'approval'])
    const ask = (callId: string) => session.members[0]?.approver?.ask(question(callId), new AbortController().signal)
    const [unasked, said] = [ask('tc_1'), ask('tc_2')]
    await page.send(frame('APPROVAL_RESPONSE', { callId: 'tc_1', approved: false, digest: 'd1', why: 'unavailable' }))
    await page.send(frame('APPROVAL_RESPONSE', { callId: 'tc_2', approved: false, digest: 'd1', why: 'moonlight' }))
    expect(await unasked).toEqual({ approved: false, digest: 'd1', by: 'page', why: 'unavailable' })
    expect(await said).toEqual({ approved: false, digest: 'd1', by: 'page' })
  })

  it('an answer without digest does not answer the question asked', async () => {
    const { page, session } = await ready(['tools', 'approval'])
    const asked = session.members[0]?.approver?.ask(question('tc_1'), new AbortController().signal)
    await page.send(frame('APPROVAL_RESPONSE', { callId: 'tc_1', approved: true }))
    expect(await asked).toMatchObject({ digest: '' })
  })

  it('withdraws a question that expired, and answers what comes late with expired', async () => {
    const { page, session } = await ready(['tools', 'approval', 'tool_cancel'])
    const stop = new AbortController()
    const asked = session.members[0]?.approver?.ask(question('tc_1'), stop.signal)
    await settle()
    stop.abort(new DomosError('expired', 'Nobody answered.'))
    expect(await asked).toMatchObject({ approved: false })
    await settle()
    expect(page.last('TOOL_CANCEL').payload).toEqual({ callId: 'tc_1', reason: 'expired' })
    await page.send(frame('APPROVAL_RESPONSE', { callId: 'tc_1', approved: true, digest: 'd1' }))
    expect(page.errors()).toEqual(['expired'])
  })

  it('records that a decision came from an automated browser', async () => {
    const page = openPage(door)
    await page.send(init(['tools', 'approval'], { webdriver: true }))
    const asked = house.sessions[0]?.members[0]?.approver?.ask(question('tc_1'), new AbortController().signal)
    await page.send(frame('APPROVAL_RESPONSE', { callId: 'tc_1', approved: true, digest: 'd1', by: 'overlay' }))
    expect(await asked).toMatchObject({ by: 'overlay in an automated browser' })
  })

  it('takes no approval from an automated browser where the operator refuses them', async () => {
    door = createAdtpDoor(house, { refuseAutomatedApprovals: true })
    const page = openPage(door)
    await page.send(init(['tools', 'approval'], { webdriver: true }))
    expect(house.sessions.at(-1)?.members[0]?.approver).toBeUndefined()
  })
})

describe('the spoken dialect', () => {
  it('takes APPROVAL_RESPONSE as the result of a call the page asked about itself', async () => {
    const { page, session } = await readySpoken()
    const call = session.call('clear_cart', {})
    await page.send(
      spoken('APPROVAL_REQUEST', {
        callId: call.id,
        toolName: 'clear_cart',
        risk: 'high',
        args: {},
        message: 'Empty it?',
      }),
    )
    expect(call.progress).toHaveLength(1)
    await page.send(spoken('APPROVAL_RESPONSE', { callId: call.id, approved: true, result: { ok: true } }))
    expect(await call.outcome).toEqual({ type: 'success', value: { ok: true } })
    expect(page.errors()).toEqual([])
  })

  it('takes a refusal and a failure after approval the same way', async () => {
    const { page, session } = await readySpoken()
    const [declined, failed] = [session.call('clear_cart', {}), session.call('clear_cart', {})]
    await page.send(spoken('APPROVAL_RESPONSE', { callId: declined.id, approved: false, error: 'User said no' }))
    await page.send(spoken('APPROVAL_RESPONSE', { callId: failed.id, approved: true, error: 'Stock is gone' }))
    expect(await declined.outcome).toEqual({ type: 'failure', code: 'denied', message: 'User said no' })
    expect(await failed.outcome).toEqual({ type: 'failure', code: 'failed', message: 'Stock is gone' })
  })

  it('is asked about a tool of the server with a message, and its answer stands for that question', async () => {
    const { page, session } = await readySpoken()
    const asked = session.members[0]?.approver?.ask(
      question('tc_s', { toolName: 'refund' }),
      new AbortController().signal,
    )
    await settle()
    expect(page.last('APPROVAL_REQUEST').payload).toEqual({
      callId: 'tc_s',
      toolName: 'refund',
      risk: 'high',
      args: {},
      message: 'Empties',
    })
    await page.send(spoken('APPROVAL_RESPONSE', { callId: 'tc_s', approved: true }))
    expect(await asked).toMatchObject({ approved: true, digest: 'd1' })
  })

  it('gets every frame in its own envelope, errors too', async () => {
    const { page } = await readySpoken()
    await page.send(spoken('BANANA', {}, 'odd-1'))
    const error = page.last('SYSTEM_EVENT')
    expect(Object.keys(error).sort()).toEqual(['id', 'payload', 'timestamp', 'type'])
    expect(error.payload).toMatchObject({ kind: 'error', data: { code: 'unknown_type', ref: 'odd-1', path: 'type' } })
  })
})
