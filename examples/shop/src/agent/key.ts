const KEY = 'hearth-and-hum/key'

/**
 * The API key of a server that wants one. It comes once behind the hash (`/demo/#key=…`), where no server and no log sees it, is
 * taken out of the address, and kept for this tab.
 */
export function takeApiKey(): string | undefined {
  const given = /^#key=(.+)$/.exec(location.hash)?.[1]
  try {
    if (given !== undefined) {
      sessionStorage.setItem(KEY, decodeURIComponent(given))
      history.replaceState(history.state, '', location.pathname + location.search)
    }
    return sessionStorage.getItem(KEY) ?? undefined
  } catch {
    return given === undefined ? undefined : decodeURIComponent(given)
  }
}
