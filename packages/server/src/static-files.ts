import { existsSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import send from 'send'
import { type HttpHandler, SECURITY_HEADERS, sendError } from './http.ts'

/** Where files come from and under which path they are seen. */
export interface StaticFilesOptions {
  /** Path prefix with a slash at both ends, such as `/demo/`. */
  readonly prefix: string
  readonly directory: string
  /** Gives index.html for unknown paths without a file ending, for apps that route by the History API. @default false */
  readonly singlePage?: boolean
  readonly contentSecurityPolicy?: string
}

/**
 * Serves a directory. Files with a hash in their name are cached for a year, all others are revalidated. Files are looked up
 * when they are asked for, so a build may replace them under a running server; one that cannot be read fails its own
 * request and nothing else. Names that begin with a dot, and paths that lead out of the directory, do not exist.
 */
export function createStaticFiles(options: StaticFilesOptions): HttpHandler {
  const { prefix, directory, singlePage = false } = options
  const bare = prefix.slice(0, -1)
  if (!existsSync(directory)) return () => false

  const sendFile = async (request: IncomingMessage, response: ServerResponse, path: string): Promise<boolean> => {
    const found = await sent(request, response, path)
    if (found || !singlePage || /\.[^/]*$/.test(path)) return found
    return sent(request, response, '/index.html')
  }
  /** Settles with false, nothing sent, when there is no such file; with true once the response is over. */
  const sent = (request: IncomingMessage, response: ServerResponse, path: string): Promise<boolean> =>
    new Promise((resolve) => {
      response.once('close', () => resolve(true))
      send(request, path, { root: directory, dotfiles: 'ignore', cacheControl: false })
        .on('headers', () => addHeaders(response, path))
        .on('directory', () => resolve(false))
        .on('error', (error: { readonly status?: number }) => {
          const { status = 500 } = error
          // After the headers only a broken connection says that something is missing.
          if (response.headersSent) response.destroy()
          else if (status === 403 || status === 404) resolve(false)
          else sendError(response, status, 'not_readable', 'This file cannot be given as you asked for it.')
        })
        .pipe(response)
    })
  const addHeaders = (response: ServerResponse, path: string): void => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value)
    const { contentSecurityPolicy } = options
    if (contentSecurityPolicy !== undefined) response.setHeader('content-security-policy', contentSecurityPolicy)
    const isHashed = /[-.][0-9A-Za-z_-]{8,}\.[a-z0-9]+$/.test(path) && path.includes('/assets/')
    response.setHeader('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
  }

  return (request, response, path) => {
    if (path === bare) {
      response.writeHead(308, { ...SECURITY_HEADERS, location: prefix })
      response.end()
      return true
    }
    if (!path.startsWith(prefix)) return false
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    return sendFile(request, response, path.slice(bare.length))
  }
}
