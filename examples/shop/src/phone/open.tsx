import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { PhonePage } from './phone-page.tsx'

/** Shows the page that makes this device the microphone of a page elsewhere. */
export function open(root: HTMLElement): void {
  document.title = 'Microphone · Hearth & Hum'
  const token = location.hash.slice(1)
  // Good for one use, so it has no place in the history or in a bookmark.
  history.replaceState(history.state, '', location.pathname + location.search)
  createRoot(root).render(
    <StrictMode>
      <PhonePage token={token === '' ? undefined : token} />
    </StrictMode>,
  )
}
