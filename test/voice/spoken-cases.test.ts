import { DomosError, type TextToSpeech } from '@domos/spec'
import { createPocketsphinx } from '@domos/stt-pocketsphinx'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { openVoiceHouse, type VoiceHouse } from './voice-house.ts'
import { missingHere, say, silence } from './world.ts'

const recognition = createPocketsphinx({ limits: { maxWorkers: 1 } })
const missing = await missingHere(recognition)
if (missing !== undefined) console.warn(`Spoken cases are not tested here: ${missing}`)

/** A synthesiser that notes what it is asked to speak, and does with it what the test says. */
function stubSynthesis(speak: (text: string, signal: AbortSignal) => Promise<Int16Array>) {
  const texts: string[] = []
  const engine: TextToSpeech = {
    id: 'stub',
    health: async () => ({ state: 'ready', detail: 'A stub.', missing: [] }),
    voices: async () => [],
    async *synthesize({ text }, signal) {
      texts.push(text)
      yield { samples: await speak(text, signal), sampleRateHz: 16_000 }
    },
    close: async () => {},
  }
  return { engine, texts }
}

describe.skipIf(missing !== undefined)('cases through a whole server', { timeout: 90_000 }, () => {
  let house: VoiceHouse
  afterEach(() => house.close())
  afterAll(() => recognition.close())

  it.each(['throws', 'never answers'])(
    'a synthesiser that %s after its first second leaves nobody in "speaking": error, tts_end, and the next answer (case 33)',
    async (how) => {
      let broken = true
      const { engine } = stubSynthesis((text, signal) => {
        if (!broken || text.includes('sunny')) return Promise.resolve(silence(1_000))
        if (how === 'throws') return Promise.reject(new DomosError('unavailable', 'The engine is gone.'))
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      })
      house = await openVoiceHouse({ recognition, synthesis: engine })
      house.provider.queue({ type: 'text', text: 'It is sunny. It will rain later.' })
      const microphone = await house.open()
      const question = await say('What is the weather')
      microphone.say(question)
      await microphone.until(() => microphone.soundBytes > 0)
      microphone.send({ type: 'status' })
      await microphone.until(() => microphone.of('status').length === 1)
      const speakingSince = performance.now()
      await microphone.until(() => microphone.of('error').length > 0 && microphone.of('tts_end').length > 0)
      // The document of the case: 2 s after a throw, a stated limit of at most 15 s for a hang (synthesisTimeoutMs is 8 s).
      expect(performance.now() - speakingSince).toBeLessThanOrEqual(15_000)
      expect(microphone.of('tts_start')).toHaveLength(1)
      expect(microphone.of('error')).toHaveLength(1)
      expect(microphone.of('error')[0]?.['code']).toBe(how === 'throws' ? 'unavailable' : 'timeout')
      microphone.send({ type: 'status' })
      await microphone.until(() => microphone.of('status').length === 2)

      broken = false
      house.provider.queue({ type: 'text', text: 'Still sunny.' })
      await microphone.until(() => microphone.state === 'idle')
      microphone.say(question)
      await microphone.until(() => microphone.of('tts_end').length === 2)
      expect(microphone.socket.readyState).toBe(1)
      expect(microphone.users()).toHaveLength(2)
      expect(microphone.of('tts_start')).toHaveLength(2)
      expect(microphone.of('error')).toHaveLength(1)
    },
  )

  const REPLY =
    'It is 22.5 degrees, or 1.299,50 in the old unit. Version v2.0.1 was tested by Dr. Vale at 9:30 a.m. today. Drink something warm, e.g. tea. That is all.'

  it('no piece for synthesis ends inside a number, version, time or abbreviation, one character at a time (case 36)', async () => {
    const { engine, texts } = stubSynthesis(async () => silence(200))
    house = await openVoiceHouse({ recognition, synthesis: engine })
    house.provider.queue({ type: 'text', text: REPLY, pieces: [...REPLY] })
    const microphone = await house.open()
    microphone.say(await say('How warm is it'))
    await microphone.until(() => microphone.of('tts_end').length === 1)
    const shown = microphone.of('transcript').filter(({ role }) => role === 'assistant')
    expect(shown.map(({ text }) => text).join(' ')).toBe(REPLY)
    const numbersAndNames = ['22.5', '1.299,50', '2.0.1', 'Vale at 9:30', 'tea']
    for (const whole of numbersAndNames) {
      expect(
        texts.filter((text) => text.includes(whole)),
        `${whole} in ${JSON.stringify(texts)}`,
      ).toHaveLength(1)
    }
    // Nothing is dropped and the order is kept: every word that is spoken as it is written comes in turn.
    const spoken = texts.join(' ').split(/\s+/)
    let found = -1
    for (const word of REPLY.split(/\s+/).filter((each) => /^[a-z]+$/i.test(each))) {
      found = spoken.findIndex((each, index) => index > found && each.replace(/[.,]$/, '') === word)
      expect(found, `${word} in ${JSON.stringify(texts)}`).toBeGreaterThanOrEqual(0)
    }
  })

  it('the times of a turn are in /metrics and in /healthz', async () => {
    house = await openVoiceHouse()
    house.provider.queue({ type: 'text', text: 'It is noon.' })
    const microphone = await house.open()
    microphone.say(await say('What time is it'))
    await microphone.until(() => microphone.state === 'idle' && microphone.of('tts_end').length === 1)
    const read = async (path: string) => (await fetch(new URL(path, house.url.replace('ws:', 'http:')))).text()
    const metrics = await read('/metrics')
    for (const name of ['endpoint', 'transcript', 'first_token', 'first_audio', 'voice_to_voice']) {
      expect(metrics).toContain(`domos_voice_${name}_seconds_count 1`)
    }
    expect(metrics).toContain('domos_voice_turns_total{interrupted="false"} 1')
    const { doors } = JSON.parse(await read('/healthz')) as { doors: { voice: { voice: { recentTurns: object } } } }
    expect(doors.voice.voice.recentTurns).toMatchObject({ turns: 1, interrupted: 0 })
  })

  it('the first piece is spoken while the model is still writing (case 36)', async () => {
    const { engine, texts } = stubSynthesis(async () => silence(200))
    house = await openVoiceHouse({ recognition, synthesis: engine })
    // The model falls silent in the middle of "v2.0.1"; it has not finished when the sound comes.
    house.provider.queue({ type: 'stall', text: REPLY.slice(0, REPLY.indexOf('.0.1') + 1) })
    const microphone = await house.open()
    microphone.say(await say('How warm is it'))
    await microphone.until(() => microphone.soundBytes > 0)
    expect(texts.join(' ')).toContain('22.5 degrees')
    expect(texts.join(' ')).toContain('1.299,50 in the old unit')
    expect(texts.join(' ')).not.toContain('Version v2.')
    expect(microphone.of('tts_end')).toHaveLength(0)
  })
})
