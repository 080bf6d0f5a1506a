import { DomosError, type EngineLimits, type NetworkPolicy } from '@domos/spec'
import { request } from 'undici'
import { ACCEPT_ENCODING, readBody } from './body.ts'
import { type Cookies, siteRelation } from './cookies.ts'
import { type Dispatcher, toNavigationError } from './dispatcher.ts'

/** What a context brings to its requests. */
export interface FetchEnvironment {
  readonly policy: NetworkPolicy
  readonly dispatcher: Dispatcher
  readonly cookies: Cookies
  /** User agent, Accept, Accept-Language, client hints. */
  readonly headers: Readonly<Record<string, string>>
  readonly limits: EngineLimits
  readonly traffic: { requests: number; bytesIn: number; bytesOut: number; refused: number }
}

/** A request for a document. */
export interface DocumentRequest {
  readonly url: URL
  readonly method: 'GET' | 'POST'
  readonly body?: Uint8Array
  readonly contentType?: string
  /** The page that asks; decides Referer, Origin and SameSite. */
  readonly initiator?: URL
  /** Asked for by a document and not by a person. @default a top-level navigation */
  readonly purpose?: 'style' | 'iframe'
}

/** A response whose body is still to be read. */
export interface DocumentResponse {
  /** After redirects; keeps the fragment of the last hop that had one. */
  readonly url: URL
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly redirects: readonly string[]
  /** Decoded bytes; bounded. Must be read to the end or abandoned. */
  readonly body: AsyncGenerator<Uint8Array>
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Fetches a document with redirects followed here, so that the policy, the cookies and the headers are right at every
 * hop. The signal ends the request, also while the body is read.
 * @throws DomosError `forbidden` by the policy, `navigation_failed`, `timeout`, `too_large`, `cancelled`
 */
export async function fetchDocument(
  environment: FetchEnvironment,
  first: DocumentRequest,
  signal: AbortSignal,
): Promise<DocumentResponse> {
  const { policy, limits, cookies, traffic } = environment
  const redirects: string[] = []
  let current = first
  for (;;) {
    try {
      policy.checkUrl(current.url)
    } catch (thrown) {
      traffic.refused += 1
      throw thrown
    }
    const isTopNavigation = first.purpose === undefined
    const cookieContext = { initiator: first.initiator, isTopNavigation, isSafeMethod: current.method === 'GET' }
    const response = await send(environment, current, await cookies.header(current.url, cookieContext), signal)
    const setCookie = response.headers['set-cookie']
    if (setCookie !== undefined) {
      await cookies.store(current.url, typeof setCookie === 'string' ? [setCookie] : setCookie, cookieContext)
    }
    const location = single(response.headers['location'])
    if (!REDIRECTS.has(response.statusCode) || location === undefined) {
      const body = readBody(response.body, single(response.headers['content-encoding']), limits, (bytes) => {
        traffic.bytesIn += bytes
      })
      return {
        url: current.url,
        status: response.statusCode,
        headers: flatten(response.headers),
        redirects,
        body: guard(body, current.url, signal),
      }
    }
    // The body of a redirect is of no interest; reading a little keeps the socket usable.
    await response.body.dump({ limit: 16_384 }).catch(() => {})
    if (redirects.length >= limits.maxRedirects) {
      throw new DomosError('navigation_failed', `More than ${limits.maxRedirects} redirects.`, {
        details: { reason: 'TOO_MANY_REDIRECTS', maxRedirects: limits.maxRedirects },
      })
    }
    redirects.push(current.url.href)
    current = nextHop(current, response.statusCode, location)
  }
}

function nextHop(from: DocumentRequest, status: number, location: string): DocumentRequest {
  if (!URL.canParse(location, from.url.href)) {
    throw new DomosError('navigation_failed', 'The server redirects to something that is no URL.', {
      details: { reason: 'BAD_REDIRECT' },
    })
  }
  const url = new URL(location, from.url)
  if (url.hash === '' && from.url.hash !== '') url.hash = from.url.hash
  const becomesGet = status === 303 || ((status === 301 || status === 302) && from.method === 'POST')
  if (becomesGet) {
    const { initiator, purpose } = from
    return {
      url,
      method: 'GET',
      ...(initiator === undefined ? {} : { initiator }),
      ...(purpose === undefined ? {} : { purpose }),
    }
  }
  return { ...from, url }
}

async function send(
  environment: FetchEnvironment,
  target: DocumentRequest,
  cookie: string | undefined,
  signal: AbortSignal,
) {
  const { dispatcher, limits, traffic } = environment
  const headers: Record<string, string> = { ...environment.headers, 'accept-encoding': ACCEPT_ENCODING }
  if (cookie !== undefined) headers['cookie'] = cookie
  describeFetch(headers, target)
  if (target.contentType !== undefined) headers['content-type'] = target.contentType
  if (target.initiator !== undefined) {
    const referrer = referrerFor(target.initiator, target.url)
    if (referrer !== undefined) headers['referer'] = referrer
    if (target.method === 'POST') headers['origin'] = target.initiator.origin
  }
  traffic.requests += 1
  traffic.bytesOut += target.body?.length ?? 0
  const timeout = AbortSignal.timeout(limits.requestTimeoutMs)
  try {
    return await request(target.url.href, {
      dispatcher: dispatcher.agent,
      method: target.method,
      headers,
      body: target.body ?? null,
      signal: AbortSignal.any([signal, timeout]),
      headersTimeout: limits.requestTimeoutMs,
      bodyTimeout: limits.requestTimeoutMs,
    })
  } catch (thrown) {
    const error = classify(thrown, target.url, signal, timeout)
    if (error.code === 'forbidden') traffic.refused += 1
    throw error
  }
}

/** Headers that say what a request is for, where the profile sends such headers. */
function describeFetch(headers: Record<string, string>, { initiator, url, purpose }: DocumentRequest): void {
  if (purpose === 'style') headers['accept'] = 'text/css,*/*;q=0.1'
  if (purpose !== undefined) delete headers['upgrade-insecure-requests']
  if (headers['sec-fetch-site'] === undefined) return
  headers['sec-fetch-site'] = initiator === undefined ? 'none' : siteRelation(initiator, url)
  if (purpose === undefined) return
  headers['sec-fetch-dest'] = purpose
  headers['sec-fetch-mode'] = purpose === 'iframe' ? 'navigate' : 'no-cors'
  delete headers['sec-fetch-user']
}

/** Turns failures while the body is read into coded errors, too. */
async function* guard(body: AsyncGenerator<Uint8Array>, url: URL, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (thrown) {
    throw classify(thrown, url, signal, undefined)
  }
}

function classify(thrown: unknown, url: URL, signal: AbortSignal, timeout: AbortSignal | undefined): DomosError {
  if (signal.aborted) {
    return signal.reason instanceof DomosError
      ? signal.reason
      : new DomosError('cancelled', 'The navigation was cancelled.', { cause: thrown })
  }
  if (timeout?.aborted === true || (thrown instanceof Error && thrown.name === 'TimeoutError')) {
    return new DomosError('timeout', `${url.hostname} did not answer in time.`, {
      details: { reason: 'REQUEST_TIMEOUT', host: url.hostname },
      cause: thrown,
    })
  }
  return toNavigationError(thrown, url)
}

/** Referer by the default policy of browsers: strict-origin-when-cross-origin. */
function referrerFor(from: URL, to: URL): string | undefined {
  if (from.protocol !== 'http:' && from.protocol !== 'https:') return undefined
  if (from.protocol === 'https:' && to.protocol !== 'https:') return undefined
  if (from.origin !== to.origin) return `${from.origin}/`
  const plain = new URL(from)
  plain.hash = ''
  plain.username = ''
  plain.password = ''
  return plain.href
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )
}
