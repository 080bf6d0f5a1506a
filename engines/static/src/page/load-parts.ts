import type { DocumentSource } from '../document/page-model.ts'
import type { WantedParts } from '../document/parts.ts'
import type { StaticEngineLimits } from '../limits.ts'
import { decodeHtml, parseContentType } from '../net/charset.ts'
import { type DocumentRequest, type FetchEnvironment, fetchDocument } from '../net/fetch-document.ts'
import { collect } from './load.ts'

/** Where loaded parts go. */
export interface PartsTarget {
  setStylesheet(href: string, css: string): Promise<void>
  /** Gives what the document of the frame needs in turn. */
  setFrame(key: number, source: DocumentSource): Promise<WantedParts>
}

/**
 * Loads stylesheets and frames of a document, and those of its frames. What fails, is refused or comes too late is left
 * out: the page is shown without it, as a browser would.
 */
export async function loadParts(
  environment: FetchEnvironment,
  limits: StaticEngineLimits,
  wanted: WantedParts,
  initiator: URL,
  target: PartsTarget,
  signal: AbortSignal,
): Promise<void> {
  const styles = wanted.stylesheets.map(async ({ href, url }) => {
    const request: DocumentRequest = { url: new URL(url), method: 'GET', initiator, purpose: 'style' }
    const { response, bytes } = await fetchPart(environment, request, limits.maxStylesheetBytes, signal)
    const { type, charset } = parseContentType(response.headers['content-type'])
    if (response.status < 400 && (type === 'text/css' || type === '')) {
      await target.setStylesheet(href, decodeCss(bytes, charset))
    }
  })
  const frames = wanted.frames.map(async ({ key, url }) => {
    const source = await fetchFrame(
      environment,
      limits,
      { url: new URL(url), method: 'GET', initiator, purpose: 'iframe' },
      signal,
    )
    if (source === undefined) return
    const inner = await target.setFrame(key, source)
    await loadParts(environment, limits, inner, new URL(source.url), target, signal)
  })
  await Promise.allSettled([...styles, ...frames])
}

/** Loads the document of a frame; undefined when it is none. */
export async function fetchFrame(
  environment: FetchEnvironment,
  limits: StaticEngineLimits,
  request: DocumentRequest,
  signal: AbortSignal,
): Promise<DocumentSource | undefined> {
  const { response, bytes } = await fetchPart(environment, request, limits.maxFrameBytes, signal)
  const { type, charset } = parseContentType(response.headers['content-type'])
  if (type !== 'text/html' && type !== 'application/xhtml+xml') return undefined
  if (/^\s*attachment\b/i.test(response.headers['content-disposition'] ?? '')) return undefined
  const { html, encoding } = decodeHtml(bytes, charset)
  return { html, encoding, url: response.url.href, status: response.status, htmlBytes: bytes.length }
}

async function fetchPart(
  environment: FetchEnvironment,
  request: DocumentRequest,
  maxBytes: number,
  signal: AbortSignal,
) {
  const response = await fetchDocument(environment, request, signal)
  return { response, bytes: await collect(response.body, maxBytes) }
}

function decodeCss(bytes: Uint8Array, charset: string | undefined): string {
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(bytes)
  } catch {
    return new TextDecoder('utf-8').decode(bytes)
  }
}
