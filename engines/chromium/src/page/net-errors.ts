import { DomosError } from '@domos/spec'

/** What the egress proxy knows about why a host was not reached. */
export interface EgressFailure {
  readonly reason: string
  readonly isPolicy: boolean
}

const REASONS: readonly (readonly [RegExp, string, string])[] = [
  [/NAME_NOT_RESOLVED|NAME_RESOLUTION/, 'DNS_FAILED', 'The name of the host is not known.'],
  [/CONNECTION_REFUSED/, 'CONNECTION_REFUSED', 'The host refuses the connection.'],
  [/CERT_|SSL_|TLS/, 'TLS_FAILED', 'The connection is not secure: the certificate or the handshake failed.'],
  [/TIMED_OUT/, 'REQUEST_TIMEOUT', 'The host did not answer in time.'],
  [/TOO_MANY_REDIRECTS/, 'TOO_MANY_REDIRECTS', 'The page redirects in a circle.'],
  [
    /CONNECTION_RESET|CONNECTION_CLOSED|EMPTY_RESPONSE/,
    'CONNECTION_LOST',
    'The host closed the connection without an answer.',
  ],
  [
    /TUNNEL_CONNECTION_FAILED|PROXY_CONNECTION_FAILED|ADDRESS_UNREACHABLE|INTERNET_DISCONNECTED/,
    'UNREACHABLE',
    'The host cannot be reached.',
  ],
  [/BLOCKED_BY/, 'BLOCKED', 'The browser does not load this.'],
  [/INVALID_URL|UNKNOWN_URL_SCHEME|DISALLOWED_URL_SCHEME/, 'BAD_URL', 'The URL cannot be loaded.'],
]

/** The error for a failed navigation: what the proxy knows comes first, because the browser only sees the proxy. */
export function navigationError(text: string, url: string, failure: EgressFailure | undefined): DomosError {
  const name = text.replace(/^net::ERR_/, '')
  const details = { url: url.slice(0, 500), browserError: name }
  if (failure?.isPolicy === true) {
    return new DomosError('forbidden', 'This address is not reachable from here by the rules of this server.', {
      details: { ...details, reason: 'POLICY_DENIED' },
    })
  }
  if (failure !== undefined && REASONS.some(([, reason]) => reason === failure.reason)) {
    const sentence = REASONS.find(([, reason]) => reason === failure.reason)?.[2] ?? ''
    return new DomosError('navigation_failed', sentence, { details: { ...details, reason: failure.reason } })
  }
  const known = REASONS.find(([pattern]) => pattern.test(name))
  return new DomosError('navigation_failed', known?.[2] ?? `The page could not be loaded (${name}).`, {
    details: { ...details, reason: known?.[1] ?? 'FAILED' },
  })
}
