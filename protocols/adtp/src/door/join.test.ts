import { DomosError, type Door } from '@domos/spec'
import { beforeEach, describe, expect, it } from 'vitest'
import { createFakeHouse, type FakeHouse, type FakeSession } from '../test/fake-house.ts'
import { createManualClock, type ManualClock, settle } from '../test/manual-clock.ts'
import { frame, init, openPage, spoken } from '../test/page-peer.ts'
import { createAdtpDoor, type Joining } from './index.ts'

let clock: ManualClock
let house: FakeHouse
let door: Door

/** One token, `join-1`, for the first session. */
const joining: Joining = {
  redeem: (token) => (token === 'join-1' ? house.sessions[0] : undefined),
  principalOf: (token) => (token === 'join-1' ? house.sessions[0]?.principal : undefined),
  issue: async () => ({
    token: 'join-1',
    code: '004217',
    url: 'https://shop.example/phone#join-1',
    expiresAt: 120_000,
  }),
}

function open(options: { readonly key?: string; readonly joining?: Partial<Joining> } = {}): void {
  house = createFakeHouse(clock, options.key === undefined ? {} : { key: options.key })
  door = createAdtpDoor(house, { joining: { ...joining, ...options.joining } })
}

beforeEach(() => {
  clock = createManualClock()
  open()
})

describe('a page that asks for a join token', () => {
  it('gets token, code, address and expiry, with the id of its request', async () => {
    const page = openPage(door)
    await page.send(init(['text', 'join']))
    await page.send(frame('SYSTEM_EVENT', { kind: 'join_token' }, 'msg_ask'))
    expect(page.last('SYSTEM_EVENT').payload.data).toEqual({
      token: 'join-1',
      code: '004217',
      url: 'https://shop.example/phone#join-1',
      expiresAt: 120_000,
      ref: 'msg_ask',
    })
  })

  it('must have announced the extension, and is never sent one otherwise', async () => {
    const page = openPage(door)
    await page.send(init(['text', 'resume']))
    await page.send(frame('SYSTEM_EVENT', { kind: 'join_token' }))
    expect(page.errors()).toEqual(['not_announced'])
    expect(page.of('SYSTEM_EVENT')).toHaveLength(1)
  })

  it('is not offered the extension where nothing issues tokens', async () => {
    door = createAdtpDoor(house)
    const page = openPage(door)
    await page.send(init(['text', 'join']))
    expect(page.last('HANDSHAKE_ACK').payload.capabilities).toEqual(['text', 'tools'])
  })

  it('is told when none can be made', async () => {
    open({ joining: { issue: () => Promise.reject(new DomosError('not_found', 'The session is closed.')) } })
    const page = openPage(door)
    await page.send(init(['text', 'join']))
    await page.send(frame('SYSTEM_EVENT', { kind: 'join_token' }, 'msg_ask'))
    expect(page.last('SYSTEM_EVENT').payload.data).toMatchObject({ code: 'not_found', ref: 'msg_ask' })
  })
})

describe('a page that shows a join token', () => {
  it('is in the session the token stands for; one that stands for none is refused', async () => {
    const first = openPage(door)
    await first.send(init())
    const [session] = house.sessions as [FakeSession]
    const [second, stranger] = [openPage(door), openPage(door)]
    await second.send(init(['text'], { joinToken: 'join-1' }))
    await stranger.send(init(['text'], { joinToken: 'join-2' }))
    expect(second.last('HANDSHAKE_ACK').payload.sessionId).toBe(`ses_${session.id}`)
    expect(session.members).toHaveLength(2)
    expect(stranger.last('SYSTEM_EVENT').payload.data).toMatchObject({ code: 'not_found', path: 'payload.joinToken' })
    expect(stranger.closed?.code).toBe(1008)
    second.connection.close(1000, 'bye')
    await settle()
    expect(session.closedWith).toBeUndefined()
  })

  it('needs no key of its own, neither then nor when it comes back; anybody else does', async () => {
    open({ key: 'k_demo' })
    const first = openPage(door)
    await first.send(init(['text', 'resume'], { apiKey: 'k_demo' }))
    const owned = first.last('HANDSHAKE_ACK').payload
    const joined = openPage(door)
    await joined.send(init(['text', 'resume'], { joinToken: 'join-1' }))
    const { sessionId, resumeToken } = joined.last('HANDSHAKE_ACK').payload
    expect(sessionId).toBe(owned.sessionId)
    joined.connection.close(1006, 'lost')
    first.connection.close(1006, 'lost')
    await settle()
    const back = openPage(door)
    await back.send(init(['text', 'resume'], { resume: { sessionId, token: resumeToken, lastSeq: 0 } as never }))
    expect(back.last('HANDSHAKE_ACK').payload).toMatchObject({ sessionId, resumed: true })
    const thief = openPage(door)
    const stolen = { sessionId: owned.sessionId, token: owned.resumeToken, lastSeq: 0 }
    await thief.send(init(['text', 'resume'], { resume: stolen as never }))
    expect(thief.errors()).toEqual(['unauthorized'])
  })

  it('is told to wait when it guesses too often', async () => {
    open({ joining: { redeem: () => Promise.reject(new DomosError('rate_limited', 'Too many wrong codes.')) } })
    const page = openPage(door)
    await page.send(init(['text'], { joinToken: '000000' }))
    expect(page.errors()).toEqual(['rate_limited'])
    expect(page.closed?.code).toBe(1013)
  })
})

describe('what somebody else says in the session', () => {
  const said = { text: 'clear my cart', modality: 'audio', from: 'voice-1' } as const

  it.each([
    ['that announced join', init(['text', 'join']), 1],
    [
      'of the spoken dialect',
      spoken('HANDSHAKE_INIT', {
        apiKey: 'k',
        userAgent: 'x',
        viewport: '0x0',
        sdkVersion: '1',
        protocolVersion: '1.0.0',
      }),
      1,
    ],
    ['that announced neither', init(['text', 'resume']), 0],
  ])('is shown, before its answer, to a page %s', async (_, hello, count) => {
    const page = openPage(door)
    await page.send(hello)
    const [session] = house.sessions as [FakeSession]
    const turn = session.say(said)
    session.members[0]?.onTurn?.(turn, turn)
    session.turns[0]?.emit({ type: 'text-delta', text: 'Cleared.' })
    session.turns[0]?.emit({ type: 'end', reason: 'complete' })
    await settle()
    const shown = page.seen.filter(({ type }) => type === 'SYSTEM_EVENT' || type === 'AGENT_RESPONSE')
    expect(shown.map(({ payload }) => payload)).toMatchObject([
      ...Array.from({ length: count }, () => ({
        kind: 'transcript',
        data: { role: 'user', text: 'clear my cart', modality: 'audio' },
      })),
      { chunk: 'Cleared.', done: true },
    ])
  })
})
