import type { ProviderApi } from './provider-server-types.ts'

/** What an answer is made of, whatever the API. */
export type AnswerPart =
  | { readonly type: 'text'; readonly pieces: readonly string[] }
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly argumentsPieces: readonly string[] }

/** One event of a streamed answer, as it stands on the wire. */
export type WireEvent = string

/** How a streaming API writes an answer. */
export interface ProviderWire {
  /** Opens the answer. */
  start(model: string): readonly WireEvent[]
  part(part: AnswerPart, index: number): readonly WireEvent[]
  finish(reason: 'stop' | 'tool-calls' | 'length'): readonly WireEvent[]
  /** An error within a stream that has begun. */
  streamError(message: string, code: string): readonly WireEvent[]
  /** The body of an HTTP error. */
  error(status: number, message: string, path: string | undefined): unknown
}

const data = (value: unknown): WireEvent => `data: ${JSON.stringify(value)}\n\n`
const event = (name: string, value: object): WireEvent =>
  `event: ${name}\ndata: ${JSON.stringify({ type: name, ...value })}\n\n`
const CREATED = 1_800_000_000
const INPUT_TOKENS = 11
const OUTPUT_TOKENS = 7

/** The wire of an API. */
export function wireOf(api: ProviderApi): ProviderWire {
  switch (api) {
    case 'openai-chat':
      return chatWire()
    case 'openai-responses':
      return responsesWire()
    case 'anthropic':
      return anthropicWire()
    case 'google':
      return googleWire()
  }
}

function openAiError(status: number, message: string, path: string | undefined): unknown {
  const type =
    status === 401
      ? 'invalid_request_error'
      : status === 429
        ? 'rate_limit_error'
        : status >= 500
          ? 'server_error'
          : 'invalid_request_error'
  const code =
    status === 401
      ? 'invalid_api_key'
      : status === 429
        ? 'rate_limit_exceeded'
        : path?.startsWith('tools')
          ? 'invalid_value'
          : null
  return { error: { message, type, param: path ?? null, code } }
}

function chatWire(): ProviderWire {
  let model = ''
  const chunk = (delta: object, finishReason: string | null): WireEvent =>
    data({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: CREATED,
      model,
      choices: [{ index: 0, delta, finish_reason: finishReason }],
    })
  let calls = 0
  return {
    start(name) {
      model = name
      return [chunk({ role: 'assistant', content: '' }, null)]
    },
    part(part) {
      if (part.type === 'text') return part.pieces.map((content) => chunk({ content }, null))
      const index = calls++
      return [
        chunk(
          { tool_calls: [{ index, id: part.id, type: 'function', function: { name: part.name, arguments: '' } }] },
          null,
        ),
        ...part.argumentsPieces.map((piece) =>
          chunk({ tool_calls: [{ index, function: { arguments: piece } }] }, null),
        ),
      ]
    },
    finish(reason) {
      return [
        chunk({}, reason === 'tool-calls' ? 'tool_calls' : reason),
        data({
          id: 'chatcmpl-1',
          object: 'chat.completion.chunk',
          created: CREATED,
          model,
          choices: [],
          usage: {
            prompt_tokens: INPUT_TOKENS,
            completion_tokens: OUTPUT_TOKENS,
            total_tokens: INPUT_TOKENS + OUTPUT_TOKENS,
          },
        }),
        'data: [DONE]\n\n',
      ]
    },
    streamError: (message, code) => [data({ error: { message, type: 'server_error', param: null, code } })],
    error: openAiError,
  }
}

function responsesWire(): ProviderWire {
  let model = ''
  let sequence = 0
  const output: object[] = []
  const numbered = (name: string, value: object): WireEvent => event(name, { sequence_number: sequence++, ...value })
  const response = (status: string, more: object = {}): object => ({
    response: {
      id: 'resp_1',
      object: 'response',
      created_at: CREATED,
      status,
      model,
      output,
      error: null,
      incomplete_details: null,
      ...more,
    },
  })
  return {
    start(name) {
      model = name
      return [
        numbered('response.created', response('in_progress')),
        numbered('response.in_progress', response('in_progress')),
      ]
    },
    part(part, index) {
      return part.type === 'text'
        ? responsesText(part.pieces, index, output, numbered)
        : responsesCall(part, index, output, numbered)
    },
    finish(reason) {
      const usage = {
        input_tokens: INPUT_TOKENS,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: OUTPUT_TOKENS,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: INPUT_TOKENS + OUTPUT_TOKENS,
      }
      if (reason === 'length')
        return [
          numbered(
            'response.incomplete',
            response('incomplete', { usage, incomplete_details: { reason: 'max_output_tokens' } }),
          ),
        ]
      return [numbered('response.completed', response('completed', { usage }))]
    },
    streamError: (message, code) => [numbered('response.failed', response('failed', { error: { code, message } }))],
    error: openAiError,
  }
}

type Numbered = (name: string, value: object) => WireEvent

function responsesText(pieces: readonly string[], index: number, output: object[], numbered: Numbered): WireEvent[] {
  const id = `msg_${index}`
  const text = pieces.join('')
  const place = { item_id: id, output_index: index, content_index: 0 }
  const item = {
    id,
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text, annotations: [] }],
  }
  output.push(item)
  return [
    numbered('response.output_item.added', {
      output_index: index,
      item: { id, type: 'message', status: 'in_progress', role: 'assistant', content: [] },
    }),
    numbered('response.content_part.added', { ...place, part: { type: 'output_text', text: '', annotations: [] } }),
    ...pieces.map((delta) => numbered('response.output_text.delta', { ...place, delta })),
    numbered('response.output_text.done', { ...place, text }),
    numbered('response.content_part.done', { ...place, part: { type: 'output_text', text, annotations: [] } }),
    numbered('response.output_item.done', { output_index: index, item }),
  ]
}

function responsesCall(
  part: AnswerPart & { type: 'call' },
  index: number,
  output: object[],
  numbered: Numbered,
): WireEvent[] {
  const id = `fc_${index}`
  const text = part.argumentsPieces.join('')
  const item = { id, type: 'function_call', status: 'completed', call_id: part.id, name: part.name, arguments: text }
  output.push(item)
  return [
    numbered('response.output_item.added', {
      output_index: index,
      item: { ...item, status: 'in_progress', arguments: '' },
    }),
    ...part.argumentsPieces.map((delta) =>
      numbered('response.function_call_arguments.delta', { item_id: id, output_index: index, delta }),
    ),
    numbered('response.function_call_arguments.done', {
      item_id: id,
      output_index: index,
      name: part.name,
      arguments: text,
    }),
    numbered('response.output_item.done', { output_index: index, item }),
  ]
}

function anthropicWire(): ProviderWire {
  return {
    start: (model) => [
      event('message_start', {
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: INPUT_TOKENS, output_tokens: 1 },
        },
      }),
      event('ping', {}),
    ],
    part(part, index) {
      const block =
        part.type === 'text'
          ? { type: 'text', text: '' }
          : { type: 'tool_use', id: part.id, name: part.name, input: {} }
      const deltas =
        part.type === 'text'
          ? part.pieces.map((text) => ({ type: 'text_delta', text }))
          : part.argumentsPieces.map((piece) => ({ type: 'input_json_delta', partial_json: piece }))
      return [
        event('content_block_start', { index, content_block: block }),
        ...deltas.map((delta) => event('content_block_delta', { index, delta })),
        event('content_block_stop', { index }),
      ]
    },
    finish: (reason) => [
      event('message_delta', {
        delta: {
          stop_reason: reason === 'tool-calls' ? 'tool_use' : reason === 'length' ? 'max_tokens' : 'end_turn',
          stop_sequence: null,
        },
        usage: { output_tokens: OUTPUT_TOKENS },
      }),
      event('message_stop', {}),
    ],
    streamError: (message, code) => [event('error', { error: { type: code, message } })],
    error: (status, message) => ({
      type: 'error',
      error: { type: ANTHROPIC_ERRORS[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error'), message },
      request_id: 'req_1',
    }),
  }
}

const ANTHROPIC_ERRORS: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

function googleWire(): ProviderWire {
  const candidate = (parts: readonly object[], more: object = {}): WireEvent =>
    data({ candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }] })
  const usageMetadata = {
    promptTokenCount: INPUT_TOKENS,
    candidatesTokenCount: OUTPUT_TOKENS,
    totalTokenCount: INPUT_TOKENS + OUTPUT_TOKENS,
  }
  return {
    start: () => [],
    part(part) {
      if (part.type === 'text') return part.pieces.map((text) => candidate([{ text }]))
      // This API sends arguments as a value, never as text: broken JSON cannot happen on its wire.
      return [candidate([{ functionCall: { name: part.name, args: parseOr(part.argumentsPieces.join(''), {}) } }])]
    },
    finish: (reason) => [
      data({
        candidates: [
          {
            content: { parts: [], role: 'model' },
            finishReason: reason === 'length' ? 'MAX_TOKENS' : 'STOP',
            index: 0,
          },
        ],
        usageMetadata,
      }),
    ],
    streamError: (message) => [data({ error: { code: 500, message, status: 'INTERNAL' } })],
    error: (status, message) => ({
      error: {
        code: status,
        message,
        status:
          status === 401
            ? 'UNAUTHENTICATED'
            : status === 429
              ? 'RESOURCE_EXHAUSTED'
              : status >= 500
                ? 'UNAVAILABLE'
                : 'INVALID_ARGUMENT',
      },
    }),
  }
}

function parseOr(text: string, fallback: unknown): unknown {
  try {
    return text === '' ? fallback : JSON.parse(text)
  } catch {
    return fallback
  }
}
