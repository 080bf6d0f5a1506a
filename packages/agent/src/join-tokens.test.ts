import { describe, expect, it } from 'vitest'
import { createAgent } from './agent.ts'
import { createFakeClock, scriptedModel } from './test/harness.ts'

describe('a join token', () => {
  it('opens its session once, to the same tenant, for a short time', async () => {
    const clock = createFakeClock()
    const keys = [
      { id: 'page', key: 'a' },
      { id: 'speaker', key: 'b' },
      { id: 'stranger', key: 'c', tenant: 'other' },
    ]
    const agent = createAgent({ model: scriptedModel(), clock, keys })
    const principal = (token: string) => agent.authenticate({ door: 'adtp', token })
    const session = await agent.openSession(await principal('a'), { door: 'adtp' })
    session.join({ id: 'page', door: 'adtp' })
    const first = await agent.issueJoinToken(session)
    expect(first.token).toMatch(/^[0-9a-f]{32}$/)
    expect(await agent.redeemJoinToken(first.token, await principal('c'))).toBeUndefined()
    expect(await agent.redeemJoinToken(first.token, await principal('b'))).toBe(session)
    expect(await agent.redeemJoinToken(first.token, await principal('b'))).toBeUndefined()
    const second = await agent.issueJoinToken(session)
    await clock.advance(60_000)
    expect(await agent.redeemJoinToken(second.token, await principal('b'))).toBeUndefined()
    const third = await agent.issueJoinToken(session)
    session.close('over')
    expect(await agent.redeemJoinToken(third.token, await principal('b'))).toBeUndefined()
  })

  it('cannot be guessed at without end', async () => {
    const agent = createAgent({ model: scriptedModel(), clock: createFakeClock(), limits: { joinGuessesPerMinute: 3 } })
    const principal = await agent.authenticate({ door: 'voice' })
    for (let guess = 0; guess < 3; guess += 1) {
      expect(await agent.redeemJoinToken(String(guess), principal)).toBeUndefined()
    }
    await expect(agent.redeemJoinToken('x', principal)).rejects.toMatchObject({ code: 'rate_limited' })
  })
})
