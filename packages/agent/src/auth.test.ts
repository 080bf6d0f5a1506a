import { describe, expect, it } from 'vitest'
import { createAgent } from './agent.ts'
import { type ApiKey, createAuthenticator } from './auth.ts'
import { sha256Hex } from './digest.ts'
import { AGENT_LIMITS, resolveAgentLimits } from './limits.ts'
import { createFakeClock, scriptedModel } from './test/harness.ts'

const authenticator = (keys: readonly ApiKey[], clock = createFakeClock()) =>
  createAuthenticator({ keys, failuresPerMinute: 2, clock })

describe('authentication', () => {
  it('lets everybody in as anonymous where there are no keys', async () => {
    const auth = authenticator([])
    expect(auth.requiresKey).toBe(false)
    const principal = await auth.authenticate({ door: 'adtp' })
    expect([principal.id, principal.allows('agent:use'), principal.allows('made:up')]).toEqual([
      'anonymous',
      true,
      false,
    ])
  })

  it('knows a key by itself or by its hash, with its tenant and scopes', async () => {
    const auth = authenticator([
      { id: 'shop', key: 'secret-one', tenant: 'acme', scopes: ['agent:use'] },
      { id: 'robot', sha256: (await sha256Hex('secret-two')).toUpperCase(), scopes: ['page:act'] },
    ])
    const shop = await auth.authenticate({ door: 'adtp', token: 'secret-one' })
    expect([shop.id, shop.tenant, shop.allows('page:act')]).toEqual(['shop', 'acme', false])
    expect((await auth.authenticate({ door: 'awp', token: 'secret-two' })).id).toBe('robot')
    await expect(auth.authenticate({ door: 'voice', token: 'secret-one' })).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('refuses a wrong, missing or expired key, and an address that keeps trying', async () => {
    const clock = createFakeClock()
    const auth = authenticator([{ id: 'a', key: 'right', expiresAt: clock.now() + 1_000 }], clock)
    const from = { door: 'adtp', remoteAddress: '203.0.113.5' } as const
    const principal = await auth.authenticate({ ...from, token: 'right' })
    await expect(auth.authenticate({ ...from, token: 'wrong' })).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(auth.authenticate(from)).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(auth.authenticate({ ...from, token: 'wrong' })).rejects.toMatchObject({ code: 'rate_limited' })
    await clock.advance(1_000)
    expect(principal.allows('agent:use')).toBe(false)
    await expect(auth.authenticate({ door: 'adtp', token: 'right' })).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('holds a key to its origins, a missing Origin included', async () => {
    const auth = authenticator([{ id: 'a', key: 'k', allowedOrigins: ['https://shop.example'] }])
    await auth.authenticate({ door: 'adtp', token: 'k', origin: 'https://shop.example' })
    for (const origin of ['https://evil.example', undefined]) {
      const credentials = { door: 'adtp', token: 'k', ...(origin === undefined ? {} : { origin }) } as const
      await expect(auth.authenticate(credentials)).rejects.toMatchObject({ code: 'forbidden' })
    }
  })

  it('refuses keys that make no sense', () => {
    expect(() => authenticator([{ id: 'a' }])).toThrow(/needs "key" or "sha256"/)
    expect(() => authenticator([{ id: 'a', key: '' }])).toThrow(/needs/)
    expect(() =>
      authenticator([
        { id: 'a', key: 'x' },
        { id: 'a', key: 'y' },
      ]),
    ).toThrow(/Two API keys/)
  })
})

describe('limits', () => {
  it('have a default within their range, and refuse others with the name of the limit', () => {
    for (const entry of Object.values(AGENT_LIMITS)) {
      expect(entry.default).toBeGreaterThanOrEqual(entry.min)
      expect(entry.default).toBeLessThanOrEqual(entry.max)
    }
    expect(resolveAgentLimits({ toolTimeoutMs: 5_000 }).toolTimeoutMs).toBe(5_000)
    expect(() => resolveAgentLimits({ toolTimeoutMs: 1.5 })).toThrow(/toolTimeoutMs must be a whole number from 100/)
    expect(() => resolveAgentLimits({ nonsense: 1 } as object)).toThrow(/no limit named nonsense/)
  })
})

describe('sessions', () => {
  it('end some time after their last member left, and not while one is there', async () => {
    const clock = createFakeClock()
    const agent = createAgent({ model: scriptedModel(), clock })
    const session = await agent.openSession(await agent.authenticate({ door: 'adtp' }), { door: 'adtp' })
    expect(session.id).toMatch(/^[0-9a-f]{32}$/)
    const leave = session.join({ id: 'page', door: 'adtp' })
    await clock.advance(3_000_000)
    expect(agent.session(session.id)).toBe(session)
    leave()
    leave()
    await clock.advance(119_999)
    expect(session.signal.aborted).toBe(false)
    await clock.advance(1)
    expect([session.signal.aborted, agent.session(session.id)]).toEqual([true, undefined])
    expect(() => session.say({ text: 'Hi' })).toThrow(expect.objectContaining({ code: 'unavailable' }))
  })

  it('are bounded; an abandoned one makes room before anybody is refused', async () => {
    const clock = createFakeClock()
    const agent = createAgent({ model: scriptedModel(), clock, limits: { sessionsMax: 2 } })
    const principal = await agent.authenticate({ door: 'adtp' })
    const open = () => agent.openSession(principal, { door: 'adtp' })
    const [first, second] = [await open(), await open()]
    second.join({ id: 'page', door: 'adtp' })
    const third = await open()
    expect(first.signal.aborted).toBe(true)
    third.join({ id: 'page', door: 'adtp' })
    await expect(open()).rejects.toMatchObject({ code: 'busy' })
  })

  it('are bounded for each key, and a closed one counts no more', async () => {
    const agent = createAgent({
      model: scriptedModel(),
      clock: createFakeClock(),
      keys: [{ id: 'a', key: 'k', sessionsMax: 1 }],
    })
    const principal = await agent.authenticate({ door: 'adtp', token: 'k' })
    const session = await agent.openSession(principal, { door: 'adtp' })
    await expect(agent.openSession(principal, { door: 'adtp' })).rejects.toMatchObject({ code: 'busy' })
    session.close('done')
    session.close('twice')
    await agent.openSession(principal, { door: 'adtp' })
    await agent.close()
    await agent.close()
    await expect(agent.openSession(principal, { door: 'adtp' })).rejects.toMatchObject({ code: 'unavailable' })
  })
})
