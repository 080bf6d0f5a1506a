import type { DomOSClient } from '@domos/core'
import { agentStore } from '@domos/core/adapter'

/**
 * A conversation in plain HTML: a form with `data-domos-send` says what its first text field holds, a button with
 * `data-domos-stop` stops the answer, and elements with `data-domos-show` show the `response`, `state` or `error`.
 * The returned function ends it.
 */
export function connectChat(client: DomOSClient, root: Document | HTMLElement = document): () => void {
  const store = agentStore(client)
  const show = () => {
    const { state, response, error } = store.getSnapshot()
    const texts: Readonly<Record<string, string>> = { state, response, error: error?.message ?? '' }
    for (const element of root.querySelectorAll('[data-domos-show]')) {
      const text = texts[element.getAttribute('data-domos-show') ?? ''] ?? ''
      if (element.textContent !== text) element.textContent = text
    }
  }
  const send = (event: Event) => {
    if (!(event.target instanceof HTMLFormElement) || !event.target.matches('[data-domos-send]')) return
    event.preventDefault()
    const field = event.target.querySelector<HTMLInputElement>(
      'textarea, input:not([type]), input[type=text], input[type=search]',
    )
    if (!field?.value.trim()) return
    client.sendText(field.value)
    event.target.reset()
  }
  const stop = (event: Event) => {
    if (event.target instanceof Element && event.target.closest('[data-domos-stop]')) client.stop()
  }
  root.addEventListener('submit', send)
  root.addEventListener('click', stop)
  const unsubscribe = store.subscribe(show)
  show()
  return () => {
    root.removeEventListener('submit', send)
    root.removeEventListener('click', stop)
    unsubscribe()
  }
}
