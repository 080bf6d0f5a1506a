import type { JsonObject, JsonValue } from '@domos/spec'
import type { DocumentScope } from './scope.ts'
import type { StructuredData, StructuredLink } from './som.ts'
import type { DocumentTree } from './tree.ts'

const metaNames = new Set([
  'description',
  'author',
  'keywords',
  'robots',
  'viewport',
  'generator',
  'theme-color',
  'charset',
])
const linkRels = new Set([
  'canonical',
  'icon',
  'shortcut icon',
  'apple-touch-icon',
  'manifest',
  'alternate',
  'amphtml',
  'preconnect',
  'dns-prefetch',
  'author',
  'license',
  'search',
])
const maxEntries = 1_000

/** What the head says about the page; undefined when it says nothing. Keys of maps are sorted. SOM: Structured Data. */
export function readStructuredData<N extends object>(
  tree: DocumentTree<N>,
  scope: DocumentScope<N>,
): StructuredData | undefined {
  const jsonLd = scope.jsonLd.flatMap(parseJsonLd).slice(0, maxEntries)
  const openGraph = new Map<string, string>()
  const twitter = new Map<string, string>()
  const meta = new Map<string, string>()
  for (const node of scope.metas.slice(0, maxEntries)) {
    const charset = tree.attribute(node, 'charset')
    if (charset !== undefined) put(meta, 'charset', charset)
    const content = tree.attribute(node, 'content')
    if (content === undefined) continue
    const property = tree.attribute(node, 'property')?.trim().toLowerCase()
    const name = tree.attribute(node, 'name')?.trim().toLowerCase()
    if (property?.startsWith('og:')) put(openGraph, property, content)
    if (name?.startsWith('twitter:')) put(twitter, name, content)
    else if (name !== undefined && metaNames.has(name)) put(meta, name, content)
  }
  const links: StructuredLink[] = []
  for (const node of scope.links.slice(0, maxEntries)) {
    const rel = tree.attribute(node, 'rel')?.trim().toLowerCase().replace(/\s+/g, ' ')
    const href = tree.attribute(node, 'href')
    if (rel === undefined || href === undefined || !linkRels.has(rel)) continue
    const type = tree.attribute(node, 'type')
    const hreflang = tree.attribute(node, 'hreflang')
    links.push({
      rel,
      href,
      ...(type === undefined ? {} : { type }),
      ...(hreflang === undefined ? {} : { hreflang }),
    })
  }
  const data: StructuredData = {
    ...(jsonLd.length === 0 ? {} : { json_ld: jsonLd }),
    ...(openGraph.size === 0 ? {} : { open_graph: sorted(openGraph) }),
    ...(twitter.size === 0 ? {} : { twitter_card: sorted(twitter) }),
    ...(meta.size === 0 ? {} : { meta: sorted(meta) }),
    ...(links.length === 0 ? {} : { links }),
  }
  return Object.keys(data).length === 0 ? undefined : data
}

function put(map: Map<string, string>, key: string, value: string): void {
  if (!map.has(key)) map.set(key, value)
}

function sorted(map: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Objects of one JSON-LD block; arrays are flattened, scalars and malformed text are left out. */
function parseJsonLd(text: string): JsonObject[] {
  let value: unknown
  try {
    value = JSON.parse(text, (key, inner: unknown) => (key === '__proto__' ? undefined : inner))
  } catch {
    return []
  }
  const found: JsonObject[] = []
  const add = (inner: unknown, depth: number): void => {
    if (Array.isArray(inner)) {
      if (depth < 8) for (const item of inner) add(item, depth + 1)
    } else if (typeof inner === 'object' && inner !== null && nesting(inner as JsonValue, 0) <= 64) {
      found.push(inner as JsonObject)
    }
  }
  add(value, 0)
  return found
}

/** Depth of nesting, given up at 65: deeper data would break readers that recurse. */
function nesting(value: JsonValue, depth: number): number {
  if (depth > 64 || typeof value !== 'object' || value === null) return depth
  let deepest = depth
  for (const inner of Object.values(value)) deepest = Math.max(deepest, nesting(inner, depth + 1))
  return deepest
}
