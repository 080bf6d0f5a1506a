import { blockTags, inputType, isSecretField, roleTokens, strippedTags } from './roles.ts'
import type { Scope } from './scope.ts'
import type { DocumentTree } from './tree.ts'

const maxDepth = 64
const maxReferences = 32
const maxNameChars = 4_000
/** Reading one node for a name costs about as much as this many steps of a selector. */
const nodeWork = 8
const labelable = new Set(['button', 'input', 'meter', 'output', 'progress', 'select', 'textarea'])

/** Where names are computed: the tree and the scope whose ids, labels and styles apply. */
export interface NameContext<N extends object> {
  readonly tree: DocumentTree<N>
  readonly scope: Scope<N>
}

/** Joins, collapses and trims. */
export function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Name from aria-labelledby, else aria-label; '' without one. Accessible Name and Description 2B, 2C. */
export function ariaName<N extends object>(context: NameContext<N>, node: N): string {
  const { tree } = context
  const references = tree.attribute(node, 'aria-labelledby')
  if (references !== undefined) {
    const name = referencedText(context, references)
    if (name !== '') return name
  }
  return tidy(tree.attribute(node, 'aria-label') ?? '').slice(0, maxNameChars)
}

/** Text of the elements a list of ids names, joined; hidden ones count, as the standard says. */
export function referencedText<N extends object>(context: NameContext<N>, references: string): string {
  const parts: string[] = []
  for (const id of references.trim().split(/\s+/).slice(0, maxReferences)) {
    const target = context.scope.ids.get(id)
    if (target === undefined) continue
    const { tree } = context
    const own = tidy(tree.attribute(target, 'aria-label') ?? '')
    const part = own !== '' ? own : (nativeAlternative(context, target) ?? contentText(context, target))
    if (part !== '') parts.push(part)
  }
  return tidy(parts.join(' '))
}

/** Name a form control gets from its labels; '' without one. The control's own value is not part of it. */
export function labelText<N extends object>(context: NameContext<N>, node: N, id: string | undefined): string {
  const { tree, scope } = context
  if (!labelable.has(tree.tag(node))) return ''
  const labels: N[] = []
  if (id !== undefined && scope.ids.get(id) === node) labels.push(...(scope.labels.get(id) ?? []))
  let ancestor = tree.parent(node)
  for (let depth = 0; ancestor !== undefined && depth < maxDepth; depth++, ancestor = tree.parent(ancestor)) {
    if (tree.tag(ancestor) !== 'label') continue
    const target = tree.attribute(ancestor, 'for')
    const wraps = target === undefined && firstLabelable(tree, ancestor) === node
    if (wraps && !labels.includes(ancestor)) labels.push(ancestor)
    break
  }
  return tidy(labels.map((label) => contentText(context, label, node)).join(' '))
}

function firstLabelable<N extends object>(tree: DocumentTree<N>, label: N): N | undefined {
  const queue: N[] = []
  for (let child = tree.firstChild(label); child !== undefined; child = tree.nextSibling(child)) queue.push(child)
  for (let at = 0; at < queue.length && at < 1_000; at++) {
    const node = queue[at] as N
    const tag = tree.tag(node)
    if (labelable.has(tag) && !(tag === 'input' && inputType(tree, node) === 'hidden')) return node
    const inner: N[] = []
    for (let child = tree.firstChild(node); child !== undefined; child = tree.nextSibling(child)) inner.push(child)
    queue.splice(at + 1, 0, ...inner)
  }
  return undefined
}

/** The control a label is for: by `for`, else the first labelable inside. */
export function labelTarget<N extends object>(context: NameContext<N>, label: N): N | undefined {
  const target = context.tree.attribute(label, 'for')
  return target === undefined ? firstLabelable(context.tree, label) : context.scope.ids.get(target)
}

/** Text alternatives that markup itself defines: alt, an svg title, a button's value. */
export function nativeAlternative<N extends object>(context: NameContext<N>, node: N): string | undefined {
  const { tree } = context
  const tag = tree.tag(node)
  if (tag === 'img' || tag === 'area') return tidy(tree.attribute(node, 'alt') ?? '') || undefined
  if (tag === 'svg') {
    for (let child = tree.firstChild(node); child !== undefined; child = tree.nextSibling(child)) {
      if (tree.tag(child) === 'title') return tidy(contentText(context, child)) || undefined
    }
    return undefined
  }
  if (tag === 'input') {
    const type = inputType(tree, node)
    if (type === 'image') return tidy(tree.attribute(node, 'alt') ?? tree.attribute(node, 'title') ?? '') || 'Submit'
    if (type === 'submit' || type === 'reset' || type === 'button') {
      const value = tidy(tree.value?.(node) ?? tree.attribute(node, 'value') ?? '')
      return value !== '' ? value : type === 'submit' ? 'Submit' : type === 'reset' ? 'Reset' : undefined
    }
  }
  return undefined
}

/**
 * Name from content: text, alternatives of images, values of embedded selects and numbers (never of text fields), with a space
 * at block boundaries. Follows shadow roots and slots. `exclude` is the control being named.
 */
export function contentText<N extends object>(context: NameContext<N>, node: N, exclude?: N): string {
  const parts: string[] = []
  let chars = 0
  const visit = (at: N, scope: Scope<N>, depth: number): void => {
    if (chars > maxNameChars || at === exclude || scope.work.left <= 0) return
    scope.work.left -= nodeWork
    const { tree } = context
    const kind = tree.kind(at)
    if (kind === 'text') {
      const data = tree.data(at)
      parts.push(data)
      chars += data.length
      return
    }
    if (kind !== 'element') return
    const tag = tree.tag(at)
    if (at !== node) {
      if ((strippedTags.has(tag) && tag !== 'title') || isHiddenFromNames(tree, scope, at, tag)) return
      const own = tidy(tree.attribute(at, 'aria-label') ?? '')
      const alternative = own !== '' ? own : nativeAlternative({ tree, scope }, at)
      if (alternative !== undefined) {
        parts.push(' ', alternative, ' ')
        return
      }
      if (tag === 'svg' || tag === 'img') return
      if (tag === 'input' || tag === 'textarea' || tag === 'select') {
        parts.push(' ', embeddedValue(tree, at, tag), ' ')
        return
      }
    }
    if (tag === 'br') parts.push(' ')
    if (depth >= maxDepth) return
    const block = blockTags.has(tag)
    if (block) parts.push(' ')
    const shadow = tree.shadow(at)
    if (shadow !== undefined && scope.host !== at) {
      const { cascade, ids, labels, work } = scope
      const inner: Scope<N> = { cascade, ids, labels, work, host: at, outer: scope }
      for (let child = shadow.firstChild; child !== undefined; child = tree.nextSibling(child)) {
        visit(child, inner, depth + 1)
      }
    } else if (tag === 'slot' && scope.host !== undefined && scope.outer !== undefined) {
      const outer = scope.outer
      const assigned = assignedNodes(tree, scope.host, tree.attribute(at, 'name') ?? '')
      if (assigned.length > 0) for (const { node: child } of assigned) visit(child, outer, depth + 1)
      else for (let c = tree.firstChild(at); c !== undefined; c = tree.nextSibling(c)) visit(c, scope, depth + 1)
    } else {
      for (let child = tree.firstChild(at); child !== undefined; child = tree.nextSibling(child)) {
        visit(child, scope, depth + 1)
      }
    }
    if (block) parts.push(' ')
  }
  visit(node, context.scope, 0)
  return tidy(parts.join('')).slice(0, maxNameChars).toWellFormed()
}

function embeddedValue<N extends object>(tree: DocumentTree<N>, node: N, tag: string): string {
  if (isSecretField(tree, node)) return ''
  if (tag === 'select') {
    for (let child = tree.firstChild(node); child !== undefined; child = tree.nextSibling(child)) {
      const chosen = tree.selected?.(child) ?? tree.attribute(child, 'selected') !== undefined
      const text = tree.firstChild(child)
      if (chosen && text !== undefined) return tree.data(text)
    }
    return ''
  }
  // What is typed into text fields may be secret, so only numbers and choices become part of a name.
  const type = tag === 'input' ? inputType(tree, node) : ''
  if (type !== 'number' && type !== 'range') return ''
  return tree.value?.(node) ?? tree.attribute(node, 'value') ?? ''
}

/** Hidden for everybody, so no part of a name. Text that is only out of sight still counts. */
export function isHiddenFromNames<N extends object>(
  tree: DocumentTree<N>,
  scope: Scope<N>,
  node: N,
  tag: string,
): boolean {
  if (tree.attribute(node, 'hidden') !== undefined) return true
  if (tree.attribute(node, 'aria-hidden')?.toLowerCase() === 'true') return true
  const verdict = scope.cascade.verdict(node, tag, tree.attribute(node, 'class'), tree.attribute(node, 'id'))
  return verdict?.hides === 'none' || verdict?.visibility === 'invisible'
}

/** Children of a host that a slot shows, with their place among the host's children. */
export function assignedNodes<N extends object>(
  tree: DocumentTree<N>,
  host: N,
  slot: string,
): { readonly node: N; readonly index: number }[] {
  const found: { node: N; index: number }[] = []
  let index = 0
  for (let child = tree.firstChild(host); child !== undefined; child = tree.nextSibling(child), index++) {
    const kind = tree.kind(child)
    if (kind === 'text' ? slot === '' : kind === 'element' && (tree.attribute(child, 'slot') ?? '') === slot) {
      found.push({ node: child, index })
    }
  }
  return found
}

/** True when the role attribute takes an image out of the content. */
export function isDecorative<N extends object>(tree: DocumentTree<N>, node: N): boolean {
  const roles = roleTokens(tree.attribute(node, 'role'))
  return roles[0] === 'presentation' || roles[0] === 'none'
}
