import type { EngineContextOptions } from '@domos/spec'
import type { CdpSession } from '../cdp/connection.ts'
import type { Protocol } from '../cdp/types.ts'

const DEFAULT_VIEWPORT = { width: 1_280, height: 720 }

/**
 * Makes a target look as its session asked: user agent with its client hints, language, time zone, colours, window.
 * Commands are only sent, not waited for: they are carried out in order, before the target runs on.
 */
export function emulate(
  session: CdpSession,
  options: EngineContextOptions,
  browserUserAgent: string,
  isTop: boolean,
): void {
  const { locale, timezone, colorScheme, viewport, headers = {} } = options
  const userAgent = options.userAgent ?? browserUserAgent
  const acceptLanguage = locale === undefined ? headers['accept-language'] : languagesFor(locale)
  const metadata = clientHints(userAgent, headers)
  if (options.userAgent !== undefined || acceptLanguage !== undefined) {
    session.post('Network.setUserAgentOverride', {
      userAgent,
      ...(acceptLanguage === undefined ? {} : { acceptLanguage: plainLanguages(acceptLanguage) }),
      ...(options.userAgent === undefined ? {} : { platform: navigatorPlatform(userAgent) }),
      ...(metadata === undefined ? {} : { userAgentMetadata: metadata }),
    })
  }
  // One renderer may show several targets; the second setting of the same locale is refused and needless.
  if (locale !== undefined) session.post('Emulation.setLocaleOverride', { locale })
  if (timezone !== undefined) session.post('Emulation.setTimezoneOverride', { timezoneId: timezone })
  if (colorScheme !== undefined) {
    session.post('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: colorScheme }] })
  }
  if (isTop) {
    session.post('Emulation.setDeviceMetricsOverride', {
      ...(viewport ?? DEFAULT_VIEWPORT),
      deviceScaleFactor: 1,
      mobile: false,
    })
    session.post('Emulation.setFocusEmulationEnabled', { enabled: true })
  }
}

function languagesFor(locale: string): string {
  const base = locale.split('-')[0] ?? locale
  return base === locale ? locale : `${locale},${base}`
}

/** The browser adds the weights itself. */
function plainLanguages(header: string): string {
  return header.replace(/;q=[\d.]+/g, '').replace(/\s+/g, '')
}

function navigatorPlatform(userAgent: string): string {
  if (/Macintosh/.test(userAgent)) return 'MacIntel'
  if (/Windows/.test(userAgent)) return 'Win32'
  if (/iPhone/.test(userAgent)) return 'iPhone'
  return /Android/.test(userAgent) ? 'Linux armv81' : 'Linux x86_64'
}

/** Client hints as the profile's headers state them, else as the user agent says. */
function clientHints(
  userAgent: string,
  headers: Readonly<Record<string, string>>,
): Protocol.Emulation.UserAgentMetadata | undefined {
  const full = /Chrome\/([\d.]+)/.exec(userAgent)?.[1]
  if (full === undefined) return undefined
  const stated = [...(headers['sec-ch-ua'] ?? '').matchAll(/"([^"]*)";v="([^"]*)"/g)].map(
    ([, brand = '', version = '']) => ({ brand, version }),
  )
  const brands = stated.length > 0 ? stated : [{ brand: 'Chromium', version: full.split('.')[0] ?? '' }]
  return {
    brands,
    fullVersionList: brands.map(({ brand, version }) => ({
      brand,
      version: /not/i.test(brand) ? `${version}.0.0.0` : full,
    })),
    platform: (headers['sec-ch-ua-platform'] ?? '"Linux"').replaceAll('"', ''),
    platformVersion: '',
    architecture: 'x86',
    bitness: '64',
    model: '',
    mobile: headers['sec-ch-ua-mobile'] === '?1',
  }
}
