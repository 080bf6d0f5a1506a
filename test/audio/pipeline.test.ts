import { createAgent } from '@domos/agent'
import { createAudioDoor } from '@domos/audio/door'
import type { ModelPart, ModelRequest } from '@domos/spec'
import { createVoice } from '@domos/voice'
import { afterEach, describe, expect, it } from 'vitest'
import { createManualClock, type ManualClock } from '../../packages/voice/src/test/manual-clock.ts'
import {
  type ScriptedRecognition,
  type ScriptedSynthesis,
  scriptedDetector,
  scriptedRecognition,
  scriptedSynthesis,
  silence,
  speech,
} from '../../packages/voice/src/test/scripted-engines.ts'
import { scriptedModel, text } from '../../packages/voice/src/test/world.ts'
import { openVoice, type VoicePeer } from '../../protocols/audio/src/test/voice-peer.ts'

interface House {
  readonly clock: ManualClock
  readonly recognition: ScriptedRecognition
  readonly synthesis: ScriptedSynthesis
  readonly open: () => Promise<VoicePeer>
  /** Sends sound in real time, in frames of the given bytes. */
  readonly hear: (client: VoicePeer, sound: Int16Array, frameBytes?: number) => Promise<void>
}

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

/** The door over the real pipeline and the real agent; engines and model by script, time by hand. */
function createHouse(...answers: (string | typeof byQuestion)[]): House {
  const clock = createManualClock()
  const agent = createAgent({
    model: scriptedModel(...answers.map((answer) => (typeof answer === 'string' ? text(answer) : answer))),
    clock,
  })
  const recognition = scriptedRecognition(clock)
  const synthesis = scriptedSynthesis()
  const voice = createVoice({ detector: scriptedDetector(), recognition, synthesis, clock })
  const door = createAudioDoor(agent, voice)
  open.push(async () => {
    await voice.close()
    await agent.close()
  })
  return {
    clock,
    recognition,
    synthesis,
    async open() {
      const client = await openVoice(door)
      await clock.advance(1)
      return client
    },
    async hear(client, sound, frameBytes = 640) {
      const bytes = new Uint8Array(sound.buffer, sound.byteOffset, sound.byteLength)
      for (let offset = 0; offset < bytes.length; offset += frameBytes) {
        client.connection.send(bytes.slice(offset, offset + frameBytes))
        await clock.advance(Math.round(frameBytes / 32))
      }
    },
  }
}

const RAINBOW = 'Red, then orange, then yellow, then green, then blue, and there is violet.'

/** Answers by what was asked. */
async function* byQuestion(request: ModelRequest): AsyncIterable<ModelPart> {
  yield* text(JSON.stringify(request.messages.at(-1)).includes('capital') ? 'Paris.' : RAINBOW)
}

/** Milliseconds of sound a client has got. */
const soundMs = (client: VoicePeer): number => client.audio.reduce((sum, frame) => sum + frame.length, 0) / 32

describe('the door over the real pipeline', () => {
  it('a long reply is never more than the lead ahead, never runs dry, and ends when it can have been heard', async () => {
    const sentences = ['Once there was a small town by a wide river.', 'Every morning the ferry crossed it twice.']
    const house = createHouse([...sentences, ...sentences, ...sentences].join(' '))
    const client = await house.open()
    house.recognition.script.push({ text: 'tell me a story' })
    await house.hear(client, speech(800))
    let startedAt: number | undefined
    let begunAt = 0
    for (let ms = 0; ms < 60_000 && client.of('tts_end').length === 0; ms += 20) {
      await house.hear(client, silence(20))
      if (client.of('tts_start').length === 0) continue
      startedAt ??= house.clock.now()
      const ahead = soundMs(client) - (house.clock.now() - startedAt)
      expect(ahead).toBeLessThanOrEqual(2_000)
      if (soundMs(client) > 0 && begunAt === 0) begunAt = house.clock.now()
      if (begunAt > 0 && client.of('tts_end').length === 0) expect(ahead).toBeGreaterThan(0)
    }
    expect(client.of('tts_start')).toHaveLength(1)
    expect(client.of('tts_end')).toHaveLength(1)
    expect(soundMs(client)).toBeGreaterThan(10_000)
    expect(house.clock.now() - begunAt).toBeGreaterThanOrEqual(soundMs(client) - 300)
    expect(client.audio.every((frame) => frame.length <= 2_048)).toBe(true)
    expect(client.order().slice(0, 4)).toEqual(['session_ack', 'transcript', 'transcript', 'tts_start'])
    expect(client.order().at(-1)).toBe('tts_end')
  })

  it.each(['throw', 'hang'])(
    'a synthesiser that fails by %s ends the reply with an error, and the next is spoken',
    async (how) => {
      const house = createHouse('It is sunny. It will rain later.', 'Still sunny.')
      const client = await house.open()
      house.synthesis.fault = {
        afterMs: 300,
        act: () => (how === 'throw' ? Promise.reject(new Error('engine gone')) : new Promise<never>(() => {})),
      }
      house.recognition.script.push({ text: 'what is the weather' })
      await house.hear(client, speech(800))
      const isOver = () => client.of('tts_end').length > 0 && client.of('error').length > 0
      for (let ms = 0; ms < 15_000 && !isOver(); ms += 100) {
        await house.hear(client, silence(100), 3_200)
      }
      await client.send({ type: 'status' })
      expect(client.of('status')).toHaveLength(1)
      expect(client.of('tts_start')).toHaveLength(1)
      expect(client.of('tts_end')).toHaveLength(1)
      expect(client.of('error')).toHaveLength(1)
      expect(client.closed).toBeUndefined()
      house.synthesis.fault = undefined
      await house.hear(client, silence(3_000), 3_200)
      house.recognition.script.push({ text: 'and tomorrow' })
      await house.hear(client, speech(800))
      await house.hear(client, silence(6_000), 3_200)
      expect(client.of('transcript').map((message) => message['text'])).toContain('and tomorrow')
      expect(client.of('tts_start')).toHaveLength(2)
      expect(client.of('tts_end')).toHaveLength(2)
    },
  )

  it('odd frames reach the recognizer as the same samples as aligned ones', async () => {
    const house = createHouse('Yes.', 'Yes.')
    const said = speech(900)
    const heardBy = async (frameBytes: number): Promise<Int16Array[]> => {
      const client = await house.open()
      house.recognition.script.push({ text: 'open the garage door' })
      await house.hear(client, new Int16Array([...said, ...silence(2_000)]), frameBytes)
      expect(client.of('transcript')[0]).toMatchObject({ role: 'user', text: 'open the garage door' })
      expect(client.of('error')).toEqual([])
      client.connection.close(1000, '')
      return house.recognition.utterances.at(-1)?.samples ?? []
    }
    const whole = (await heardBy(640)).flatMap((part) => [...part])
    const odd = (await heardBy(641)).flatMap((part) => [...part])
    const loud = (samples: number[]) =>
      samples.slice(samples.findIndex((sample) => Math.abs(sample) > 100)).slice(0, 12_000)
    expect(loud(odd)).toEqual(loud(whole))
  })

  it('status and config in the middle of speech neither end nor harm it; JSON in a binary frame is sound', async () => {
    const house = createHouse('Yes.')
    const client = await house.open()
    house.recognition.script.push({ text: 'open the garage door' })
    await house.hear(client, speech(400))
    await client.send({ type: 'status' })
    await client.send({ type: 'config', config: { language: 'en' } })
    await client.send(new TextEncoder().encode('{"type":"status"} '))
    await house.hear(client, speech(400))
    await house.hear(client, silence(2_000))
    expect(client.of('status')).toMatchObject([{ details: { bytesReceived: 12_800 } }])
    expect(client.of('config')).toHaveLength(1)
    expect(client.of('transcript').filter(({ role }) => role === 'user')).toHaveLength(1)
    expect(house.recognition.utterances).toHaveLength(1)
  })

  it('two devices at once: each gets its own words and its own sound', async () => {
    const house = createHouse(byQuestion, byQuestion)
    const a = await house.open()
    const b = await house.open()
    house.recognition.script.push({ text: 'the capital of france' }, { text: 'the colours of the rainbow' })
    const talking = Promise.all([house.hear(a, speech(700)), house.hear(b, speech(900))])
    await talking
    for (let ms = 0; ms < 9_000; ms += 100) {
      a.connection.send(new Uint8Array(3_200))
      b.connection.send(new Uint8Array(3_200))
      await house.clock.advance(100)
    }
    const texts = (client: VoicePeer) => client.of('transcript').map((message) => message['text'])
    // Which of the two the recognizer's script calls Paris depends on who was finished first; nobody may get a part of both.
    const [paris, rainbow] = texts(a)[0] === 'the capital of france' ? [a, b] : [b, a]
    expect(texts(paris)).toEqual(['the capital of france', 'Paris.'])
    expect(texts(rainbow)).toEqual(['the colours of the rainbow', RAINBOW])
    expect(soundMs(paris)).toBeCloseTo('Paris.'.length * house.synthesis.msPerChar, -2)
    expect(soundMs(rainbow)).toBeGreaterThan(3 * soundMs(paris))
    const own = (client: VoicePeer) => new Set(client.messages.map((message) => message['sessionId']))
    expect(own(a).size).toBe(1)
    expect([...own(a)]).not.toEqual([...own(b)])
  })
})
