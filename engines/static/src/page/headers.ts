import type { EngineContextOptions } from '@domos/spec'

const DEFAULT_USER_AGENT = 'Mozilla/5.0 (compatible; DomOS/0.1; +https://www.npmjs.com/package/domos)'
const DEFAULT_ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

/** The headers every request of a context carries. */
export function contextHeaders(options: EngineContextOptions): Readonly<Record<string, string>> {
  return {
    ...(options.headers ?? {}),
    'user-agent': options.userAgent ?? DEFAULT_USER_AGENT,
    accept: options.headers?.['accept'] ?? DEFAULT_ACCEPT,
    'accept-language':
      options.locale === undefined
        ? (options.headers?.['accept-language'] ?? 'en-US,en;q=0.9')
        : acceptLanguage(options.locale),
    'upgrade-insecure-requests': '1',
  }
}

/** `de-AT` → `de-AT,de;q=0.9,en;q=0.8`. */
export function acceptLanguage(locale: string): string {
  const language = locale.split('-')[0] ?? locale
  const parts = language === locale ? [locale] : [locale, `${language};q=0.9`]
  return (language === 'en' ? parts : [...parts, 'en;q=0.8']).join(',')
}
