/// <reference path="./html-encoding-sniffer.d.ts" />
import sniff from 'html-encoding-sniffer'

/**
 * Decodes an HTML document by the HTML standard's rules: byte order mark, then the transport's charset, then a prescan
 * of the first 1,024 bytes for a meta element, then windows-1252.
 */
export function decodeHtml(
  bytes: Uint8Array,
  transportCharset: string | undefined,
): { readonly html: string; readonly encoding: string } {
  const encoding = sniff(bytes, {
    ...(transportCharset === undefined ? {} : { transportLayerEncodingLabel: transportCharset }),
    defaultEncoding: 'windows-1252',
  })
  return { html: createDecoder(encoding).decode(bytes), encoding }
}

function createDecoder(label: string): { decode(bytes: Uint8Array): string } {
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder('windows-1252')
  }
}

/** The media type of a Content-Type header in lower case, and its charset. */
export function parseContentType(header: string | undefined): {
  readonly type: string
  readonly charset: string | undefined
} {
  const [type = '', ...parameters] = (header ?? '').split(';')
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]+)"?\s*$/i.exec(parameter)?.[1])
    .find((value) => value !== undefined)
  return { type: type.trim().toLowerCase(), charset }
}
