import { DomosError } from '@domos/spec'
import { describe, expect, it } from 'vitest'
import { DomOSClient } from './client.ts'
import { FakeClock, settle } from './test/fake-clock.ts'
import { FakeServer } from './test/fake-server.ts'
import { openClient } from './test/open-client.ts'

function build(options: ConstructorParameters<typeof DomOSClient>[0] = {}) {
  const clock = new FakeClock()
  const server = new FakeServer()
  const client = new DomOSClient({
    endpoint: 'ws://shop.test/adtp',
    transport: server.transport,
    clock,
    reconnect: { random: () => 0.999_999, ...options.reconnect },
    ...options,
  })
  const states: string[] = []
  const errors: string[] = []
  client.on('connection.state.changed', ({ state }) => states.push(state))
  client.on('system.error', ({ code, message }) => errors.push(`${code}: ${message}`))
  return { clock, server, client, states, errors }
}

describe('the handshake', () => {
  it('opens the transport, authenticates in the first frame and resolves at the acknowledgement (CORE-CLIENT-1, CORE-CLIENT-2, CORE-CLIENT-3, ADTP-HSK-1, ADTP-HSK-2)', async () => {
    const { client, server, states, clock } = build({ apiKey: 'k_demo' })
    expect(client.state).toBe('idle')
    await Promise.all([client.connect(), settle()])
    expect(server.of('HANDSHAKE_INIT')[0]?.payload).toMatchObject({ protocolVersion: '1.0.0', apiKey: 'k_demo' })
    expect(server.of('HANDSHAKE_INIT')[0]?.payload.capabilities).toEqual(
      expect.arrayContaining(['text', 'audio', 'tools']),
    )
    expect(server.urls).toEqual(['ws://shop.test/adtp'])
    expect(states).toEqual(['connecting', 'connected'])
    expect(client).toMatchObject({ state: 'connected', isConnected: true, sessionId: 'ses_9e210bbf' })
    await clock.advance(60_000)
    expect(client.state).toBe('connected')
  })

  it('gives up a server that stays silent: error state, event, close(4000), then the reconnection strategy (ADTP-HSK-3, ADTP-HSK-4, ADTP-HSK-5, ADTP-HSK-6)', async () => {
    const { client, server, clock, states, errors } = build()
    const acknowledge = server.acknowledge
    server.acknowledge = undefined
    void client.connect()
    await clock.advance(4999)
    expect(client.state).toBe('connecting')
    await clock.advance(1)
    expect(states).toEqual(['connecting', 'error'])
    expect(errors).toEqual([expect.stringMatching(/^timeout: .*5000 ms/)])
    expect(server.closes).toEqual([{ code: 4000, reason: 'Handshake timeout' }])
    expect(server.attempts).toBe(1)
    server.acknowledge = acknowledge
    await clock.advance(500)
    expect(server.attempts).toBe(2)
    expect(client.state).toBe('connected')
  })

  it('takes no acknowledgement that comes after the time-out', async () => {
    const { client, server, clock } = build({ autoReconnect: false })
    server.acknowledge = undefined
    void client.connect()
    await clock.advance(5000)
    server.send('HANDSHAKE_ACK', { sessionId: 'ses_late' })
    await settle()
    expect(client).toMatchObject({ state: 'error', isConnected: false })
  })

  it('puts the key into the query only for the spoken dialect', async () => {
    const { client, server } = await openClient({ apiKey: 'k_demo', dialect: 'spoken' })
    expect(server.urls).toEqual(['ws://shop.test/adtp?apiKey=k_demo'])
    expect(JSON.parse(server.raw[0] ?? '')).toMatchObject({
      id: expect.any(String),
      type: 'HANDSHAKE_INIT',
      timestamp: expect.any(Number),
    })
    client.destroy()
  })
})

describe('recovery', () => {
  it('tries again after a drop with growing delays, and counts anew only after 5 s of stability (CORE-CLIENT-4)', async () => {
    const { client, server, clock } = build()
    void client.connect()
    await settle()
    server.refusals.push(new Error('down'), new Error('down'), new Error('down'))
    server.connection.close(1006, '')
    await clock.advance(498)
    expect(server.attempts).toBe(1)
    await clock.advance(2)
    expect(server.attempts).toBe(2)
    await clock.advance(999)
    expect(server.attempts).toBe(3)
    await clock.advance(1999)
    expect(server.attempts).toBe(4)
    await clock.advance(3999)
    expect(client.state).toBe('connected')
    await clock.advance(4990)
    server.connection.close(1006, '')
    await clock.advance(7000)
    expect(server.attempts, 'not stable long enough, so the fifth delay').toBe(5)
    await clock.advance(1000)
    expect(server.attempts).toBe(6)
    await clock.advance(5000)
    server.connection.close(1006, '')
    await clock.advance(500)
    expect(server.attempts, 'stable, so the first delay').toBe(7)
  })

  it('caps the delay at 30 s and spreads it over the whole span', async () => {
    const values = [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]
    const { client, server, clock } = build({ reconnect: { random: () => values.shift() ?? 0.5 } })
    server.refusals.push(...Array.from({ length: 9 }, () => new Error('down')))
    void client.connect()
    for (const delay of [250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000]) {
      const before = server.attempts
      await clock.advance(delay - 1)
      expect(server.attempts).toBe(before)
      await clock.advance(1)
      expect(server.attempts).toBe(before + 1)
    }
  })

  it.each([1003, 1008, 4001, 4403])('does not come back after a close with %i', async (code) => {
    const { client, server, clock, errors } = build()
    void client.connect()
    await settle()
    server.connection.close(code, 'API key missing')
    await clock.advance(120_000)
    expect(server.attempts).toBe(1)
    expect(client.state).toBe('error')
    expect(errors).toEqual([expect.stringContaining('API key missing')])
  })

  it.each([1001, 1006, 1009, 1011, 1012, 1013, 4000])('comes back after a close with %i', async (code) => {
    const { client, server, clock } = build()
    void client.connect()
    await settle()
    server.connection.close(code, '')
    await clock.advance(1000)
    expect(client.state).toBe('connected')
    expect(server.attempts).toBe(2)
  })

  it('rejects connect when the server refuses for good, says why, and needs no handler', async () => {
    const { client, server } = build()
    server.acknowledge = () => {
      server.connection.close(1008, 'API key missing')
      return { sessionId: 'ses_never' }
    }
    await expect(client.connect()).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('apiKey'),
    })
  })

  it('stops after the attempts allowed and says how to go on', async () => {
    const { client, server, clock, errors } = build({
      reconnect: { maxAttempts: 2, strategy: (attempt) => 10 * attempt },
    })
    server.refusals.push(...Array.from({ length: 9 }, () => new Error('down')))
    const connected = client.connect()
    await clock.advance(1000)
    expect(server.attempts).toBe(3)
    expect(client.state).toBe('error')
    expect(errors.at(-1)).toContain('connect()')
    await expect(connected).rejects.toBeInstanceOf(DomosError)
  })

  it('leaves no timer behind when it is destroyed, at any stage', async () => {
    for (const advance of [0, 10, 5200, 7000]) {
      const { client, server, clock } = build()
      server.acknowledge = undefined
      void client.connect()
      await clock.advance(advance)
      client.destroy()
      await settle()
      expect(clock.pending).toBe(0)
    }
    await expect(build().client.connect()).resolves.toBeUndefined()
  })
})
