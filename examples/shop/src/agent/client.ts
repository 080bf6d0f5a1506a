import type { DomOSClient } from '@domos/core'
import { createContext, useContext } from 'react'

/** The page door of the server that served this page. */
export function endpointOf(address: Pick<Location, 'protocol' | 'host'>): string {
  return `${address.protocol === 'https:' ? 'wss' : 'ws'}://${address.host}/adtp`
}

/** The client of this page, connected once by main.tsx. */
export const AgentContext = createContext<DomOSClient | null>(null)

/** The client that the page around gives. */
export function useAgentClient(): DomOSClient {
  const client = useContext(AgentContext)
  if (!client) throw new Error('Put the component below <AgentContext value={client}>.')
  return client
}
