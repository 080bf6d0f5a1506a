import { decode } from '@domos/adtp'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anyFrame } from './mutated-frames.ts'
import { frame, listModel, openPage, openReadyPage, openWorld, type RawPage, says, type World } from './world.ts'

/** Set it to the number a failure printed, to run the same frames again. */
const seed = Number(process.env.DOMOS_FUZZ_SEED ?? 20_261_129)
const FRAMES = 10_000
const BATCH = 100

let world: World

beforeAll(async () => {
  const plenty = 100_000
  world = await openWorld(listModel([], says('Yes.')), {
    agent: { limits: { inputsPerMinute: plenty, queuedInputsMax: 16 } },
    door: { limits: { maxMessagesPerSecond: plenty, maxInputsPerMinute: plenty, maxRefusedPerSecond: plenty } },
  })
})

afterAll(() => world.close())

/** Sends frames with a fence behind each; gives, for each, the codes of the errors that came before its fence. */
async function sendFenced(page: RawPage, frames: readonly (string | Uint8Array)[], round: number): Promise<string[][]> {
  const start = page.seen.length
  frames.forEach((one, index) => {
    page.sendRaw(one)
    page.send({ type: 'FENCE', payload: {}, meta: { id: `fence-${round}-${index}` } })
  })
  const last = `fence-${round}-${frames.length - 1}`
  await page.next((seen) => seen.payload.data?.ref === last, last)
  const found: string[][] = []
  let codes: string[] = []
  for (const { payload } of page.seen.slice(start)) {
    if (payload.kind !== 'error') continue
    if (payload.data?.ref?.startsWith(`fence-${round}-`)) {
      found.push(codes)
      codes = []
    } else codes.push(String(payload.data?.code))
  }
  return found
}

/** Messages that may be taken without a word; everything else the page must hear of. */
const silent = new Set(['CONTEXT_UPDATE', 'SYSTEM_EVENT', 'USER_INPUT'])

describe(`random and mutated frames (seed ${seed})`, () => {
  it(`ADTP-EVENT-4: answers every one of ${FRAMES} frames on live connections, and goes on`, {
    timeout: 120_000,
  }, async () => {
    const frames = fc.sample(anyFrame, { numRuns: FRAMES, seed })
    let refused = 0
    let page = await openReadyPage(world.url)
    for (let at = 0; at < frames.length; at += BATCH) {
      const batch = frames.slice(at, at + BATCH)
      const answers = await sendFenced(page, batch, at)
      expect(answers).toHaveLength(batch.length)
      for (const [index, one] of batch.entries()) {
        const decoded = decode(one, { direction: 'to-server' })
        const codes = answers[index] ?? []
        const shown = `${JSON.stringify(one).slice(0, 300)} → ${codes.join(' ')}`
        if (!decoded.ok) {
          refused += 1
          expect(codes, shown).toEqual([decoded.code])
        } else if (!silent.has(decoded.message.type)) expect(codes, shown).toHaveLength(1)
      }
      if (at % 2_000 === 0) page = await openReadyPage(world.url)
    }
    expect(refused).toBeGreaterThan(FRAMES / 4)
    expect(refused).toBeLessThan(FRAMES)
    await expectHealthy()
  })

  it('answers or closes with a code whatever comes first on a fresh connection', { timeout: 120_000 }, async () => {
    const firsts = fc.sample(fc.array(anyFrame, { minLength: 1, maxLength: 3 }), { numRuns: 300, seed: seed + 1 })
    for (const frames of firsts) {
      const page = await openPage(world.url)
      for (const one of frames) page.sendRaw(one)
      const closed = page.closed.then((code) => code)
      const answered = page
        .next(() => true, 'any answer')
        .then(
          ({ type }) => type,
          () => undefined,
        )
      const result = await Promise.race([answered, closed])
      expect(result, JSON.stringify(frames)).toBeDefined()
      page.drop()
    }
    await expectHealthy()
  })

  it('closes with 1009 on a frame over 4 MiB, and serves others', async () => {
    const page = await openReadyPage(world.url)
    page.sendRaw('x'.repeat(4 * 1024 * 1024 + 1))
    expect(await page.closed).toBe(1009)
    await expectHealthy()
  })
})

/** A page that behaves gets its answer. */
async function expectHealthy(): Promise<void> {
  const page = await openReadyPage(world.url)
  page.send(frame('USER_INPUT', { modality: 'text', content: 'Are you there?' }))
  expect((await page.nextOf('AGENT_RESPONSE')).payload).toEqual({ chunk: 'Yes.', done: true })
  page.drop()
}
