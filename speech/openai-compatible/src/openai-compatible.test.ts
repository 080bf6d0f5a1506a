import { neverAborts, recognitionContract, synthesisContract } from '@domos/testing/speech'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSpeech, createTranscription } from './index.ts'
import { type LoopbackServer, openLoopbackServer } from './test/loopback-server.ts'

const SENTENCES = ['turn on the kitchen lights', 'add two headphones to my cart'].map((text, index) => ({
  text,
  samples: Int16Array.from({ length: 32_000 + index * 800 }, (_, at) => Math.round(9_000 * Math.sin(at / (7 + index)))),
}))
const texts = new Map(SENTENCES.map(({ text, samples }) => [Buffer.from(samples.buffer).toString('base64'), text]))

let server: LoopbackServer
beforeAll(async () => {
  server = await openLoopbackServer(() => texts)
})
afterAll(() => server.close())
beforeEach(() => {
  server.troubles.length = 0
})

const transcription = (options = {}) => createTranscription({ baseUrl: server.baseUrl, ...options })
const speech = (options = {}) => createSpeech({ baseUrl: server.baseUrl, ...options })

async function transcribe(engine = transcription()): Promise<string> {
  const stream = await engine.openStream(
    { language: 'en-US', hints: { vocabulary: ['Zephyrix', 'desk lamp'] } },
    neverAborts,
  )
  stream.write((SENTENCES[0] as (typeof SENTENCES)[number]).samples)
  return (await stream.finish(neverAborts)).text
}

async function speak(engine = speech()): Promise<number> {
  let samples = 0
  for await (const chunk of engine.synthesize({ text: 'The lights are on.' }, neverAborts))
    samples += chunk.samples.length
  return samples
}

describe('transcription by HTTP keeps the contract of recognizers', () => {
  // The engine is made before the server listens; its abilities do not depend on it.
  const create = () => createTranscription({ baseUrl: server?.baseUrl ?? 'http://127.0.0.1:1/v1' })
  for (const { title, run } of recognitionContract({ create, sentences: async () => SENTENCES })) it(title, run)
})

describe('speech by HTTP keeps the contract of speech synthesis', () => {
  for (const { title, run } of synthesisContract({ create: () => speech({ voices: ['alloy', 'nova'] }) }))
    it(title, run)
})

describe('transcription by HTTP', () => {
  it('uploads a 16 kHz WAVE file as a form with model, language, prompt and word times', async () => {
    expect(await transcribe(transcription({ apiKey: 'key', model: 'whisper-large' }))).toBe(
      'turn on the kitchen lights',
    )
    expect(server.requests.at(-1)).toMatchObject({
      path: '/v1/audio/transcriptions',
      key: 'Bearer key',
      fields: {
        model: 'whisper-large',
        language: 'en',
        response_format: 'verbose_json',
        'timestamp_granularities[]': 'word',
        prompt: 'Zephyrix, desk lamp',
      },
    })
  })

  it('reads an answer that comes as server-sent events', async () => {
    server.troubles.push({ type: 'events' })
    expect(await transcribe()).toBe('turn on the kitchen lights')
  })

  it('does not send silence', async () => {
    const before = server.requests.length
    const stream = await transcription().openStream({}, neverAborts)
    stream.write(new Int16Array(16_000))
    expect((await stream.finish(neverAborts)).text).toBe('')
    expect(server.requests.length).toBe(before)
  })

  it('waits as long as a busy server asks, once', async () => {
    server.troubles.push({ type: 'status', status: 429, retryAfter: '0' })
    expect(await transcribe()).toBe('turn on the kitchen lights')
    server.troubles.push(
      { type: 'status', status: 429, retryAfter: '0' },
      { type: 'status', status: 429, retryAfter: '0' },
    )
    await expect(transcribe()).rejects.toMatchObject({ code: 'rate_limited' })
  })

  it('fails at once when a busy server asks for more time than the limit', async () => {
    server.troubles.push({ type: 'status', status: 429, retryAfter: '60' })
    await expect(transcribe()).rejects.toMatchObject({ code: 'rate_limited', details: { retryAfterMs: 60_000 } })
  })

  it.each([
    [401, 'unauthorized'],
    [404, 'unavailable'],
    [413, 'too_large'],
    [400, 'invalid_request'],
    [500, 'unavailable'],
  ])('tells status %i as %s, and works again afterwards', async (status, code) => {
    server.troubles.push({ type: 'status', status })
    await expect(transcribe()).rejects.toMatchObject({ code })
    expect(await transcribe()).toBe('turn on the kitchen lights')
  })

  it('tells a broken-off answer as unavailable and a silent server as timeout', async () => {
    server.troubles.push({ type: 'cut' })
    await expect(transcribe()).rejects.toMatchObject({ code: 'unavailable' })
    server.troubles.push({ type: 'hang' })
    await expect(transcribe(transcription({ limits: { timeoutMs: 100 } }))).rejects.toMatchObject({ code: 'timeout' })
  })

  it('says that nobody listens at the address, and refuses an address that is none', async () => {
    const engine = createTranscription({ baseUrl: 'http://127.0.0.1:1/v1' })
    expect(await engine.health(neverAborts)).toMatchObject({ state: 'unavailable' })
    await expect(transcribe(engine)).rejects.toMatchObject({ code: 'unavailable' })
    expect(() => createTranscription({ baseUrl: 'localhost' })).toThrow('http')
  })
})

describe('speech by HTTP', () => {
  it('asks for PCM and hands the samples on unharmed by pieces of odd length', async () => {
    expect(await speak()).toBe(Math.round(18 * 0.06 * 24_000))
    expect(server.requests.at(-1)?.fields).toMatchObject({
      input: 'The lights are on.',
      voice: 'alloy',
      response_format: 'pcm',
    })
  })

  it('takes the header off a WAVE file of unknown length', async () => {
    expect(await speak(speech({ responseFormat: 'wav' }))).toBe(Math.round(18 * 0.06 * 24_000))
  })

  it('tells speech that breaks off as unavailable', async () => {
    server.troubles.push({ type: 'cut' })
    await expect(speak()).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('gives up on a server that says nothing', async () => {
    server.troubles.push({ type: 'hang' })
    await expect(speak(speech({ limits: { timeoutMs: 100 } }))).rejects.toMatchObject({ code: 'timeout' })
  })
})
