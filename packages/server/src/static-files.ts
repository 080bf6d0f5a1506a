import { existsSync } from 'node:fs'
import sirv from 'sirv'
import { type HttpHandler, SECURITY_HEADERS } from './http.ts'

/** Where files come from and under which path they are seen. */
export interface StaticFilesOptions {
  /** Path prefix with a slash at both ends, such as `/demo/`. */
  readonly prefix: string
  readonly directory: string
  /** Gives index.html for unknown paths without a file ending, for apps that route by the History API. @default false */
  readonly singlePage?: boolean
  readonly contentSecurityPolicy?: string
}

/** Serves a directory. Files with a hash in their name are cached for a year, all others are revalidated. */
export function createStaticFiles(options: StaticFilesOptions): HttpHandler {
  const bare = options.prefix.slice(0, -1)
  if (!existsSync(options.directory)) return () => false
  const serve = sirv(options.directory, {
    etag: true,
    // Looks files up when they are asked for: a build may replace them under a running server.
    dev: true,
    single: options.singlePage === true,
    setHeaders(response, pathname) {
      for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value)
      if (options.contentSecurityPolicy !== undefined) {
        response.setHeader('content-security-policy', options.contentSecurityPolicy)
      }
      const isHashed = /[-.][0-9A-Za-z_-]{8,}\.[a-z0-9]+$/.test(pathname) && pathname.includes('/assets/')
      response.setHeader('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  return (request, response, path) => {
    if (path === bare) {
      response.writeHead(308, { ...SECURITY_HEADERS, location: options.prefix })
      response.end()
      return true
    }
    if (!path.startsWith(options.prefix)) return false
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    const original = request.url ?? '/'
    request.url = original.slice(bare.length)
    return new Promise((resolve) => {
      response.once('close', () => resolve(true))
      serve(request, response, () => {
        request.url = original
        resolve(false)
      })
    })
  }
}
