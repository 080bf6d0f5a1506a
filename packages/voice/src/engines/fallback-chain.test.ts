import type { RecognitionStream, TextToSpeech } from '@domos/spec'
import { neverAborts } from '@domos/testing/speech'
import { describe, expect, it } from 'vitest'
import { createRecognitionChain, createSynthesisChain } from '../index.ts'
import { fakeRecognizer, fakeSpeaker } from '../test/fake-engines.ts'

function clockAt() {
  let now = 0
  return {
    clock: { now: () => now, schedule: () => () => {} },
    pass: (ms: number) => {
      now += ms
    },
  }
}

async function say(stream: RecognitionStream, samples = 160): Promise<string> {
  stream.write(new Int16Array(samples))
  return (await stream.finish(neverAborts)).text
}

async function speak(engine: TextToSpeech, voice?: string): Promise<number> {
  let samples = 0
  const request = { text: 'Hello.', ...(voice && { voice }) }
  for await (const chunk of engine.synthesize(request, neverAborts)) samples += chunk.samples.length
  return samples
}

describe('a chain of recognizers', () => {
  it('gives an utterance to the next engine when the first fails in it, so that nobody says it twice', async () => {
    const [first, second] = [fakeRecognizer('first'), fakeRecognizer('second')]
    const stream = await createRecognitionChain([first, second]).openStream({}, neverAborts)
    expect(await say(stream)).toBe('first heard 160')
    first.switches.isBroken = true
    expect(await say(stream)).toBe('second heard 160')
  })

  it('leaves an engine alone after its third failure in a row, and comes back to it after the rest', async () => {
    const { clock, pass } = clockAt()
    const [first, second] = [fakeRecognizer('first'), fakeRecognizer('second')]
    const stream = await createRecognitionChain([first, second], { clock }).openStream({}, neverAborts)
    first.switches.isBroken = true
    for (let utterance = 0; utterance < 5; utterance++) expect(await say(stream)).toBe('second heard 160')
    expect(first.switches.calls).toBe(3)
    first.switches.isBroken = false
    pass(5_000)
    expect(await say(stream)).toBe('second heard 160')
    expect(await say(stream)).toBe('first heard 160')
  })

  it('throws the last error when every engine fails, and works again when one does', async () => {
    const [first, second] = [fakeRecognizer('first'), fakeRecognizer('second')]
    const stream = await createRecognitionChain([first, second]).openStream({}, neverAborts)
    first.switches.isBroken = true
    second.switches.isBroken = true
    await expect(say(stream)).rejects.toThrow('second is broken')
    second.switches.isBroken = false
    expect(await say(stream)).toBe('second heard 160')
  })

  it('does not try another engine when the caller cancelled', async () => {
    const [first, second] = [fakeRecognizer('first'), fakeRecognizer('second')]
    const stream = await createRecognitionChain([first, second]).openStream({}, neverAborts)
    stream.write(new Int16Array(160))
    await expect(stream.finish(AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' })
    expect(second.switches.calls).toBe(0)
  })

  it('fails an utterance that is too long to be repeated, instead of recognizing half of it', async () => {
    const [first, second] = [fakeRecognizer('first'), fakeRecognizer('second')]
    const chain = createRecognitionChain([first, second], { chainLimits: { maxReplayMs: 5 } })
    const stream = await chain.openStream({}, neverAborts)
    first.switches.isBroken = true
    await expect(say(stream, 161)).rejects.toThrow('first is broken')
    expect(second.switches.calls).toBe(0)
  })

  it('is degraded when the first engine does not work, and says what is missing', async () => {
    const [first, second] = [fakeRecognizer('first'), fakeRecognizer('second')]
    const chain = createRecognitionChain([first, second])
    expect(await chain.health(neverAborts)).toMatchObject({ state: 'ready' })
    first.switches.isBroken = true
    expect(await chain.health(neverAborts)).toMatchObject({ state: 'degraded', missing: ['a part'] })
    second.switches.isBroken = true
    expect(await chain.health(neverAborts)).toMatchObject({ state: 'unavailable' })
  })

  it('needs an engine', () => {
    expect(() => createRecognitionChain([])).toThrow('at least one engine')
  })
})

describe('a chain of speakers', () => {
  it('speaks with the next engine when the first fails before its first sound', async () => {
    const [first, second] = [fakeSpeaker('first', 'amy'), fakeSpeaker('second', 'rms')]
    const chain = createSynthesisChain([first, second])
    first.switches.isBroken = true
    expect(await speak(chain, 'amy')).toBe(20)
    expect(second.switches.calls).toBe(1)
  })

  it('does not begin the sentence again when an engine fails in the middle of it', async () => {
    const [first, second] = [fakeSpeaker('first', 'amy'), fakeSpeaker('second', 'rms')]
    first.switches.isBroken = true
    first.switches.chunksBeforeFailure = 1
    await expect(speak(createSynthesisChain([first, second]))).rejects.toMatchObject({ code: 'timeout' })
    expect(second.switches.calls).toBe(0)
  })

  it('leaves an engine alone after its third failure in a row', async () => {
    const [first, second] = [fakeSpeaker('first', 'amy'), fakeSpeaker('second', 'rms')]
    const chain = createSynthesisChain([first, second])
    first.switches.isBroken = true
    for (let request = 0; request < 5; request++) await speak(chain)
    expect([first.switches.calls, second.switches.calls]).toEqual([3, 5])
  })

  it('tells a request that no engine can fulfil to the caller', async () => {
    const [first, second] = [fakeSpeaker('first', 'amy'), fakeSpeaker('second', 'rms')]
    const chain = createSynthesisChain([first, second])
    await expect(speak(chain, 'nobody')).rejects.toMatchObject({ code: 'invalid_request' })
    expect(second.switches.calls).toBe(0)
  })
})
