import { DomOSClient } from '@domos/core'
import { DomOSProvider } from '@domos/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { endpointOf } from '../agent/client.ts'
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
      <DomOSProvider client={client}>
        <App />
      </DomOSProvider>
    </StrictMode>,
  )
  // The first render has declared its tools by the time the handshake is through.
  void client.connect()
}
