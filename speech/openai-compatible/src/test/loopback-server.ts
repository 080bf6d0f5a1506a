import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the next request meets instead of an answer. */
export type Trouble =
  | { readonly type: 'status'; readonly status: number; readonly retryAfter?: string }
  | { readonly type: 'cut' }
  | { readonly type: 'hang' }
  | { readonly type: 'events' }

/** A server with the two audio endpoints, as their documentation describes them. The models behind them are not here. */
export interface LoopbackServer {
  readonly baseUrl: string
  /** Requests as they arrived: form fields or JSON, and headers. */
  readonly requests: readonly {
    readonly path: string
    readonly fields: Readonly<Record<string, unknown>>
    readonly key?: string
  }[]
  /** Queued for the next requests. */
  readonly troubles: Trouble[]
  close(): Promise<void>
}

/** @param texts what is said in an utterance, by its samples as bytes in base64 */
export async function openLoopbackServer(
  texts: () => ReadonlyMap<string, string> = () => new Map(),
): Promise<LoopbackServer> {
  const requests: { path: string; fields: Record<string, unknown>; key?: string }[] = []
  const troubles: Trouble[] = []
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? ''
    const body = await readAll(request)
    const fields = await readFields(request, body)
    const { authorization } = request.headers
    requests.push({ path, fields, ...(authorization === undefined ? {} : { key: authorization }) })
    if (path === '/v1/models')
      return void response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}')
    const trouble = troubles.shift()
    if (trouble?.type === 'hang') return
    if (trouble?.type === 'status') {
      const retry = trouble.retryAfter === undefined ? {} : { 'retry-after': trouble.retryAfter }
      return void response.writeHead(trouble.status, retry).end('{"error":{"message":"no"}}')
    }
    if (path === '/v1/audio/transcriptions') return transcribe(response, fields, trouble)
    if (path === '/v1/audio/speech') return speak(response, fields, trouble)
    response.writeHead(404).end()
  }
  const transcribe = (response: ServerResponse, fields: Readonly<Record<string, unknown>>, trouble?: Trouble): void => {
    const wav = Buffer.from(fields['file'] as Uint8Array)
    const isWav =
      wav.toString('latin1', 0, 4) === 'RIFF' && wav.readUInt32LE(24) === 16_000 && wav.readUInt16LE(22) === 1
    if (!isWav || typeof fields['model'] !== 'string') return void response.writeHead(400).end()
    const text = texts().get(wav.subarray(44).toString('base64')) ?? 'something else'
    if (trouble?.type === 'events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const delta of text.split(/(?<= )/)) {
        response.write(`data: ${JSON.stringify({ type: 'transcript.text.delta', delta })}\n\n`)
      }
      return void response.end(`data: ${JSON.stringify({ type: 'transcript.text.done', text })}\n\ndata: [DONE]\n\n`)
    }
    const words = text.split(' ').map((word, index) => ({ word, start: index * 0.2, end: index * 0.2 + 0.15 }))
    const body = JSON.stringify({ task: 'transcribe', text, words })
    if (trouble?.type === 'cut') return cut(response, Buffer.from(body))
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  }
  const speak = (response: ServerResponse, fields: Readonly<Record<string, unknown>>, trouble?: Trouble): void => {
    if (fields['voice'] === 'no such voice') return void response.writeHead(400).end('{"error":{"message":"voice"}}')
    const rate = 24_000
    const length = Math.round((String(fields['input']).length * 60 * rate) / 1_000 / Number(fields['speed'] ?? 1))
    const samples = Int16Array.from({ length }, (_, index) => Math.round(8_000 * Math.sin(index / 20)))
    const pcm = Buffer.from(samples.buffer)
    const body = fields['response_format'] === 'wav' ? Buffer.concat([wavHeader(rate), pcm]) : pcm
    if (trouble?.type === 'cut') return cut(response, body)
    response.writeHead(200, { 'content-type': 'audio/pcm' })
    void sendInPieces(response, body)
  }
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    troubles,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Chunks of odd length, each in a packet of its own. */
async function sendInPieces(response: ServerResponse, body: Buffer): Promise<void> {
  for (let at = 0; at < body.length; at += 9_601) {
    if (response.destroyed) return
    response.write(body.subarray(at, at + 9_601))
    await new Promise((resolve) => setImmediate(resolve))
  }
  response.end()
}

function cut(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, { 'content-type': 'application/octet-stream' })
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy())
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

async function readFields(request: IncomingMessage, body: Buffer): Promise<Record<string, unknown>> {
  const type = request.headers['content-type'] ?? ''
  if (type.startsWith('application/json')) return JSON.parse(body.toString('utf8')) as Record<string, unknown>
  if (!type.startsWith('multipart/form-data')) return {}
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  const fields: Record<string, unknown> = {}
  for (const [name, value] of form) {
    fields[name] = typeof value === 'string' ? value : new Uint8Array(await value.arrayBuffer())
  }
  return fields
}

function wavHeader(rate: number): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  // Servers that stream do not know the length and say 0xffffffff.
  header.writeUInt32LE(0xffff_ffff, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(0xffff_ffff, 40)
  return header
}
