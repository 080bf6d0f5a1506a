import { DomOSProvider } from '@domos/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Assistant } from './assistant.tsx'
import { Tasks } from './tasks.tsx'

const root = document.getElementById('app')
if (!root) throw new Error('The page has no #app.')
createRoot(root).render(
  <StrictMode>
    <DomOSProvider endpoint="/adtp">
      <Tasks />
      <Assistant />
    </DomOSProvider>
  </StrictMode>,
)
