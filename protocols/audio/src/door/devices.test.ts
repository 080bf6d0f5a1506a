import { describe, expect, it } from 'vitest'
import { createMemoryDeviceStore } from '../devices/memory-store.ts'
import { createDeviceRegistry, type DeviceRegistry } from '../devices/registry.ts'
import { createManualClock } from '../test/manual-clock.ts'
import { openVoice, pcm } from '../test/voice-peer.ts'
import { createWorld } from '../test/world.ts'

/** What arduinoWebSockets says at its upgrade. */
const arduino = {
  path: '/ws/audio',
  origin: 'file://',
  subprotocol: 'arduino',
  userAgent: 'arduino-WebSocket-Client',
} as const

function registry(): DeviceRegistry {
  return createDeviceRegistry({ store: createMemoryDeviceStore(), clock: createManualClock() })
}

describe('a small device of the field', () => {
  it('registers, wakes, sends its pre-roll and its words, and ends the turn by audio_end', async () => {
    const devices = registry()
    const { door, voice } = createWorld({ devices })
    const device = await openVoice(door, arduino)
    await device.send({
      type: 'device_register',
      deviceId: 'xiao-voice-a1b2',
      capabilities: { wake_word: true, pre_buffer: true },
      firmware_version: '2.0',
    })
    await device.send({ type: 'status', deviceId: 'xiao-voice-a1b2', recording: false, wifi_rssi: -61, uptime: 12 })
    await device.send({ type: 'wake_audio' })
    await device.send(new Uint8Array(16_000))
    for (let index = 0; index < 3; index++) await device.send(new Uint8Array(3_200))
    await device.send({ type: 'audio_end' })
    expect(voice.last.heard).toHaveLength(12_800)
    expect(voice.last.calls).toEqual(['arm', 'commit'])
    voice.last.answer('turn on the light', 'Done.', 60)
    await device.send({ type: 'status' })
    expect(device.of('error')).toEqual([])
    expect(device.last('wake_verification')).toEqual({ type: 'wake_verification', verified: true })
    expect(device.last('transcription')).toEqual({ type: 'transcription', text: 'turn on the light' })
    expect(device.last('response')).toEqual({ type: 'response', text: 'Done.' })
    expect(await devices.find('xiao-voice-a1b2')).toMatchObject({
      state: 'pending',
      type: 'esp32',
      firmware: '2.0',
      capabilities: ['wake_word', 'pre_buffer'],
      telemetry: { wifi_rssi: -61, uptime: 12, recording: false },
    })
  })

  it('with a 48 kHz stereo codec is heard and played at its own rate', async () => {
    const { door, voice } = createWorld()
    const device = await openVoice(door, arduino)
    await device.send({
      type: 'device_info',
      deviceId: 'xiao-respeaker-1',
      deviceType: 'esp32-s3',
      firmware: '1.0',
      capabilities: { microphone: true, speaker: true, wakeWord: true, dsp: true },
      audio: { sampleRate: 48_000, bitDepth: 24, format: 'pcm', hardware: 'codec', features: ['aec'] },
    })
    await device.send({ type: 'recording_started' })
    for (let index = 0; index < 10; index++) await device.send(new Uint8Array(2_048))
    await device.send({ type: 'recording_stopped' })
    expect(voice.last.heard.length).toBe(Math.ceil((10 * 512) / 3))
    expect(voice.last.calls).toEqual(['arm', 'commit'])
    voice.last.answer('hi', 'Hello.', 100)
    await device.send({ type: 'status' })
    expect(Buffer.concat(device.audio)).toHaveLength(100 * 48 * 4)
    expect(device.audio.every((frame) => frame.length <= 2_048 && frame.length % 4 === 0)).toBe(true)
  })

  it('may send its messages as binary frames; a page may not', async () => {
    const { door, voice } = createWorld()
    const device = await openVoice(door, { path: '/webrtc' })
    await device.send(new TextEncoder().encode('{"type":"status"}'))
    expect(device.of('status')).toMatchObject([{ details: { bytesReceived: 0 } }])
    await device.send(new Uint8Array([0x7b, 0x22, 0x74, 0x79]))
    expect(voice.last.heard).toHaveLength(2)
    const page = await openVoice(door, { path: '/ws/audio', origin: 'http://localhost:3000' })
    await page.send(new TextEncoder().encode('{"type":"status"} '))
    expect(page.of('status')).toEqual([])
  })

  it('gets small text frames: no word times, and a long text cut at a character', async () => {
    const { door, voice } = createWorld()
    const device = await openVoice(door, arduino)
    const words = Array.from({ length: 60 }, (_, index) => ({ word: 'naïve', startMs: index, endMs: index + 1 }))
    voice.last.sink.onTranscript({ role: 'user', text: 'naïve "word" '.repeat(60), isFinal: true, turn: 1, words })
    voice.last.sink.onTranscript({ role: 'user', text: 'short', isFinal: true, turn: 2, words: words.slice(0, 1) })
    await device.send({ type: 'status' })
    for (const message of device.messages) {
      expect(new TextEncoder().encode(JSON.stringify(message)).length).toBeLessThanOrEqual(400)
    }
    expect(device.of('transcript')[0]?.['text']).toMatch(/^(naïve "word" )+.{0,12}…$/)
    expect(device.of('transcript')[1]).toHaveProperty('words')
  })

  it('shows itself by its messages on the plain path as well; a page cannot', async () => {
    const { door, voice } = createWorld()
    const device = await openVoice(door)
    await device.send({ type: 'device_register', deviceId: 'a' })
    voice.last.answer('hi', 'Hello.', 20)
    await device.send({ type: 'status' })
    expect(device.of('transcription')).toHaveLength(1)
    const page = await openVoice(door, { origin: 'http://localhost:3000' })
    await page.send({ type: 'audio_end' })
    expect(page.last('error')['code']).toBe('unknown_type')
  })
})

describe('registered devices', () => {
  it('are known by their secret from the upgrade on, and replace their older connection without a free place', async () => {
    const devices = registry()
    const { secret } = await devices.add('kitchen')
    const { door } = createWorld({ devices, key: 'house-key', limits: { maxClients: 1 } })
    const old = await openVoice(door, { token: secret })
    const again = await openVoice(door, { token: secret })
    expect(old.closed).toEqual({ code: 4001, reason: 'Replaced by a new connection of this device' })
    expect(again.order()).toEqual(['session_ack'])
    expect(door.health()['clients']).toBe(1)
    const other = await openVoice(door, { token: 'house-key' })
    expect(other.closed).toMatchObject({ code: 1013 })
  })

  it('a claimed id is a label: it replaces nobody, and an id with a secret cannot be claimed', async () => {
    const devices = registry()
    const { secret } = await devices.add('kitchen')
    const { door } = createWorld({ devices })
    const real = await openVoice(door, { token: secret })
    const claimed = await openVoice(door)
    await claimed.send({ type: 'session_start', deviceId: 'kitchen' })
    expect(claimed.last('error')).toMatchObject({ code: 'unauthorized', path: 'deviceId' })
    expect(real.closed).toBeUndefined()
    await claimed.send(pcm(1))
    expect(claimed.closed).toBeUndefined()
  })

  it.each(['suspended', 'revoked'] as const)('a %s device is closed with 1008', async (state) => {
    const devices = registry()
    const { secret } = await devices.add('kitchen')
    await devices.setState('kitchen', state)
    const { door } = createWorld({ devices })
    expect((await openVoice(door, { token: secret })).closed?.code).toBe(1008)
    const claimed = await openVoice(door)
    await claimed.send({ type: 'session_start', deviceId: 'kitchen' })
    expect(claimed.closed?.code).toBe(1008)
  })

  it('states follow on each other as an operator may decide', async () => {
    const devices = registry()
    await devices.noteSeen('a', {}, false)
    await devices.setState('a', 'active')
    await devices.setState('a', 'suspended')
    await devices.setState('a', 'active')
    await devices.setState('a', 'revoked')
    await expect(devices.setState('a', 'active')).rejects.toMatchObject({ code: 'conflict' })
    await expect(devices.setState('b', 'active')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('secrets are kept as hashes, ids once, and both within bounds', async () => {
    const store = createMemoryDeviceStore()
    const devices = createDeviceRegistry({ store, clock: createManualClock() })
    const { secret } = await devices.add('a')
    expect(JSON.stringify(await store.load())).not.toContain(secret)
    expect(await devices.findBySecret(secret)).toMatchObject({ id: 'a' })
    expect(await devices.findBySecret(`${secret}x`)).toBeUndefined()
    expect(await devices.findBySecret('')).toBeUndefined()
    await expect(devices.add('a')).rejects.toMatchObject({ code: 'conflict' })
    await expect(devices.add('b c')).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(devices.add('b', { secret: 'short' })).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('devices that only showed themselves make room for others', async () => {
    const devices = createDeviceRegistry({
      store: createMemoryDeviceStore(),
      clock: createManualClock(),
      limits: { maxDevices: 2 },
    })
    await devices.add('known')
    await devices.noteSeen('passing', {}, false)
    await devices.add('other')
    expect((await devices.list()).map(({ id }) => id)).toEqual(['known', 'other'])
    await expect(devices.add('third')).rejects.toMatchObject({ code: 'busy' })
  })

  it('what an unproven peer claims does not overwrite what a proven one said', async () => {
    const devices = registry()
    await devices.add('a', { firmware: '2.0' })
    await devices.noteSeen('a', { firmware: 'evil' }, false)
    await devices.noteTelemetry('a', { uptime: 1 }, false)
    expect(await devices.find('a')).toMatchObject({ firmware: '2.0', telemetry: {} })
  })

  it('telemetry is noted every five seconds at most', async () => {
    const clock = createManualClock()
    const devices = createDeviceRegistry({ store: createMemoryDeviceStore(), clock })
    await devices.noteSeen('a', {}, false)
    for (const uptime of [1, 2]) await devices.noteTelemetry('a', { uptime }, false)
    expect((await devices.find('a'))?.telemetry).toEqual({ uptime: 1 })
    await clock.advance(5_000)
    await devices.noteTelemetry('a', { uptime: 3 }, false)
    expect((await devices.find('a'))?.telemetry).toEqual({ uptime: 3 })
  })

  it('trust grows from a label over a key and a secret to a history', async () => {
    const clock = createManualClock()
    const devices = createDeviceRegistry({ store: createMemoryDeviceStore(), clock })
    const { device } = await devices.add('a')
    expect(devices.trust(undefined, 'anonymous')).toBe(0)
    expect(devices.trust(device, 'anonymous')).toBe(0)
    expect(devices.trust(undefined, 'key')).toBe(1)
    expect(devices.trust(device, 'secret')).toBe(2)
    for (let index = 0; index < 20; index++) await devices.noteSeen('a', {}, true)
    await clock.advance(8 * 86_400_000)
    const known = await devices.find('a')
    expect(known?.connections).toBe(20)
    expect(devices.trust(known, 'secret')).toBe(3)
  })
})

describe('keys', () => {
  it('come with the upgrade, or in the first frame', async () => {
    const { door } = createWorld({ key: 'house-key' })
    expect((await openVoice(door, { token: 'house-key' })).order()).toEqual(['session_ack'])
    const late = await openVoice(door)
    expect(late.seen).toEqual([])
    await late.send({ type: 'session_start', deviceId: 'a', token: 'house-key' })
    expect(late.order()).toEqual(['session_ack'])
  })

  it('a wrong one is an error and 1008', async () => {
    const { door } = createWorld({ key: 'house-key' })
    for (const client of [await openVoice(door, { token: 'wrong' }), await openVoice(door)]) {
      if (client.closed === undefined) await client.send({ type: 'session_start', apiKey: 'wrong' })
      expect(client.last('error')['code']).toBe('unauthorized')
      expect(client.closed?.code).toBe(1008)
    }
    expect(door.health()['clients']).toBe(0)
  })

  it('without one nothing is done, and after five seconds the connection is closed', async () => {
    const { door, voice, clock } = createWorld({ key: 'house-key' })
    const client = await openVoice(door)
    await client.send(pcm(1))
    await client.send({ type: 'status' })
    expect(client.messages.map((message) => message['code'])).toEqual(['key_required', 'key_required'])
    expect(voice.conversations).toEqual([])
    await clock.advance(5_000)
    expect(client.closed).toEqual({ code: 1008, reason: 'No key in time' })
  })

  it('devices of a named network need none, and get tools of risk none alone; pages there need one', async () => {
    const { door, house } = createWorld({
      key: 'house-key',
      allowsDeviceFrom: (address) => address.startsWith('192.168.1.'),
    })
    const near = { remoteAddress: '192.168.1.7', isLoopback: false }
    const device = await openVoice(door, { ...near, ...arduino })
    expect(device.order()).toEqual(['session_ack'])
    expect(house.sessions[0]?.principal).toMatchObject({ id: 'device-network', maxRisk: 'none' })
    const page = await openVoice(door, { ...near, origin: 'http://192.168.1.2:3000' })
    expect(page.seen).toEqual([])
    const far = await openVoice(door, { remoteAddress: '10.0.0.1', isLoopback: false })
    expect(far.seen).toEqual([])
  })
})
