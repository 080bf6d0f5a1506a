import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { JsonValue } from '@domos/spec'

/** An HTTP handler; returns false when the request is not for it. */
export type HttpHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
) => boolean | Promise<boolean>

/** Headers every answer carries. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

/** Sends a JSON body. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: JsonValue,
  headers: Record<string, string> = {},
): void {
  const text = `${JSON.stringify(body)}\n`
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(text),
    ...headers,
  })
  response.end(text)
}

/** Sends a coded error as JSON: `{error: {code, message}}`. */
export function sendError(
  response: ServerResponse,
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): void {
  sendJson(response, status, { error: { code, message } }, headers)
}

/** The path of a request without its query, percent-decoding left alone; undefined when malformed. */
export function requestPath(url: string | undefined): string | undefined {
  if (url === undefined || !url.startsWith('/')) return undefined
  const end = url.search(/[?#]/)
  return end === -1 ? url : url.slice(0, end)
}

/**
 * Writes the last words to a raw socket and lets it go, whether or not the peer does: one that was refused must not hold its
 * descriptor, and one that resets must not bring the server down.
 */
export function endSocket(socket: Duplex, text: string): void {
  socket.on('error', () => socket.destroy())
  socket.end(text, () => socket.destroy())
}

/** Answers a raw socket that asked for an upgrade, then closes it. */
export function refuseUpgrade(
  socket: Duplex,
  status: number,
  statusText: string,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): void {
  const body = `${JSON.stringify({ error: { code, message } })}\n`
  const lines = [
    `HTTP/1.1 ${status} ${statusText}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  endSocket(socket, `${lines.join('\r\n')}\r\n\r\n${body}`)
}
