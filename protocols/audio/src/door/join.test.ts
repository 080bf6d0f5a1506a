import { describe, expect, it } from 'vitest'
import { openVoice } from '../test/voice-peer.ts'
import { createWorld, type World } from '../test/world.ts'

/** A house with a key, and one token that opens the session of whoever came first. */
function createGuardedWorld(): World {
  const world: World = createWorld({
    key: 'k_demo',
    redeemJoinToken: (token) => (token === 'join-1' ? world.house.sessions[0] : undefined),
    joinTokenPrincipal: (token) => (token === 'join-1' ? world.house.sessions[0]?.principal : undefined),
  })
  return world
}

describe('a client that has no key but a join token', () => {
  it('is let into the session it was asked to join', async () => {
    const { door } = createGuardedWorld()
    const page = await openVoice(door, { token: 'k_demo' })
    const phone = await openVoice(door)
    await phone.send({ type: 'session_start', joinToken: 'join-1' })
    expect(phone.last('session_ack')['sessionId']).toBe(page.last('session_ack')['sessionId'])
    expect(phone.of('error')).toEqual([])
  })

  it('comes back by its resume token, which is good for one return', async () => {
    const { door } = createGuardedWorld()
    const page = await openVoice(door, { token: 'k_demo' })
    const phone = await openVoice(door)
    await phone.send({ type: 'session_start', joinToken: 'join-1' })
    await phone.send({ type: 'config', config: { resume: true } })
    const { resumeToken } = phone.last('config')['details'] as { readonly resumeToken: string }
    phone.connection.close(1006, 'lost')
    const back = await openVoice(door)
    await back.send({ type: 'session_start', resumeToken })
    expect(back.last('session_ack')).toMatchObject({
      sessionId: page.last('session_ack')['sessionId'],
      details: { resumed: true },
    })
    const again = await openVoice(door)
    await again.send({ type: 'session_start', resumeToken })
    expect(again.last('error')).toMatchObject({ code: 'unauthorized' })
    expect(again.closed?.code).toBe(1008)
  })

  it('is refused with a code and what to do when the token is good for nothing', async () => {
    const { door, house } = createGuardedWorld()
    const phone = await openVoice(door)
    await phone.send({ type: 'session_start', joinToken: 'join-2' })
    expect(phone.last('error')).toMatchObject({ code: 'unauthorized', error: expect.stringContaining('new one') })
    expect(phone.closed?.code).toBe(1008)
    expect(house.sessions).toHaveLength(0)
  })

  it('cannot take the session of a client that showed a key', async () => {
    const { door } = createGuardedWorld()
    const page = await openVoice(door, { token: 'k_demo' })
    await page.send({ type: 'config', config: { resume: true } })
    const { resumeToken } = page.last('config')['details'] as { readonly resumeToken: string }
    page.connection.close(1006, 'lost')
    const thief = await openVoice(door)
    await thief.send({ type: 'session_start', resumeToken })
    expect(thief.last('error')).toMatchObject({ code: 'unauthorized' })
  })
})
