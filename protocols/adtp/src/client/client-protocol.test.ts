import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decode, encode } from '../codec.ts'
import type { ToClientMessage } from '../messages.ts'
import { messagesToClient } from '../messages-to-client.ts'
import { createClientProtocol } from './client-protocol.ts'
import { mayReconnect } from './close-policy.ts'

const ack = (more: object = {}) =>
  encode(
    {
      type: 'HANDSHAKE_ACK',
      payload: { sessionId: 'ses_1', protocolVersion: '1.0.0', capabilities: ['text', 'tools'], ...more },
    } as ToClientMessage,
    'document',
  )
const call = (callId: string, seq?: number) =>
  encode(
    { type: 'TOOL_CALL', payload: { callId, name: 'add', args: {} }, ...(seq === undefined ? {} : { seq }) },
    'document',
  )

describe('hello', () => {
  it('ADTP-MSG-1: is the INIT of the document, with nothing added', () => {
    const hello = JSON.parse(createClientProtocol({ capabilities: ['text', 'audio', 'tools'] }).hello())
    expect(hello.payload).toEqual({ protocolVersion: '1.0.0', capabilities: ['text', 'audio', 'tools'] })
    expect(hello.meta).toMatchObject({ version: '1.0.0' })
  })

  it('has all fields the spoken dialect validates, and the envelope of that dialect', () => {
    const hello = JSON.parse(createClientProtocol({ dialect: 'spoken', hello: { userAgent: 'ours' } }).hello())
    expect(Object.keys(hello).sort()).toEqual(['id', 'payload', 'timestamp', 'type'])
    expect(hello.payload).toMatchObject({
      apiKey: 'anonymous',
      userAgent: 'ours',
      viewport: '0x0',
      sdkVersion: '1.0.0',
      protocolVersion: '1.0.0',
    })
  })

  it('asks to resume once there is something to resume, and not after forget', () => {
    const client = createClientProtocol({ capabilities: ['text', 'tools', 'resume'] })
    expect(JSON.parse(client.hello()).payload).not.toHaveProperty('resume')
    client.receive(ack({ capabilities: ['text', 'tools', 'resume'], resumeToken: 't1', resumed: false }))
    client.receive(encode({ type: 'AGENT_RESPONSE', payload: { chunk: 'a', done: false }, seq: 4 }, 'document'))
    expect(JSON.parse(client.hello()).payload.resume).toEqual({ sessionId: 'ses_1', token: 't1', lastSeq: 4 })
    client.forget()
    expect(JSON.parse(client.hello()).payload).not.toHaveProperty('resume')
  })
})

describe('receive', () => {
  it('ADTP-MSG-2: takes the session and what was agreed from HANDSHAKE_ACK', () => {
    const client = createClientProtocol({ capabilities: ['text', 'tools', 'stream', 'approval'] })
    client.receive(ack({ capabilities: ['text', 'tools', 'stream'], maxActiveTools: 40 }))
    expect(client.sessionId).toBe('ses_1')
    expect(client.maxActiveTools).toBe(40)
    expect(client.supports('stream')).toBe(true)
    expect(client.supports('approval')).toBe(false)
    expect(client.toolProgress({ callId: 'c' })).toBeUndefined()
    expect(client.cancelTurn()).toContain('TURN_CANCEL')
  })

  it('gives a call once; a repeated one comes with the answer that was sent', () => {
    const client = createClientProtocol()
    expect(client.receive(call('c1'))).toMatchObject({ type: 'message' })
    expect(client.receive(call('c1'))).toEqual({ type: 'repeated-call', callId: 'c1' })
    const result = client.toolResult('c1', { status: 'success', result: 1 })
    expect(client.receive(call('c1'))).toEqual({ type: 'repeated-call', callId: 'c1', answer: result })
  })

  it('passes frames of a resumed session over that it has seen, but not a call it never ran', () => {
    const client = createClientProtocol({ capabilities: ['resume'] })
    client.restore({ sessionId: 'ses_1', token: 't', lastSeq: 7 })
    client.receive(ack({ capabilities: ['resume'], resumeToken: 't2', resumed: true }))
    const seen = encode({ type: 'AGENT_RESPONSE', payload: { chunk: 'old', done: false }, seq: 6 }, 'document')
    expect(client.receive(seen)).toEqual({ type: 'repeated-frame' })
    expect(client.receive(call('c9', 5))).toMatchObject({ type: 'message' })
    expect(client.resumeState).toEqual({ sessionId: 'ses_1', token: 't2', lastSeq: 7 })
  })

  it('starts the count of a new session afresh', () => {
    const client = createClientProtocol({ capabilities: ['resume'] })
    client.restore({ sessionId: 'ses_0', token: 't', lastSeq: 70 })
    client.receive(ack({ capabilities: ['resume'], resumeToken: 't2', resumed: false }))
    expect(
      client.receive(encode({ type: 'AGENT_RESPONSE', payload: { chunk: 'new', done: true }, seq: 1 }, 'document')),
    ).toMatchObject({ type: 'message' })
  })

  it('says what is wrong with a frame it cannot take', () => {
    expect(createClientProtocol().receive('{"type":"BANANA","payload":{}}')).toMatchObject({
      type: 'refused',
      code: 'unknown_type',
      path: 'type',
    })
  })
})

describe('CONTEXT_UPDATE', () => {
  const page = {
    url: '/cart',
    activeTools: [
      {
        name: 'add',
        description: 'Adds',
        parameters: { type: 'object', properties: { n: { type: 'number', minimum: 1 } } },
      },
    ],
    data: { items: 3 },
  }

  it('ADTP-MSG-3: carries schemas and data as they are in the dialect of the document', () => {
    expect(JSON.parse(createClientProtocol().contextUpdate(page)).payload).toEqual(page)
  })

  it('reduces schemas for a spoken server, unless it announced jsonschema', () => {
    const reduced = createClientProtocol({ dialect: 'spoken' })
    expect(JSON.parse(reduced.contextUpdate(page)).payload).toMatchObject({
      activeTools: [{ parameters: { type: 'OBJECT', properties: { n: { type: 'NUMBER' } } } }],
      context: { items: 3 },
    })
    const full = createClientProtocol({ dialect: 'spoken' })
    full.receive(ack({ capabilities: ['jsonschema'] }))
    expect(JSON.parse(full.contextUpdate(page)).payload.activeTools).toEqual(page.activeTools)
  })
})

it('ADTP-MSG-6: what the client sends is what the server reads', () => {
  const client = createClientProtocol()
  const result = decode(client.toolResult('c1', { status: 'error', error: 'no', code: 'denied' }, 'v1.ticket'), {
    direction: 'to-server',
  })
  expect(result).toMatchObject({
    ok: true,
    message: { payload: { callId: 'c1', status: 'error', error: 'no', code: 'denied', ticket: 'v1.ticket' } },
  })
})

it('tries again after every close but a refusal that stays one', () => {
  expect([1000, 1001, 1006, 1009, 1011, 1013, 4000].every(mayReconnect)).toBe(true)
  expect([1003, 1008, 4001].some(mayReconnect)).toBe(false)
})

it('says something of every frame and never throws, whatever comes', () => {
  const client = createClientProtocol({ capabilities: ['resume'] })
  const types = fc.constantFrom(...Object.keys(messagesToClient), 'constructor', 'toString')
  const shaped = fc.record({ type: types, payload: fc.jsonValue({ maxDepth: 3 }), meta: fc.jsonValue({ maxDepth: 1 }) })
  const anything = fc.oneof(
    fc.string(),
    fc.json(),
    fc.uint8Array(),
    shaped.map((value) => JSON.stringify(value)),
  )
  fc.assert(
    fc.property(anything, (frame) => {
      expect(client.receive(frame)).toHaveProperty('type')
    }),
    { numRuns: 2_000 },
  )
})
