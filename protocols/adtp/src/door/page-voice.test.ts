import { createAgent } from '@domos/agent'
import type { LanguageModel, VoiceActivityDetector } from '@domos/spec'
import { createVoice } from '@domos/voice'
import { describe, expect, it } from 'vitest'
import { readPcm, writePcm } from '../pcm.ts'
import { createManualClock } from '../test/manual-clock.ts'
import { frame, init, openPage } from '../test/page-peer.ts'
import { createAdtpDoor } from './index.ts'

const ready = async () => ({ state: 'ready' as const, detail: 'A script.', missing: [] })

/** A door with a real agent and a real voice, whose engines follow a script. */
async function world(words: readonly (string | Error)[], capabilities: readonly string[]) {
  const clock = createManualClock()
  const heard: string[] = []
  const model: LanguageModel = {
    id: 'test/scripted',
    embedded: true,
    async *stream(request) {
      const last = request.messages.at(-1)
      heard.push(last?.role === 'user' ? (last.parts.at(-1)?.text ?? '') : '')
      yield { type: 'text-delta', text: 'The light is on.' }
      yield { type: 'finish', reason: 'stop' }
    },
  }
  const detector: VoiceActivityDetector = {
    id: 'scripted',
    frameSamples: 512,
    health: ready,
    close: async () => {},
    openStream: () => ({ process: (samples) => (samples.some((sample) => sample > 1_000) ? 1 : 0), reset() {} }),
  }
  const script = [...words]
  let written = 0
  const lengths: number[] = []
  const voice = createVoice({
    clock,
    detector,
    recognition: {
      id: 'scripted',
      abilities: { partials: false, wordTimes: false, confidence: false, hints: 'none', languages: ['en'] },
      health: ready,
      close: async () => {},
      openStream: async () => ({
        write: (samples) => (written += samples.length),
        async finish() {
          lengths.push(written)
          written = 0
          const next = script.shift() ?? ''
          if (next instanceof Error) throw next
          return { text: next, words: [], source: 'language', audioMs: 0 }
        },
        discard: () => (written = 0),
        setHints() {},
        close() {},
      }),
    },
    synthesis: {
      id: 'scripted',
      health: ready,
      voices: async () => [],
      close: async () => {},
      async *synthesize() {
        yield { samples: new Int16Array(16_000).fill(500), sampleRateHz: 16_000 }
      },
    },
  })
  const door = createAdtpDoor(createAgent({ model, clock }), { voice })
  const page = openPage(door)
  await page.send(init(capabilities))
  const turn = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 50) await clock.advance(50)
  }
  return { page, clock, heard, lengths, turn }
}

const loud = (ms: number, rate = 16): string =>
  writePcm(new Int16Array(ms * rate).map((_, n) => (n % 20 < 10 ? 8_000 : -8_000)))

describe('a page that is spoken to', () => {
  it('ADTP-INPUT-2: has an utterance understood, answered in text, and spoken where it understands AUDIO_STREAM', async () => {
    for (const capabilities of [
      ['text', 'audio', 'tools'],
      ['text', 'audio', 'tools', 'stream', 'audio_stream'],
    ]) {
      const { page, heard, lengths, turn } = await world(['turn on the light'], capabilities)
      expect(page.last('HANDSHAKE_ACK').payload.capabilities).toContain('audio')
      await page.send(
        frame('USER_INPUT', { modality: 'audio', content: loud(900), mimeType: 'audio/pcm;rate=16000' }, 'msg_a'),
      )
      await turn(2_500)
      expect(heard).toEqual(['turn on the light'])
      // The last samples fill no frame and are followed by silence.
      expect(lengths).toEqual([Math.ceil((900 * 16) / 512) * 512])
      const answers = page.of('AGENT_RESPONSE').map(({ payload }) => payload)
      expect(answers.map(({ chunk }) => chunk).join('')).toBe('The light is on.')
      expect(answers.filter(({ done }) => done === true)).toHaveLength(1)
      if (capabilities.includes('stream')) expect(answers.at(-1)?.ref).toBe('msg_a')
      const spoken = page
        .of('AUDIO_STREAM')
        .map(({ payload }) => readPcm(String(payload.data), String(payload.mimeType)))
      const samples = spoken.reduce((sum, sound) => sum + ('samples' in sound ? sound.samples.length : 0), 0)
      expect(samples).toBe(capabilities.includes('audio_stream') ? 16_000 : 0)
      expect(page.errors()).toEqual([])
    }
  })

  it('gets one end and one error for an utterance without words, with a failing engine, or with broken sound', async () => {
    const { page, heard, turn } = await world(['', new Error('crashed')], ['text', 'audio', 'stream'])
    const utterances = [
      { content: loud(600) },
      { content: loud(600) },
      { content: writePcm(new Int16Array(9_600)) },
      { content: '%%%' },
      { content: '' },
      { content: loud(100), mimeType: 'audio/mpeg' },
      { content: loud(100), mimeType: 'audio/pcm;rate=7' },
    ]
    for (const [index, utterance] of utterances.entries()) {
      await page.send(frame('USER_INPUT', { modality: 'audio', ...utterance }, `msg_${index}`))
      await turn(1_000)
    }
    expect(heard).toEqual([])
    const ends = page.of('AGENT_RESPONSE').filter(({ payload }) => payload.done === true)
    expect(ends.map(({ payload }) => payload.ref)).toEqual(utterances.map((_, index) => `msg_${index}`))
    expect(page.errors()).toEqual([
      'invalid_request',
      'internal',
      'invalid_request',
      'invalid_payload',
      'invalid_payload',
      'invalid_payload',
      'invalid_payload',
    ])
  })

  it('may send live sound, of any common rate, and says when it has finished', async () => {
    const { page, heard, turn } = await world(['turn on the light'], ['text', 'audio', 'stream', 'audio_stream'])
    for (let count = 0; count < 10; count += 1) {
      await page.send(frame('AUDIO_STREAM', { data: loud(100, 48), mimeType: 'audio/pcm;rate=48000' }))
      await turn(100)
    }
    await page.send(frame('VOICE_INPUT_END', { reason: 'user_stop' }))
    await turn(100)
    expect(heard).toEqual(['turn on the light'])
    await turn(2_000)
    expect(page.of('VOICE_STATE_EVENT').map(({ payload }) => payload.event)).toEqual(['turn_complete'])
  })

  it('stops the answer with VOICE_INTERRUPT: no more sound, one end', async () => {
    const { page, turn } = await world(['turn on the light'], ['text', 'audio', 'stream', 'audio_stream'])
    await page.send(frame('USER_INPUT', { modality: 'audio', content: loud(600) }, 'msg_a'))
    await turn(400)
    await page.send(frame('VOICE_INTERRUPT', { reason: 'barge_in' }))
    const sent = page.of('AUDIO_STREAM').length
    expect(sent).toBeGreaterThan(0)
    await turn(2_000)
    expect(page.of('AUDIO_STREAM')).toHaveLength(sent)
    expect(page.of('VOICE_STATE_EVENT').map(({ payload }) => payload.event)).toEqual(['interrupted'])
    expect(page.of('AGENT_RESPONSE').filter(({ payload }) => payload.done === true)).toHaveLength(1)
  })
})
