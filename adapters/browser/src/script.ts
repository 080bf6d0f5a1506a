import { createOverlay } from '@domos/core/overlay'
import { type InitOptions, init as start } from './domos.ts'

// The script tag: what it exports is the global DomOS. With `data-domos` on the tag the page needs no script of its own.

export { DEFAULT_LIMITS, DomOSClient } from '@domos/core'
export { createOverlay } from '@domos/core/overlay'
export * from './index.ts'

/** `init` with the approval dialog of this very script, whose references to the DOM are as old as it is. */
export function init(options: InitOptions = {}): ReturnType<typeof start> {
  return start({ overlay: createOverlay, ...options })
}

const tag = document.currentScript
if (tag?.hasAttribute('data-domos')) {
  const read = (name: string) => tag.getAttribute(`data-domos-${name}`) ?? undefined
  const endpoint = read('endpoint')
  const apiKey = read('api-key')
  const language = read('language')
  const begin = () =>
    void init({
      ...(endpoint !== undefined && { endpoint }),
      ...(apiKey !== undefined && { apiKey }),
      ...(language !== undefined && { language }),
      webmcp: tag.hasAttribute('data-domos-webmcp'),
    })
  // The first message to the server shall have the tools of the whole page.
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin)
  else begin()
}
