import type { Door } from '@domos/spec'
import { beforeEach, describe, expect, it } from 'vitest'
import { type ClientProtocol, createClientProtocol, type Received } from '../client/client-protocol.ts'
import { createFakeHouse, type FakeHouse, type FakeSession } from '../test/fake-house.ts'
import { createManualClock, type ManualClock, settle } from '../test/manual-clock.ts'
import { openPage, type PagePeer } from '../test/page-peer.ts'
import { createAdtpDoor } from './index.ts'

let clock: ManualClock
let house: FakeHouse
let door: Door
let client: ClientProtocol
let received: Received[]

beforeEach(() => {
  clock = createManualClock()
  house = createFakeHouse(clock)
  door = createAdtpDoor(house)
  client = createClientProtocol({ capabilities: ['text', 'tools', 'resume', 'approval'], now: clock.now })
  received = []
})

/** Opens a socket for the client and says hello; `received` is what came through it. */
async function connect(): Promise<PagePeer> {
  const peer = openPage(door)
  received = []
  await peer.send(client.hello())
  await read(peer)
  return peer
}

async function read(peer: PagePeer): Promise<Received[]> {
  await settle()
  const fresh = peer.seen.splice(0).map((frame) => client.receive(JSON.stringify(frame)))
  received.push(...fresh)
  return fresh
}

const update = () =>
  client.contextUpdate({
    url: '/',
    activeTools: [
      { name: 'add', description: 'Adds' },
      { name: 'pay', description: 'Pays', risk: 'high' },
    ],
  })
const texts = () =>
  received.flatMap((item) =>
    item.type === 'message' && item.message.type === 'AGENT_RESPONSE' ? [item.message.payload.chunk] : [],
  )
const errors = () =>
  received.flatMap((item) =>
    item.type === 'message' && item.message.type === 'SYSTEM_EVENT' ? [item.message.payload.data?.code] : [],
  )

describe('resume', () => {
  it('comes back to the same session, and gets exactly what it missed', async () => {
    const first = await connect()
    await first.send(update())
    await first.send(client.userInput({ modality: 'text', content: 'hello' }))
    const session = house.sessions[0] as FakeSession
    session.turns[0]?.emit({ type: 'text-delta', text: 'seen ' })
    session.turns[0]?.emit({ type: 'tool-call', callId: 'x', name: 'add', args: {}, risk: 'none' })
    await read(first)
    expect(texts()).toEqual(['seen '])
    first.connection.close(1006, '')
    session.turns[0]?.emit({ type: 'text-delta', text: 'missed' })
    session.turns[0]?.emit({ type: 'end', reason: 'complete' })
    await settle()
    const sessionId = client.sessionId
    await connect()
    expect(client.sessionId).toBe(sessionId)
    expect(house.sessions).toHaveLength(1)
    expect(received[0]).toMatchObject({ message: { type: 'HANDSHAKE_ACK', payload: { resumed: true } } })
    expect(texts()).toEqual(['missed'])
    expect(errors()).not.toContain('replay_gap')
  })

  it('says to a page that comes back that an answer is still on its way, and says nothing when there is none', async () => {
    const first = await connect()
    await first.send(client.userInput({ modality: 'text', content: 'hello' }))
    first.connection.close(1006, '')
    const second = await connect()
    const isDone = (item: Received) =>
      item.type === 'message' && item.message.type === 'AGENT_RESPONSE' ? [item.message.payload.done] : []
    expect(received.flatMap(isDone)).toEqual([false])
    house.sessions[0]?.turns[0]?.emit({ type: 'end', reason: 'complete' })
    await read(second)
    second.connection.close(1006, '')
    await connect()
    expect(received.flatMap(isDone)).toEqual([])
  })

  it('neither loses nor doubles a call that was open at the drop', async () => {
    const first = await connect()
    await first.send(update())
    const session = house.sessions[0] as FakeSession
    const [before, during] = [session.call('add', { n: 1 }), session.call('add', { n: 2 })]
    await read(first)
    first.connection.close(1006, '')
    await settle()
    const after = session.call('add', { n: 3 })
    // The page finished the first call while it was cut off, is still at the second and has not seen the third.
    client.toolResult(before.id, { status: 'success', result: 'one' })
    const second = await connect()
    const calls = received.filter(
      (item) => item.type === 'repeated-call' || (item.type === 'message' && item.message.type === 'TOOL_CALL'),
    )
    expect(calls).toMatchObject([
      { type: 'repeated-call', callId: before.id, answer: expect.stringContaining('one') },
      { type: 'repeated-call', callId: during.id },
      { type: 'message', message: { payload: { callId: after.id } } },
    ])
    expect(calls[1]).not.toHaveProperty('answer')
    for (const call of calls)
      if (call.type === 'repeated-call' && call.answer !== undefined) await second.send(call.answer)
    await second.send(client.toolResult(during.id, { status: 'success', result: 'two' }))
    await second.send(client.toolResult(after.id, { status: 'success', result: 'three' }))
    await second.send(client.toolResult(after.id, { status: 'success', result: 'again' }))
    await read(second)
    expect(errors()).toEqual([])
    expect(await Promise.all([before.outcome, during.outcome, after.outcome])).toMatchObject([
      { value: 'one' },
      { value: 'two' },
      { value: 'three' },
    ])
  })

  it('asks an open question again after a reload, where the page has forgotten it', async () => {
    const first = await connect()
    const session = house.sessions[0] as FakeSession
    const asked = session.members[0]?.approver?.ask(
      {
        callId: 'tc_1',
        sessionId: session.id,
        toolName: 'pay',
        description: 'Pays',
        args: {},
        risk: 'high',
        digest: 'd',
        expiresAt: 9,
      },
      new AbortController().signal,
    )
    await read(first)
    const kept = client.resumeState
    first.connection.close(1001, 'reload')
    await settle()
    client = createClientProtocol({ capabilities: ['text', 'tools', 'resume', 'approval'] })
    if (kept !== undefined) client.restore(kept)
    const second = await connect()
    expect(received).toContainEqual(
      expect.objectContaining({ type: 'message', message: expect.objectContaining({ type: 'APPROVAL_REQUEST' }) }),
    )
    await second.send(client.approvalResponse({ callId: 'tc_1', approved: true, digest: 'd' }))
    expect(await asked).toMatchObject({ approved: true, digest: 'd' })
  })

  it('takes an input once, however often it is sent', async () => {
    const first = await connect()
    const input = client.userInput({ modality: 'text', content: 'buy' })
    await first.send(input)
    first.connection.close(1006, '')
    await settle()
    const second = await connect()
    await second.send(input)
    await read(second)
    expect(house.sessions[0]?.inputs).toHaveLength(1)
    expect(errors()).toEqual([])
  })

  it('takes over from a connection that is still thought open', async () => {
    const first = await connect()
    const second = await connect()
    await settle()
    expect(first.closed?.code).toBe(1001)
    await second.send(update())
    expect(house.sessions[0]?.members).toHaveLength(1)
    expect(house.sessions[0]?.closedWith).toBeUndefined()
  })

  it('gives the session up after the time limit, or at once when the page says goodbye', async () => {
    const first = await connect()
    first.connection.close(1006, '')
    await clock.advance(119_000)
    expect(house.sessions[0]?.closedWith).toBeUndefined()
    expect(door.health()).toMatchObject({ droppedPages: 1 })
    await clock.advance(2_000)
    expect(house.sessions[0]?.closedWith).toBe('page-did-not-return')
    const second = await connect()
    expect(received[0]).toMatchObject({ message: { payload: { resumed: false } } })
    second.connection.close(1000, 'Client disconnect')
    await settle()
    expect(house.sessions[1]?.closedWith).toBe('page-left')
  })

  it('opens a new session for a token that is foreign, used or of another session', async () => {
    const first = await connect()
    await first.send(update())
    const stale = client.resumeState
    first.connection.close(1006, '')
    await settle()
    const second = await connect()
    await second.send(update())
    second.connection.close(1006, '')
    await settle()
    const thief = createClientProtocol({ capabilities: ['text', 'tools', 'resume', 'approval'] })
    if (stale !== undefined) thief.restore(stale)
    const peer = openPage(door)
    await peer.send(thief.hello())
    expect(peer.last('HANDSHAKE_ACK').payload).toMatchObject({ resumed: false })
    expect(peer.last('HANDSHAKE_ACK').payload.sessionId).not.toBe(client.sessionId)
  })

  it('gives a session back to its own principal only', async () => {
    house = createFakeHouse(clock)
    door = createAdtpDoor(house)
    const first = openPage(door, { token: 'alice' })
    await first.send(client.hello())
    await read(first)
    first.connection.close(1006, '')
    await settle()
    const hello = client.hello()
    const thief = openPage(door, { token: 'mallory' })
    await thief.send(hello)
    expect(thief.last('HANDSHAKE_ACK').payload).toMatchObject({ resumed: false })
    const owner = openPage(door, { token: 'alice' })
    await owner.send(hello)
    expect(owner.last('HANDSHAKE_ACK').payload).toMatchObject({ resumed: true, sessionId: client.sessionId })
  })

  it('says so when frames are gone, and does not leave the page waiting', async () => {
    door = createAdtpDoor(house, { limits: { maxReplayFrames: 2 } })
    const first = await connect()
    first.connection.close(1006, '')
    await settle()
    const page = house.sessions[0]?.members[0]
    for (let index = 0; index < 5; index++) page?.onNotice?.({ code: 'note', message: `note ${index}` })
    await connect()
    expect(errors()).toContain('replay_gap')
    expect(texts()).toEqual([''])
  })

  it('lets dropped pages go at shutdown, and those that drop then', async () => {
    const first = await connect()
    client = createClientProtocol({ capabilities: ['resume'] })
    await connect()
    first.connection.close(1006, '')
    await settle()
    await door.close(new AbortController().signal)
    expect(house.sessions.map(({ closedWith }) => closedWith)).toEqual(['shutdown', 'shutdown'])
    expect(door.health()).toMatchObject({ connections: 0, droppedPages: 0 })
  })

  it('keeps a bounded number of dropped pages', async () => {
    door = createAdtpDoor(house, { limits: { maxDetachedPages: 1 } })
    const first = await connect()
    client = createClientProtocol({ capabilities: ['resume'] })
    const second = await connect()
    first.connection.close(1006, '')
    second.connection.close(1006, '')
    await settle()
    expect(house.sessions.map(({ closedWith }) => closedWith)).toEqual(['too-many-dropped-pages', undefined])
  })
})
