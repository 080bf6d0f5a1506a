import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DomosError } from '@domos/spec'
import sniff from 'html-encoding-sniffer'

/** A document from this machine. */
export interface LocalDocument {
  readonly html: string
  readonly url: string
  readonly htmlBytes: number
}

/**
 * Reads a file, or standard input for `-`. What names no charset is UTF-8 where its bytes are, else windows-1252.
 * @throws DomosError `not_found` when the file cannot be read
 */
export async function readDocument(source: string, directory: string): Promise<LocalDocument> {
  const path = resolve(directory, source)
  let bytes: Uint8Array
  try {
    bytes = source === '-' ? await readAll(process.stdin) : await readFile(path)
  } catch (thrown) {
    const reason = (thrown as { code?: unknown }).code
    throw new DomosError('not_found', `${source} cannot be read${typeof reason === 'string' ? ` (${reason})` : ''}.`, {
      cause: thrown,
    })
  }
  return {
    html: decode(bytes),
    url: source === '-' ? 'about:blank' : pathToFileURL(path).href,
    htmlBytes: bytes.byteLength,
  }
}

async function readAll(input: AsyncIterable<unknown>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of input) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}

function decode(bytes: Uint8Array): string {
  const encoding = sniff(bytes, { defaultEncoding: 'UTF-8' })
  try {
    return new TextDecoder(encoding, { fatal: encoding === 'UTF-8' }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
