import { DomosError, type DownloadInfo, type EngineLimits } from '@domos/spec'
import { decodeHtml, parseContentType } from '../net/charset.ts'
import {
  type DocumentRequest,
  type DocumentResponse,
  type FetchEnvironment,
  fetchDocument,
} from '../net/fetch-document.ts'
import type { Downloads } from './downloads.ts'

/** What a request came to. */
export type Loaded =
  | {
      readonly type: 'document'
      readonly response: DocumentResponse
      readonly html: string
      readonly encoding: string
      readonly contentType: string
      readonly bytes: number
      readonly fetchMs: number
    }
  | {
      readonly type: 'download'
      readonly response: DocumentResponse
      readonly download: DownloadInfo
      readonly fetchMs: number
    }
  /** 204 and 205: the page stays. */
  | { readonly type: 'nothing'; readonly response: DocumentResponse; readonly fetchMs: number }

const HTML = new Set(['text/html', 'application/xhtml+xml'])
const TEXT =
  /^(text\/|application\/(json|xml|javascript|ecmascript|x-ndjson|yaml|toml)|[\w.+-]+\/[\w.+-]*\+(json|xml)$)/

/**
 * Fetches a document and decides what it is: HTML, other text shown as a document, or a download.
 * @throws DomosError `navigation_failed` with details.status for a failed response that has nothing to show, `too_large`
 */
export async function load(
  environment: FetchEnvironment,
  request: DocumentRequest,
  wanted: { readonly download?: { readonly name: string | undefined } },
  downloads: Downloads,
  limits: EngineLimits,
  signal: AbortSignal,
): Promise<Loaded> {
  const startedAt = performance.now()
  const response = await fetchDocument(environment, request, signal)
  const elapsed = (): number => Math.round(performance.now() - startedAt)
  if (response.status === 204 || response.status === 205) {
    for await (const _chunk of response.body);
    return { type: 'nothing', response, fetchMs: elapsed() }
  }
  const { type, charset } = parseContentType(response.headers['content-type'])
  const disposition = response.headers['content-disposition']
  const isAttachment = /^\s*attachment\b/i.test(disposition ?? '')
  const body = await peek(response.body)
  const kind = wanted.download !== undefined || isAttachment ? 'download' : classify(type, body.first)
  if (response.status >= 400 && kind === 'download') throw failed(response)
  if (kind === 'download') {
    const download = await downloads.receive(body.all(), {
      url: response.url.href,
      contentType: type === '' ? 'application/octet-stream' : type,
      disposition,
      suggested: wanted.download?.name,
    })
    return { type: 'download', response, download, fetchMs: elapsed() }
  }
  const bytes = await collect(body.all(), limits.maxDecodedBytes)
  if (bytes.length === 0 && response.status >= 400) throw failed(response)
  const decoded = kind === 'html' ? decodeHtml(bytes, charset) : textDocument(bytes, charset, response.url)
  return {
    type: 'document',
    response,
    ...decoded,
    contentType: type === '' ? (kind === 'html' ? 'text/html' : 'text/plain') : type,
    bytes: bytes.length,
    fetchMs: elapsed(),
  }
}

function failed({ url, status }: DocumentResponse): DomosError {
  return new DomosError('navigation_failed', `${url.hostname} answered ${status} with nothing to show.`, {
    details: { reason: 'HTTP_ERROR', status },
  })
}

function classify(type: string, first: Uint8Array): 'html' | 'text' | 'download' {
  if (HTML.has(type)) return 'html'
  if (type !== '') return TEXT.test(type) ? 'text' : 'download'
  // Without a type the bytes decide, by the signs of HTML and of binary data (MIME Sniffing).
  const text = new TextDecoder('latin1').decode(first.subarray(0, 1_024))
  if (
    /^\s*<(!doctype html|!--|html|head|title|body|h1|div|p|a|table|br|meta|script|style|font|iframe)[\s>]/i.test(text)
  ) {
    return 'html'
  }
  return first.subarray(0, 1_024).some((byte) => byte < 9 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32))
    ? 'download'
    : 'text'
}

function textDocument(bytes: Uint8Array, charset: string | undefined, url: URL): { html: string; encoding: string } {
  let decoder: InstanceType<typeof TextDecoder>
  try {
    decoder = new TextDecoder(charset ?? 'utf-8')
  } catch {
    decoder = new TextDecoder('utf-8')
  }
  const text = decoder.decode(bytes).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const title = decodeURIComponentSafely(url.pathname.split('/').at(-1) ?? '')
  const escaped = title.replace(/[&<>]/g, '')
  return { html: `<!doctype html><title>${escaped}</title><pre>${text}</pre>`, encoding: decoder.encoding }
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

async function peek(source: AsyncGenerator<Uint8Array>): Promise<{
  readonly first: Uint8Array
  all(): AsyncGenerator<Uint8Array>
}> {
  const next = await source.next()
  const first = next.done === true ? new Uint8Array() : next.value
  return {
    first,
    async *all() {
      if (first.length > 0) yield first
      yield* source
    },
  }
}

/** All bytes of a body, up to a bound. @throws DomosError `too_large` */
export async function collect(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of source) {
    total += chunk.length
    if (total > maxBytes) {
      throw new DomosError('too_large', `The document is larger than ${maxBytes} bytes.`, {
        details: { reason: 'RESPONSE_TOO_LARGE', maxBytes },
      })
    }
    chunks.push(chunk)
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
}
