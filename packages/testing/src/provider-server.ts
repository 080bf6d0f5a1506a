import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fields, objects, refuseBody } from './provider-server-rules.ts'
import type {
  ProviderApi,
  ProviderReply,
  ProviderRequest,
  ProviderServer,
  ProviderServerOptions,
  ProviderToolName,
} from './provider-server-types.ts'
import { type AnswerPart, type ProviderWire, wireOf } from './provider-server-wire.ts'

export { replyFromCase } from './provider-server-case.ts'
export type * from './provider-server-types.ts'

type MutableRequest = { -readonly [Key in keyof ProviderRequest]: ProviderRequest[Key] }

interface Waiter {
  readonly index: number
  readonly resolve: (request: ProviderRequest) => void
}

/**
 * Starts a language-model provider on a free loopback port. It speaks the streaming HTTP of OpenAI (chat completions
 * and responses), Anthropic (messages) and Google (generateContent), answers from a queue, records every request, and
 * refuses what the providers refuse, in their own words: bad tool names, calls without exactly one answer, wrong keys.
 */
export async function createProviderServer(options: ProviderServerOptions = {}): Promise<ProviderServer> {
  const { maxRequestBytes = 1_000_000, replyTimeoutMs = 60_000 } = options
  const requests: MutableRequest[] = []
  const replies: ProviderReply[] = []
  const waitingForReply: ((reply: ProviderReply | undefined) => void)[] = []
  const waiters: Waiter[] = []

  const nextReply = (): Promise<ProviderReply | undefined> => {
    const reply = replies.shift()
    if (reply) return Promise.resolve(reply)
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(undefined), replyTimeoutMs)
      const settle = (value: ProviderReply | undefined): void => {
        clearTimeout(timer)
        const at = waitingForReply.indexOf(settle)
        if (at >= 0) waitingForReply.splice(at, 1)
        resolve(value)
      }
      waitingForReply.push(settle)
    })
  }

  const record = (request: MutableRequest): void => {
    requests.push(request)
    for (const waiter of waiters.filter((entry) => entry.index < requests.length)) {
      waiters.splice(waiters.indexOf(waiter), 1)
      waiter.resolve(requests[waiter.index] as ProviderRequest)
    }
  }

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const api = apiOf(incoming)
    const text = await readBody(incoming)
    if (!api)
      return sendJson(response, 404, {
        error: {
          message: `Invalid URL (${incoming.method} ${incoming.url})`,
          type: 'invalid_request_error',
          param: null,
          code: null,
        },
      })
    const body = parseBody(text)
    const request: MutableRequest = {
      index: requests.length,
      api,
      path: (incoming.url ?? '').replace(/([?&]key=)[^&]*/, '$1…'),
      headers: incoming.headers,
      body,
      text,
      bytes: Buffer.byteLength(text),
      tools: toolsOf(api, body),
      status: undefined,
      aborted: new Promise((resolve) => {
        response.once('close', () => {
          if (!response.writableFinished) resolve()
        })
      }),
    }
    record(request)
    const wire = wireOf(api)
    const refuse = (
      status: number,
      message: string,
      path?: string,
      headers: Readonly<Record<string, string>> = {},
    ): void => {
      request.status = status
      sendJson(response, status, wire.error(status, message, path), headers)
    }
    if (options.apiKey !== undefined && keyOf(incoming) !== options.apiKey)
      return refuse(401, 'Incorrect API key provided.')
    if (request.bytes > maxRequestBytes)
      return refuse(
        400,
        `This model's maximum context length is exceeded: the request holds ${request.bytes} bytes, the limit is ${maxRequestBytes}.`,
        'messages',
      )
    const refusal = refuseBody(api, body)
    if (refusal) return refuse(400, refusal.message, refusal.path)
    const reply = await nextReply()
    await reply?.after
    if (response.destroyed) return
    if (!reply) return refuse(503, 'No reply was queued.')
    if (reply.type === 'http-error')
      return refuse(reply.status, reply.message ?? `Scripted error ${reply.status}.`, undefined, reply.headers)
    request.status = 200
    await stream(reply, wire, request, response)
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else sendJson(response, 500, { error: { message: String(error), type: 'server_error', param: null, code: null } })
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let closing: Promise<void> | undefined
  return {
    origin,
    baseUrls: { openai: `${origin}/v1`, anthropic: `${origin}/v1`, google: `${origin}/v1beta` },
    requests,
    queue(...added) {
      for (const reply of added) {
        const waiting = waitingForReply.shift()
        if (waiting) waiting(reply)
        else replies.push(reply)
      }
    },
    get queued() {
      return replies.length
    },
    waitForRequest(index, signal) {
      const there = requests[index]
      if (there) return Promise.resolve(there)
      return new Promise((resolve, reject) => {
        const waiter = { index, resolve }
        waiters.push(waiter)
        signal?.addEventListener('abort', () => {
          waiters.splice(waiters.indexOf(waiter), 1)
          reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
        })
      })
    },
    nameOfferedFor: (ownName, request) => offeredName(ownName, request ?? requests.at(-1)),
    close() {
      closing ??= new Promise((resolve) => {
        for (const settle of [...waitingForReply]) settle(undefined)
        server.close(() => resolve())
        server.closeAllConnections()
      })
      return closing
    },
  }
}

async function stream(
  reply: Exclude<ProviderReply, { type: 'http-error' }>,
  wire: ProviderWire,
  request: ProviderRequest,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  const model = typeof request.body.model === 'string' ? request.body.model : 'model'
  for (const piece of wire.start(model)) response.write(piece)
  const parts = partsOf(reply, request)
  const events = parts.flatMap((part, index) => wire.part(part, index))
  // A torn answer ends within its last part, which it never closes.
  const isTorn = reply.type === 'cut' || reply.type === 'unfinished' || reply.type === 'stall'
  for (const piece of isTorn ? events.slice(0, tornLength(events)) : events) response.write(piece)
  switch (reply.type) {
    case 'stall':
      return
    case 'cut':
      // What was written has to leave before the socket is torn; the client may still drop what it has not read.
      await new Promise<void>((resolve) => response.write(': \n\n', () => resolve()))
      await reply.tearAfter
      response.destroy()
      return
    case 'unfinished':
      response.end()
      return
    case 'stream-error':
      for (const piece of wire.streamError(reply.message, reply.code ?? 'server_error')) response.write(piece)
      response.end()
      return
    default:
      for (const piece of wire.finish(
        reply.type === 'length' ? 'length' : parts.some((part) => part.type === 'call') ? 'tool-calls' : 'stop',
      ))
        response.write(piece)
      response.end()
  }
}

/** How many events come before those that close the last part. */
function tornLength(events: readonly string[]): number {
  return events.findLastIndex((event) => /delta|"parts"/.test(event)) + 1
}

function partsOf(reply: ProviderReply, request: ProviderRequest): AnswerPart[] {
  const text =
    'text' in reply && reply.text !== undefined && reply.text !== ''
      ? [
          {
            type: 'text' as const,
            pieces: 'pieces' in reply && reply.pieces ? reply.pieces : (reply.text.match(/\S+\s*/g) ?? [reply.text]),
          },
        ]
      : []
  const calls = 'calls' in reply ? (reply.calls ?? []) : []
  return [
    ...text,
    ...calls.map((call) => ({
      type: 'call' as const,
      id: call.id,
      name: resolveName(call.name, request),
      argumentsPieces: 'argumentsPieces' in call ? call.argumentsPieces : [JSON.stringify(call.args)],
    })),
  ]
}

function resolveName(name: ProviderToolName, request: ProviderRequest): string {
  return typeof name === 'string' ? name : name(request)
}

function apiOf(incoming: IncomingMessage): ProviderApi | undefined {
  const path = (incoming.url ?? '').split('?')[0] ?? ''
  if (incoming.method !== 'POST') return undefined
  if (path.endsWith('/chat/completions')) return 'openai-chat'
  if (path.endsWith('/responses')) return 'openai-responses'
  if (path.endsWith('/messages')) return 'anthropic'
  return path.endsWith(':streamGenerateContent') ? 'google' : undefined
}

function keyOf(incoming: IncomingMessage): string | undefined {
  const { authorization, 'x-api-key': anthropic, 'x-goog-api-key': google } = incoming.headers
  return authorization?.replace(/^Bearer /, '') ?? anthropic?.toString() ?? google?.toString()
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function parseBody(text: string): Readonly<Record<string, unknown>> {
  try {
    return fields(JSON.parse(text))
  } catch {
    return {}
  }
}

function toolsOf(api: ProviderApi, body: Readonly<Record<string, unknown>>): { name: string; description: string }[] {
  const declared =
    api === 'openai-chat'
      ? objects(body.tools).map((tool) => fields(tool.function))
      : api === 'google'
        ? objects(body.tools).flatMap((tool) => objects(tool.functionDeclarations))
        : objects(body.tools)
  return declared.map((tool) => ({
    name: String(tool.name),
    description: typeof tool.description === 'string' ? tool.description : '',
  }))
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.destroyed) return
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

/** Aliases keep the letters of the own name that a provider takes, so the longest shared beginning decides. */
function offeredName(ownName: string, request: ProviderRequest | undefined): string | undefined {
  const offered = request?.tools.map((tool) => tool.name) ?? []
  if (offered.includes(ownName)) return ownName
  const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')
  const wanted = plain(ownName)
  let best: { name: string; shared: number } | undefined
  for (const name of offered) {
    const other = plain(name)
    let shared = 0
    while (shared < wanted.length && shared < other.length && wanted[shared] === other[shared]) shared++
    if (shared > 0 && (!best || shared > best.shared)) best = { name, shared }
  }
  return best?.name
}
