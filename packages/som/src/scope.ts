import { Cascade } from './css/cascade.ts'
import type { MediaEnvironment } from './css/media.ts'
import { StyleCollector } from './css/stylesheet.ts'
import type { SomLimits } from './limits.ts'
import { type DocumentTree, nextInTree, rawText } from './tree.ts'
import type { Work } from './work.ts'

/**
 * One tree scope: the document, or one shadow root. Ids, labels and style rules do not cross it. Everything is found in
 * one pass over its elements.
 */
export interface Scope<N extends object> {
  readonly cascade: Cascade<N>
  readonly work: Work
  readonly ids: ReadonlyMap<string, N>
  /** Labels by the id they are for. */
  readonly labels: ReadonlyMap<string, readonly N[]>
  /** Set in a shadow root: its host and the scope the host stands in. */
  readonly host?: N
  readonly outer?: Scope<N>
}

/** What only a document's scope has. */
export interface DocumentScope<N extends object> extends Scope<N> {
  readonly title: string
  readonly baseHref: string | undefined
  /** `<script type=application/ld+json>` texts, `<meta>` and `<link>` elements in order. */
  readonly jsonLd: readonly string[]
  readonly metas: readonly N[]
  readonly links: readonly N[]
  readonly hasMain: boolean
  readonly hasNavigation: boolean
  readonly hasAside: boolean
  readonly hasHeader: boolean
  readonly hasFooter: boolean
  readonly nodeCount: number
}

/** Options of {@link readScope}. */
export interface ReadScopeOptions {
  readonly media: MediaEnvironment
  readonly limits: SomLimits
  readonly work: Work
  /** Text of a linked stylesheet, undefined when it is not at hand. */
  readonly stylesheet?: (href: string) => string | undefined
}

/** Reads the scope that starts with the root element or, for a shadow root, its first child. */
export function readScope<N extends object>(
  tree: DocumentTree<N>,
  first: N | undefined,
  options: ReadScopeOptions,
  shadow?: { readonly host: N; readonly outer: Scope<N> },
): DocumentScope<N> {
  const ids = new Map<string, N>()
  const labels = new Map<string, N[]>()
  const styles = new StyleCollector(options.media, options.limits.maxCssRules, options.limits.maxStylesheetChars)
  const jsonLd: string[] = []
  const metas: N[] = []
  const links: N[] = []
  let title: string | undefined
  let baseHref: string | undefined
  let nodeCount = 0
  const landmarks = new Set<string>()

  const visit = (node: N, tag: string): void => {
    if (tree.isPlain?.(node) !== true) {
      const id = tree.attribute(node, 'id')
      if (id !== undefined && !ids.has(id)) ids.set(id, node)
      const role = tree.attribute(node, 'role')
      if (role !== undefined) landmarks.add(role.trim().toLowerCase())
    }
    switch (tag) {
      case 'label': {
        const target = tree.attribute(node, 'for')
        if (target === undefined) return
        const known = labels.get(target)
        if (known) known.push(node)
        else labels.set(target, [node])
        return
      }
      case 'style': {
        const type = tree.attribute(node, 'type')
        if (type === undefined || type === '' || type.toLowerCase() === 'text/css') {
          const media = tree.attribute(node, 'media')
          const css = rawText(tree, node, options.limits.maxStylesheetChars)
          styles.add(media === undefined || media === '' ? css : `@media ${media} {${css}}`)
        }
        return
      }
      case 'link': {
        links.push(node)
        const rel = tree.attribute(node, 'rel')?.toLowerCase().split(/\s+/) ?? []
        const href = tree.attribute(node, 'href')
        if (href === undefined || !rel.includes('stylesheet') || rel.includes('alternate')) return
        const css = tree.attribute(node, 'disabled') === undefined ? options.stylesheet?.(href) : undefined
        if (css === undefined) return
        const media = tree.attribute(node, 'media')
        styles.add(media === undefined || media === '' ? css : `@media ${media} {${css}}`)
        return
      }
      case 'meta':
        metas.push(node)
        return
      case 'base':
        baseHref ??= tree.attribute(node, 'href')
        return
      case 'title': {
        const parent = tree.parent(node)
        if (title === undefined && (parent === undefined || tree.tag(parent) !== 'svg')) title = rawText(tree, node)
        return
      }
      case 'script':
        if (tree.attribute(node, 'type')?.trim().toLowerCase() === 'application/ld+json')
          jsonLd.push(rawText(tree, node))
        return
      case 'main':
      case 'nav':
      case 'aside':
      case 'header':
      case 'footer':
        landmarks.add(tag)
        return
      default:
    }
  }

  for (let top = first; top !== undefined; top = shadow === undefined ? undefined : tree.nextSibling(top)) {
    let node: N | undefined = top
    while (node !== undefined && nodeCount < options.limits.maxNodes) {
      nodeCount++
      const tag = tree.tag(node)
      if (tag !== '') visit(node, tag)
      node = nextInTree(tree, node, top)
    }
  }

  return {
    cascade: new Cascade(tree, styles.rules, options.work),
    work: options.work,
    ids,
    labels,
    ...(shadow === undefined ? {} : shadow),
    title: (title ?? '').replace(/\s+/g, ' ').trim(),
    baseHref,
    jsonLd,
    metas,
    links,
    hasMain: landmarks.has('main'),
    hasNavigation: landmarks.has('nav') || landmarks.has('navigation'),
    hasAside: landmarks.has('aside') || landmarks.has('complementary'),
    hasHeader: landmarks.has('header') || landmarks.has('banner'),
    hasFooter: landmarks.has('footer') || landmarks.has('contentinfo'),
    nodeCount,
  }
}
