import type { ClientProtocolOptions } from '@domos/adtp/client'
import type { DomOSClientOptions } from './options.ts'

/** The version of this client. */
export const VERSION = '0.1.0'

const CAPABILITIES = [
  'text',
  'audio',
  'tools',
  'resume',
  'stream',
  'tool_cancel',
  'tool_progress',
  'approval',
  'jsonschema',
] as const

/** What this client can do, by the names of the protocol. */
export function announcedCapabilities(): (typeof CAPABILITIES)[number][] {
  return [...CAPABILITIES]
}

/** What the first frame says about this page. */
export function helloFields(options: DomOSClientOptions, version: string): NonNullable<ClientProtocolOptions['hello']> {
  const { joinToken } = options
  const language = clientLanguage(options)
  const driven = typeof navigator !== 'undefined' && navigator.webdriver === true
  return {
    language,
    ...(driven && { webdriver: true }),
    ...(joinToken !== undefined && { joinToken }),
    ...(options.dialect === 'spoken' && {
      userAgent: `domos-core/${version}`,
      viewport: typeof innerWidth === 'number' ? `${innerWidth}x${innerHeight}` : '0x0',
      sdkVersion: version,
    }),
  }
}

/** The language the person is spoken to in. */
export function clientLanguage(options: Pick<DomOSClientOptions, 'language'>): string {
  if (options.language) return options.language
  return (typeof document === 'undefined' ? '' : document.documentElement.lang) || 'en'
}
