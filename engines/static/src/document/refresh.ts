import type { LeanTree } from '@domos/som/parse'
import { findElement, getAttribute } from './nodes.ts'

/** A declared refresh. */
export interface Refresh {
  readonly delayMs: number
  /** Absolute. */
  readonly url: string
}

/** Reads `<meta http-equiv=refresh>` of a document; outside noscript-only markup the first one counts. */
export function metaRefresh(tree: LeanTree, documentUrl: string, baseUrl: string): Refresh | undefined {
  const meta = findElement(
    tree.document,
    (node) => node.tag === 'meta' && getAttribute(node, 'http-equiv')?.trim().toLowerCase() === 'refresh',
  )
  const content = meta === undefined ? undefined : getAttribute(meta, 'content')
  return content === undefined ? undefined : parseRefresh(content, documentUrl, baseUrl)
}

/** Parses the value of a refresh by the HTML standard's "shared declarative refresh steps". */
export function parseRefresh(value: string, documentUrl: string, baseUrl: string): Refresh | undefined {
  const parts = /^\s*(\d+)?(?:\.[\d.]*)?(?:\s*[;,]\s*|\s+|$)([\s\S]*)$/.exec(value)
  if (parts === null || (parts[1] === undefined && !/^\s*\./.test(value))) return undefined
  const delayMs = Math.min(Number(parts[1] ?? '0') * 1_000, 0x7fffffff)
  const rest = (parts[2] ?? '').trim()
  if (rest === '') return { delayMs, url: documentUrl }
  const stated = /^url\s*=\s*([\s\S]*)$/i.exec(rest)?.[1] ?? rest
  const quote = stated[0] === '"' || stated[0] === "'" ? stated[0] : undefined
  const href = quote === undefined ? stated : (stated.slice(1).split(quote, 1)[0] ?? '')
  return URL.canParse(href, baseUrl) ? { delayMs, url: new URL(href, baseUrl).href } : undefined
}
