/** Where the voice door and the health of the server that served this page are. */
export function voiceAddresses(address: Pick<Location, 'protocol' | 'host' | 'origin'>): {
  readonly url: string
  readonly healthUrl: string
} {
  const scheme = address.protocol === 'https:' ? 'wss' : 'ws'
  return { url: `${scheme}://${address.host}/audio`, healthUrl: `${address.origin}/healthz` }
}
