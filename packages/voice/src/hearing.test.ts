import { DomosError } from '@domos/spec'
import { describe, expect, it } from 'vitest'
import { silence, speech } from './test/scripted-engines.ts'
import { openWorld, scriptedModel, text } from './test/world.ts'

const said = (world: Awaited<ReturnType<typeof openWorld>>): string[] =>
  world
    .of('transcript')
    .filter(({ role, isFinal }) => role === 'user' && isFinal)
    .map((told) => told.text)

describe('where a turn ends', () => {
  it.each([
    ['a complete command', { text: 'turn on the light', complete: true }, 250],
    ['free speech', { text: 'tell me about light', complete: false }, 700],
    ['a connecting word', { text: 'turn on the', complete: false }, 1_200],
    ['a hesitation', { text: 'turn on uh', complete: false }, 1_200],
    ['a number that may go on', { text: 'set it to twenty', complete: true }, 700],
  ])('after %s it waits for its own silence', async (_, partial, silenceMs) => {
    const world = await openWorld(scriptedModel(text('Yes.')))
    world.recognition.script.push({ text: partial.text, partials: [{ afterMs: 600, ...partial }] })
    await world.hear(speech(800), silence(silenceMs - 80))
    expect(said(world)).toEqual([])
    await world.hear(silence(160))
    expect(said(world)).toEqual([partial.text])
  })

  it('keeps a pause of 0.6 s inside a sentence, and parts turns at 2.5 s; both are answered', async () => {
    const world = await openWorld(scriptedModel(text('Hello Robin Vale.'), text('Noon.'), text('Noon.')))
    world.recognition.script.push({ text: 'my name is robin vale what is the time' })
    await world.hear(speech(900), silence(600), speech(1_200), silence(1_500))
    await world.clock.advance(3_000)
    expect(said(world)).toEqual(['my name is robin vale what is the time'])
    expect(world.model.requests).toHaveLength(1)
    expect(world.of('start')).toHaveLength(1)
    world.recognition.script.push({ text: 'my name is robin' }, { text: 'vale what is the time' })
    await world.hear(speech(900), silence(2_500), speech(1_200), silence(1_500))
    await world.clock.advance(3_000)
    expect(said(world)).toHaveLength(3)
    expect(world.of('start')).toHaveLength(3)
    expect(world.of('end')).toHaveLength(3)
  })

  it('counts samples, not arrival: a recording sent at once is heard like one in real time', async () => {
    const world = await openWorld(scriptedModel(text('One.'), text('Two.')))
    world.recognition.script.push({ text: 'first question' }, { text: 'second question' })
    const parts = [speech(800), silence(1_500), speech(800), silence(1_500)]
    const whole = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0))
    let at = 0
    for (const part of parts) {
      whole.set(part, at)
      at += part.length
    }
    world.conversation.pushAudio(whole)
    await world.clock.advance(10_000)
    expect(said(world)).toEqual(['first question', 'second question'])
    // The second question waited for the answer to the first.
    expect(world.of('end').map(({ turn, interrupted }) => [turn, interrupted])).toEqual([
      [1, false],
      [2, false],
    ])
  })

  it('takes no more sound arriving for silence', async () => {
    const world = await openWorld(scriptedModel(text('Yes.')))
    world.recognition.script.push({ text: 'open the garage door' })
    await world.hear(speech(800))
    await world.clock.advance(650)
    expect(said(world)).toEqual([])
    await world.clock.advance(100)
    expect(said(world)).toEqual(['open the garage door'])
  })

  it('ends an utterance that is too long', async () => {
    const world = await openWorld(scriptedModel(text('Yes.')), { voice: { limits: { utteranceMaxMs: 3_000 } } })
    world.recognition.script.push({ text: 'a very long speech' })
    await world.hear(speech(3_200))
    expect(said(world)).toEqual(['a very long speech'])
  })

  it('drops the oldest sound beyond the bound and says so', async () => {
    const world = await openWorld(scriptedModel(text('Yes.')), { voice: { limits: { inputBufferMs: 1_000 } } })
    world.conversation.pushAudio(speech(3_000))
    expect(world.of('error')).toMatchObject([{ code: 'too_large' }])
    expect(world.of('error')[0]?.message).toContain('2000 ms')
  })

  it('ends the turn at the button, whatever was said, and hears words cut by no frame', async () => {
    const world = await openWorld(scriptedModel(text('Yes.')), { config: { pushToTalk: true } })
    world.recognition.script.push({ text: 'open the door' })
    world.conversation.arm()
    expect(world.conversation.state).toBe('listening')
    await world.hear(speech(600), silence(2_000), speech(610))
    expect(said(world)).toEqual([])
    world.conversation.commit()
    await world.clock.advance(1)
    expect(said(world)).toEqual(['open the door'])
    const written = world.recognition.utterances[0]?.samples.reduce((sum, part) => sum + part.length, 0) ?? 0
    expect(written).toBeGreaterThanOrEqual((600 + 2_000 + 610) * 16)
    // A button without words is no turn and leaves nothing behind.
    world.conversation.arm()
    await world.hear(silence(300))
    world.conversation.commit()
    await world.clock.advance(1)
    expect(world.conversation.state).not.toBe('listening')
    expect(said(world)).toHaveLength(1)
  })

  it('stops listening when nothing follows a wake word', async () => {
    const world = await openWorld(scriptedModel(text('Yes.')))
    world.conversation.arm()
    await world.hear(silence(200))
    expect(world.conversation.state).toBe('listening')
    await world.hear(silence(8_000))
    expect(world.conversation.state).toBe('idle')
    world.conversation.arm()
    await world.clock.advance(9_000)
    expect(world.conversation.state).toBe('idle')
  })

  it('sends partial words only where they are wanted', async () => {
    for (const partials of [false, true]) {
      const world = await openWorld(scriptedModel(text('Yes.')), { config: { partials } })
      const steps = ['open', 'open the', 'open the door']
      world.recognition.script.push({
        text: 'open the door',
        partials: steps.map((step, index) => ({ afterMs: 400 + 150 * index, text: step, complete: false })),
      })
      await world.hear(speech(900), silence(1_000))
      const partial = world.of('transcript').filter(({ isFinal }) => !isFinal)
      expect(partial.map((told) => told.text)).toEqual(partials ? steps : [])
      expect(world.of('transcript').find(({ isFinal }) => isFinal)).toMatchObject({ turn: 1, words: 3 })
    }
  })
})

describe('what is heard', () => {
  it('is converted from other sample rates', async () => {
    const world = await openWorld(scriptedModel(text('Yes.')))
    world.recognition.script.push({ text: 'open the door' })
    const loud = new Int16Array(48 * 800)
    loud.fill(8_000)
    for (let index = 0; index < loud.length; index += 200) loud.fill(-8_000, index, index + 100)
    world.conversation.arm()
    world.conversation.pushAudio(loud, 48_000)
    world.conversation.commit()
    await world.clock.advance(100)
    expect(said(world)).toEqual(['open the door'])
    const written = world.recognition.utterances[0]?.samples.reduce((sum, part) => sum + part.length, 0) ?? 0
    expect(Math.abs(written - 800 * 16)).toBeLessThanOrEqual(512)
  })

  it('and comes to nothing is said to have come to nothing, once', async () => {
    const world = await openWorld(scriptedModel(text('Yes.')))
    world.conversation.arm()
    await world.hear(silence(300))
    world.conversation.commit()
    await world.clock.advance(1)
    await world.speak({ text: 'uhm' })
    await world.speak({ text: '', fails: new DomosError('unavailable', 'The worker ended.') })
    expect(world.nothing).toEqual(['no-speech', 'no-words', 'failed'])
    await world.speak({ text: 'open the door' })
    expect(world.nothing).toHaveLength(3)
  })
})

describe('recognition', () => {
  it.each([
    ['crashes', new DomosError('unavailable', 'The worker ended.'), 'unavailable'],
    ['never answers', 'never' as const, 'timeout'],
  ])('that %s costs one utterance: an error, and the next one is heard', async (_, fails, code) => {
    const world = await openWorld(scriptedModel(text('Yes.')))
    await world.speak({ text: '', fails })
    await world.clock.advance(12_000)
    expect(world.of('error').map((error) => error.code)).toEqual([code])
    expect(world.conversation.state).toBe('idle')
    expect(world.model.requests).toEqual([])
    await world.speak({ text: 'open the door' })
    expect(said(world)).toEqual(['open the door'])
  })

  it('is given the live tools and the vocabulary, and again when they change', async () => {
    const world = await openWorld(scriptedModel(text('Yes.')), { config: { vocabulary: ['Vale'] } })
    world.session.tools.replace('page', [
      { name: 'light', description: 'Light', risk: 'none', execute: async () => ({ type: 'success', value: {} }) },
    ])
    world.conversation.configure({ vocabulary: ['Robin'] })
    expect(world.recognition.hints[0]).toMatchObject({ tools: [], vocabulary: ['Vale'] })
    expect(world.recognition.hints[1]?.tools?.map(({ name }) => name)).toEqual(['light'])
    expect(world.recognition.hints.at(-1)).toMatchObject({ vocabulary: ['Robin'] })
  })

  it('that is missing is said once; typed text and speech still work', async () => {
    const world = await openWorld(scriptedModel(text('It is noon.')))
    const told = world.of('error')
    expect(told).toEqual([])
    const { createVoice } = await import('./create-voice.ts')
    const voice = createVoice({ synthesis: world.synthesis, clock: world.clock })
    expect(voice.canHear).toBe(false)
    expect(voice.canSpeak).toBe(true)
    expect(voice.health()).toMatchObject({ canHear: false, recognition: { state: 'unavailable' } })
    const errors: string[] = []
    const texts: string[] = []
    let audio = 0
    const conversation = voice.open(world.session, {
      bufferedMs: 0,
      onTranscript: (transcript) => texts.push(transcript.text),
      onSpeechStart() {},
      onAudio: (samples) => (audio += samples.length),
      onSpeechEnd() {},
      onState() {},
      onError: (error) => errors.push(error.code),
      onLatency() {},
    })
    conversation.pushAudio(speech(100))
    conversation.pushAudio(speech(100))
    conversation.say('what time is it')
    await world.clock.advance(3_000)
    expect(errors).toEqual(['unavailable'])
    expect(texts).toEqual(['what time is it', 'It is noon.'])
    expect(audio).toBeGreaterThan(0)
  })
})

describe('settings', () => {
  it('are changed as a whole or not at all, and say what they expect', async () => {
    const world = await openWorld(scriptedModel())
    const before = world.conversation.config
    for (const [change, path] of [
      [{ endpointMs: 500, vadSensitivity: 7 }, 'vadSensitivity'],
      [{ speed: 'fast' }, 'speed'],
      [{ colour: 'red' }, 'colour'],
      [{ __proto__x: 1 }, '__proto__x'],
      [{ vocabulary: Array.from({ length: 501 }, () => 'a') }, 'vocabulary'],
      [{ language: 'klingon!' }, 'language'],
    ] as const) {
      expect(() => world.conversation.configure(change)).toThrowError(
        expect.objectContaining({ code: 'invalid_request', details: { path } }),
      )
      expect(world.conversation.config).toBe(before)
    }
    expect(world.conversation.configure({ endpointMs: 500, voice: 'one' })).toMatchObject({
      endpointMs: 500,
      voice: 'one',
    })
    expect(world.conversation.configure({ voice: null }).voice).toBeUndefined()
  })

  it('sensitivity hears quieter speech', async () => {
    const world = await openWorld(scriptedModel(text('Yes.')), { config: { vadSensitivity: 0 } })
    await world.speak({ text: 'hello there friend' })
    // The scripted detector is at most 0.95 sure, and insensitive means 0.9.
    expect(said(world)).toEqual(['hello there friend'])
  })
})

describe('a detector', () => {
  it('that fails while it hears is said once; typed text still works', async () => {
    const { scriptedDetector } = await import('./test/scripted-engines.ts')
    const broken = { ...scriptedDetector(), openStream: () => ({ process: () => fault(), reset() {} }) }
    const world = await openWorld(scriptedModel(text('It is noon.')), { voice: { detector: broken } })
    await world.hear(speech(500))
    expect(world.of('error').map(({ code }) => code)).toEqual(['unavailable'])
    world.conversation.say('what time is it')
    await world.clock.advance(3_000)
    expect(world.of('end')).toHaveLength(1)
  })

  it('that cannot be opened leaves a conversation that speaks and says why it does not hear', async () => {
    const { scriptedDetector } = await import('./test/scripted-engines.ts')
    const broken = { ...scriptedDetector(), openStream: () => fault() }
    const world = await openWorld(scriptedModel(text('It is noon.')), { voice: { detector: broken } })
    await world.hear(speech(500))
    expect(world.of('error').map(({ code }) => code)).toEqual(['unavailable'])
    world.conversation.say('what time is it')
    await world.clock.advance(3_000)
    expect(world.of('end')).toHaveLength(1)
  })
})

function fault(): never {
  throw new DomosError('unavailable', 'The weights are missing.')
}
