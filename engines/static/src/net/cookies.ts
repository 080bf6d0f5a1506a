import { type BrowsingCookie, DomosError } from '@domos/spec'
import { getDomain } from 'tldts'
import { Cookie, CookieJar } from 'tough-cookie'

/** Cookies of one session, with the rules of browsers: public suffixes, Secure, SameSite, prefixes. */
export interface Cookies {
  /** The Cookie header for a request; undefined when there is none. */
  header(url: URL, context: CookieRequest): Promise<string | undefined>
  /** Takes the Set-Cookie headers of a response; what browsers would refuse is refused silently, as there. */
  store(url: URL, setCookie: readonly string[], context: CookieRequest): Promise<void>
  get(url: string | undefined): Promise<readonly BrowsingCookie[]>
  set(cookies: readonly BrowsingCookie[]): Promise<void>
  clear(filter: { readonly name?: string; readonly domain?: string; readonly url?: string }): Promise<number>
}

/** What decides about SameSite. */
export interface CookieRequest {
  /** URL of the page that made the request; undefined = the person, or an agent, asked for it directly. */
  readonly initiator: URL | undefined
  readonly isTopNavigation: boolean
  readonly isSafeMethod: boolean
}

/** Cookies a session may hold; beyond it the oldest of a domain would have to go, so one more is refused. */
const MAX_COOKIES = 3_000

/** Creates an empty jar. */
export function createCookies(): Cookies {
  const jar = new CookieJar(undefined, {
    rejectPublicSuffixes: true,
    looseMode: true,
    prefixSecurity: 'silent',
    allowSpecialUseDomain: true,
  })
  const all = async (): Promise<Cookie[]> => jar.store.getAllCookies()

  return {
    async header(url, context) {
      const text = await jar.getCookieString(url.href, { sameSiteContext: sameSite(url, context) })
      return text === '' ? undefined : text
    },
    async store(url, setCookie, context) {
      for (const header of setCookie) {
        if ((await all()).length >= MAX_COOKIES) return
        await jar.setCookie(header, url.href, { ignoreError: true, sameSiteContext: sameSite(url, context) })
      }
    },
    async get(url) {
      const found = url === undefined ? await all() : await jar.getCookies(url)
      return found.map(toBrowsing)
    },
    async set(cookies) {
      const prepared = cookies.map((cookie) => prepare(cookie))
      for (const { cookie, url } of prepared) {
        try {
          await jar.setCookie(cookie, url)
        } catch (thrown) {
          const why = thrown instanceof Error ? thrown.message : 'refused'
          throw new DomosError('invalid_request', `The cookie ${cookie.key} cannot be set: ${why}.`, {
            details: { cookie: cookie.key },
            cause: thrown,
          })
        }
      }
    },
    async clear(filter) {
      const inScope = filter.url === undefined ? await all() : await jar.getCookies(filter.url)
      const domain = filter.domain?.replace(/^\./, '').toLowerCase()
      const matching = inScope.filter(
        (cookie) =>
          (filter.name === undefined || cookie.key === filter.name) &&
          (domain === undefined || cookie.domain === domain),
      )
      for (const { domain: host, path, key } of matching) await jar.store.removeCookie(host ?? '', path ?? '/', key)
      return matching.length
    },
  }
}

function sameSite(url: URL, { initiator, isTopNavigation, isSafeMethod }: CookieRequest): 'strict' | 'lax' | 'none' {
  if (initiator === undefined || siteOf(initiator) === siteOf(url)) return 'strict'
  return isTopNavigation && isSafeMethod ? 'lax' : 'none'
}

/** How two URLs stand to each other, as `Sec-Fetch-Site` names it. */
export function siteRelation(from: URL, to: URL): 'same-origin' | 'same-site' | 'cross-site' {
  if (from.origin === to.origin) return 'same-origin'
  return siteOf(from) === siteOf(to) ? 'same-site' : 'cross-site'
}

function siteOf(url: URL): string {
  // Ports do not count; two hosts of one registrable domain are one site.
  return `${url.protocol}//${getDomain(url.hostname) ?? url.hostname}`
}

function prepare(cookie: BrowsingCookie): { readonly cookie: Cookie; readonly url: string } {
  const domain = cookie.domain?.toLowerCase()
  const host = domain?.replace(/^\./, '')
  const url =
    cookie.url ??
    (host === undefined ? undefined : `${cookie.secure === true ? 'https' : 'http'}://${host}${cookie.path ?? '/'}`)
  if (url === undefined || !URL.canParse(url)) {
    throw new DomosError('invalid_request', `The cookie ${cookie.name} needs a domain or a url.`, {
      details: { cookie: cookie.name },
    })
  }
  const made = new Cookie({
    key: cookie.name,
    value: cookie.value,
    // Without a leading dot the cookie is for that host alone.
    ...(domain?.startsWith('.') === true ? { domain: host as string } : {}),
    ...(cookie.path === undefined ? {} : { path: cookie.path }),
    ...(cookie.expires === undefined ? {} : { expires: new Date(cookie.expires * 1_000) }),
    httpOnly: cookie.httpOnly ?? false,
    secure: cookie.secure ?? false,
    ...(cookie.sameSite === undefined ? {} : { sameSite: cookie.sameSite.toLowerCase() }),
  })
  return { cookie: made, url }
}

function toBrowsing(cookie: Cookie): BrowsingCookie {
  const sameSiteName = { strict: 'Strict', lax: 'Lax', none: 'None' }[
    cookie.sameSite ?? ''
  ] as BrowsingCookie['sameSite']
  const expires = cookie.expires instanceof Date ? cookie.expires.getTime() / 1_000 : undefined
  return {
    name: cookie.key,
    value: cookie.value,
    domain: `${cookie.hostOnly === true ? '' : '.'}${cookie.domain ?? ''}`,
    path: cookie.path ?? '/',
    httpOnly: cookie.httpOnly,
    secure: cookie.secure,
    ...(expires === undefined || !Number.isFinite(expires) ? {} : { expires }),
    ...(sameSiteName === undefined ? {} : { sameSite: sameSiteName }),
  }
}
