import { createPocketsphinx } from '@domos/stt-pocketsphinx'
import { createFlite } from '@domos/tts-flite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Microphone, openVoiceHouse, type VoiceHouse } from './voice-house.ts'
import { missingHere, say } from './world.ts'

const workers = { recognition: 0, synthesis: 0 }
const recognition = createPocketsphinx({
  limits: { maxWorkers: 1 },
  onWorkerStart: (pid) => {
    workers.recognition = pid
  },
})
const synthesis = createFlite({
  voice: 'kal16',
  onWorkerStart: (pid) => {
    workers.synthesis = pid
  },
})
const missing = await missingHere(recognition)
if (missing !== undefined) console.warn(`Faults of speech engines are not tested here: ${missing}`)

const LONG =
  'The harbour has nine old boats. Every morning they go out to the sea, and every evening they come back. The harbour master writes it all down.'
const STATES = ['idle', 'listening', 'thinking', 'speaking', 'paused'] as const

describe.skipIf(missing !== undefined)('a whole server with real engines', { timeout: 120_000 }, () => {
  let house: VoiceHouse
  let question: Int16Array
  beforeAll(async () => {
    house = await openVoiceHouse({ recognition, synthesis })
    question = await say('Tell me about the harbour')
  }, 60_000)
  afterAll(async () => {
    await house.close()
    await Promise.all([recognition.close(), synthesis.close()])
  })

  /** Brings a conversation into a state; the returned function lets go on what was held for it. */
  async function reach(state: (typeof STATES)[number], microphone: Microphone): Promise<() => void> {
    if (state === 'idle') return () => {}
    const written = Promise.withResolvers<void>()
    const answer = { type: 'text', text: LONG } as const
    house.provider.queue(state === 'thinking' ? { ...answer, after: written.promise } : answer)
    const before = microphone.soundBytes
    microphone.say(question)
    if (state === 'paused') {
      await microphone.until(() => microphone.soundBytes > before + 32_000)
      house.provider.queue(answer)
      microphone.say(question)
    }
    await microphone.until(() => microphone.of('state').some((each) => each['state'] === state))
    return written.resolve
  }

  /** Asks until it is answered with sound; engines start again within one or two utterances. */
  async function answered(microphone: Microphone): Promise<number> {
    for (let tries = 1; tries <= 4; tries++) {
      await microphone.until(() => microphone.state === 'idle')
      const [errors, sound, words] = [microphone.of('error').length, microphone.soundBytes, microphone.users().length]
      house.provider.queue({ type: 'text', text: 'There are nine boats.' })
      microphone.say(question)
      await microphone.until(() => microphone.state !== 'idle')
      await microphone.until(() => microphone.state === 'idle')
      const isHeard = microphone.users().length > words
      if (isHeard && microphone.soundBytes > sound) return tries
      // Whoever is not answered is told why.
      expect(microphone.of('error').length).toBeGreaterThan(errors)
    }
    return Number.POSITIVE_INFINITY
  }

  const faults = STATES.flatMap((state) =>
    (['recognition', 'synthesis'] as const).map((engine) => [engine, state] as const),
  )
  it.each(faults)(
    'killing the worker of %s in "%s" leaves pairs of tts_start and tts_end, and the next is answered',
    async (engine, state) => {
      const microphone = await house.open()
      if (workers[engine] === 0) expect(await answered(microphone)).toBeLessThanOrEqual(4)
      const release = await reach(state, microphone)
      process.kill(workers[engine], 'SIGKILL')
      release()
      await microphone.until(() => microphone.state === 'idle')
      expect(await answered(microphone)).toBeLessThanOrEqual(4)
      expect(microphone.of('tts_end')).toHaveLength(microphone.of('tts_start').length)
      expect(microphone.socket.readyState).toBe(1)
      const health = house.domos.voice?.health()
      expect(health).toMatchObject({ canHear: true, canSpeak: true, conversations: 1 })
      microphone.close()
      await expect.poll(() => house.domos.voice?.health()['conversations']).toBe(0)
    },
  )

  it('two hundred connects and drops, some in the middle of a word, leave no conversation and no taken worker', async () => {
    for (let round = 0; round < 40; round++) {
      const five = await Promise.all(Array.from({ length: 5 }, () => house.open()))
      if (round % 4 === 0) {
        const [speaker] = five
        speaker?.say(question)
        await speaker?.until(() => speaker.state === 'listening')
      }
      for (const microphone of five) microphone.close()
      await expect.poll(() => house.domos.voice?.health()['conversations'], { timeout: 10_000 }).toBe(0)
    }
    expect(house.domos.doors.find(({ name }) => name === 'voice')?.health()).toMatchObject({ clients: 0 })
    expect(house.domos.agent.sessions()).toHaveLength(0)
    // The recognizer has one worker; a lease that was not given back would leave nobody heard.
    expect(await answered(await house.open())).toBe(1)
  })
})
