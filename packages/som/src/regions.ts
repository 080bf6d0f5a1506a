import { ariaName, type NameContext } from './accessible-name.ts'
import { classWords } from './hints.ts'
import { roleTokens } from './roles.ts'
import type { DocumentScope } from './scope.ts'
import type { RegionRole } from './som.ts'
import { type DocumentTree, nextInTree } from './tree.ts'

const ariaRegions: Readonly<Record<string, RegionRole>> = {
  navigation: 'navigation',
  main: 'main',
  complementary: 'aside',
  banner: 'header',
  contentinfo: 'footer',
  dialog: 'dialog',
  alertdialog: 'dialog',
  search: 'navigation',
}
const tagRegions: ReadonlyMap<string, RegionRole> = new Map<string, RegionRole>(
  Object.entries({
    nav: 'navigation',
    main: 'main',
    aside: 'aside',
    header: 'header',
    footer: 'footer',
    dialog: 'dialog',
    search: 'navigation',
  } as const),
)
const sectioning = new Set(['article', 'section', 'aside', 'nav', 'blockquote', 'fieldset', 'figure', 'td', 'li'])
const heuristicTags = new Set(['div', 'section', 'article', 'ul', 'ol'])
// A word like "header" names a page header in "site-header" and a part of something else in "card-header".
const partOfSomething = new Set([
  'card',
  'modal',
  'panel',
  'table',
  'list',
  'item',
  'section',
  'post',
  'entry',
  'dialog',
  'accordion',
  'dropdown',
  'context',
  'story',
  'comment',
  'box',
  'widget',
  'tile',
  'row',
  'article',
  'product',
  'popup',
  'popover',
  'sub',
  'tab',
])
const words: readonly (readonly [RegionRole, ReadonlySet<string>])[] = [
  [
    'navigation',
    new Set(['nav', 'navbar', 'navigation', 'topnav', 'sidenav', 'mainnav', 'navmenu', 'menu', 'menubar']),
  ],
  ['main', new Set(['main', 'maincontent'])],
  ['aside', new Set(['sidebar', 'aside', 'rail'])],
  ['footer', new Set(['footer', 'copyright'])],
  ['header', new Set(['header', 'masthead'])],
]

/** Region by role attribute or tag; undefined when neither makes one. SOM: Region Detection 1 to 3. */
export function landmarkRole<N extends object>(
  tree: DocumentTree<N>,
  tag: string,
  roles: readonly string[],
  parent: N | undefined,
): RegionRole | undefined {
  for (const token of roles) {
    const role = Object.hasOwn(ariaRegions, token) ? ariaRegions[token] : undefined
    if (role !== undefined) return role
    if (token === 'form') return 'form'
    if (token === 'presentation' || token === 'none' || token === 'group') return undefined
  }
  const role = tagRegions.get(tag)
  if (role === 'header' || role === 'footer') {
    // Inside a part of the page they head or end that part, not the page.
    for (let at = parent, depth = 0; at !== undefined && depth < 256; at = tree.parent(at), depth++) {
      const ancestor = tree.tag(at)
      if (sectioning.has(ancestor)) return undefined
      if (ancestor === 'main' || ancestor === 'body') break
    }
  }
  if (role !== undefined) return role
  return tag === 'form' ? 'form' : undefined
}

/** Region by the words of class and id, where the page marks none of that role. SOM: Region Detection 4. */
export function heuristicRole<N extends object>(
  scope: DocumentScope<N>,
  tag: string,
  className: string | undefined,
  id: string | undefined,
): RegionRole | undefined {
  if (!heuristicTags.has(tag) || (className === undefined && id === undefined)) return undefined
  const missing: Record<string, boolean> = {
    navigation: !scope.hasNavigation,
    main: !scope.hasMain,
    aside: !scope.hasAside,
    footer: !scope.hasFooter,
    header: !scope.hasHeader,
  }
  for (const text of [className, id]) {
    if (text === undefined || text.length > 300) continue
    const lower = text.toLowerCase()
    for (const [role, set] of words) {
      if (!missing[role]) continue
      if (role === 'main' && /\b(?:primary-content|article-body)\b/.test(lower)) return role
      if (role === 'aside' && /\bside-bar\b/.test(lower)) return role
      for (const name of text.split(/\s+/)) {
        const parts = classWords(name)
        const at = parts.findIndex((part) => set.has(part))
        if (at < 0 || parts.slice(0, at).some((part) => partOfSomething.has(part))) continue
        // "main-title" and "menu-item" are things inside a main or a menu.
        const next = parts[at + 1]
        if (
          next !== undefined &&
          !/^(?:wrap|wrapper|container|inner|outer|content|area|bar|list|links|top|bottom|left|right|main|menu|nav|primary|secondary|text|info|section|\d+)$/.test(
            next,
          )
        )
          continue
        return role
      }
    }
  }
  return undefined
}

/** A longer list of links is what the page is about, not how one moves about in it. */
const maxMenuItems = 40

/** True for a div or list whose children are mostly links: at least three, more than half. SOM: Region Detection 5. */
export function isLinkList<N extends object>(tree: DocumentTree<N>, node: N, tag: string): boolean {
  if (tag !== 'div' && tag !== 'ul' && tag !== 'ol') return false
  let children = 0
  let links = 0
  for (let child = tree.firstChild(node); child !== undefined && children < 500; child = tree.nextSibling(child)) {
    const kind = tree.kind(child)
    if (kind === 'text' && /[\p{L}\p{N}]/u.test(tree.data(child))) children++
    if (kind !== 'element') continue
    children++
    if (isLink(tree, child) || (tree.tag(child) === 'li' && isOnlyLink(tree, child))) links++
  }
  if (links < 3 || links * 2 <= children || (tag !== 'div' && links > maxMenuItems)) return false
  let seen = 0
  for (let at = nextInTree(tree, node, node); at !== undefined && seen++ < 500; at = nextInTree(tree, at, node)) {
    const inner = tree.tag(at)
    if (inner === 'main' || inner === 'article') return false
  }
  return true
}

function isLink<N extends object>(tree: DocumentTree<N>, node: N): boolean {
  return tree.tag(node) === 'a' && tree.attribute(node, 'href') !== undefined
}

function isOnlyLink<N extends object>(tree: DocumentTree<N>, item: N): boolean {
  let link = false
  for (let child = tree.firstChild(item); child !== undefined; child = tree.nextSibling(child)) {
    if (tree.kind(child) === 'text' && tree.data(child).trim() !== '') return false
    if (tree.kind(child) !== 'element') continue
    if (link || !isLink(tree, child)) return false
    link = true
  }
  return link
}

const footerWords = /copyright|©|privacy|terms of|all rights reserved/i
const maxFooterChars = 1_500

/**
 * The block that ends the page when nothing marks a footer: in the last quarter of the page, under 1,500
 * characters, naming copyright, privacy or terms, with no main or article inside. SOM: Region Detection 6.
 */
export function findFooter<N extends object>(tree: DocumentTree<N>, body: N, nodeCount: number): N | undefined {
  let hit: N | undefined
  let chars = 0
  // From the end backwards, a quarter of the page; what stands first in it counts.
  let node = lastInside(tree, body)
  for (let seen = 0; node !== undefined && node !== body && seen < nodeCount / 4; seen++) {
    if (tree.kind(node) === 'text') {
      const data = tree.data(node)
      chars += data.length
      const parent = tree.parent(node)
      const tag = parent === undefined ? '' : tree.tag(parent)
      if (data.length < 500 && tag !== 'script' && tag !== 'style' && footerWords.test(data)) hit = node
    }
    const previous: N | undefined = tree.previousSibling(node)
    node = previous === undefined ? tree.parent(node) : (lastInside(tree, previous) ?? previous)
  }
  if (hit === undefined || chars < 50) return undefined
  let best: N | undefined
  for (let at = tree.parent(hit); at !== undefined && at !== body; at = tree.parent(at)) {
    const block = at
    const tag = tree.tag(block)
    if (tag !== 'div' && tag !== 'section') continue
    let length = 0
    let holdsContent = false
    for (let inner = nextInTree(tree, block, block); inner !== undefined; inner = nextInTree(tree, inner, block)) {
      const innerTag = tree.tag(inner)
      if (innerTag === 'main' || innerTag === 'article' || innerTag === 'h1') holdsContent = true
      if (tree.kind(inner) === 'text') length += tree.data(inner).length
      if (holdsContent || length >= maxFooterChars) break
    }
    if (holdsContent || length >= maxFooterChars) break
    best = block
  }
  return best
}

/** The node that closes last inside an element, undefined when it is empty. */
function lastInside<N extends object>(tree: DocumentTree<N>, node: N): N | undefined {
  let last: N | undefined
  for (let at = tree.lastChild(node); at !== undefined; at = tree.lastChild(at)) last = at
  return last
}

/** Label of a region: aria-labelledby, aria-label, title; a form also its name or id. SOM: Region Labels. */
export function regionLabel<N extends object>(context: NameContext<N>, node: N, role: RegionRole): string {
  const named = ariaName(context, node)
  if (named !== '') return named
  const { tree } = context
  const title = tree.attribute(node, 'title')?.trim()
  if (title) return title
  if (role === 'form') return tree.attribute(node, 'name')?.trim() || tree.attribute(node, 'id')?.trim() || ''
  return ''
}

/** What a form region says about its form. */
export function formFacts<N extends object>(
  tree: DocumentTree<N>,
  node: N,
): Readonly<Record<string, string | boolean>> | undefined {
  if (tree.tag(node) !== 'form') return undefined
  const facts: Record<string, string | boolean> = {}
  const copy = (name: string, key: string, change?: (value: string) => string): void => {
    const value = tree.attribute(node, name)
    if (value !== undefined) facts[key] = change ? change(value) : value
  }
  copy('action', 'action')
  facts['method'] = (tree.attribute(node, 'method') ?? 'get').trim().toUpperCase() || 'GET'
  copy('target', 'target')
  copy('enctype', 'enctype')
  if (tree.attribute(node, 'novalidate') !== undefined) facts['novalidate'] = true
  copy('accept-charset', 'accept_charset')
  copy('autocomplete', 'autocomplete')
  return facts
}

/** True for dialogs that people see: `open`, or a role on something that is shown anyway. */
export function isOpenDialog<N extends object>(tree: DocumentTree<N>, node: N): boolean {
  return tree.tag(node) !== 'dialog' || tree.attribute(node, 'open') !== undefined
}

/** True when assistive technology is told that the rest of the page is out of reach. */
export function isModalDialog<N extends object>(tree: DocumentTree<N>, node: N): boolean {
  return (
    tree.attribute(node, 'aria-modal')?.toLowerCase() === 'true' ||
    roleTokens(tree.attribute(node, 'role')).includes('alertdialog')
  )
}
