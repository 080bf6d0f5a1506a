import {
  type BrowsingCookie,
  type CreateBrowsingSession,
  DomosError,
  type EngineContext,
  type JsonObject,
  type JsonValue,
} from '@domos/spec'

/** A session as it is exported and kept: everything a fresh context needs to go on. */
export interface SessionState {
  readonly profile: CreateBrowsingSession['profile']
  readonly cookies: readonly BrowsingCookie[]
  readonly storage: JsonObject
  readonly pages: readonly string[]
}

const MAX_COOKIES = 3_000
const MAX_PAGES = 100
const MAX_URL_CHARS = 65_536

/** Writes the state of a session ("session.export"). It holds cookies: whoever has it is logged in. */
export async function exportState(
  parts: { readonly context: EngineContext; readonly options: CreateBrowsingSession },
  pages: readonly { readonly url: string }[],
): Promise<JsonObject> {
  const cookies = await parts.context.cookies.get(undefined)
  return {
    format: 'domos-browsing-state',
    version: 1,
    profile: (parts.options.profile ?? {}) as JsonObject,
    cookies: cookies as unknown as JsonValue,
    storage: await parts.context.exportStorage(),
    pages: pages.map(({ url }) => url).filter((url) => /^https?:/.test(url)),
  }
}

/** Reads a state. @throws DomosError `invalid_request` naming what is wrong */
export function readState(value: JsonValue): SessionState {
  const wrong = (path: string): DomosError =>
    new DomosError('invalid_request', `state.${path} is not what session.export gives.`, {
      details: { path: `params.state.${path}` },
    })
  if (!isObject(value) || value['format'] !== 'domos-browsing-state' || value['version'] !== 1) throw wrong('format')
  const { cookies, pages, storage, profile } = value
  if (!Array.isArray(cookies) || cookies.length > MAX_COOKIES || !cookies.every(isCookie)) throw wrong('cookies')
  const isUrl = (url: JsonValue): boolean =>
    typeof url === 'string' && url.length <= MAX_URL_CHARS && /^https?:/.test(url)
  if (!Array.isArray(pages) || pages.length > MAX_PAGES || !pages.every(isUrl)) throw wrong('pages')
  if (!isObject(storage ?? {})) throw wrong('storage')
  if (!isObject(profile ?? {})) throw wrong('profile')
  return {
    profile: readProfile((profile ?? {}) as JsonObject),
    cookies: cookies as unknown as readonly BrowsingCookie[],
    storage: (storage ?? {}) as JsonObject,
    pages: pages as readonly string[],
  }
}

function readProfile(profile: JsonObject): NonNullable<CreateBrowsingSession['profile']> {
  const text = (key: string): string | undefined => {
    const value = profile[key]
    return typeof value === 'string' && value.length <= 512 && !/[\r\n]/.test(value) ? value : undefined
  }
  const viewport = profile['viewport']
  const [impersonation, userAgent, locale, timezone] = ['impersonation', 'userAgent', 'locale', 'timezone'].map(text)
  return {
    ...(impersonation === undefined ? {} : { impersonation }),
    ...(userAgent === undefined ? {} : { userAgent }),
    ...(locale === undefined ? {} : { locale }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(isViewport(viewport) ? { viewport } : {}),
  }
}

function isViewport(value: unknown): value is { readonly width: number; readonly height: number } {
  const { width, height } = (value ?? {}) as Record<string, unknown>
  return [width, height].every((size) => typeof size === 'number' && size >= 1 && size <= 10_000)
}

function isCookie(cookie: JsonValue): boolean {
  return isObject(cookie) && typeof cookie['name'] === 'string' && typeof cookie['value'] === 'string'
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
