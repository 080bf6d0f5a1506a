import { DomOSClient } from '@domos/core'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { AgentContext, endpointOf } from './agent/client.ts'
import { App } from './app.tsx'
import { applyKeptTheme } from './parts/theme.tsx'
import './styles/index.css'

applyKeptTheme()

const client = new DomOSClient({ endpoint: endpointOf(location), language: 'en' })

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root.')
createRoot(root).render(
  <StrictMode>
    <AgentContext value={client}>
      <App />
    </AgentContext>
  </StrictMode>,
)

// The first render has declared its tools by the time the handshake is through.
void client.connect()
