import type { ClientProtocol, ClientProtocolOptions } from '@domos/adtp/client'
import type { DomOSClientOptions } from './options.ts'

/** What this client can do, by the names of the protocol. */
export const CAPABILITIES = [
  ...['text', 'audio', 'tools', 'resume', 'stream', 'tool_cancel', 'tool_progress', 'approval', 'jsonschema', 'join'],
] as Parameters<ClientProtocol['supports']>[0][]

/** What the first frame says about this page. */
export function helloFields(options: DomOSClientOptions): NonNullable<ClientProtocolOptions['hello']> {
  const { joinToken } = options
  return {
    language: clientLanguage(options),
    ...(globalThis.navigator?.webdriver && { webdriver: true }),
    ...(joinToken !== undefined && { joinToken }),
  }
}

/** The language the person is spoken to in. */
export function clientLanguage(options: Pick<DomOSClientOptions, 'language'>): string {
  return options.language || globalThis.document?.documentElement.lang || 'en'
}
