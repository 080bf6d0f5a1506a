import { DomosError } from '@domos/spec'
import { describe, expect, it } from 'vitest'
import { openVoice, openVoiceNow, pcm } from '../test/voice-peer.ts'
import { createWorld } from '../test/world.ts'

describe('the lifecycle', () => {
  it('AUDIO-LIFE-3: goes from connect to tts_end in the order of the document', async () => {
    const { door, voice } = createWorld()
    const client = await openVoice(door)
    await client.send({ type: 'session_start', deviceId: 'esp32-kitchen-01' })
    await client.send(pcm(1, -2, 300))
    voice.last.answer('Turn on the kitchen lights', 'Done.', 100)
    await client.send({ type: 'session_end' })
    expect(client.order()).toEqual(['session_ack', 'transcript', 'transcript', 'tts_start', 'audio', 'tts_end'])
    expect(client.closed).toBeUndefined()
  })

  it('AUDIO-LIFE-1, AUDIO-ACK-1, AUDIO-ACK-2: acknowledges at once, before anything was sent', async () => {
    const { door, house } = createWorld()
    const client = await openVoice(door)
    expect(client.seen).toEqual([
      {
        type: 'session_ack',
        sessionId: `session-${house.sessions[0]?.id}`,
        details: { sampleRate: 16_000, channels: 1, bitDepth: 16 },
      },
    ])
    expect(client.last('session_ack')['sessionId']).toMatch(/^session-[0-9a-f]{32}$/)
  })

  it('AUDIO-LIFE-2, AUDIO-IN-2, AUDIO-FORMAT-1: takes audio without session_start, little-endian and signed', async () => {
    const { door, voice } = createWorld()
    const client = await openVoice(door)
    await client.send(new Uint8Array([0x01, 0x00, 0xff, 0xff, 0x00, 0x80, 0xff, 0x7f]))
    expect(voice.last.heard).toEqual([1, -1, -32_768, 32_767])
  })

  it('AUDIO-IN-1, AUDIO-ESP-1: takes frames of any size', async () => {
    const { door, voice } = createWorld()
    const client = await openVoice(door)
    for (const bytes of [2, 320, 3_200, 16_000, 1_048_576]) await client.send(new Uint8Array(bytes))
    expect(voice.last.heard.length).toBe((2 + 320 + 3_200 + 16_000 + 1_048_576) / 2)
  })

  it('AUDIO-LIFE-4: frees everything at once when the client closes, and closes the session', async () => {
    const { door, voice, house } = createWorld()
    const client = await openVoice(door)
    client.connection.close(1000, 'bye')
    await client.send('')
    expect(voice.last.isClosed).toBe(true)
    expect(house.sessions[0]?.closedWith).toBe('connection-closed')
    expect(door.health()['clients']).toBe(0)
  })

  it('frames that come before the session is open are kept, in order', async () => {
    const { door, voice, house } = createWorld()
    const gate = Promise.withResolvers<void>()
    house.gate = gate.promise
    const client = openVoiceNow(door)
    await client.send(pcm(1))
    await client.send({ type: 'status' })
    await client.send(pcm(2))
    expect(client.seen).toEqual([])
    gate.resolve()
    await client.send(pcm(3))
    expect(client.order()).toEqual(['session_ack', 'status'])
    expect(voice.last.heard).toEqual([1, 2, 3])
  })

  it('a house that is full says so and closes with 1013', async () => {
    const { door, house } = createWorld()
    house.refuseNext = new DomosError('busy', 'The server is full.')
    const client = await openVoice(door)
    expect(client.last('error')).toMatchObject({ code: 'busy', error: 'The server is full.' })
    expect(client.closed?.code).toBe(1013)
    expect(door.health()['clients']).toBe(0)
  })

  it('a pipeline that cannot open leaves the socket open, and the next word tries again', async () => {
    const { door, voice, clock } = createWorld()
    const client = await openVoice(door)
    await client.send({ type: 'session_end' })
    voice.failNext = new DomosError('unavailable', 'No engine.')
    await client.send(pcm(1))
    expect(client.last('error')).toMatchObject({ code: 'unavailable' })
    await client.send(pcm(2))
    expect(client.of('error')).toHaveLength(1)
    await clock.advance(1_000)
    await client.send(pcm(3))
    expect(client.of('session_ack')).toHaveLength(2)
    expect(voice.last.heard).toEqual([3])
  })
})

describe('session_start', () => {
  it('AUDIO-START-1, AUDIO-START-2: takes the example, with and without deviceId, without an answer', async () => {
    const { door } = createWorld()
    const client = await openVoice(door)
    await client.send('{\n  "type": "session_start",\n  "deviceId": "esp32-kitchen-01"\n}')
    await client.send({ type: 'session_start' })
    await client.send({ type: 'session_start', deviceId: 'esp32-kitchen-01' })
    expect(client.order()).toEqual(['session_ack'])
  })

  it('one connection is one device: another id is refused', async () => {
    const { door } = createWorld()
    const client = await openVoice(door)
    await client.send({ type: 'session_start', deviceId: 'a' })
    await client.send({ type: 'session_start', deviceId: 'b' })
    expect(client.last('error')).toMatchObject({ code: 'conflict', path: 'deviceId' })
  })

  it.each(['', 'a b', '../../etc', 'x'.repeat(129), 'é'])('refuses the device id %j', async (deviceId) => {
    const { door } = createWorld()
    const client = await openVoice(door)
    await client.send({ type: 'session_start', deviceId })
    expect(client.last('error')).toMatchObject({ code: 'invalid_request', path: 'deviceId' })
  })

  it('enters the session of a join token, leaves its own, and acknowledges the other', async () => {
    const { door, house, voice } = createWorld({
      redeemJoinToken: (token) => (token === 'join-1' ? house.sessions[0] : undefined),
    })
    const page = await openVoice(door)
    const speaker = await openVoice(door)
    await speaker.send({ type: 'session_start', deviceId: 'kitchen', joinToken: 'join-1' })
    expect(speaker.last('session_ack')['sessionId']).toBe(page.last('session_ack')['sessionId'])
    expect(voice.last.session).toBe(house.sessions[0])
    expect(house.sessions[1]?.closedWith).toBe('session-changed')
    speaker.connection.close(1000, '')
    await speaker.send('')
    expect(house.sessions[0]?.closedWith).toBeUndefined()
  })

  it('a wrong join token is an error, and the own session stays', async () => {
    const { door, house } = createWorld({ redeemJoinToken: () => undefined })
    const client = await openVoice(door)
    await client.send({ type: 'session_start', joinToken: 'nope' })
    expect(client.last('error')).toMatchObject({ code: 'not_found', path: 'joinToken' })
    expect(client.of('session_ack')).toHaveLength(1)
    expect(house.sessions[0]?.closedWith).toBeUndefined()
  })
})

describe('session_end', () => {
  it('AUDIO-END-1, AUDIO-END-2: ends the session, and the connection stays; speech begins another one', async () => {
    const { door, voice, house } = createWorld()
    const client = await openVoice(door)
    await client.send(pcm(1))
    await client.send({ type: 'session_end' })
    expect(voice.last.isClosed).toBe(true)
    expect(house.sessions[0]?.closedWith).toBe('session-end')
    expect(client.closed).toBeUndefined()
    await client.send(pcm(2))
    expect(client.of('session_ack')).toHaveLength(2)
    expect(client.last('session_ack')['sessionId']).not.toBe(client.of('session_ack')[0]?.['sessionId'])
    expect(voice.last.heard).toEqual([2])
  })

  it('session_start begins another session as well', async () => {
    const { door } = createWorld()
    const client = await openVoice(door)
    await client.send({ type: 'session_end' })
    await client.send({ type: 'session_end' })
    await client.send({ type: 'session_start', deviceId: 'a' })
    expect(client.order()).toEqual(['session_ack', 'session_ack'])
  })

  it('cuts the answer off with its tts_end, and late sound of the old session goes nowhere', async () => {
    const { door, voice } = createWorld()
    const client = await openVoice(door)
    const old = voice.last
    old.sink.onSpeechStart({ turn: 1 })
    old.sink.onAudio(new Int16Array(160))
    await client.send({ type: 'session_end' })
    old.sink.onAudio(new Int16Array(160))
    old.sink.onTranscript({ role: 'assistant', text: 'late', isFinal: true, turn: 1 })
    old.sink.onSpeechEnd({ turn: 1, audioMs: 20, interrupted: false, playedMs: 20 })
    await client.send({ type: 'session_start' })
    expect(client.order()).toEqual(['session_ack', 'tts_start', 'audio', 'tts_end', 'session_ack'])
    expect(client.audio).toHaveLength(1)
  })

  it('a session that somebody else closes is told, and the next word begins another', async () => {
    const { door, house } = createWorld()
    const client = await openVoice(door)
    house.sessions[0]?.close('operator')
    await client.send(pcm(1))
    expect(client.order()).toEqual(['session_ack', 'error', 'session_ack'])
    expect(client.last('error')['code']).toBe('expired')
  })
})

describe('config', () => {
  it('AUDIO-CONFIG-1: applies the example and acknowledges the effective values', async () => {
    const { door, voice } = createWorld()
    const client = await openVoice(door)
    await client.send('{"type": "config", "config": {"vadSensitivity": 0.8, "language": "en"}}')
    expect(voice.last.config).toMatchObject({ vadSensitivity: 0.8, language: 'en' })
    expect(client.last('config')).toMatchObject({
      sessionId: client.last('session_ack')['sessionId'],
      config: { vadSensitivity: 0.8, language: 'en', partials: false, pushToTalk: false, resume: false },
    })
  })

  it('AUDIO-CONFIG-2: without config it tells the values in force', async () => {
    const { door } = createWorld()
    const client = await openVoice(door)
    await client.send({ type: 'config' })
    expect(client.last('config')['config']).toMatchObject({ vadSensitivity: 0.5 })
  })

  it.each([
    [{ volume: 3 }, 'config.volume'],
    [{ language: 'de', vadSensitivity: 7 }, 'config.vadSensitivity'],
    [{ language: 'de', turns: 'yes' }, 'config.turns'],
    [{ language: 7 }, 'config.language'],
  ])('one invalid key in %j is one error, and nothing of it counts', async (config, path) => {
    const { door, voice } = createWorld()
    const client = await openVoice(door)
    await client.send({ type: 'config', config })
    expect(client.of('error')).toMatchObject([{ code: 'invalid_config', path }])
    expect(client.of('config')).toEqual([])
    expect(voice.last.config).toMatchObject({ language: 'en', vadSensitivity: 0.5 })
  })

  it('takes sensitivity in words', async () => {
    const { door, voice } = createWorld()
    const client = await openVoice(door)
    await client.send({ type: 'config', config: { vadSensitivity: 'high' } })
    expect(voice.last.config.vadSensitivity).toBe(0.75)
  })

  it('is kept for the next session of the connection', async () => {
    const { door, voice } = createWorld()
    const client = await openVoice(door)
    await client.send({ type: 'config', config: { speed: 1.5 } })
    await client.send({ type: 'session_end' })
    await client.send({ type: 'session_start' })
    expect(voice.conversations).toHaveLength(2)
    expect(voice.last.config.speed).toBe(1.5)
  })
})

describe('status', () => {
  it('AUDIO-STATUS-1 to 5: AUDIO-STATUS-2, AUDIO-STATUS-3, AUDIO-STATUS-4, AUDIO-STATUS-5: counts exactly, audio alone', async () => {
    const { door, voice, clock } = createWorld()
    const connectedAt = clock.now()
    const client = await openVoice(door)
    await client.send({ type: 'session_start', deviceId: 'a' })
    await client.send(new Uint8Array(641))
    await client.send(new Uint8Array(0))
    await client.send(new Uint8Array(3_200))
    voice.last.answer('hi', 'Hello.', 100)
    await clock.advance(60_000)
    await client.send({ type: 'status' })
    expect(client.of('status')).toEqual([
      {
        type: 'status',
        sessionId: client.last('session_ack')['sessionId'],
        details: { connectedAt, bytesReceived: 3_841, bytesSent: 3_200, uptime: 60_000 },
      },
    ])
  })

  it('answers between two sessions as well, without a session id', async () => {
    const { door } = createWorld()
    const client = await openVoice(door)
    await client.send({ type: 'session_end' })
    await client.send({ type: 'status' })
    expect(client.last('status')).not.toHaveProperty('sessionId')
    expect(client.of('session_ack')).toHaveLength(1)
  })
})

describe('transcripts', () => {
  it('AUDIO-SCRIPT-1, AUDIO-SCRIPT-2, AUDIO-SCRIPT-3: carries the example, and word times of the person alone', async () => {
    const { door, voice } = createWorld()
    const client = await openVoice(door)
    const { sink } = voice.last
    const words = [
      { word: 'Turn', startMs: 120, endMs: 280 },
      { word: 'on', startMs: 300.4, endMs: 399.6, confidence: 0.9 },
    ]
    sink.onTranscript({ role: 'user', text: 'Turn on', isFinal: true, turn: 1, words })
    sink.onTranscript({ role: 'assistant', text: 'Done.', isFinal: true, turn: 1, words })
    sink.onTranscript({ role: 'user', text: 'Hm', isFinal: true, turn: 2, words: [] })
    await client.send('{"type":"status"}')
    const { sessionId } = client.last('session_ack')
    expect(client.of('transcript')).toEqual([
      {
        type: 'transcript',
        sessionId,
        text: 'Turn on',
        role: 'user',
        words: [
          { word: 'Turn', start: 120, end: 280 },
          { word: 'on', start: 300, end: 400 },
        ],
      },
      { type: 'transcript', sessionId, text: 'Done.', role: 'assistant' },
      { type: 'transcript', sessionId, text: 'Hm', role: 'user' },
    ])
  })
})

describe('speech', () => {
  it('AUDIO-TTS-1, AUDIO-TTS-2, AUDIO-OUT-1, AUDIO-FORMAT-3: pairs start and end around the samples, in small frames', async () => {
    const { door, voice } = createWorld()
    const client = await openVoice(door)
    const samples = Int16Array.from({ length: 5_000 }, (_, index) => index - 2_500)
    const { sink } = voice.last
    sink.onAudio(samples)
    sink.onSpeechStart({ turn: 1 })
    sink.onAudio(samples)
    sink.onSpeechEnd({ turn: 1, audioMs: 312, interrupted: false, playedMs: 312 })
    sink.onSpeechEnd({ turn: 1, audioMs: 312, interrupted: false, playedMs: 312 })
    sink.onAudio(samples)
    await client.send('{"type":"status"}')
    const { sessionId } = client.last('session_ack')
    expect(client.order()).toEqual(['session_ack', 'tts_start', 'audio', 'tts_end', 'status'])
    expect(client.last('tts_start')).toEqual({ type: 'tts_start', sessionId })
    expect(client.last('tts_end')).toEqual({ type: 'tts_end', sessionId })
    expect(client.audio.every((frame) => frame.length <= 2_048 && frame.length % 2 === 0)).toBe(true)
    const bytes = Buffer.concat(client.audio)
    expect(Array.from({ length: 5_000 }, (_, index) => bytes.readInt16LE(index * 2))).toEqual([...samples])
  })

  it('a second start closes the first answer before it opens its own', async () => {
    const { door, voice } = createWorld()
    const client = await openVoice(door)
    voice.last.sink.onSpeechStart({ turn: 1 })
    voice.last.sink.onSpeechStart({ turn: 2 })
    voice.last.sink.onSpeechEnd({ turn: 2, audioMs: 0, interrupted: false, playedMs: 0 })
    await client.send('{"type":"status"}')
    expect(client.order()).toEqual(['session_ack', 'tts_start', 'tts_end', 'tts_start', 'tts_end', 'status'])
  })
})

describe('errors', () => {
  it('AUDIO-ERROR-1, AUDIO-ERROR-2, AUDIO-ERROR-3: a failed turn is told, and the connection goes on', async () => {
    const { door, voice } = createWorld()
    const client = await openVoice(door)
    const message = 'STT processing failed: model unavailable'
    voice.last.sink.onError({ code: 'unavailable', message, turn: 1 })
    await client.send(pcm(1))
    expect(client.last('error')).toEqual({
      type: 'error',
      sessionId: client.last('session_ack')['sessionId'],
      error: message,
      code: 'unavailable',
    })
    expect(client.closed).toBeUndefined()
    expect(voice.last.heard).toEqual([1])
  })

  it.each([
    ['hello', 'invalid_json'],
    ['[]', 'missing_type'],
    ['null', 'missing_type'],
    ['{}', 'missing_type'],
    ['{"type":7}', 'missing_type'],
    ['{"type":"nope"}', 'unknown_type'],
    ['{"type":"toString"}', 'unknown_type'],
    ['{"type":"session_ack"}', 'wrong_direction'],
    ['{"type":"session_start","deviceId":7}', 'invalid_request'],
    ['{"type":"config","config":7}', 'invalid_request'],
    ['{"type":"status","__proto__":{"a":1}}', 'forbidden_key'],
    [`{"type":"status","x":${'['.repeat(50)}${']'.repeat(50)}}`, 'too_deep'],
    [`{"type":"status","x":"${'x'.repeat(20_000)}"}`, 'too_large'],
  ])('AUDIO-TEXT-1: %s is answered by the code %s and the socket stays open', async (text, code) => {
    const { door } = createWorld()
    const client = await openVoice(door)
    await client.send(text)
    expect(client.of('error')).toMatchObject([{ code }])
    expect(client.closed).toBeUndefined()
  })

  it('ignores keys nobody knows', async () => {
    const { door } = createWorld()
    const client = await openVoice(door)
    await client.send({ type: 'session_start', deviceId: 'a', colour: 'red', nested: { a: [1] } })
    expect(client.of('error')).toEqual([])
  })

  it('twenty bad messages within ten seconds end the connection with 1008; nineteen do not, nor slower ones', async () => {
    const { door, clock } = createWorld()
    const slow = await openVoice(door)
    for (let index = 0; index < 40; index++) {
      await slow.send('{}')
      await clock.advance(600)
    }
    expect(slow.closed).toBeUndefined()
    const client = await openVoice(door)
    for (let index = 0; index < 19; index++) await client.send('{}')
    expect(client.closed).toBeUndefined()
    await client.send('{}')
    expect(client.closed).toMatchObject({ code: 1008 })
  })

  it('more than fifty control messages a second are refused, not worked through', async () => {
    const { door, clock } = createWorld()
    const client = await openVoice(door)
    for (let index = 0; index < 55; index++) await client.send({ type: 'status' })
    expect(client.of('status')).toHaveLength(50)
    expect(client.last('error')['code']).toBe('rate_limited')
    await clock.advance(1_000)
    await client.send({ type: 'status' })
    expect(client.of('status')).toHaveLength(51)
  })
})

describe('places', () => {
  it('AUDIO-LIMIT-1, AUDIO-LIMIT-3: ten are served, the eleventh is closed with 1013, and a free place is given again', async () => {
    const { door, house } = createWorld()
    const clients = []
    for (let index = 0; index < 10; index++) clients.push(await openVoice(door))
    const late = await openVoice(door)
    expect(late.seen).toEqual([])
    expect(late.closed).toEqual({ code: 1013, reason: 'Max clients reached' })
    expect(house.sessions).toHaveLength(10)
    clients[3]?.connection.close(1000, '')
    await clients[3]?.send('')
    expect((await openVoice(door)).order()).toEqual(['session_ack'])
  })

  it('the number is a setting', async () => {
    const { door } = createWorld({ limits: { maxClients: 1 } })
    await openVoice(door)
    expect((await openVoice(door)).closed?.code).toBe(1013)
  })

  it('one address cannot hold all places; loopback can', async () => {
    const { door } = createWorld()
    const away = { remoteAddress: '192.168.1.9', isLoopback: false }
    for (let index = 0; index < 4; index++) expect((await openVoice(door, away)).closed).toBeUndefined()
    expect((await openVoice(door, away)).closed).toMatchObject({ code: 1013 })
    expect((await openVoice(door, { ...away, remoteAddress: '192.168.1.10' })).closed).toBeUndefined()
  })
})

describe('shutdown', () => {
  it('AUDIO-CLOSE-1: says 1001 to everyone and takes nobody new', async () => {
    const { door, house } = createWorld()
    const clients = [await openVoice(door), await openVoice(door)]
    await door.close(AbortSignal.timeout(5_000))
    const late = await openVoice(door)
    for (const client of [...clients, late]) {
      expect(client.closed).toEqual({ code: 1001, reason: 'Server shutting down' })
    }
    expect(house.sessions.map(({ closedWith }) => closedWith)).toEqual(['Server shutting down', 'Server shutting down'])
  })

  it('lets a sentence end first, for two seconds at most', async () => {
    const { door, voice, clock } = createWorld()
    const brief = await openVoice(door)
    const { sink } = voice.last
    const long = await openVoice(door)
    sink.onSpeechStart({ turn: 1 })
    voice.last.sink.onSpeechStart({ turn: 1 })
    const closing = door.close(AbortSignal.timeout(5_000))
    await clock.advance(500)
    expect(brief.closed).toBeUndefined()
    sink.onSpeechEnd({ turn: 1, audioMs: 0, interrupted: false, playedMs: 0 })
    await clock.advance(0)
    expect(brief.closed?.code).toBe(1001)
    expect(long.closed).toBeUndefined()
    await clock.advance(1_500)
    expect(long.closed?.code).toBe(1001)
    expect(long.order()).toEqual(['session_ack', 'tts_start', 'tts_end'])
    await closing
  })
})
