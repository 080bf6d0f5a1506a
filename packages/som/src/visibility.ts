import { inputType } from './roles.ts'
import type { Scope } from './scope.ts'
import { nextInTree } from './tree.ts'
import { controls, type Frame, type WalkState } from './walk-state.ts'

/** Why a node is not shown, undefined when it is; writes what it passes on to its children into the frame. */
export function hiddenReason<N extends object>(
  walk: WalkState<N>,
  frame: Frame<N>,
  roles: readonly string[],
): string | undefined {
  const { tree } = walk
  const { node, tag } = frame
  const plain = tree.isPlain?.(node) ?? false
  if (!plain) {
    const reason = hiddenByAttribute(walk, frame)
    if (reason !== undefined) return reason
  }
  const seen = tree.visibility?.(node)
  if (seen !== undefined) {
    if (seen === 'none' && tag !== 'dialog') return 'css'
    frame.invisible = seen === 'invisible'
    return seen === 'invisible' && (controls.has(tag) || tag === 'a') ? 'css' : undefined
  }
  if (!plain && tree.attribute(node, 'popover') !== undefined && !roles.includes('dialog')) return 'popover'
  const verdict = frame.scope.cascade.verdict(
    node,
    tag,
    plain ? undefined : tree.attribute(node, 'class'),
    plain ? undefined : tree.attribute(node, 'id'),
    frame.invisible || frame.textHidden,
  )
  if (verdict !== undefined) {
    if (verdict.hides !== undefined && tag !== 'dialog') return verdict.hides === 'clip' ? 'clip' : 'css'
    if (verdict.visibility !== undefined) frame.invisible = verdict.visibility === 'invisible'
    if (verdict.text !== undefined) frame.textHidden = verdict.text === 'hidden'
  }
  return frame.invisible && (controls.has(tag) || tag === 'a' || tag === 'img') ? 'css' : undefined
}

/** A checkbox, radio or file input that is styled away but has a visible label people click. */
export function usableThroughLabel<N extends object>(
  walk: WalkState<N>,
  { node, tag, scope }: Pick<Frame<N>, 'node' | 'tag' | 'scope'>,
): boolean {
  const { tree } = walk
  if (tag !== 'input' || !/^(?:checkbox|radio|file)$/.test(inputType(tree, node))) return false
  for (let at = tree.parent(node), depth = 0; at !== undefined && depth < 16; at = tree.parent(at), depth++) {
    if (tree.tag(at) === 'label') return true
  }
  const id = tree.attribute(node, 'id')
  const labels = id === undefined ? undefined : scope.labels.get(id)
  return labels?.some((label) => isVisible(walk, label, scope)) ?? false
}

function isVisible<N extends object>(walk: WalkState<N>, node: N, scope: Scope<N>): boolean {
  const { tree } = walk
  for (let at: N | undefined = node, depth = 0; at !== undefined && depth < 256; at = tree.parent(at), depth++) {
    const seen = tree.visibility?.(at)
    if (seen === 'none') return false
    if (tree.attribute(at, 'hidden') !== undefined) return false
    const verdict = scope.cascade.verdict(at, tree.tag(at), tree.attribute(at, 'class'), tree.attribute(at, 'id'))
    if (seen === undefined && (verdict?.hides !== undefined || verdict?.visibility === 'invisible')) return false
  }
  return true
}

function hiddenByAttribute<N extends object>({ tree }: WalkState<N>, { node, tag }: Frame<N>): string | undefined {
  if (tree.attribute(node, 'hidden') !== undefined) return 'attribute'
  const ariaHidden = tree.attribute(node, 'aria-hidden')
  if (ariaHidden !== undefined && ariaHidden.trim().toLowerCase() === 'true') return 'aria_hidden'
  return tag === 'input' && inputType(tree, node) === 'hidden' ? 'input' : undefined
}

const maxHiddenNodes = 64

/** Checkboxes, radios and file inputs inside a hidden element that are used through a visible label outside it. */
export function labelledInside<N extends object>(walk: WalkState<N>, hidden: Frame<N>): N[] {
  const { tree } = walk
  const found: N[] = []
  let seen = 0
  for (let at = nextInTree(tree, hidden.node, hidden.node); at !== undefined; at = nextInTree(tree, at, hidden.node)) {
    if (++seen > maxHiddenNodes) break
    if (tree.tag(at) !== 'input') continue
    let inside = false
    for (let up = tree.parent(at); up !== undefined && up !== hidden.node; up = tree.parent(up)) {
      if (tree.tag(up) === 'label') inside = true
    }
    if (!inside && usableThroughLabel(walk, { node: at, tag: 'input', scope: hidden.scope })) found.push(at)
  }
  return found
}
