export { useDomOSClient as useAgentClient } from '@domos/react'

/** The page door of the server that served this page. */
export function endpointOf(address: Pick<Location, 'protocol' | 'host'>): string {
  return `${address.protocol === 'https:' ? 'wss' : 'ws'}://${address.host}/adtp`
}
