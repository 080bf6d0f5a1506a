import { neverAborts, recognitionContract, synthesisContract } from '@domos/testing/speech'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createWyomingRecognition, createWyomingSynthesis, type WyomingLimits } from './index.ts'
import { type LoopbackServer, openLoopbackServer } from './test/loopback-server.ts'

const SENTENCES = ['turn on the kitchen lights', 'add two headphones to my cart'].map((text, index) => ({
  text,
  samples: Int16Array.from({ length: 32_000 + index * 800 }, (_, at) => Math.round(9_000 * Math.sin(at / (7 + index)))),
}))
const bytesOf = (samples: Int16Array): string => Buffer.from(samples.buffer).toString('base64')

let server: LoopbackServer
beforeAll(async () => {
  server = await openLoopbackServer(new Map(SENTENCES.map(({ text, samples }) => [bytesOf(samples), text])))
})
afterAll(() => server.close())
beforeEach(() => {
  server.troubles.length = 0
})

const NOWHERE = { host: '127.0.0.1', port: 1 }
const recognition = (limits: Partial<WyomingLimits> = {}) =>
  createWyomingRecognition({ ...(server ?? NOWHERE), limits })
const synthesis = (limits: Partial<WyomingLimits> = {}) => createWyomingSynthesis({ ...server, limits })

async function transcribe(engine = recognition(), index = 0): Promise<string> {
  const stream = await engine.openStream({ language: 'en-US' }, neverAborts)
  stream.write((SENTENCES[index] as (typeof SENTENCES)[number]).samples)
  return (await stream.finish(neverAborts)).text
}

async function speak(engine = synthesis()): Promise<number> {
  let samples = 0
  for await (const chunk of engine.synthesize({ text: 'The lights are on.' }, neverAborts))
    samples += chunk.samples.length
  return samples
}

describe('a Wyoming server keeps the contract of recognizers', () => {
  const cases = recognitionContract({ create: () => recognition(), sentences: async () => SENTENCES })
  for (const { title, run } of cases) it(title, run)
})

describe('a Wyoming server keeps the contract of speech synthesis', () => {
  for (const { title, run } of synthesisContract({ create: () => synthesis(), hasSpeed: false })) it(title, run)
})

describe('the Wyoming client', () => {
  it('sends transcribe, audio-start, chunks and audio-stop in this order', async () => {
    server.received.length = 0
    await transcribe()
    expect(server.received.map(({ type }) => type)).toEqual(['transcribe', 'audio-start', 'audio-chunk', 'audio-stop'])
    expect(server.received[0]?.data).toEqual({ language: 'en' })
    expect(server.received[2]?.data).toEqual({ rate: 16_000, width: 2, channels: 1 })
  })

  it('reads events that come in pieces, and passes over those it does not know', async () => {
    server.troubles.push('split-data')
    expect(await transcribe()).toBe('in two pieces')
  })

  it.each(['cut', 'error', 'garbage', 'huge-header'] as const)(
    'tells %s as unavailable and works again afterwards',
    async (trouble) => {
      server.troubles.push(trouble)
      await expect(transcribe()).rejects.toMatchObject({ code: 'unavailable' })
      expect(await transcribe()).toBe('turn on the kitchen lights')
      server.troubles.push(trouble)
      await expect(speak()).rejects.toMatchObject({ code: 'unavailable' })
      expect(await speak()).toBeGreaterThan(0)
    },
  )

  it('gives up on a server that says nothing', async () => {
    server.troubles.push('hang', 'hang')
    await expect(transcribe(recognition({ timeoutMs: 100 }))).rejects.toMatchObject({ code: 'timeout' })
    await expect(speak(synthesis({ timeoutMs: 100 }))).rejects.toMatchObject({ code: 'timeout' })
  })

  it('says that nobody listens at the address', async () => {
    const engine = createWyomingRecognition(NOWHERE)
    expect(await engine.health(neverAborts)).toMatchObject({ state: 'unavailable', missing: ['127.0.0.1:1'] })
    await expect(transcribe(engine)).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('refuses a rate of speaking, which the protocol does not have', async () => {
    const spoken = synthesis().synthesize({ text: 'Hello', speed: 1.5 }, neverAborts)[Symbol.asyncIterator]()
    await expect(spoken.next()).rejects.toMatchObject({ code: 'unsupported' })
  })
})
