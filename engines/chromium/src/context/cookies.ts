import { type BrowsingCookie, DomosError, type EngineContext } from '@domos/spec'
import type { CdpSession } from '../cdp/connection.ts'
import type { Protocol } from '../cdp/types.ts'

/** The cookies of a browser context. */
export function contextCookies(browser: CdpSession, browserContextId: string): EngineContext['cookies'] {
  const all = async (): Promise<readonly Protocol.Network.Cookie[]> =>
    (await browser.send('Storage.getCookies', { browserContextId })).cookies
  return {
    async get(url) {
      const cookies = await all()
      return cookies.filter((cookie) => url === undefined || appliesTo(cookie, new URL(url))).map(fromBrowser)
    },
    async set(cookies) {
      const known = cookies.map(toBrowser)
      try {
        await browser.send('Storage.setCookies', { cookies: known, browserContextId })
      } catch (cause) {
        throw new DomosError('invalid_request', 'A cookie was refused by the browser; none was set.', {
          details: { path: 'params.cookies' },
          cause,
        })
      }
    },
    async clear(filter) {
      const cookies = await all()
      const url = filter.url === undefined ? undefined : new URL(filter.url)
      const gone = cookies.filter(
        (cookie) =>
          (filter.name === undefined || cookie.name === filter.name) &&
          (filter.domain === undefined || sameDomain(cookie.domain, filter.domain)) &&
          (url === undefined || appliesTo(cookie, url)),
      )
      if (gone.length === 0) return 0
      if (gone.length === cookies.length) await browser.send('Storage.clearCookies', { browserContextId })
      else {
        // A cookie is taken back by setting it into the past.
        await browser.send('Storage.setCookies', {
          browserContextId,
          cookies: gone.map((cookie) => ({ ...toParam(cookie), value: '', expires: 1 })),
        })
      }
      return gone.length
    },
  }
}

function fromBrowser(cookie: Protocol.Network.Cookie): BrowsingCookie {
  return {
    name: cookie.name,
    value: cookie.value,
    domain: cookie.domain,
    path: cookie.path,
    ...(cookie.session || cookie.expires < 0 ? {} : { expires: cookie.expires }),
    httpOnly: cookie.httpOnly,
    secure: cookie.secure,
    ...(cookie.sameSite === undefined ? {} : { sameSite: cookie.sameSite }),
  }
}

function toParam(cookie: Protocol.Network.Cookie): Protocol.Network.CookieParam {
  // A domain without a dot at its start would become one with it; the URL keeps it bound to its host.
  const isHostOnly = !cookie.domain.startsWith('.')
  return {
    name: cookie.name,
    value: cookie.value,
    path: cookie.path,
    ...(isHostOnly
      ? { url: `${cookie.secure ? 'https' : 'http'}://${cookie.domain}${cookie.path}` }
      : { domain: cookie.domain }),
  }
}

function toBrowser(cookie: BrowsingCookie, index: number): Protocol.Network.CookieParam {
  const at = `params.cookies[${index}]`
  const { name, value, domain, url, path, expires, httpOnly, secure, sameSite } = cookie
  if (domain === undefined && url === undefined) {
    throw new DomosError('invalid_request', `The cookie ${name.slice(0, 60)} needs a domain or a url.`, {
      details: { path: at },
    })
  }
  if (url !== undefined && !URL.canParse(url)) {
    throw new DomosError('invalid_request', `The url of the cookie ${name.slice(0, 60)} is not complete.`, {
      details: { path: at },
    })
  }
  const isHostOnly = domain !== undefined && !domain.startsWith('.')
  return {
    name,
    value,
    ...(isHostOnly
      ? { url: `${secure === true ? 'https' : 'http'}://${domain}${path ?? '/'}` }
      : domain === undefined
        ? { url: url ?? '' }
        : { domain }),
    path: path ?? '/',
    ...(expires === undefined ? {} : { expires }),
    ...(httpOnly === undefined ? {} : { httpOnly }),
    ...(secure === undefined ? {} : { secure }),
    ...(sameSite === undefined ? {} : { sameSite }),
  }
}

function appliesTo(cookie: Protocol.Network.Cookie, url: URL): boolean {
  const host = url.hostname
  const isHost = cookie.domain.startsWith('.')
    ? host === cookie.domain.slice(1) || host.endsWith(cookie.domain)
    : host === cookie.domain
  const path = cookie.path.endsWith('/') ? cookie.path : `${cookie.path}/`
  const isPath = url.pathname === cookie.path || `${url.pathname}/`.startsWith(path)
  return isHost && isPath && (!cookie.secure || url.protocol === 'https:' || isLoopback(host))
}

function sameDomain(a: string, b: string): boolean {
  return a.replace(/^\./, '') === b.replace(/^\./, '')
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || /^127\./.test(host) || host === '[::1]'
}
