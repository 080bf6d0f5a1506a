import { roleTokens } from './roles.ts'
import { type DocumentTree, nextInTree } from './tree.ts'

const landmarkTags = new Set(['nav', 'form', 'header', 'footer', 'aside', 'main', 'article', 'section'])
const layoutAttributes = ['cellpadding', 'cellspacing', 'border', 'width', 'bgcolor']
const maxScan = 5_000

/** True when a table holds data: headers or a caption, or nothing that speaks for layout. SOM: Layout Tables. */
export function isDataTable<N extends object>(tree: DocumentTree<N>, table: N): boolean {
  const roles = roleTokens(tree.attribute(table, 'role'))
  if (roles[0] === 'presentation' || roles[0] === 'none') return false
  let cells = 0
  let links = 0
  let layout = layoutAttributes.some((name) => tree.attribute(table, name) !== undefined)
  let data = roles[0] === 'table' || roles[0] === 'grid' || roles[0] === 'treegrid'
  let seen = 0
  for (let at = nextInTree(tree, table, table); at !== undefined && seen < maxScan; ) {
    seen++
    const tag = tree.tag(at)
    let skip = false
    if (tag === 'th' || tag === 'caption') data = true
    else if (tag === 'td') cells++
    else if (tag === 'a') links++
    else if (tag === 'table') {
      // A nested table speaks for layout; its own headers are its own.
      layout = true
      skip = true
    } else if (landmarkTags.has(tag)) layout = true
    if (data) return true
    at = nextInTree(tree, at, table, skip) as N
  }
  return !layout && links < 20 && cells > 2
}

/** A colspan as a count of 1 to 50. */
export function spanOf(value: string | undefined): number {
  const span = Number.parseInt(value ?? '1', 10)
  return Number.isNaN(span) ? 1 : Math.min(50, Math.max(1, span))
}
