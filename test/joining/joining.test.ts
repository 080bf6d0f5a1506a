import { requestJoinToken } from '@domos/core/join'
import { createPocketsphinx } from '@domos/stt-pocketsphinx'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { joined, missingHere, sayClearly, silence } from '../voice/world.ts'
import { type House, openHouse, type Page, type Speaker } from './house.ts'

const recognition = createPocketsphinx()
const missing = await missingHere(recognition)
await recognition.close()

const WAIT = { timeout: 15_000, interval: 10 }
const hex = (id: string | undefined): string => /[0-9a-f]{32}/.exec(id ?? '')?.[0] ?? ''

let house: House
let page: Page

/** A speaker in the session of the page, entered by what the page was given. */
async function joinedSpeaker(to: Page, by: 'token' | 'code'): Promise<Speaker> {
  const ticket = await requestJoinToken(to.client)
  const speaker = house.openVoice({ joinToken: (by === 'code' ? ticket.code : ticket.token) ?? '' })
  await vi.waitFor(() => expect(hex(speaker.client.sessionId)).toBe(hex(to.client.sessionId)), WAIT)
  return speaker
}

describe('a page and a speaker in one session', () => {
  beforeEach(async () => {
    house = await openHouse()
    page = await house.openPage()
  })

  afterEach(() => house.close())

  it('what is said at the speaker acts on the page; the answer is spoken there and shown here', async () => {
    const speaker = await joinedSpeaker(page, 'code')
    speaker.client.say('add two headphones to my cart')
    await vi.waitFor(() => expect(speaker.answers).toBe(1), WAIT)
    expect(page.cart).toEqual([{ product: 'headphones', quantity: 2 }])
    const answer = speaker.said.findLast(({ role }) => role === 'assistant')?.text ?? ''
    expect(answer).not.toBe('')
    expect(speaker.heard).toBeGreaterThan(8_000)
    await vi.waitFor(() => expect(page.shown).toHaveLength(4), WAIT)
    expect(page.shown).toEqual([
      'notice: A microphone has joined this conversation.',
      'heard: add two headphones to my cart',
      'notice: The tool add_to_cart ran.',
      `answer: ${answer.trim()}`,
    ])
    expect(speaker.errors).toEqual([])
  })

  it.skipIf(missing !== undefined)(
    'so does what a real voice says into it',
    async () => {
      const speaker = await joinedSpeaker(page, 'token')
      const sound = joined(silence(500), await sayClearly('add two headphones to my cart'), silence(1_500))
      for (let at = 0; at < sound.length; at += 1_600) {
        speaker.client.sendAudio(sound.slice(at, at + 1_600) as Int16Array<ArrayBuffer>)
      }
      await vi.waitFor(() => expect(speaker.answers).toBe(1), { timeout: 40_000, interval: 20 })
      expect(speaker.said[0]?.role).toBe('user')
      expect(page.cart).toEqual([{ product: 'headphones', quantity: 2 }])
      expect(page.shown).toContain(`heard: ${speaker.said[0]?.text}`)
    },
    60_000,
  )

  it('a risky call asks at the page; only its yes lets it happen', async () => {
    const speaker = await joinedSpeaker(page, 'code')
    page.cart.push({ product: 'lamp', quantity: 1 })
    speaker.client.say('clear my cart')
    await vi.waitFor(() => expect(page.asked).toHaveLength(1), WAIT)
    expect(page.asked[0]?.question).toMatchObject({ toolName: 'clear_cart', risk: 'high' })
    expect(page.cart).toHaveLength(1)
    page.asked[0]?.answer({ approved: true })
    await vi.waitFor(() => expect(page.cart).toHaveLength(0), WAIT)

    page.cart.push({ product: 'lamp', quantity: 1 })
    await vi.waitFor(() => expect(page.shown.some((each) => each.startsWith('answer:'))).toBe(true), WAIT)
    speaker.client.say('clear my cart')
    await vi.waitFor(() => expect(page.asked).toHaveLength(2), WAIT)
    page.asked[1]?.answer({ approved: false, why: 'denied' })
    await vi.waitFor(() => expect(page.shown.filter((each) => each.startsWith('answer:'))).toHaveLength(2), WAIT)
    expect(page.cart).toHaveLength(1)
  })

  it('the page may lose its connection and come back; what is said then acts on it', async () => {
    const speaker = await joinedSpeaker(page, 'code')
    const before = page.client.sessionId
    const back = new Promise((resolve) => page.client.onEvent('session.started', resolve))
    page.drop()
    expect(await back).toMatchObject({ sessionId: before, resumed: true })
    speaker.client.say('add a kettle to my cart')
    await vi.waitFor(() => expect(page.cart).toEqual([{ product: 'kettle', quantity: 1 }]), WAIT)
  })

  it('the speaker may lose its connection and come back without a new token', async () => {
    const speaker = await joinedSpeaker(page, 'code')
    // The token that it comes back with arrives with the acknowledgement of its settings.
    await speaker.client.requestStatus()
    const count = speaker.sessions.length
    speaker.sockets[0]?.close(3_999, 'lost')
    await vi.waitFor(() => expect(speaker.sessions.slice(count).some(({ resumed }) => resumed)).toBe(true), WAIT)
    expect(hex(speaker.client.sessionId)).toBe(hex(page.client.sessionId))
    speaker.client.say('add a lamp to my cart')
    await vi.waitFor(() => expect(page.cart).toEqual([{ product: 'lamp', quantity: 1 }]), WAIT)
  })

  it('either may leave for good, and the other goes on alone', async () => {
    const speaker = await joinedSpeaker(page, 'code')
    speaker.client.close()
    await vi.waitFor(() => expect(page.shown).toContain('notice: A microphone has left this conversation.'), WAIT)
    expect((await page.client.sendText('add a lamp to my cart').done).status).toBe('complete')
    expect(page.cart).toEqual([{ product: 'lamp', quantity: 1 }])

    const other = await joinedSpeaker(page, 'code')
    page.client.disconnect()
    await vi.waitFor(() => expect(house.domos.agent.sessions()[0]?.members).toHaveLength(1), WAIT)
    other.client.say('hello')
    await vi.waitFor(() => expect(other.answers).toBe(1), WAIT)
    expect(page.cart).toHaveLength(1)
  })

  it('what the page types is not spoken elsewhere, and what is said meanwhile is not lost or mixed up', async () => {
    const speaker = await joinedSpeaker(page, 'code')
    const typed = page.client.sendText('add a lamp to my cart')
    speaker.client.say('add a kettle to my cart')
    expect(await typed.done).toMatchObject({ status: 'complete', text: expect.stringMatching(/lamp/i) })
    await vi.waitFor(() => expect(speaker.answers).toBe(1), WAIT)
    expect(page.cart.map(({ product }) => product).sort()).toEqual(['kettle', 'lamp'])
    expect(speaker.said.map(({ text }) => text).join(' ')).not.toMatch(/lamp/i)
  })

  it('a second page joins the same way and sees what is said', async () => {
    const { token } = await requestJoinToken(page.client)
    const tablet = await house.openPage({ joinToken: token })
    expect(tablet.client.sessionId).toBe(page.client.sessionId)
    const speaker = await joinedSpeaker(tablet, 'code')
    speaker.client.say('add a lamp to my cart')
    await vi.waitFor(() => expect(speaker.answers).toBe(1), WAIT)
    for (const each of [page, tablet]) {
      await vi.waitFor(() => expect(each.shown).toContain('heard: add a lamp to my cart'), WAIT)
    }
    // Both offer the tool; one of them ran it, once.
    expect(page.cart.length + tablet.cart.length).toBe(1)
  })
})

describe('two sessions side by side', () => {
  beforeEach(async () => {
    house = await openHouse()
    page = await house.openPage()
  })

  afterEach(() => house.close())

  it('never mix: each speaker acts on its own page, and a token opens its own session once', async () => {
    const neighbour = await house.openPage()
    const ticket = await requestJoinToken(neighbour.client)
    const mine = await joinedSpeaker(page, 'code')
    const theirs = house.openVoice({ joinToken: ticket.token })
    await vi.waitFor(() => expect(hex(theirs.client.sessionId)).toBe(hex(neighbour.client.sessionId)), WAIT)
    mine.client.say('add a lamp to my cart')
    theirs.client.say('add three kettles to my cart')
    await vi.waitFor(() => expect([mine.answers, theirs.answers]).toEqual([1, 1]), WAIT)
    expect(page.cart).toEqual([{ product: 'lamp', quantity: 1 }])
    expect(neighbour.cart).toEqual([{ product: 'kettle', quantity: 3 }])
    expect(page.shown.join(' ')).not.toMatch(/kettle/i)
    expect(mine.said.map(({ text }) => text).join(' ')).not.toMatch(/kettle/i)

    const late = house.openVoice({ joinToken: ticket.code ?? '' })
    await vi.waitFor(() => expect(late.errors).toEqual([expect.objectContaining({ code: 'not_found' })]), WAIT)
    expect(hex(late.client.sessionId)).not.toBe(hex(neighbour.client.sessionId))
  })

  it('guessing codes is answered with a code of its own, and the right one does not get through any more', async () => {
    const { code = '' } = await requestJoinToken(page.client)
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    const guesser = house.openVoice()
    await vi.waitFor(() => expect(guesser.sessions).toHaveLength(1), WAIT)
    for (const guess of [...Array.from({ length: 10 }, () => wrong), code]) {
      guesser.sockets[0]?.send(JSON.stringify({ type: 'session_start', joinToken: guess }))
    }
    await vi.waitFor(() => expect(guesser.errors).toHaveLength(11), WAIT)
    expect(guesser.errors.map((error) => error.code)).toEqual([
      ...Array.from({ length: 10 }, () => 'not_found'),
      'rate_limited',
    ])
    expect(hex(guesser.client.sessionId)).not.toBe(hex(page.client.sessionId))
  })
})

describe('a server that wants keys', () => {
  beforeEach(async () => {
    house = await openHouse({ apiKeys: 'k_page_test' })
    page = await house.openPage({ apiKey: 'k_page_test' })
  })

  afterEach(() => house.close())

  it('lets a phone in by the token alone, and back after a loss; nobody else', async () => {
    const speaker = await joinedSpeaker(page, 'code')
    speaker.client.say('add a lamp to my cart')
    await vi.waitFor(() => expect(page.cart).toHaveLength(1), WAIT)
    speaker.sockets[0]?.close(3_999, 'lost')
    await vi.waitFor(() => expect(speaker.sessions.at(-1)).toMatchObject({ resumed: true }), WAIT)
    expect(hex(speaker.client.sessionId)).toBe(hex(page.client.sessionId))
    const stranger = house.openVoice({ joinToken: '000000' })
    await vi.waitFor(() => expect(stranger.errors).toEqual([expect.objectContaining({ code: 'unauthorized' })]), WAIT)
    expect(stranger.sessions).toEqual([])
  })
})
