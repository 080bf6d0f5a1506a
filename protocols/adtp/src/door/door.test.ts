import { DomosError, type Door } from '@domos/spec'
import { createLinkedConnections } from '@domos/wire'
import { beforeEach, describe, expect, it } from 'vitest'
import { createFakeHouse, type FakeHouse, type FakeSession } from '../test/fake-house.ts'
import { createManualClock, type ManualClock, settle } from '../test/manual-clock.ts'
import { frame, init, openPage, type PagePeer, spoken } from '../test/page-peer.ts'
import { createAdtpDoor } from './index.ts'

let clock: ManualClock
let house: FakeHouse
let door: Door

beforeEach(() => {
  clock = createManualClock()
  house = createFakeHouse(clock)
  door = createAdtpDoor(house)
})

const tool = (name: string, more: object = {}) => ({ name, description: `Does ${name}`, ...more })

async function ready(
  capabilities?: string[],
  tools: object[] = [tool('add')],
): Promise<{ page: PagePeer; session: FakeSession }> {
  const page = openPage(door)
  await page.send(init(capabilities))
  await page.send(
    frame('CONTEXT_UPDATE', { url: '/shop', title: 'Shop', activeTools: tools as never, data: { items: 3 } }),
  )
  return { page, session: house.sessions.at(-1) as FakeSession }
}

describe('handshake', () => {
  it('ADTP-SEQ-2, ADTP-MSG-2: answers INIT with a unique session id and only what the document prints', async () => {
    const [one, two] = [openPage(door), openPage(door)]
    await one.send(init())
    await two.send(init())
    const ack = one.last('HANDSHAKE_ACK')
    expect(ack.payload).toEqual({
      sessionId: expect.stringMatching(/^ses_[0-9a-f]{32}$/),
      protocolVersion: '1.0.0',
      capabilities: ['text', 'tools'],
    })
    expect(Object.keys(ack).sort()).toEqual(['meta', 'payload', 'type'])
    expect(two.last('HANDSHAKE_ACK').payload.sessionId).not.toBe(ack.payload.sessionId)
  })

  it('answers a spoken INIT in its envelope, with serverVersion and maxActiveTools', async () => {
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
    const ack = page.last('HANDSHAKE_ACK')
    expect(Object.keys(ack).sort()).toEqual(['id', 'payload', 'timestamp', 'type'])
    expect(ack.payload).toMatchObject({ serverVersion: '1.0.0', maxActiveTools: 128, capabilities: ['text', 'tools'] })
  })

  it('takes a frame without meta, and carries meta itself', async () => {
    const page = openPage(door)
    await page.send({ type: 'HANDSHAKE_INIT', payload: { protocolVersion: '1.0.0', capabilities: [] } })
    expect(page.last('HANDSHAKE_ACK').meta).toMatchObject({ id: expect.stringMatching(/^msg_/), version: '1.0.0' })
  })

  it('answers only extensions that both sides announced', async () => {
    const page = openPage(door)
    await page.send(init(['text', 'tools', 'approval', 'audio_stream', 'teleport']))
    expect(page.last('HANDSHAKE_ACK').payload).toMatchObject({
      capabilities: ['text', 'tools', 'approval'],
      maxActiveTools: 128,
    })
  })

  it('asks for INIT when something else comes first, and still takes it then', async () => {
    const page = openPage(door)
    await page.send(frame('USER_INPUT', { modality: 'text', content: 'hi' }, 'msg_early'))
    expect(page.last('SYSTEM_EVENT').payload).toMatchObject({
      kind: 'error',
      data: { code: 'handshake_required', ref: 'msg_early', path: 'type' },
    })
    await page.send(init())
    expect(page.of('HANDSHAKE_ACK')).toHaveLength(1)
  })

  it('keeps frames that come while the key is checked, and handles them in order', async () => {
    const opened = Promise.withResolvers<void>()
    house.gate = opened.promise
    const page = openPage(door)
    await page.send(init())
    await page.send(frame('CONTEXT_UPDATE', { url: '/', activeTools: [tool('add')] }))
    await page.send(frame('USER_INPUT', { modality: 'text', content: 'Add 2' }))
    expect(page.seen).toEqual([])
    opened.resolve()
    await settle()
    expect(house.sessions[0]?.inputs).toMatchObject([{ text: 'Add 2' }])
    expect(house.sessions[0]?.tools.get('add')).toBeDefined()
  })

  it('bounds what waits for admission and says so', async () => {
    house.gate = new Promise(() => {})
    const page = openPage(door)
    await page.send(init())
    for (let index = 0; index < 17; index++) await page.send(frame('SYSTEM_EVENT', { kind: 'info' }))
    expect(page.errors()).toEqual(['busy'])
    await page.send(frame('CONTEXT_UPDATE', { url: 'x'.repeat(70_000) }))
    expect(page.errors()).toEqual(['busy', 'busy'])
  })

  it('closes with 4000 when INIT does not come, and with 1013 when admission hangs', async () => {
    const silent = openPage(door)
    house.gate = new Promise(() => {})
    const hanging = openPage(door)
    await hanging.send(init())
    await clock.advance(5_000)
    expect(silent.errors()).toEqual(['handshake_timeout'])
    expect(silent.closed).toMatchObject({ code: 4000, reason: 'Handshake timeout' })
    expect(hanging.errors()).toEqual(['timeout'])
    expect(hanging.closed?.code).toBe(1013)
  })

  it('refuses another protocol version with its code and 1008', async () => {
    const page = openPage(door)
    await page.send({ type: 'HANDSHAKE_INIT', payload: { protocolVersion: '2.0.0' }, meta: { id: 'm' } })
    expect(page.last('SYSTEM_EVENT').payload.data).toEqual({
      code: 'version_mismatch',
      ref: 'm',
      path: 'payload.protocolVersion',
    })
    expect(page.closed?.code).toBe(1008)
  })

  it('refuses a second INIT and goes on', async () => {
    const { page } = await ready()
    await page.send(init())
    expect(page.errors()).toEqual(['conflict'])
    expect(page.of('HANDSHAKE_ACK')).toHaveLength(1)
    expect(page.closed).toBeUndefined()
  })
})

describe('keys', () => {
  beforeEach(() => {
    house = createFakeHouse(clock, { key: 'k_demo' })
    door = createAdtpDoor(house)
  })

  it('lets in by the token of the upgrade or by the first frame', async () => {
    const [byUpgrade, byFrame] = [openPage(door, { token: 'k_demo' }), openPage(door)]
    await byUpgrade.send(init())
    await byFrame.send(init(['text'], { apiKey: 'k_demo' }))
    expect(byUpgrade.of('HANDSHAKE_ACK')).toHaveLength(1)
    expect(byFrame.of('HANDSHAKE_ACK')).toHaveLength(1)
  })

  it('refuses a wrong or missing key with a code, 1008 and no session', async () => {
    const [wrong, none] = [openPage(door, { token: 'k_dema' }), openPage(door)]
    await wrong.send(init())
    await none.send(init())
    for (const page of [wrong, none]) {
      expect(page.errors()).toEqual(['unauthorized'])
      expect(page.closed?.code).toBe(1008)
    }
    expect(house.sessions).toHaveLength(0)
  })

  it('takes no large frame from a peer that has shown no key', async () => {
    const page = openPage(door)
    await page.send(init(['text'], { apiKey: 'k_demo', userAgent: 'x'.repeat(5_000) }))
    expect(page.errors()).toEqual(['too_large'])
    expect(page.closed?.code).toBe(1009)
  })
})

describe('context and tools', () => {
  it('ADTP-MSG-3: hands url, title, data and tools to the session', async () => {
    const { session } = await ready()
    expect([...session.contexts.values()]).toEqual([{ url: '/shop', title: 'Shop', data: { items: 3 } }])
    expect(session.tools.get('add')).toMatchObject({ description: 'Does add', risk: 'none', approval: 'executor' })
  })

  it('CORE-REG-3: a tool that is no longer declared is gone', async () => {
    const { page, session } = await ready()
    await page.send(frame('CONTEXT_UPDATE', { url: '/about', activeTools: [] }))
    expect(session.tools.get('add')).toBeUndefined()
    expect([...session.contexts.values()]).toEqual([{ url: '/about', data: { items: 3 } }])
  })

  it('reads unknown and medium risks as high', async () => {
    const { session } = await ready(undefined, [
      tool('a', { risk: 'medium' }),
      tool('b', { risk: 'perilous' }),
      tool('c', { risk: 'low' }),
    ])
    expect(session.tools.surface().effective.map(({ risk }) => risk)).toEqual(['high', 'high', 'low'])
  })

  it('counts the first 128 tools and reports the rest', async () => {
    const tools = Array.from({ length: 130 }, (_, index) => tool(`t${index}`))
    const { page, session } = await ready(undefined, tools)
    expect(session.tools.surface().effective).toHaveLength(128)
    expect(page.last('SYSTEM_EVENT').payload.data).toMatchObject({
      code: 'tool_ignored',
      path: 'payload.activeTools.128',
      ignored: ['t128', 't129'],
    })
  })

  it('keeps the old tools when an update is refused, and names the place', async () => {
    const { page, session } = await ready()
    await page.send(frame('CONTEXT_UPDATE', { url: '/', activeTools: [{ name: 'x', description: '' }] }, 'msg_bad'))
    expect(page.last('SYSTEM_EVENT').payload.data).toEqual({
      code: 'invalid_payload',
      ref: 'msg_bad',
      path: 'payload.activeTools.0.description',
    })
    expect(session.tools.get('add')).toBeDefined()
  })

  it('tells the spoken dialect the effective tools after every update, and a bare document peer nothing of the kind', async () => {
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
    await page.send(spoken('CONTEXT_UPDATE', { url: '/', activeTools: [tool('add')] }))
    house.sessions[0]?.owners.set('server', [])
    await page.send(spoken('CONTEXT_UPDATE', { url: '/', activeTools: [tool('add')] }))
    expect(page.of('SYSTEM_EVENT').map(({ payload }) => payload)).toEqual(
      Array.from({ length: 2 }, () => ({
        kind: 'tools_effective',
        data: { effectiveTools: ['add'], serverTools: [], clientTools: ['add'], ignoredClientTools: [] },
      })),
    )
    const { page: bare } = await ready()
    expect(bare.of('SYSTEM_EVENT')).toEqual([])
  })

  it('names a client tool that lost to a server tool', async () => {
    const page = openPage(door)
    await page.send(init(['tools', 'jsonschema']))
    house.sessions[0]?.tools.replace('server', [
      { name: 'add', description: 'd', risk: 'none', execute: async () => ({ type: 'success', value: 1 }) },
    ])
    await page.send(frame('CONTEXT_UPDATE', { url: '/', activeTools: [tool('add'), tool('sub')] }))
    expect(page.last('SYSTEM_EVENT').payload.data).toEqual({
      effectiveTools: ['add', 'sub'],
      serverTools: ['add'],
      clientTools: ['sub'],
      ignoredClientTools: ['add'],
    })
  })

  it('reports a context that had to be cut, once', async () => {
    const { page, session } = await ready()
    session.cutBytes = 10
    await page.send(frame('CONTEXT_UPDATE', { url: '/' }))
    await page.send(frame('CONTEXT_UPDATE', { url: '/' }))
    expect(page.errors()).toEqual(['context_cut'])
  })
})

describe('input and answers', () => {
  it('ADTP-MSG-4, ADTP-INPUT-1, ADTP-SEQ-5, ADTP-MSG-7: says the text and streams the answer, ending in done', async () => {
    const { page, session } = await ready()
    await page.send(frame('USER_INPUT', { modality: 'text', content: 'Add 2 to my cart' }))
    expect(session.inputs).toMatchObject([{ text: 'Add 2 to my cart', modality: 'text' }])
    const [turn] = session.turns
    turn?.emit({ type: 'text-delta', text: 'I have ' })
    turn?.emit({ type: 'text-delta', text: 'added two ' })
    await clock.advance(30)
    turn?.emit({ type: 'text-delta', text: 'to your cart.' })
    turn?.emit({ type: 'end', reason: 'complete' })
    await settle()
    expect(page.of('AGENT_RESPONSE').map(({ payload }) => payload)).toEqual([
      { chunk: 'I have ', done: false },
      { chunk: 'added two to your cart.', done: true },
    ])
  })

  it('ends with done whatever goes wrong, and reports the code with the input it answers', async () => {
    const { page, session } = await ready()
    await page.send(frame('USER_INPUT', { modality: 'text', content: 'hi' }, 'msg_hi'))
    session.turns[0]?.emit({ type: 'error', code: 'model_failed', message: 'The model failed.', retryAfterMs: 500 })
    session.turns[0]?.emit({ type: 'end', reason: 'failed' })
    await settle()
    expect(page.last('SYSTEM_EVENT').payload.data).toEqual({
      code: 'model_failed',
      ref: 'msg_hi',
      path: '',
      retryAfterMs: 500,
    })
    expect(page.last('AGENT_RESPONSE').payload).toEqual({ chunk: '', done: true })
  })

  it('answers an input that is refused with its code and done, unless an answer runs', async () => {
    const { page, session } = await ready()
    session.refuseNext = new DomosError('too_large', 'At most 8000 characters.')
    await page.send(frame('USER_INPUT', { modality: 'text', content: 'long' }))
    expect(page.errors()).toEqual(['too_large'])
    expect(page.of('AGENT_RESPONSE')).toHaveLength(1)
    await page.send(frame('USER_INPUT', { modality: 'text', content: 'one' }))
    session.refuseNext = new DomosError('busy', 'One waits already.')
    await page.send(frame('USER_INPUT', { modality: 'text', content: 'two' }))
    expect(page.errors()).toEqual(['too_large', 'busy'])
    expect(page.of('AGENT_RESPONSE')).toHaveLength(1)
  })

  it('gives every input one done, also when the turn goes on with newer words', async () => {
    const { page, session } = await ready(['text', 'stream'])
    await page.send(frame('USER_INPUT', { modality: 'text', content: 'Empty my cart' }, 'msg_1'))
    const [turn] = session.turns
    turn?.emit({ type: 'text-delta', text: 'Shall I?' })
    await settle()
    session.goOn = turn
    await page.send(frame('USER_INPUT', { modality: 'text', content: 'No, only the hat' }, 'msg_2'))
    turn?.emit({ type: 'text-delta', text: 'The hat is out.' })
    turn?.emit({ type: 'end', reason: 'complete' })
    await settle()
    expect(page.of('AGENT_RESPONSE').map(({ payload }) => payload)).toEqual([
      { chunk: 'Shall I?', done: true, ref: 'msg_1' },
      { chunk: 'The hat is out.', done: true, ref: 'msg_2' },
    ])
  })

  it('ends a turn that goes on with newer words once for a page that cannot tell answers apart', async () => {
    const { page, session } = await ready()
    await page.send(frame('USER_INPUT', { modality: 'text', content: 'Empty my cart' }))
    session.goOn = session.turns[0]
    await page.send(frame('USER_INPUT', { modality: 'text', content: 'No, only the hat' }))
    session.turns[0]?.emit({ type: 'text-delta', text: 'The hat is out.' })
    session.turns[0]?.emit({ type: 'end', reason: 'complete' })
    await settle()
    expect(page.of('AGENT_RESPONSE').map(({ payload }) => payload)).toEqual([{ chunk: 'The hat is out.', done: true }])
  })

  it('ADTP-INPUT-2: reads audio and says that speech recognition is not available', async () => {
    const { page } = await ready()
    await page.send(
      frame('USER_INPUT', { modality: 'audio', content: 'AAAA', mimeType: 'audio/pcm;rate=16000' }, 'msg_a'),
    )
    expect(page.last('SYSTEM_EVENT').payload.data).toEqual({
      code: 'unavailable',
      ref: 'msg_a',
      path: 'payload.modality',
    })
    expect(page.last('AGENT_RESPONSE').payload).toEqual({ chunk: '', done: true })
  })

  it('stops a turn for a client that announced stream, and for no other', async () => {
    const { page, session } = await ready(['text', 'stream'])
    await page.send(frame('USER_INPUT', { modality: 'text', content: 'talk' }))
    await page.send(frame('TURN_CANCEL', {}))
    expect(session.turns[0]?.cancelledWith).toBeDefined()
    expect(page.last('AGENT_RESPONSE').payload.done).toBe(true)
    const { page: bare } = await ready()
    await bare.send(frame('TURN_CANCEL', {}))
    expect(bare.errors()).toEqual(['not_announced'])
  })

  it('shows a turn that another member started', async () => {
    const { page, session } = await ready()
    const turn = session.say({ text: 'from the kitchen' }) as FakeSession['turns'][number]
    for (const member of session.members) member.onTurn?.(turn, turn)
    turn.emit({ type: 'text-delta', text: 'Done.' })
    turn.emit({ type: 'end', reason: 'complete' })
    await settle()
    expect(page.last('AGENT_RESPONSE').payload).toEqual({ chunk: 'Done.', done: true })
  })
})

describe('limits', () => {
  it('ADTP-EVENT-3: answers what is over the rate with rate_limited, and closes with 1013 when it goes on', async () => {
    const { page } = await ready()
    for (let index = 0; index < 120; index++)
      page.connection.send(JSON.stringify(frame('SYSTEM_EVENT', { kind: 'info' })))
    await settle()
    expect(page.errors()).toContain('rate_limited')
    expect(page.last('SYSTEM_EVENT').payload.data).toMatchObject({ code: 'rate_limited', retryAfterMs: 10 })
    for (let index = 0; index < 120; index++) page.connection.send('{}')
    await settle()
    expect(page.closed?.code).toBe(1013)
  })

  it('does not count results that it asked for', async () => {
    door = createAdtpDoor(house, { limits: { maxMessagesPerSecond: 3 } })
    const { page, session } = await ready()
    for (let index = 0; index < 20; index++) {
      const call = session.call('add', {})
      await page.send(frame('TOOL_RESULT', { callId: call.id, status: 'success', result: index }))
      expect(await call.outcome).toEqual({ type: 'success', value: index })
    }
    expect(page.errors()).toEqual([])
  })

  it('closes a page that does not read with 1013', async () => {
    door = createAdtpDoor(house, { limits: { maxUnreadBytes: 2_000 } })
    const [near, far] = createLinkedConnections()
    door.accept(far, { path: '/adtp', query: new URLSearchParams(), remoteAddress: '127.0.0.1', isLoopback: true })
    near.send(JSON.stringify(init()))
    await settle()
    for (let index = 0; index < 50; index++) near.send(JSON.stringify(frame('BANANA', {})))
    await settle()
    let code: number | undefined
    near.onClose((closed) => {
      code = closed
    })
    expect(code).toBe(1013)
  })

  it('limits inputs per minute', async () => {
    door = createAdtpDoor(house, { limits: { maxInputsPerMinute: 2 } })
    const { page, session } = await ready()
    for (const content of ['a', 'b', 'c']) await page.send(frame('USER_INPUT', { modality: 'text', content }))
    expect(session.inputs).toHaveLength(2)
    expect(page.errors()).toEqual(['rate_limited'])
  })

  it('ends every input that it refuses with done: true, whatever the refusal, so that no page waits for ever', async () => {
    door = createAdtpDoor(house, { limits: { maxInputsPerMinute: 1 } })
    const { page } = await ready(['text', 'tools', 'stream'])
    const ends = () => page.of('AGENT_RESPONSE').map(({ payload }) => [payload['ref'], payload['done']])
    await page.send(frame('USER_INPUT', { modality: 'smell', content: 'a' }, 'msg_bad'))
    await page.send(frame('USER_INPUT', { modality: 'text', content: '' }, 'msg_empty'))
    await page.send(frame('USER_INPUT', { modality: 'text', content: 'b' }, 'msg_fast'))
    expect(page.errors()).toEqual(['invalid_payload', 'invalid_payload', 'rate_limited'])
    expect(ends()).toEqual([
      ['msg_bad', true],
      ['msg_empty', true],
      ['msg_fast', true],
    ])
    for (let index = 0; index < 110; index++)
      page.connection.send(JSON.stringify(frame('SYSTEM_EVENT', { kind: 'info' })))
    await page.send(frame('USER_INPUT', { modality: 'text', content: 'c' }, 'msg_flood'))
    expect(page.last('SYSTEM_EVENT').payload.data).toMatchObject({ code: 'rate_limited', ref: 'msg_flood' })
    expect(ends().at(-1)).toEqual(['msg_flood', true])
  })

  it('loses no result that it waits for to the rate', async () => {
    const { page, session } = await ready()
    const call = session.call('add', {})
    await settle()
    for (let index = 0; index < 110; index++)
      page.connection.send(JSON.stringify(frame('SYSTEM_EVENT', { kind: 'info' })))
    await page.send(frame('TOOL_RESULT', { callId: call.id, status: 'success', result: 1 }))
    expect(await call.outcome).toEqual({ type: 'success', value: 1 })
  })
})

describe('the end', () => {
  it('ADTP-EVENT-2: says goodbye with SYSTEM_EVENT disconnect and 1001 at shutdown, and settles when all are gone', async () => {
    const { page } = await ready()
    await door.close(new AbortController().signal)
    await settle()
    expect(page.last('SYSTEM_EVENT').payload.kind).toBe('disconnect')
    expect(page.closed).toEqual({ code: 1001, reason: 'Server shutting down' })
    expect(door.health()).toMatchObject({ connections: 0 })
    const late = openPage(door)
    await settle()
    expect(late.closed?.code).toBe(1001)
  })

  it('leaves the session with its tools and context when the page goes, and ends a session nobody is in', async () => {
    const { page, session } = await ready()
    page.connection.close(1001, 'navigated')
    await settle()
    expect(session.members).toEqual([])
    expect(session.tools.surface().effective).toEqual([])
    expect([...session.contexts.values()]).toEqual([undefined])
    expect(session.closedWith).toBe('page-left')
  })

  it('tells the page when its session ends, and closes with 1001', async () => {
    const { page, session } = await ready()
    session.close('idle')
    await settle()
    expect(page.last('SYSTEM_EVENT').payload).toMatchObject({ kind: 'disconnect', data: { code: 'session_closed' } })
    expect(page.closed?.code).toBe(1001)
  })
})
