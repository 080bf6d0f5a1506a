import { DomosError } from '@domos/spec'

/**
 * The WebSocket URL of an endpoint: a full URL of ws, wss, http or https, or a path on this page's host.
 * @throws DomosError `invalid_request` when it is no such URL
 */
export function endpointUrl(endpoint: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  let url: URL
  try {
    url = new URL(endpoint, typeof location === 'undefined' ? undefined : location.href)
  } catch (cause) {
    throw new DomosError(
      'invalid_request',
      `The endpoint "${endpoint}" is no URL. Use e.g. ws://127.0.0.1:3000/adtp.`,
      { cause },
    )
  }
  if (url.protocol === 'http:') url.protocol = 'ws:'
  if (url.protocol === 'https:') url.protocol = 'wss:'
  if (url.protocol !== 'ws:' && url.protocol !== 'wss:') {
    throw new DomosError('invalid_request', `The endpoint "${endpoint}" must begin with ws:, wss:, http: or https:.`)
  }
  url.hash = ''
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}
