import { DomOSClient } from '@domos/core'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { AgentContext, endpointOf } from '../agent/client.ts'
import { takeApiKey } from '../agent/key.ts'
import { App } from '../app.tsx'

/** Shows the shop and connects its assistant. */
export function open(root: HTMLElement): void {
  const apiKey = takeApiKey()
  const client = new DomOSClient({
    endpoint: endpointOf(location),
    language: 'en',
    ...(apiKey !== undefined && { apiKey }),
  })
  createRoot(root).render(
    <StrictMode>
      <AgentContext value={client}>
        <App />
      </AgentContext>
    </StrictMode>,
  )
  // The first render has declared its tools by the time the handshake is through.
  void client.connect()
}
