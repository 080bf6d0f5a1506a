import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One answer of a {@link FixtureSite}. */
export interface FixtureAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>
  readonly body?: string | Uint8Array
}

/** A request that a {@link FixtureSite} got. */
export interface SeenRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A web site on loopback that remembers what it was asked. */
export interface FixtureSite {
  readonly url: string
  readonly seen: readonly SeenRequest[]
  close(): Promise<void>
}

type Answer =
  | FixtureAnswer
  | string
  | ((request: SeenRequest) => FixtureAnswer | string | Promise<FixtureAnswer | string>)

/** Serves answers by path; a string is an HTML page. Anything else is a 404 with an HTML body. */
export async function openFixtureSite(routes: Readonly<Record<string, Answer>>): Promise<FixtureSite> {
  const seen: SeenRequest[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const asked: SeenRequest = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(parts).toString('latin1'),
    }
    seen.push(asked)
    const route = routes[new URL(asked.url, 'http://site').pathname]
    const made = typeof route === 'function' ? await route(asked) : route
    const given: FixtureAnswer =
      made === undefined
        ? { status: 404, body: '<title>Not found</title><h1>Not found</h1>' }
        : typeof made === 'string'
          ? { body: made }
          : made
    response.statusCode = given.status ?? 200
    const headers = { 'content-type': 'text/html; charset=utf-8', ...given.headers }
    for (const [name, value] of Object.entries(headers)) if (value !== null) response.setHeader(name, value as string)
    response.end(given.body ?? '')
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
