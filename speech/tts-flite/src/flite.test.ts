import type { TextToSpeech } from '@domos/spec'
import { neverAborts } from '@domos/testing/speech'
import { describe, expect, it } from 'vitest'
import { createFlite } from './index.ts'

async function speak(engine: TextToSpeech, text: string): Promise<number> {
  let samples = 0
  for await (const chunk of engine.synthesize({ text }, neverAborts)) samples += chunk.samples.length
  return samples
}

describe('flite', () => {
  it('fails one request with a coded error when its worker is killed, and speaks the next', async () => {
    const workers: number[] = []
    const engine = createFlite({ backend: 'wasi', onWorkerStart: (pid) => workers.push(pid) })
    const spoken = engine
      .synthesize({ text: 'One sentence. Another one. A third.' }, neverAborts)
      [Symbol.asyncIterator]()
    await spoken.next()
    process.kill(workers[0] as number, 'SIGKILL')
    await expect(
      (async () => {
        while (!(await spoken.next()).done);
      })(),
    ).rejects.toMatchObject({ code: 'unavailable' })
    expect(await speak(engine, 'It speaks again.')).toBeGreaterThan(8_000)
    expect(workers.length).toBe(2)
    await engine.close()
  })

  it('speaks at 16 kHz, with the place of each sentence in the text', async () => {
    const engine = createFlite({ backend: 'wasi' })
    const text = 'Dr. Smith pays €3.50. Is that all?'
    const chunks = []
    for await (const chunk of engine.synthesize({ text }, neverAborts)) chunks.push(chunk)
    expect(chunks.map(({ sampleRateHz }) => sampleRateHz)).toEqual([16_000, 16_000])
    const places = chunks.map(({ textStart, textEnd }) => text.slice(textStart, textEnd).trim())
    expect(places).toEqual(['Dr. Smith pays €3.50.', 'Is that all?'])
    await engine.close()
  })

  it('refuses more sentences at a time than its bound', async () => {
    const engine = createFlite({ backend: 'wasi', limits: { maxPendingSentences: 1 } })
    const [first, second] = await Promise.allSettled([speak(engine, 'One.'), speak(engine, 'Two.')])
    expect(first.status).toBe('fulfilled')
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'busy' } })
    await engine.close()
  })

  it('refuses a default voice that it does not have', () => {
    expect(() => createFlite({ voice: 'nobody' })).toThrow('choose one of')
  })
})
