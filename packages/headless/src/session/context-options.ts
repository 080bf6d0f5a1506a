import {
  type BrowserEngine,
  type CreateBrowsingSession,
  DomosError,
  type EngineContextOptions,
  type Principal,
} from '@domos/spec'
import { type BrowsingLimits, engineLimits } from '../limits.ts'
import { combinePolicies, createNetworkPolicy, type NetworkPolicyOptions } from '../network-policy.ts'
import { PROFILES } from '../profiles.ts'

/** What the server says about every context. */
export interface ServerOptions {
  readonly network?: NetworkPolicyOptions
  readonly limits: BrowsingLimits
  readonly downloadDirectory: string
}

/**
 * What an engine is told about a session, and what was asked for that it does not apply, in the document's spelling.
 * @throws DomosError `unsupported` for an unknown profile, `invalid_request` for values that could not be sent
 */
export function readContextOptions(
  principal: Principal,
  options: CreateBrowsingSession,
  engine: BrowserEngine,
  server: ServerOptions,
): { readonly contextOptions: EngineContextOptions; readonly ignored: string[] } {
  const { profile = {} } = options
  const { impersonation, locale, timezone, viewport, colorScheme } = profile
  const shown = impersonation === undefined ? undefined : PROFILES[impersonation]
  if (impersonation !== undefined && (shown === undefined || !Object.hasOwn(PROFILES, impersonation))) {
    throw new DomosError(
      'unsupported',
      `There is no profile ${impersonation.slice(0, 40)}; known are ${Object.keys(PROFILES).join(', ')}.`,
      {
        details: { field: 'profile.impersonation', known: Object.keys(PROFILES) },
      },
    )
  }
  if (locale !== undefined && !/^[a-zA-Z]{2,8}(-[a-zA-Z0-9]{1,8}){0,4}$/.test(locale)) {
    throw new DomosError('invalid_request', 'profile.locale is no language tag such as en-US.', {
      details: { path: 'params.profile.locale' },
    })
  }
  const userAgent = profile.userAgent ?? shown?.userAgent
  if (userAgent !== undefined && !/^[\x20-\x7e]+$/.test(userAgent)) {
    throw new DomosError('invalid_request', 'profile.user_agent may hold visible ASCII characters only.', {
      details: { path: 'params.profile.user_agent' },
    })
  }
  const maxJsHeapMb = options.limits?.maxJsHeapMb
  const asked: Readonly<Record<string, unknown>> = { locale, timezone, viewport, colorScheme, maxJsHeapMb }
  const names: Readonly<Record<string, string>> = {
    locale: 'profile.locale',
    timezone: 'profile.timezone',
    viewport: 'profile.viewport',
    colorScheme: 'profile.color_scheme',
    maxJsHeapMb: 'limits.max_js_heap_mb',
  }
  const ignored = Object.keys(asked)
    .filter((key) => asked[key] !== undefined && !engine.abilities.applies.includes(key))
    .map((key) => names[key] ?? key)
  return {
    ignored,
    contextOptions: {
      policy: combinePolicies(networksOf(principal, options, server).map(createNetworkPolicy)),
      ...(userAgent === undefined ? {} : { userAgent }),
      ...(shown === undefined ? {} : { headers: shown.headers }),
      ...(locale === undefined ? {} : { locale }),
      ...(timezone === undefined ? {} : { timezone }),
      ...(viewport === undefined ? {} : { viewport }),
      ...(colorScheme === undefined ? {} : { colorScheme }),
      ...(maxJsHeapMb === undefined ? {} : { maxJsHeapMb }),
      downloadDirectory: server.downloadDirectory,
      limits: engineLimits(server.limits),
    },
  }
}

/** Lists of domains narrow each other: a host must be on all that are given. */
function networksOf(
  principal: Principal,
  options: CreateBrowsingSession,
  server: ServerOptions,
): readonly NetworkPolicyOptions[] {
  const lists = [server.network?.allowedDomains, principal.allowedDomains, options.allowedDomains]
  const given = lists.filter((list) => list !== undefined)
  const base = server.network ?? {}
  return given.length === 0 ? [base] : given.map((allowedDomains) => ({ ...base, allowedDomains }))
}
