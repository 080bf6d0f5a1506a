import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decode, encode } from './codec.ts'
import document from './fixtures/document.json' with { type: 'json' }
import documentWithMeta from './fixtures/document-with-meta.json' with { type: 'json' }
import rejected from './fixtures/rejected.json' with { type: 'json' }
import spoken from './fixtures/spoken.json' with { type: 'json' }
import type { Dialect } from './frame.ts'
import { type AdtpMessage, type Direction, messageInfos } from './messages.ts'

const ids: Readonly<Record<string, string>> = {
  HANDSHAKE_INIT: 'ADTP-MSG-1',
  HANDSHAKE_ACK: 'ADTP-MSG-2',
  CONTEXT_UPDATE: 'ADTP-MSG-3',
  USER_INPUT: 'ADTP-MSG-4',
  TOOL_CALL: 'ADTP-MSG-5',
  TOOL_RESULT: 'ADTP-MSG-6',
  AGENT_RESPONSE: 'ADTP-MSG-7',
  SYSTEM_EVENT: 'ADTP-MSG-8',
}

function decoded(frame: unknown, direction: Direction, dialect: Dialect): AdtpMessage {
  const result = decode(typeof frame === 'string' ? frame : JSON.stringify(frame), { direction })
  if (!result.ok) throw new Error(`${result.code} at ${result.path}: ${result.message}`)
  expect(result.dialect).toBe(dialect)
  return result.message
}

describe('the examples of the document', () => {
  for (const { frame, directions } of document) {
    it(`${ids[frame.type]}: takes and makes ${frame.type} as printed`, () => {
      for (const direction of directions as Direction[]) {
        const message = decoded(frame, direction, 'document')
        const made = JSON.parse(encode(message, 'document'))
        expect(made.type).toBe(frame.type)
        expect(made.payload).toEqual(frame.payload)
      }
    })
  }

  it('ADTP-ENV-1, ADTP-ENV-2: puts type, payload and meta {id, timestamp, version} around every message, and nothing else', () => {
    const text = encode(
      { type: 'AGENT_RESPONSE', payload: { chunk: 'Hello', done: true } },
      'document',
      () => 1_706_000_000_000,
    )
    const made = JSON.parse(text)
    expect(Object.keys(made).sort()).toEqual(['meta', 'payload', 'type'])
    expect(made.meta).toEqual({
      id: expect.stringMatching(/^msg_[0-9a-f-]{36}$/),
      timestamp: 1_706_000_000_000,
      version: '1.0.0',
    })
  })

  for (const { frame, directions } of documentWithMeta) {
    it(`gives ${frame.type} with meta back unchanged`, () => {
      const message = decoded(frame, directions[0] as Direction, 'document')
      expect(JSON.parse(encode(message, 'document'))).toEqual(frame)
    })
  }
})

describe('the golden frames of the spoken dialect', () => {
  for (const { frame, directions } of spoken) {
    it(`takes ${frame.type} and makes it again with id and timestamp at the root and no meta`, () => {
      for (const direction of directions as Direction[]) {
        const message = decoded(frame, direction, 'spoken')
        const made = JSON.parse(encode(message, 'spoken'))
        expect(Object.keys(made).sort()).toEqual(['id', 'payload', 'timestamp', 'type'])
        expect(made.id).toBe(frame.id)
        expect(decoded(made, direction, 'spoken')).toEqual(message)
        if (frame.type !== 'CONTEXT_UPDATE') expect(made).toEqual(frame)
      }
    })
  }

  it('gives the context of CONTEXT_UPDATE under the document name and writes it back as context', () => {
    const update = spoken.find(({ frame }) => frame.type === 'CONTEXT_UPDATE')?.frame
    const message = decoded(update, 'to-server', 'spoken')
    expect(message.payload).toMatchObject({ data: { items: 3 } })
    expect(message.payload).not.toHaveProperty('context')
    expect(JSON.parse(encode(message, 'spoken')).payload).toMatchObject({ context: { items: 3 } })
    expect(JSON.parse(encode(message, 'spoken')).payload).not.toHaveProperty('data')
  })

  it('reads upper-case type names as JSON Schema', () => {
    const update = spoken.find(({ frame }) => frame.type === 'CONTEXT_UPDATE')?.frame
    const message = decoded(update, 'to-server', 'spoken')
    expect(message.payload).toMatchObject({
      activeTools: [{ parameters: { type: 'object', properties: { reason: { type: 'string' } }, required: [] } }],
    })
  })
})

describe('frames that cannot be accepted', () => {
  for (const { what, direction, frame, code, path } of rejected) {
    it(`ADTP-EVENT-4: refuses ${what} with ${code} at ${path || 'the root'}`, () => {
      expect(decode(JSON.stringify(frame), { direction: direction as Direction })).toMatchObject({
        ok: false,
        code,
        path,
      })
    })
  }

  it('refuses text that is not JSON, binary frames and prototype keys', () => {
    expect(decode('{"type":', { direction: 'to-server' })).toMatchObject({ ok: false, code: 'invalid_json' })
    expect(decode(new Uint8Array(3), { direction: 'to-server' })).toMatchObject({ ok: false, code: 'unsupported' })
    const polluting = '{"type":"USER_INPUT","payload":{"modality":"text","content":"x","__proto__":{"a":1}}}'
    expect(decode(polluting, { direction: 'to-server' })).toMatchObject({
      code: 'forbidden_key',
      path: 'payload.__proto__',
    })
  })

  it('names the refused frame where its id can be read, in either dialect', () => {
    expect(decode('{"type":"NO","payload":{},"meta":{"id":"m1"}}', { direction: 'to-server' })).toMatchObject({
      ref: 'm1',
    })
    expect(decode('{"id":"r1","type":"NO","payload":{}}', { direction: 'to-server' })).toMatchObject({
      ref: 'r1',
      dialect: 'spoken',
    })
  })

  it('never throws, whatever comes', () => {
    const anything = fc.oneof(fc.string(), fc.json(), fc.uint8Array())
    fc.assert(
      fc.property(anything, fc.constantFrom<Direction>('to-server', 'to-client'), (frame, direction) => {
        expect(decode(frame, { direction })).toHaveProperty('ok')
      }),
      { numRuns: 2_000 },
    )
  })
})

const text = fc.string({ minLength: 1, maxLength: 40 })
/** JSON without the keys that the frame parser refuses. */
const json = fc
  .jsonValue({ maxDepth: 4 })
  .filter((value) => !/"(?:__proto__|constructor|prototype)"/.test(JSON.stringify(value)))
  .map((value) => JSON.parse(JSON.stringify(value)))
const args = fc
  .dictionary(text, json, { maxKeys: 5 })
  .filter((value) => !Object.keys(value).some((key) => /^(?:__proto__|constructor|prototype)$/.test(key)))
  .map((value) => JSON.parse(JSON.stringify(value)))
const message = fc.oneof(
  fc.record({ type: fc.constant('TOOL_CALL'), payload: fc.record({ callId: text, name: text, args }) }),
  fc.record({
    type: fc.constant('CONTEXT_UPDATE'),
    payload: fc.record({
      url: fc.string(),
      title: fc.string(),
      data: args,
      activeTools: fc.array(fc.record({ name: text, description: text }), { maxLength: 3 }),
    }),
  }),
  fc.record({
    type: fc.constant('TOOL_RESULT'),
    payload: fc.record({ callId: text, status: fc.constantFrom('success', 'error'), result: json }),
  }),
  fc.record({ type: fc.constant('AGENT_RESPONSE'), payload: fc.record({ chunk: fc.string(), done: fc.boolean() }) }),
  fc.record({
    type: fc.constant('USER_INPUT'),
    payload: fc.record({ modality: fc.constantFrom('text', 'audio'), content: fc.string() }),
  }),
  fc.record({
    type: fc.constant('SYSTEM_EVENT'),
    payload: fc.record({ kind: fc.constant('error'), message: fc.string(), data: args }),
  }),
)

it('decoding what was encoded gives the same message, in both dialects', () => {
  fc.assert(
    fc.property(
      message,
      text,
      fc.nat(),
      fc.constantFrom<Dialect>('document', 'spoken'),
      fc.option(fc.integer({ min: 1 })),
      (body, id, timestamp, dialect, seq) => {
        const whole = { ...body, id, timestamp, ...(seq === null ? {} : { seq }) } as AdtpMessage
        const direction = messageInfos.find(({ type }) => type === body.type)?.directions[0] as Direction
        const result = decode(encode(whole, dialect), { direction })
        expect(result).toEqual({ ok: true, dialect, message: whole })
      },
    ),
    { numRuns: 2_000 },
  )
})
