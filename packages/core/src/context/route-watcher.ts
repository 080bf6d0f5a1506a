/** Where the page is. */
export interface PageLocation {
  /** Path and query, and the fragment where it is a route (`#/…`). Other fragments may carry secrets and stay here. */
  readonly url: string
  readonly pathname: string
  readonly title: string
}

/** Reads where the page is; outside a browser, an empty place. */
export function readLocation(): PageLocation {
  if (typeof location === 'undefined') return { url: '', pathname: '', title: '' }
  const { pathname, search, hash } = location
  const route = /^#!?\//.test(hash) ? hash : ''
  return {
    url: pathname + search + route,
    pathname: pathname + route,
    title: typeof document === 'undefined' ? '' : document.title,
  }
}

type Watch = () => void
const watchers = new Set<Watch>()
let undo: (() => void) | undefined

/**
 * Calls back after each change of route: pushState, replaceState, back and forward. Several watchers share one patch of
 * the History API, which is taken back when the last one leaves. Does nothing outside a browser.
 */
export function watchRoute(changed: () => void): () => void {
  if (typeof window === 'undefined' || typeof history === 'undefined') return () => {}
  const watch: Watch = () => changed()
  watchers.add(watch)
  undo ??= patchHistory()
  return () => {
    if (!watchers.delete(watch) || watchers.size > 0) return
    undo?.()
    undo = undefined
  }
}

function patchHistory(): () => void {
  const notify = () => {
    for (const watch of [...watchers]) watch()
  }
  const restore = (['pushState', 'replaceState'] as const).map((name) => {
    const original = history[name]
    const patched: typeof original = function (this: History, ...args) {
      original.apply(this, args)
      notify()
    }
    history[name] = patched
    return () => {
      // Someone may have patched on top of us; then ours must stay and merely falls silent.
      if (history[name] === patched) history[name] = original
    }
  })
  // Fires for changes of the fragment too.
  window.addEventListener('popstate', notify)
  return () => {
    for (const put of restore) put()
    window.removeEventListener('popstate', notify)
  }
}
