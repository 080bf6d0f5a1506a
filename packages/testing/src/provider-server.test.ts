import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createProviderServer, type ProviderServer, replyFromCase } from './provider-server.ts'

let server: ProviderServer
beforeEach(async () => {
  server = await createProviderServer({ maxRequestBytes: 5000 })
})
afterEach(() => server.close())

const CHAT = '/v1/chat/completions'
const RESPONSES = '/v1/responses'
const MESSAGES = '/v1/messages'
const user = { role: 'user', content: 'hi' }

async function post(path: string, body: object): Promise<{ status: number; text: string }> {
  const response = await fetch(`${server.origin}${path}`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', ...body }),
  })
  return { status: response.status, text: await response.text() }
}

describe('what providers refuse', () => {
  const call = { id: 'c1', type: 'function', function: { name: 'a', arguments: '{}' } }
  const answer = { role: 'tool', tool_call_id: 'c1', content: '1' }
  const calling = { role: 'assistant', content: null, tool_calls: [call] }

  it.each([
    [
      'a dot in a tool name',
      CHAT,
      { messages: [user], tools: [{ type: 'function', function: { name: 'cart.add' } }] },
      'does not match pattern',
    ],
    [
      'a tool name of 80 characters',
      CHAT,
      { messages: [user], tools: [{ type: 'function', function: { name: 'x'.repeat(80) } }] },
      'maximum length 64',
    ],
    [
      'two tools of one name',
      CHAT,
      { messages: [user], tools: [{ function: { name: 'a' } }, { function: { name: 'a' } }] },
      'Duplicate',
    ],
    ['a call without its answer', CHAT, { messages: [user, calling, user] }, 'must be followed by tool messages'],
    ['a call at the end', CHAT, { messages: [user, calling] }, 'c1'],
    ['an answer without its call', CHAT, { messages: [user, answer] }, "messages with role 'tool'"],
    ['a second answer', CHAT, { messages: [user, calling, answer, answer] }, "messages with role 'tool'"],
    [
      'a call without its output',
      RESPONSES,
      { input: [user, { type: 'function_call', call_id: 'c1', name: 'a', arguments: '{}' }, user] },
      'No tool output found for function call c1',
    ],
    [
      'an output without its call',
      RESPONSES,
      { input: [user, { type: 'function_call_output', call_id: 'c9', output: '' }] },
      'c9',
    ],
    ['no max_tokens', MESSAGES, { messages: [user] }, 'max_tokens'],
    [
      'a tool_use without its tool_result',
      MESSAGES,
      {
        max_tokens: 9,
        messages: [user, { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'a', input: {} }] }, user],
      },
      'tool_use',
    ],
    [
      'a tool_result that comes late',
      MESSAGES,
      {
        max_tokens: 9,
        messages: [user, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: '' }] }],
      },
      'unexpected `tool_use_id`',
    ],
    [
      'an empty text block',
      MESSAGES,
      { max_tokens: 9, messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] },
      'non-empty',
    ],
    ['too many bytes', CHAT, { messages: [{ role: 'user', content: 'z'.repeat(6000) }] }, 'maximum context length'],
  ])('%s', async (_, path, body, message) => {
    const { status, text } = await post(path, body)
    expect(status).toBe(400)
    expect(text).toContain(message)
    expect(server.requests).toHaveLength(1)
  })

  it('takes calls that are answered in any order directly behind them', async () => {
    server.queue({ type: 'text', text: 'Ok.' })
    const two = { role: 'assistant', content: null, tool_calls: [call, { ...call, id: 'c2' }] }
    expect((await post(CHAT, { messages: [user, two, { ...answer, tool_call_id: 'c2' }, answer, user] })).status).toBe(
      200,
    )
  })
})

describe('scripts', () => {
  it('answers in the order of the queue and lets a request wait for its reply', async () => {
    const first = post(CHAT, { messages: [user] })
    expect((await server.waitForRequest(0)).status).toBeUndefined()
    server.queue({ type: 'text', text: 'one' }, { type: 'http-error', status: 429, headers: { 'retry-after': '3' } })
    expect((await first).text).toContain('one')
    expect((await post(CHAT, { messages: [user] })).status).toBe(429)
    expect(server.queued).toBe(0)
  })

  it('answers 503 when nothing is queued in time', async () => {
    const hasty = await createProviderServer({ replyTimeoutMs: 1 })
    const response = await fetch(`${hasty.origin}${CHAT}`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', messages: [user] }),
    })
    expect(response.status).toBe(503)
    await hasty.close()
  })

  it('finds the name under which a tool was offered', async () => {
    const tools = ['cart_add', 'warenkorb_leeren_1', 'x'.repeat(60), 'warenkorb_zeigen'].map((name) => ({
      type: 'function',
      function: { name },
    }))
    server.queue(
      replyFromCase(
        { tool_calls: [{ id: 'm1', name: '$name_offered_for:cart.add', args: {} }] },
        server.nameOfferedFor,
      ),
    )
    expect((await post(CHAT, { messages: [user], tools })).text).toContain('"name":"cart_add"')
    expect(server.nameOfferedFor('warenkorb leeren ä')).toBe('warenkorb_leeren_1')
    expect(server.nameOfferedFor('x'.repeat(80))).toBe('x'.repeat(60))
    expect(server.nameOfferedFor('none of these')).toBeUndefined()
  })

  it('reads the model steps of the cases', () => {
    const nameOf = (): string => 'a'
    expect(replyFromCase({ turn: 1, text: 'Done.' }, nameOf)).toEqual({ type: 'text', text: 'Done.' })
    expect(
      replyFromCase({ stream_tool_calls: [{ id: 'm1', name: 'a', arguments_pieces: ['{', '}'] }] }, nameOf),
    ).toEqual({ type: 'stream-tool-calls', calls: [{ id: 'm1', name: 'a', argumentsPieces: ['{', '}'] }] })
    expect(() => replyFromCase({}, nameOf)).toThrow(/needs text/)
  })

  it('may be closed twice, with requests still waiting', async () => {
    const waiting = post(CHAT, { messages: [user] }).catch(() => undefined)
    await server.waitForRequest(0)
    await Promise.all([server.close(), server.close()])
    await waiting
  })
})
