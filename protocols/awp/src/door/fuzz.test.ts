import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFrameCodec } from '../codec.ts'
import requests from '../fixtures/document-requests.json' with { type: 'json' }
import { defaultAwpLimits } from '../limits.ts'
import { METHODS } from '../messages.ts'
import { nodeZstd } from '../test/node-parts.ts'
import { DRAFT_JSON, settle, testHouse } from '../test/peer.ts'

const RUNS = 10_000
const codec = createFrameCodec(defaultAwpLimits, nodeZstd)

const pack = (value: unknown, compression: 'none' | 'zstd'): Uint8Array => {
  const encoded = codec.encode(value, { encoding: 'msgpack', compression })
  if (!encoded.ok) throw new Error(encoded.code)
  return encoded.frame as Uint8Array
}

const envelope = fc.record(
  {
    id: fc.oneof(fc.string({ maxLength: 8 }), fc.integer(), fc.jsonValue()),
    type: fc.constantFrom('request', 'event', 'response', 7),
    method: fc.oneof(fc.constantFrom(...Object.keys(METHODS)), fc.string({ maxLength: 12 })),
    params: fc.oneof(
      fc.constantFrom(...requests.map(({ params }) => params as object)),
      fc.dictionary(
        fc.constantFrom('session_id', 'page_id', 'url', 'intent', 'wait', 'cursor', 'queries', 'cookies'),
        fc.jsonValue(),
      ),
      fc.jsonValue(),
    ),
    meta: fc.oneof(fc.constant({}), fc.record({ idempotency_key: fc.jsonValue(), trace_id: fc.jsonValue() })),
  },
  { requiredKeys: [] },
)

const mutated = (bytes: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> =>
  fc
    .tuple(bytes, fc.nat(), fc.nat(255), fc.constantFrom('cut', 'flip', 'append', 'keep'))
    .map(([base, at, byte, how]) => {
      const place = base.length === 0 ? 0 : at % base.length
      if (how === 'cut') return base.slice(0, place)
      if (how === 'append') return Uint8Array.of(...base, byte)
      const changed = Uint8Array.from(base)
      if (how === 'flip') changed[place] = byte
      return changed
    })

const frame: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  fc.string({ maxLength: 64 }),
  envelope.map((value) => JSON.stringify(value)),
  fc.tuple(envelope, fc.nat()).map(([value, at]) => {
    const text = JSON.stringify(value)
    return text.slice(0, at % (text.length + 1))
  }),
  fc.uint8Array({ maxLength: 64 }),
  mutated(envelope.map((value) => pack(value, 'none'))),
  mutated(envelope.map((value) => pack({ ...value, padding: 'x'.repeat(2_000) }, 'zstd'))),
)

describe('a door that gets anything', () => {
  it('answers every frame or closes with a code, and serves others all the while', async () => {
    const house = testHouse({ limits: { maxMalformedFrames: 1_000_000 } })
    const bystander = house.connect()
    await bystander.hello()
    const frames = fc.sample(frame, { numRuns: RUNS, seed: 4711 })
    let peer = house.connect()
    await peer.hello(DRAFT_JSON)
    let closed = 0
    for (const [index, next] of frames.entries()) {
      const before = peer.messages.filter(({ type }) => type === 'response').length
      peer.frame(next)
      await settleShort()
      const after = peer.messages.filter(({ type }) => type === 'response').length
      if (peer.closed !== undefined) {
        expect(peer.closed.code).toBeGreaterThanOrEqual(1_000)
        closed += 1
      } else if (after !== before + 1) {
        await settle()
        const answers = peer.messages.filter(({ type }) => type === 'response').length
        expect([index, answers - before]).toEqual([index, 1])
      }
      const answer = peer.messages.findLast(({ type }) => type === 'response')
      if (peer.closed === undefined) expect('result' in (answer ?? {}) !== 'error' in (answer ?? {})).toBe(true)
      if (peer.closed !== undefined || index % 200 === 199) {
        peer.connection.close(1000, '')
        peer = house.connect()
        await peer.hello(DRAFT_JSON)
      }
      if (index % 500 === 0) expect(await bystander.result('awp.ping')).toEqual({ pong: true })
    }
    expect(closed).toBeLessThan(RUNS / 10)
  }, 240_000)

  it('survives the same before hello', async () => {
    const house = testHouse({ limits: { maxMalformedFrames: 1_000_000 } })
    let peer = house.connect()
    for (const next of fc.sample(frame, { numRuns: 2_000, seed: 42 })) {
      const before = peer.messages.length
      peer.frame(next)
      await settleShort()
      if (peer.messages.length === before && peer.closed === undefined) await settle()
      expect(peer.messages.length > before || peer.closed !== undefined).toBe(true)
      if (peer.closed !== undefined) peer = house.connect()
    }
    await house.connect().hello()
  }, 120_000)
})

async function settleShort(): Promise<void> {
  for (let round = 0; round < 12; round++) await Promise.resolve()
}
