import { type BrowsingCookie, DomosError } from '@domos/spec'

const MAX_SHOWN_CHARS = 60

/**
 * What every engine holds cookies that somebody sets to: browsers drop such cookies in silence, or send a broken header.
 * Gives the address the cookie is for, which the network policy must allow.
 * @throws DomosError `invalid_request`
 */
export function checkCookie({ name, value, url, domain, path, secure }: BrowsingCookie): URL {
  const shown = name.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, MAX_SHOWN_CHARS)
  const refuse = (why: string): never => {
    throw new DomosError('invalid_request', `The cookie ${shown} ${why}`, { details: { cookie: shown } })
  }
  if (/[\x00-\x20\x7f;=]/.test(name)) refuse('has a name with white space, a control character, ; or = in it.')
  if (/[\x00-\x08\x0a-\x1f\x7f;]/.test(value)) refuse('has a value with a control character or ; in it.')
  if (/[\x00-\x1f\x7f;]/.test(path ?? '')) refuse('has a path with a control character or ; in it.')
  const host = domain?.replace(/^\./, '').toLowerCase()
  const address = url ?? (host === undefined ? '' : `https://${host}/`)
  if (!URL.canParse(address)) refuse('needs a domain or a url.')
  const given = new URL(address)
  const isOutside = host !== undefined && given.hostname !== host && !given.hostname.endsWith(`.${host}`)
  if (isOutside) refuse(`names the domain ${host.slice(0, MAX_SHOWN_CHARS)}, and its url is of another one.`)
  // Without a leading dot the cookie is for that host alone.
  if (host !== undefined && !domain?.startsWith('.') && given.hostname !== host) {
    refuse('has a url of another host than its domain; a domain with a leading dot covers the hosts below it.')
  }
  const isHostPrefixed = /^__host-/i.test(name)
  if (
    (isHostPrefixed || /^__secure-/i.test(name)) &&
    (secure !== true || (url !== undefined && given.protocol !== 'https:'))
  ) {
    refuse('needs secure: true and an https url, by its name.')
  }
  if (isHostPrefixed && (domain?.startsWith('.') === true || (path ?? '/') !== '/')) {
    refuse('may have no domain and no path but /, by its name.')
  }
  return given
}
