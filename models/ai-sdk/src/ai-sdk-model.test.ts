import {
  DomosError,
  type JsonValue,
  type ModelMessage,
  type ModelPart,
  type ModelRequest,
  type ToolDeclaration,
} from '@domos/spec'
import { createProviderServer, type ProviderServer } from '@domos/testing/provider-server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type AiSdkModelOptions, createAiSdkModel } from './index.ts'

const KEY = 'test-key-0123456789'
const TOOLS: readonly ToolDeclaration[] = [
  {
    name: 'clear_cart',
    description: 'Empty the cart',
    risk: 'high',
    parameters: { type: 'object', properties: {}, required: [] },
  },
  {
    name: 'add_to_cart',
    description: 'Add a product',
    risk: 'low',
    parameters: { type: 'object', properties: { quantity: { type: 'number', minimum: 1 } }, required: ['quantity'] },
  },
  { name: 'anything', description: 'Takes any object', risk: 'none' },
]
const USER: ModelMessage = {
  role: 'user',
  parts: [
    { type: 'page-context', text: '<page-context>untrusted: 3 items</page-context>', context: { url: '/cart' } },
    { type: 'text', text: 'Empty my cart' },
  ],
}
const REQUEST: ModelRequest = { system: 'Be brief.', messages: [USER], tools: TOOLS }

let server: ProviderServer
beforeEach(async () => {
  server = await createProviderServer({ apiKey: KEY })
})
afterEach(() => server.close())

const PROVIDERS = ['openai', 'compatible', 'anthropic', 'google'] as const
type Provider = (typeof PROVIDERS)[number]
const MODEL_NAMES = {
  openai: 'openai/gpt-5',
  compatible: 'compatible/small',
  anthropic: 'anthropic/claude-sonnet-4-5',
  google: 'google/gemini-2.5-flash',
}

function open(provider: Provider, options: Partial<AiSdkModelOptions> = {}) {
  return createAiSdkModel({
    model: MODEL_NAMES[provider],
    apiKey: KEY,
    baseUrl: server.baseUrls[provider === 'compatible' ? 'openai' : provider],
    ...options,
  })
}

async function read(parts: AsyncIterable<ModelPart>): Promise<ModelPart[]> {
  const read: ModelPart[] = []
  for await (const part of parts) read.push(part)
  return read
}

const ask = (
  provider: Provider,
  request: ModelRequest = REQUEST,
  options: Partial<AiSdkModelOptions> = {},
): Promise<ModelPart[]> => read(open(provider, options).stream(request, new AbortController().signal))
const textOf = (parts: readonly ModelPart[]): string =>
  parts.flatMap((part) => (part.type === 'text-delta' ? [part.text] : [])).join('')
const callsOf = (parts: readonly ModelPart[]) => parts.filter((part) => part.type === 'tool-call')

async function failure(promise: Promise<unknown>): Promise<DomosError> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof DomosError)) throw new Error(`expected a DomosError, got ${String(error)}`)
  expect(
    `${error.message} ${JSON.stringify(error.details)} ${String(error.cause)} ${JSON.stringify(error.cause)}`,
  ).not.toContain(KEY)
  return error
}

describe.each(PROVIDERS)('%s', (provider) => {
  it('streams text and says how many tokens it took', async () => {
    server.queue({ type: 'text', text: 'Your cart is empty now.' })
    const parts = await ask(provider)
    expect(textOf(parts)).toBe('Your cart is empty now.')
    expect(parts.filter((part) => part.type === 'text-delta').length).toBeGreaterThan(1)
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop', inputTokens: 11, outputTokens: 7 })
  })

  it('gives a complete tool call', async () => {
    server.queue({
      type: 'tool-calls',
      text: 'One moment.',
      calls: [{ id: 'm1', name: 'add_to_cart', args: { quantity: 2 } }],
    })
    const parts = await ask(provider)
    expect(textOf(parts)).toBe('One moment.')
    expect(callsOf(parts)).toEqual([
      {
        type: 'tool-call',
        callId: provider === 'google' ? expect.any(String) : 'm1',
        name: 'add_to_cart',
        args: { quantity: 2 },
      },
    ])
    expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' })
  })

  it('gives two parallel calls in their order', async () => {
    server.queue({
      type: 'tool-calls',
      calls: [
        { id: 'm1', name: 'clear_cart', args: {} },
        { id: 'm2', name: 'add_to_cart', args: { quantity: 3 } },
      ],
    })
    expect(callsOf(await ask(provider)).map((call) => [call.name, call.args])).toEqual([
      ['clear_cart', {}],
      ['add_to_cart', { quantity: 3 }],
    ])
  })

  it('takes an answer without text and calls as an end', async () => {
    server.queue({ type: 'empty' })
    expect(await ask(provider)).toEqual([{ type: 'finish', reason: 'stop', inputTokens: 11, outputTokens: 7 }])
  })

  it('says when an answer ran into the length limit', async () => {
    server.queue({ type: 'length', text: 'Once upon' })
    expect((await ask(provider)).at(-1)).toMatchObject({ type: 'finish', reason: 'length' })
  })

  it('sends calls and their results so that the provider takes them', async () => {
    server.queue({ type: 'text', text: 'Done.' })
    const messages: ModelMessage[] = [
      USER,
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: '' },
          { type: 'tool-call', callId: 'm1', name: 'clear_cart', args: {} },
          { type: 'tool-call', callId: 'm2', name: 'add_to_cart', args: { quantity: 2 } },
        ],
      },
      {
        role: 'tool',
        results: [
          {
            callId: 'm1',
            name: 'clear_cart',
            outcome: { type: 'failure', code: 'denied', message: 'declined' },
            text: 'Declined by the person, not executed.',
          },
          { callId: 'm2', name: 'add_to_cart', outcome: { type: 'success', value: { total: 2 } }, text: '{"total":2}' },
        ],
      },
      { role: 'user', parts: [{ type: 'text', text: 'Thanks' }] },
    ]
    expect(textOf(await ask(provider, { ...REQUEST, messages }))).toBe('Done.')
    const { text } = server.requests[0] ?? {}
    expect(text).toContain('Declined by the person, not executed.')
    expect(text).toContain('{\\"total\\":2}')
  })

  it('keeps page context out of the system text', async () => {
    server.queue({ type: 'text', text: 'Ok.' })
    await ask(provider)
    const body = server.requests[0]?.body as Record<string, JsonValue>
    const system = JSON.stringify([
      body.system,
      body.systemInstruction,
      ...(Array.isArray(body.messages) ? body.messages : Array.isArray(body.input) ? body.input : []).filter(
        (message) => /^(system|developer)$/.test(String((message as { role?: string }).role)),
      ),
    ])
    expect(system).toContain('Be brief.')
    expect(system).not.toContain('untrusted: 3 items')
    expect(server.requests[0]?.text).toContain('untrusted: 3 items')
  })

  it('offers every tool, one without a schema too', async () => {
    server.queue({ type: 'text', text: 'Ok.' })
    await ask(provider)
    expect(server.requests[0]?.tools.map((tool) => tool.name)).toEqual(['clear_cart', 'add_to_cart', 'anything'])
  })

  it('names the tool that a provider refuses', async () => {
    const tools = [...TOOLS, { name: 'warenkorb leeren ä', description: 'x', risk: 'none' as const }]
    const error = await failure(ask(provider, { ...REQUEST, tools }))
    expect(error).toMatchObject({ code: 'model_failed', details: { status: 400, toolName: 'warenkorb leeren ä' } })
    expect(error.message).toContain('warenkorb leeren ä')
  })

  it.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after-ms': '250' }, 250],
    [{}, undefined],
  ])('tells how long to wait after 429 with %j', async (headers, retryAfterMs) => {
    server.queue({ type: 'http-error', status: 429, message: 'Slow down.', headers })
    expect(await failure(ask(provider))).toMatchObject({ code: 'rate_limited', details: { status: 429, retryAfterMs } })
    expect(server.requests).toHaveLength(1)
  })

  it('says that the key is wrong without showing it', async () => {
    server.queue({ type: 'http-error', status: 401, message: `Incorrect API key provided: ${KEY}.` })
    expect(await failure(ask(provider))).toMatchObject({ code: 'unauthorized' })
    expect(await failure(ask(provider, REQUEST, { apiKey: 'another-key-987654' }))).toMatchObject({
      code: 'unauthorized',
    })
  })

  it.each([500, 503, 529])('gives %i as a failed model', async (status) => {
    server.queue({ type: 'http-error', status, message: `Overloaded, your key was ${KEY}` })
    expect(await failure(ask(provider))).toMatchObject({ code: 'model_failed', details: { status } })
  })

  it('passes text on before a stream is cut in the middle, then fails', async () => {
    const read = Promise.withResolvers<void>()
    server.queue({ type: 'cut', text: 'Your cart is', tearAfter: read.promise })
    const error = await failure(
      (async () => {
        for await (const part of open(provider).stream(REQUEST, new AbortController().signal))
          if (part.type === 'text-delta') read.resolve()
      })(),
    )
    expect(error.code).toBe('model_failed')
    expect(error.message).toMatch(/broke off/)
  })

  it('fails when a stream is cut before anything was read', async () => {
    server.queue({ type: 'cut' })
    expect(await failure(ask(provider))).toMatchObject({ code: 'model_failed' })
  })

  it('fails when a stream ends cleanly but without its closing event', async () => {
    server.queue({ type: 'unfinished', text: 'Your cart' })
    expect(await failure(ask(provider))).toMatchObject({ code: 'model_failed' })
  })

  it('fails when the provider reports an error within the stream', async () => {
    server.queue({
      type: 'stream-error',
      text: 'Your',
      message: 'The engine went away.',
      code: provider === 'anthropic' ? 'overloaded_error' : 'server_error',
    })
    expect(await failure(ask(provider))).toMatchObject({ code: 'model_failed' })
  })

  it('gives up a silent provider and closes the request', async () => {
    server.queue({ type: 'stall', text: 'Your' })
    expect(await failure(ask(provider, REQUEST, { timeoutMs: 150 }))).toMatchObject({ code: 'timeout' })
    await server.requests[0]?.aborted
  })

  it('gives up a provider that never answers', async () => {
    expect(await failure(ask(provider, REQUEST, { timeoutMs: 150 }))).toMatchObject({ code: 'timeout' })
    await server.requests[0]?.aborted
  })

  it('ends the HTTP request when the turn is cancelled', async () => {
    server.queue({ type: 'stall', text: 'Your cart' })
    const abort = new AbortController()
    const error = await failure(
      (async () => {
        for await (const part of open(provider).stream(REQUEST, abort.signal))
          if (part.type === 'text-delta') abort.abort()
      })(),
    )
    expect(error.code).toBe('cancelled')
    await server.requests[0]?.aborted
  })

  it('ends the HTTP request when the reader leaves', async () => {
    server.queue({ type: 'stall', text: 'Your cart' })
    for await (const part of open(provider).stream(REQUEST, new AbortController().signal))
      if (part.type === 'text-delta') break
    await server.requests[0]?.aborted
  })

  it('writes nothing to the console', async () => {
    const spies = (['log', 'info', 'warn', 'error'] as const).map((method) =>
      vi.spyOn(console, method).mockImplementation(() => {}),
    )
    server.queue({ type: 'text', text: 'Ok.' })
    await ask(provider, REQUEST, { temperature: 0.3, maxOutputTokens: 50 })
    for (const spy of spies) expect(spy).not.toHaveBeenCalled()
    vi.restoreAllMocks()
  })

  it('sends the headers it was given', async () => {
    server.queue({ type: 'text', text: 'Ok.' })
    await ask(provider, REQUEST, { headers: { 'x-tenant': 'garden' } })
    expect(server.requests[0]?.headers['x-tenant']).toBe('garden')
  })
})

describe.each(['openai', 'compatible', 'anthropic'] as const)('%s, arguments in pieces', (provider) => {
  const streamed = (...argumentsPieces: string[]) =>
    server.queue({ type: 'stream-tool-calls', calls: [{ id: 'm1', name: 'add_to_cart', argumentsPieces }] })

  it.each([
    ['no piece', []],
    ['an empty piece', ['']],
    ['white space', [' ', '\n']],
  ])('takes %s as no arguments', async (_, pieces) => {
    streamed(...pieces)
    expect(callsOf(await ask(provider))).toEqual([{ type: 'tool-call', callId: 'm1', name: 'add_to_cart', args: {} }])
  })

  it('joins pieces that break anywhere', async () => {
    streamed('{"quan', 'tity":', '2}')
    expect(callsOf(await ask(provider))).toEqual([
      { type: 'tool-call', callId: 'm1', name: 'add_to_cart', args: { quantity: 2 } },
    ])
  })

  it('reports broken JSON with the call instead of failing', async () => {
    streamed('{"quantity": 2', ', oops')
    const [call] = callsOf(await ask(provider))
    expect(call).toMatchObject({ name: 'add_to_cart', args: {}, invalid: expect.stringMatching(/not valid JSON/) })
  })

  it('reports arguments that are no object', async () => {
    streamed('[1,2]')
    expect(callsOf(await ask(provider))[0]).toMatchObject({ invalid: expect.stringMatching(/object/) })
  })

  it('makes no call whose stream was cut within its arguments', async () => {
    server.queue({ type: 'cut', calls: [{ id: 'm1', name: 'add_to_cart', argumentsPieces: ['{"quan', 'tity":'] }] })
    const seen: ModelPart[] = []
    await failure(
      (async () => {
        for await (const part of open(provider).stream(REQUEST, new AbortController().signal)) seen.push(part)
      })(),
    )
    expect(callsOf(seen)).toEqual([])
  })

  it('gives calls with the same id different ones', async () => {
    server.queue({
      type: 'tool-calls',
      calls: [
        { id: 'same', name: 'clear_cart', args: {} },
        { id: 'same', name: 'add_to_cart', args: { quantity: 1 } },
      ],
    })
    const ids = callsOf(await ask(provider)).map((call) => call.callId)
    expect(new Set(ids).size).toBe(2)
  })
})

describe('names and settings', () => {
  it.each(['gpt-5', 'openai/', 'nobody/gpt-5', ''])('refuses the model "%s" and names the known ones', (model) => {
    expect(() => createAiSdkModel({ model, apiKey: KEY })).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: expect.stringContaining('anthropic/NAME') }),
    )
  })

  it('asks for the base URL of a compatible server', () => {
    expect(() => createAiSdkModel({ model: 'compatible/llama' })).toThrow(/baseUrl/)
    expect(() => createAiSdkModel({ model: 'compatible/llama', baseUrl: 'not a url' })).toThrow(/baseUrl/)
  })

  it('takes a compatible server without a key', async () => {
    const keyless = await createProviderServer()
    keyless.queue({ type: 'text', text: 'Ok.' })
    const model = createAiSdkModel({ model: 'compatible/org/llama', baseUrl: keyless.baseUrls.openai })
    expect(textOf(await read(model.stream(REQUEST, new AbortController().signal)))).toBe('Ok.')
    expect(keyless.requests[0]?.body.model).toBe('org/llama')
    await keyless.close()
  })

  it('says which key is missing', async () => {
    vi.stubEnv('OPENAI_API_KEY', undefined)
    const model = createAiSdkModel({ model: 'openai/gpt-5', baseUrl: server.baseUrls.openai })
    const error = await failure(read(model.stream(REQUEST, new AbortController().signal)))
    expect(error).toMatchObject({ code: 'unauthorized', message: expect.stringContaining('apiKey') })
    vi.unstubAllEnvs()
  })

  it('says that nobody listens', async () => {
    await server.close()
    expect(await failure(ask('openai'))).toMatchObject({
      code: 'model_failed',
      message: expect.stringMatching(/could not be reached/),
    })
  })

  it('does not start when the turn is already cancelled', async () => {
    await expect(read(open('openai').stream(REQUEST, AbortSignal.abort()))).rejects.toMatchObject({ code: 'cancelled' })
    expect(server.requests).toHaveLength(0)
  })
})
