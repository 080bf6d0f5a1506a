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
    await clock.advance(120_000)
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

  it('has a code of six digits that means the same, and either of the two uses up both', async () => {
    const agent = createAgent({ model: scriptedModel(), clock: createFakeClock() })
    const principal = await agent.authenticate({ door: 'voice' })
    const session = await agent.openSession(principal, { door: 'adtp' })
    const first = await agent.issueJoinToken(session)
    expect(first.code).toMatch(/^\d{6}$/)
    const spelled = `${first.code?.slice(0, 3)} ${first.code?.slice(3)}`
    expect(await agent.redeemJoinToken(spelled, principal, '203.0.113.5')).toBe(session)
    expect(await agent.redeemJoinToken(first.token, principal, '203.0.113.5')).toBeUndefined()
    const second = await agent.issueJoinToken(session)
    expect(await agent.redeemJoinToken(second.token, principal, '203.0.113.5')).toBe(session)
    expect(await agent.redeemJoinToken(second.code ?? '', principal, '203.0.113.5')).toBeUndefined()
  })

  it('of a session with a newer code has no code any more, so that one code a session can be guessed', async () => {
    const agent = createAgent({ model: scriptedModel(), clock: createFakeClock() })
    const principal = await agent.authenticate({ door: 'voice' })
    const session = await agent.openSession(principal, { door: 'adtp' })
    const older = await agent.issueJoinToken(session)
    await agent.issueJoinToken(session)
    expect(await agent.redeemJoinToken(older.code ?? '', principal)).toBeUndefined()
    expect(await agent.redeemJoinToken(older.token, principal)).toBe(session)
  })

  it('is not given to an address that guessed too often, not even for the right code', async () => {
    const clock = createFakeClock()
    const agent = createAgent({ model: scriptedModel(), clock, limits: { joinGuessesPerMinute: 3 } })
    const principal = await agent.authenticate({ door: 'voice' })
    const session = await agent.openSession(principal, { door: 'adtp' })
    session.join({ id: 'page', door: 'adtp' })
    const { code = '' } = await agent.issueJoinToken(session)
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    for (const host of [1, 2, 3]) {
      expect(await agent.redeemJoinToken(wrong, principal, `2001:db8:0:7::${host}`)).toBeUndefined()
    }
    await expect(agent.redeemJoinToken(code, principal, '2001:db8::7:9:9:9:9')).rejects.toMatchObject({
      code: 'rate_limited',
      details: { retryAfterMs: 20_000 },
    })
    expect(await agent.redeemJoinToken(code, principal, '2001:db8:0:8::1')).toBe(session)
  })

  it('is not given to many addresses that guess together', async () => {
    const limits = { joinGuessesPerMinute: 3, joinGuessesTotalPerMinute: 5 }
    const agent = createAgent({ model: scriptedModel(), clock: createFakeClock(), limits })
    const principal = await agent.authenticate({ door: 'voice' })
    const session = await agent.openSession(principal, { door: 'adtp' })
    const { code = '', token } = await agent.issueJoinToken(session)
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    for (let host = 1; host <= 5; host += 1) {
      expect(await agent.redeemJoinToken(wrong, principal, `198.51.100.${host}`)).toBeUndefined()
    }
    await expect(agent.redeemJoinToken(code, principal, '198.51.100.9')).rejects.toMatchObject({ code: 'rate_limited' })
    // Nobody guesses 128 bits: who holds the token is let in all the same.
    expect(await agent.redeemJoinToken(token, principal, '198.51.100.9')).toBe(session)
  })

  it('comes without a code while too many are open', async () => {
    const agent = createAgent({ model: scriptedModel(), clock: createFakeClock(), limits: { joinCodesMax: 1 } })
    const principal = await agent.authenticate({ door: 'voice' })
    const one = await agent.openSession(principal, { door: 'adtp' })
    const other = await agent.openSession(principal, { door: 'adtp' })
    expect((await agent.issueJoinToken(one)).code).toBeDefined()
    expect((await agent.issueJoinToken(other)).code).toBeUndefined()
    one.close('over')
    expect((await agent.issueJoinToken(other)).code).toBeDefined()
  })

  it('lets somebody without a key in as the session itself, and is not used up by asking', async () => {
    const keys = [{ id: 'page', key: 'a', tenant: 'house' }]
    const agent = createAgent({ model: scriptedModel(), clock: createFakeClock(), keys })
    const principal = await agent.authenticate({ door: 'adtp', token: 'a' })
    const session = await agent.openSession(principal, { door: 'adtp' })
    const { token } = await agent.issueJoinToken(session)
    expect(await agent.joinTokenPrincipal('0'.repeat(32))).toBeUndefined()
    expect(await agent.joinTokenPrincipal(token)).toBe(principal)
    expect(await agent.redeemJoinToken(token, principal)).toBe(session)
    expect(await agent.joinTokenPrincipal(token)).toBeUndefined()
  })
})
