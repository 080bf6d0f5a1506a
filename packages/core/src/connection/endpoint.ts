import { DomosError } from '@domos/spec'

/**
 * The WebSocket URL of an endpoint: a full URL of ws, wss, http or https, or a path on this page's host.
 * @throws DomosError `invalid_request` when it is no such URL
 */
export function endpointUrl(endpoint: string, apiKey?: string): string {
  let url: URL | undefined
  try {
    url = new URL(endpoint, globalThis.location?.href)
    url.protocol = url.protocol.replace('http', 'ws')
    url.hash = ''
  } catch {
    // Told below.
  }
  if (!url || !/^wss?:$/.test(url.protocol)) {
    throw new DomosError('invalid_request', `The endpoint "${endpoint}" is no URL such as ws://127.0.0.1:3000/adtp.`)
  }
  if (apiKey) url.searchParams.set('apiKey', apiKey)
  return url.href
}
