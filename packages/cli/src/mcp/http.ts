import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAuthenticator } from '@domos/agent'
import { isLoopbackHost } from '@domos/server'
import { DomosError, describeThrown, systemClock } from '@domos/spec'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { toApiKey } from '../api-keys.ts'
import { type BrowserLinkOptions, openBrowserLink } from '../browser-link.ts'
import type { MainIo } from '../main.ts'
import { createMcpServer } from './mcp-server.ts'

const MAX_BODY_BYTES = 1_048_576
const MAX_CLIENTS = 128
const IDLE_MS = 30 * 60_000
const SWEEP_MS = 60_000
const FAILURES_PER_MINUTE = 30

interface Client {
  readonly transport: StreamableHTTPServerTransport
  readonly keyDigest: string
  lastSeenAt: number
  close(): Promise<void>
}

/** Serves Streamable HTTP at `/mcp` until `ended`. Prints its address and `ready`. */
export async function serveHttp(
  link: BrowserLinkOptions,
  port: number,
  ended: Promise<unknown>,
  io: MainIo,
): Promise<void> {
  const { settings } = link
  const needsKey = settings.apiKeys.length > 0
  if (!isLoopbackHost(settings.host) && !needsKey) {
    throw new DomosError(
      'invalid_request',
      `Listening on ${settings.host} without a key would let anybody in. Set DOMOS_API_KEYS, or keep --host 127.0.0.1.`,
    )
  }
  const authenticator = createAuthenticator({
    keys: settings.apiKeys.map(toApiKey),
    failuresPerMinute: FAILURES_PER_MINUTE,
    clock: systemClock,
  })
  const browser = await openBrowserLink({
    ...link,
    authenticate: (credentials) => authenticator.authenticate(credentials),
  })
  const clients = new Map<string, Client>()

  const open = async (token: string | undefined): Promise<Client> => {
    if (clients.size >= MAX_CLIENTS) throw new HttpProblem(503, `At most ${MAX_CLIENTS} clients are served at once.`)
    const made = createMcpServer(() => browser.connect(link.url === undefined ? token : undefined))
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void clients.set(id, client),
    })
    const client: Client = {
      transport,
      keyDigest: digest(token),
      lastSeenAt: Date.now(),
      async close() {
        if (transport.sessionId !== undefined) clients.delete(transport.sessionId)
        await made.close()
      },
    }
    transport.onclose = () => void client.close()
    // The transport's optional callbacks are declared without undefined, which the interface allows.
    await made.server.connect(transport as Parameters<typeof made.server.connect>[0])
    return client
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    checkOrigin(request, settings.allowedOrigins, settings.publicHosts)
    if (new URL(request.url ?? '/', 'http://localhost').pathname !== '/mcp') {
      throw new HttpProblem(404, 'The Model Context Protocol is served at /mcp.')
    }
    const token = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    try {
      await authenticator.authenticate({
        door: 'awp',
        remoteAddress: request.socket.remoteAddress ?? '',
        ...(token === undefined ? {} : { token }),
        ...(request.headers.origin === undefined ? {} : { origin: request.headers.origin }),
      })
    } catch (thrown) {
      const code = thrown instanceof DomosError ? thrown.code : 'internal'
      throw new HttpProblem(code === 'rate_limited' ? 429 : code === 'forbidden' ? 403 : 401, describeThrown(thrown))
    }
    const body = request.method === 'POST' ? await readBody(request) : undefined
    const id = request.headers['mcp-session-id']
    if (id === undefined && request.method !== 'POST') throw new HttpProblem(400, 'Mcp-Session-Id is missing.')
    const known = typeof id === 'string' ? clients.get(id) : undefined
    // A session belongs to the key it began with.
    const mayUse = known !== undefined && timingSafeEqual(Buffer.from(known.keyDigest), Buffer.from(digest(token)))
    if (id !== undefined && !mayUse) throw new HttpProblem(404, 'There is no such session. Initialize a new one.')
    const client = known ?? (await open(token))
    client.lastSeenAt = Date.now()
    await client.transport.handleRequest(request, response, body)
    // What did not initialize has no session and leaves nothing behind.
    if (client.transport.sessionId === undefined) await client.close()
  }

  const server = createServer({ headersTimeout: 5_000, requestTimeout: 60_000 }, (request, response) => {
    answer(request, response).catch((thrown: unknown) => {
      const { status, message } =
        thrown instanceof HttpProblem ? thrown : new HttpProblem(500, 'Something failed inside.')
      if (response.headersSent) {
        response.end()
        return
      }
      response.writeHead(status, {
        'content-type': 'application/json',
        ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
        ...(status === 413 ? { connection: 'close' } : {}),
      })
      response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }))
    })
  })
  const sweep = setInterval(() => {
    for (const client of [...clients.values()]) if (Date.now() - client.lastSeenAt > IDLE_MS) void client.close()
  }, SWEEP_MS)
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', (thrown: NodeJS.ErrnoException) => {
        const taken = thrown.code === 'EADDRINUSE'
        reject(taken ? new DomosError('unavailable', `Port ${port} is taken; --http names another.`) : thrown)
      })
      server.listen(port, settings.host, resolve)
    })
    const { port: bound } = server.address() as AddressInfo
    const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host
    io.out(`MCP http://${host}:${bound}/mcp`)
    io.out('ready')
    await ended
  } finally {
    clearInterval(sweep)
    for (const client of [...clients.values()]) await client.close()
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
    await browser.close()
  }
}

class HttpProblem extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Pages of other origins, and names that are not ours (DNS rebinding), stay outside. */
function checkOrigin(request: IncomingMessage, allowed: readonly string[], publicHosts: readonly string[]): void {
  const { origin, host = '' } = request.headers
  const name = hostName(host)
  if (!isLoopbackHost(name) && !publicHosts.includes(name) && !/^[\d.]+$|^[0-9a-f:]+$/i.test(name)) {
    throw new HttpProblem(403, 'This host name is not served here; --public-host names more.')
  }
  if (origin === undefined || allowed.includes(origin)) return
  if (origin !== `http://${host}`)
    throw new HttpProblem(403, 'This origin may not use the server; --allow-origin names more.')
}

function hostName(host: string): string {
  try {
    return new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '')
  } catch {
    return ''
  }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length
    if (bytes > MAX_BODY_BYTES) throw new HttpProblem(413, `A request may have ${MAX_BODY_BYTES} bytes.`)
    chunks.push(chunk as Buffer)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown
  } catch {
    throw new HttpProblem(400, 'The body is not JSON.')
  }
}

function digest(token: string | undefined): string {
  return createHash('sha256')
    .update(token ?? '')
    .digest('hex')
}
