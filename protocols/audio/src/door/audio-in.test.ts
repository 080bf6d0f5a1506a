import { describe, expect, it } from 'vitest'
import { documentFormat } from '../audio-format.ts'
import { createRateWatch } from '../rate-watch.ts'
import { openVoice, pcm, type VoicePeer } from '../test/voice-peer.ts'
import { createWorld } from '../test/world.ts'
import { wavHeader } from '../wav-header.ts'

/** Something smooth, as speech is. */
function tone(samples: number, amplitude = 8_000): number[] {
  return Array.from({ length: samples }, (_, index) => Math.round(amplitude * Math.sin(index / 9)) | 0)
}

/** Numbers from 0 up to, not including, 1; the same ones each time. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

async function sendCut(client: VoicePeer, bytes: Uint8Array, nextLength: () => number): Promise<void> {
  for (let offset = 0; offset < bytes.length; ) {
    const length = nextLength()
    await client.send(bytes.slice(offset, offset + length))
    offset += length
  }
}

describe('samples are two bytes, frames are whatever the buffer holds', () => {
  it('frames of 641 bytes, and of random lengths, give the same samples as whole ones', async () => {
    const { door, voice } = createWorld()
    const client = await openVoice(door)
    const wanted = tone(8_000)
    const random = seeded(7)
    await sendCut(client, pcm(...wanted), () => 641)
    expect(voice.last.heard).toEqual(wanted)
    voice.last.heard.length = 0
    await sendCut(client, pcm(...wanted), () => 1 + Math.floor(random() * 999))
    expect(voice.last.heard).toEqual(wanted)
    await client.send({ type: 'status' })
    expect(client.last('status')['details']).toMatchObject({ bytesReceived: 32_000 })
    expect(client.of('error')).toEqual([])
  })

  it('a stray byte does not shift the rest of the stream', async () => {
    const { door, voice } = createWorld()
    const client = await openVoice(door)
    await client.send(new Uint8Array(0))
    await client.send(new Uint8Array([0x55]))
    await sendCut(client, pcm(...tone(3_200)), () => 3_200)
    expect(voice.last.heard).toEqual(tone(3_200))
  })

  it.each([
    ['made from 8-bit ones', (sample: number) => sample & ~0xff],
    ['of a quiet room', (sample: number) => (sample >> 11) | 0],
    ['of noise at full scale', (_sample: number, random: number) => Math.round((random - 0.5) * 65_000) | 0],
  ])('samples %s in odd frames are not taken for shifted ones', async (_name, shape) => {
    const { door, voice } = createWorld()
    const client = await openVoice(door)
    const random = seeded(3)
    const wanted = tone(8_000).map((sample) => shape(sample, random()))
    await sendCut(client, pcm(...wanted), () => 641)
    expect(voice.last.heard).toEqual(wanted)
  })

  it('half a sample is forgotten after a second without sound, and at the start of a session', async () => {
    const { door, voice, clock } = createWorld()
    const client = await openVoice(door)
    await client.send(new Uint8Array([0x55]))
    await clock.advance(1_000)
    await client.send(pcm(7))
    expect(voice.last.heard).toEqual([7])
    await client.send(new Uint8Array([0x55]))
    await client.send({ type: 'session_end' })
    await client.send(pcm(8))
    expect(voice.last.heard).toEqual([8])
  })

  it('control and audio are told apart by the kind of frame, not by what is in it', async () => {
    const { door, voice } = createWorld()
    const client = await openVoice(door)
    await client.send(pcm(1, 2))
    await client.send({ type: 'status' })
    await client.send({ type: 'config', config: { language: 'en' } })
    await client.send(new TextEncoder().encode('{"type":"status"} '))
    await client.send(pcm(3))
    expect(client.of('status')).toMatchObject([{ details: { bytesReceived: 4 } }])
    expect(voice.last.heard).toHaveLength(2 + 9 + 1)
    await client.send({ type: 'status' })
    expect(client.last('status')['details']).toMatchObject({ bytesReceived: 24 })
  })
})

describe('audio that is not what it should be', () => {
  it('strips a WAV header and takes the rate it states', async () => {
    const { door, voice } = createWorld()
    const client = await openVoice(door)
    await client.send(new Uint8Array([...wavHeader(6, 16_000, 1), ...pcm(1, 2, 3)]))
    expect(voice.last.heard).toEqual([1, 2, 3])
    voice.last.heard.length = 0
    await client.send(new Uint8Array([...wavHeader(96_000, 48_000, 1), ...pcm(...tone(48_000))]))
    expect(voice.last.heard).toHaveLength(16_000)
    expect(client.of('error')).toEqual([])
  })

  it('says so when a WAV header announces samples it cannot read', async () => {
    const { door } = createWorld()
    const client = await openVoice(door)
    const header = wavHeader(6, 16_000, 1)
    header[34] = 8
    await client.send(new Uint8Array([...header, 1, 2, 3, 4]))
    expect(client.last('error')['code']).toBe('unsupported_audio')
  })

  it('names the likely rate of a microphone that runs at another one, once', async () => {
    const { door, clock } = createWorld()
    const client = await openVoice(door)
    for (let index = 0; index < 100; index++) {
      await client.send(new Uint8Array(9_600))
      await clock.advance(100)
    }
    expect(client.of('error')).toMatchObject([{ code: 'wrong_sample_rate' }])
    expect(client.last('error')['error']).toContain('48000 Hz mono')
  })

  it.each([
    [44_100, 1],
    [22_050, 1],
    [24_000, 1],
    [48_000, 2],
    [44_100, 2],
  ] as const)('recognises %i Hz with %i channels from its speed', (sampleRateHz, channels) => {
    const watch = createRateWatch(documentFormat)
    const found = []
    for (let now = 0; now < 6_000; now += 50) {
      const likely = watch.take((sampleRateHz * channels * 2) / 20, now)
      if (likely !== undefined) found.push(likely)
    }
    expect(found).toEqual([{ sampleRateHz, channels }])
  })

  it.each([
    ['the right rate', () => 1_600],
    ['an upload', () => 320_000],
    ['jitter', (index: number) => (index % 7 === 0 ? 9_000 : index % 3 === 0 ? 200 : 1_600)],
  ])('takes %s for what it is', (_name, bytesAt) => {
    const watch = createRateWatch(documentFormat)
    for (let index = 0; index < 400; index++) expect(watch.take(bytesAt(index), index * 50)).toBeUndefined()
  })

  it('resamples what the client declares, both ways', async () => {
    const { door, voice } = createWorld()
    const client = await openVoice(door)
    await client.send({ type: 'session_start', audio: { sampleRate: 48_000, channels: 2 } })
    const stereo = tone(4_800).flatMap((sample) => [sample, sample])
    await client.send(pcm(...stereo))
    expect(voice.last.heard).toHaveLength(1_600)
    voice.last.sink.onSpeechStart({ turn: 1 })
    voice.last.sink.onAudio(new Int16Array(1_600))
    voice.last.sink.onSpeechEnd({ turn: 1, audioMs: 100, interrupted: false, playedMs: 100 })
    await client.send({ type: 'status' })
    expect(Buffer.concat(client.audio)).toHaveLength(19_200)
    expect(client.audio.every((frame) => frame.length <= 2_048 && frame.length % 4 === 0)).toBe(true)
  })

  it('a client cannot begin its allowance anew by changing its format over and over', async () => {
    const { door } = createWorld()
    const client = await openVoice(door)
    for (let index = 0; index < 9; index++) {
      await client.send({ type: 'session_start', audio: { sampleRate: index % 2 === 0 ? 48_000 : 44_100 } })
    }
    expect(client.of('error')).toMatchObject([{ code: 'rate_limited', path: 'audio' }])
  })

  it('refuses a declared format it cannot take, and says which field', async () => {
    const { door } = createWorld()
    const client = await openVoice(door)
    await client.send({ type: 'session_start', audio: { bitDepth: 24 } })
    await client.send({ type: 'session_start', audio: { sampleRate: 100 } })
    expect(client.of('error')).toMatchObject([{ path: 'audio.bitDepth' }, { path: 'audio.sampleRate' }])
  })
})

describe('how fast audio may come', () => {
  it('a minute at once is taken', async () => {
    const { door, voice } = createWorld()
    const client = await openVoice(door)
    for (let index = 0; index < 60; index++) await client.send(new Uint8Array(32_000))
    expect(voice.last.heard).toHaveLength(60 * 16_000)
    expect(client.closed).toBeUndefined()
  })

  it('more than four times real time in the long run ends with 1008, after an error', async () => {
    const { door, clock } = createWorld({ limits: { maxAudioBurstMs: 10_000 } })
    const client = await openVoice(door)
    for (let index = 0; index < 40 && client.closed === undefined; index++) {
      await client.send(new Uint8Array(160_000))
      await clock.advance(1_000)
    }
    expect(client.closed).toMatchObject({ code: 1008 })
    expect(client.last('error')['code']).toBe('rate_limited')
  })

  it('four times real time is taken for good', async () => {
    const { door, clock } = createWorld({ limits: { maxAudioBurstMs: 10_000 } })
    const client = await openVoice(door)
    for (let index = 0; index < 40; index++) {
      await client.send(new Uint8Array(128_000))
      await clock.advance(1_000)
    }
    expect(client.closed).toBeUndefined()
  })
})
