import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { DomosError, describeThrown } from '@domos/spec'
import type { Settings } from './settings.ts'

/** PEM texts of a certificate and its key. */
export interface TlsFiles {
  readonly cert: string
  readonly key: string
}

/**
 * Reads and checks the files of --tls-cert and --tls-key; undefined when neither is set.
 * @throws DomosError `invalid_request` when one is missing or unreadable, or they do not belong together
 */
export function readTlsFiles(settings: Pick<Settings, 'tlsCert' | 'tlsKey'>): TlsFiles | undefined {
  const { tlsCert, tlsKey } = settings
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  if (tlsCert === undefined || tlsKey === undefined) {
    throw invalid(tlsCert === undefined ? 'tlsCert' : 'tlsKey', '--tls-cert and --tls-key belong together.')
  }
  const files = { cert: read('tlsCert', '--tls-cert', tlsCert), key: read('tlsKey', '--tls-key', tlsKey) }
  try {
    createSecureContext(files)
  } catch (thrown) {
    const message = `--tls-cert ${tlsCert} and --tls-key ${tlsKey} are no certificate (PEM) with its private key: ${describeThrown(thrown)}`
    throw invalid('tlsCert', message, thrown)
  }
  return files
}

function read(setting: string, flag: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (thrown) {
    throw invalid(setting, `${flag}: ${path} cannot be read.`, thrown)
  }
}

function invalid(setting: string, message: string, cause?: unknown): DomosError {
  return new DomosError('invalid_request', message, { details: { setting }, cause })
}
