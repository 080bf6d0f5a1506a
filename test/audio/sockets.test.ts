import { afterEach, describe, expect, it } from 'vitest'
import { openClient, type RawClient, startVoiceServer, type VoiceServer } from './voice-server.ts'

const open: VoiceServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ server }) => server.close()))
})

async function start(...args: Parameters<typeof startVoiceServer>): Promise<VoiceServer> {
  const started = await startVoiceServer(...args)
  open.push(started)
  return started
}

/** Numbers from 0 up to, not including, 1; the same ones each time. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

async function status(client: RawClient): Promise<Readonly<Record<string, number>>> {
  client.texts.splice(0)
  client.socket.send('{"type":"status"}')
  return (await client.text('status'))['details'] as Readonly<Record<string, number>>
}

describe('the voice door on real sockets', () => {
  it('AUDIO-URL-1: is a plain WebSocket at /audio, and takes the query of a URL for nothing', async () => {
    const { url, house } = await start()
    const client = await openClient(`${url}?a=b`)
    expect((await client.text('session_ack'))['sessionId']).toBe(`session-${house.sessions[0]?.id}`)
  })

  it('AUDIO-LIMIT-2, AUDIO-FORMAT-2: takes 1,048,576 bytes and refuses one more with 1009; others go on', async () => {
    const { url, voice, clients } = await start()
    const big = await openClient(url)
    const other = await openClient(url)
    await Promise.all([big.text('session_ack'), other.text('session_ack')])
    big.socket.send(new Uint8Array(1_048_576))
    expect((await status(big))['bytesReceived']).toBe(1_048_576)
    expect(voice.conversations[0]?.heard).toHaveLength(524_288)
    big.socket.send(new Uint8Array(1_048_577))
    expect((await big.closed).code).toBe(1009)
    other.socket.send(new Uint8Array(320))
    expect((await status(other))['bytesReceived']).toBe(320)
    expect(clients()).toBe(1)
  })

  it('AUDIO-LIMIT-3: an eleventh socket is accepted and closed with 1013 and the message', async () => {
    const { url } = await start()
    const ten = await Promise.all(Array.from({ length: 10 }, () => openClient(url)))
    await Promise.all(ten.map((client) => client.text('session_ack')))
    const late = await openClient(url)
    expect(await late.closed).toEqual({ code: 1013, reason: 'Max clients reached' })
    expect(late.texts).toEqual([])
  })

  it('AUDIO-CLOSE-1: a shutdown says 1001 with its reason', async () => {
    const { url, server } = await start()
    const client = await openClient(url)
    await client.text('session_ack')
    await server.close()
    expect(await client.closed).toEqual({ code: 1001, reason: 'Server shutting down' })
  })

  it('AUDIO-PING-1, AUDIO-PING-2: pings, keeps who answers, and terminates who does not at the second ping', async () => {
    const { url } = await start({ server: { limits: { pingIntervalMs: 60 } } })
    const lively = await openClient(url)
    const dead = await openClient(url, { autoPong: false })
    let pings = 0
    const threePings = new Promise<void>((resolve) => {
      lively.socket.on('ping', () => {
        pings += 1
        if (pings === 5) resolve()
      })
    })
    let deadPings = 0
    dead.socket.on('ping', () => {
      deadPings += 1
    })
    expect((await dead.closed).code).toBe(1006)
    expect(deadPings).toBeLessThanOrEqual(2)
    await threePings
    expect(lively.socket.readyState).toBe(lively.socket.OPEN)
  })

  it('audio is a sign of life as well as a pong', async () => {
    const { url } = await start({ server: { limits: { pingIntervalMs: 60 } } })
    const client = await openClient(url, { autoPong: false })
    let pings = 0
    await new Promise<void>((resolve) => {
      client.socket.on('ping', () => {
        client.socket.send(new Uint8Array(2))
        pings += 1
        if (pings === 5) resolve()
      })
    })
    expect(client.socket.readyState).toBe(client.socket.OPEN)
  })

  it('lets small devices in as they come: aliases, subprotocol, file:// origin; foreign pages get 403', async () => {
    const { url } = await start()
    const device = await openClient(url.replace('/audio', '/ws/audio'), {
      protocols: ['arduino'],
      origin: 'file://',
      headers: { 'user-agent': 'arduino-WebSocket-Client' },
    })
    expect(device.socket.protocol).toBe('arduino')
    await device.text('session_ack')
    expect((await openClient(url.replace('/audio', '/webrtc'))).socket.protocol).toBe('')
    await expect(openClient(url, { origin: 'https://evil.example' })).rejects.toThrow('403')
    await expect(openClient(url, { origin: 'null' })).rejects.toThrow('403')
  })

  it('two devices at once get their own transcripts and their own sound, five times over', async () => {
    const { url, voice } = await start()
    const a = await openClient(url)
    const ackA = await a.text('session_ack')
    const b = await openClient(url)
    const ackB = await b.text('session_ack')
    const [forA, forB] = voice.conversations
    for (let round = 0; round < 5; round++) {
      forA?.answer('capital', 'Paris.', 200)
      forB?.answer('colour', 'Red, then orange, and violet at the end.', 1_000)
    }
    await Promise.all([status(a), status(b)].map(async (each) => expect((await each)['bytesSent']).toBeGreaterThan(0)))
    expect(Buffer.concat(a.audio)).toHaveLength(5 * 200 * 32)
    expect(Buffer.concat(b.audio)).toHaveLength(5 * 1_000 * 32)
    expect(ackA['sessionId']).not.toBe(ackB['sessionId'])
  })
})

describe('clients that misbehave', () => {
  it('random frames, text and binary, hurt nobody: the door answers, and serves the next client', async () => {
    const { url, voice, clients } = await start({ limits: { maxBadMessages: 100_000, maxTextsPerSecond: 100_000 } })
    const random = seeded(11)
    const pieces = [
      '{',
      '}',
      '"type"',
      ':',
      '"status"',
      '"config"',
      'null',
      '[',
      ']',
      '1e999',
      '\\u0000',
      '"session_end"',
      ',',
    ]
    const client = await openClient(url)
    await client.text('session_ack')
    for (let round = 0; round < 2_000; round++) {
      if (random() < 0.5) {
        const length = Math.floor(random() * 700)
        client.socket.send(Uint8Array.from({ length }, () => Math.floor(random() * 256)))
      } else {
        const count = Math.floor(random() * 9)
        client.socket.send(Array.from({ length: count }, () => pieces[Math.floor(random() * pieces.length)]).join(''))
      }
    }
    await status(client)
    expect(client.texts.every((each) => typeof each['type'] === 'string')).toBe(true)
    const next = await openClient(url)
    await next.text('session_ack')
    next.socket.send(new Uint8Array([7, 0]))
    await status(next)
    expect(voice.last.heard).toEqual([7])
    expect(clients()).toBe(2)
  })

  it('two hundred connects and drops leave no place taken and no session open', async () => {
    const { url, house, clients } = await start()
    for (let round = 0; round < 40; round++) {
      const five = await Promise.all(Array.from({ length: 5 }, () => openClient(url)))
      if (round % 2 === 0) await Promise.all(five.map((client) => client.text('session_ack')))
      for (const client of five) client.socket.terminate()
      await Promise.all(five.map(({ closed }) => closed))
    }
    await expect.poll(clients).toBe(0)
    await expect.poll(() => house.sessions.filter(({ closedWith }) => closedWith === undefined).length).toBe(0)
    expect((await openClient(url)).socket.readyState).toBe(1)
  })

  it('a client may vanish in any state: admitted, listening, spoken to, ended', async () => {
    const { url, voice, house, clients } = await start()
    const states: ((client: RawClient) => Promise<void> | void)[] = [
      () => {},
      async (client) => void (await client.text('session_ack')),
      async (client) => {
        await client.text('session_ack')
        client.socket.send(new Uint8Array(3_201))
        await status(client)
      },
      async (client) => {
        await client.text('session_ack')
        voice.last.sink.onSpeechStart({ turn: 1 })
        voice.last.sink.onAudio(new Int16Array(160_000))
        await client.text('tts_start')
      },
      async (client) => {
        await client.text('session_ack')
        client.socket.send('{"type":"session_end"}')
        await status(client)
      },
    ]
    for (const reach of states) {
      const client = await openClient(url)
      await reach(client)
      client.socket.terminate()
      await expect.poll(clients).toBe(0)
      for (const { sink } of voice.conversations) sink.onAudio(new Int16Array(320))
    }
    expect(voice.conversations.every(({ isClosed }) => isClosed)).toBe(true)
    expect(house.sessions.every(({ closedWith }) => closedWith !== undefined)).toBe(true)
  })

  it('a client that stops reading is given up within bounds, and others are served meanwhile', async () => {
    const { url, voice, clients } = await start({
      limits: { holdBufferedMs: 100, cancelBehindMs: 200, closeBehindMs: 400 },
      server: { limits: { shutdownTimeoutMs: 200 } },
    })
    const stalled = await openClient(url)
    await stalled.text('session_ack')
    const { sink, calls } = voice.last
    stalled.socket.pause()
    const other = await openClient(url)
    await other.text('session_ack')
    sink.onSpeechStart({ turn: 1 })
    // Kernel buffers swallow megabytes before the server can see that nobody reads.
    let mostBuffered = 0
    for (let ms = 0; ms < 600_000 && clients() === 2; ms += 1_000) {
      sink.onAudio(new Int16Array(16_000))
      mostBuffered = Math.max(mostBuffered, sink.bufferedMs)
      if (sink.bufferedMs > 100) break
    }
    expect(mostBuffered).toBeGreaterThan(100)
    voice.last.answer('hi', 'Hello.', 40)
    await other.text('tts_end')
    await expect.poll(() => calls).toContain('interrupt slow-client')
    await expect.poll(clients).toBe(1)
    stalled.socket.resume()
    await stalled.closed
    expect((await status(other))['bytesSent']).toBe(1_280)
  })
})
