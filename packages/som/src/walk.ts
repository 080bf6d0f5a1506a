import { enterContainer } from './enter-container.ts'
import { enterElement, enterInferred, graphic, openList } from './enter-element.ts'
import type { ModelElement, ModelRegion } from './model.ts'
import {
  findFooter,
  formFacts,
  heuristicRole,
  isLinkList,
  isModalDialog,
  isOpenDialog,
  landmarkRole,
  regionLabel,
} from './regions.ts'
import { elementRole, roleTokens, strippedTags } from './roles.ts'
import type { DocumentScope } from './scope.ts'
import { childElement, type DocumentTree } from './tree.ts'
import { hiddenReason, labelledInside, usableThroughLabel } from './visibility.ts'
import { type Frame, region, type WalkOptions, type WalkResult, WalkState } from './walk-state.ts'

const noRoles: readonly string[] = []
const silentMedia = new Set(['video', 'audio', 'canvas', 'object', 'embed', 'math', 'svg'])

/** Reads a document once, without recursion, and builds its regions and elements. */
export function walkDocument<N extends object>(
  tree: DocumentTree<N>,
  document: DocumentScope<N>,
  options: WalkOptions<N>,
  root: N,
): WalkResult<N> {
  const walk = new WalkState(tree, document, options, root)
  const body = childElement(tree, root, 'body') ?? childElement(tree, root, 'frameset') ?? root
  if (!walk.document.hasFooter) walk.footer = findFooter(tree, body, document.nodeCount)
  const first = walk.frame(body, tree.tag(body), undefined, 0)
  first.next = tree.firstChild(body)
  walk.stack.push(first)
  while (walk.stack.length > 0) step(walk, walk.stack[walk.stack.length - 1] as Frame<N>)
  walk.flush()
  for (const decide of walk.deferred) decide()
  const regions = [...walk.regions, walk.content].filter((each) => {
    const alive = each.elements.filter((element) => !element.dead)
    if (alive.length !== each.elements.length) each.elements.splice(0, each.elements.length, ...alive)
    return alive.length > 0
  })
  return { regions, hidden: walk.hidden, frames: walk.frames }
}

function step<N extends object>(walk: WalkState<N>, frame: Frame<N>): void {
  let child: N | undefined
  let index: number
  if (frame.assigned !== undefined) {
    const slotted = frame.assigned[frame.assignedAt++]
    child = slotted?.node
    index = slotted?.index ?? 0
  } else {
    child = frame.next
    index = frame.index++
    if (child !== undefined) frame.next = walk.tree.nextSibling(child)
  }
  if (child === undefined) {
    walk.stack.pop()
    frame.exit?.()
    // Nothing keeps a frame once it is left, so it serves again.
    walk.pool.push(frame)
    return
  }
  const kind = walk.tree.kind(child)
  if (kind === 'text') text(walk, child, frame, index)
  else if (kind === 'element') {
    if (++walk.nodes > walk.options.limits.maxNodes) walk.count('limit')
    else enter(walk, child, frame, index)
  }
}

function text<N extends object>(walk: WalkState<N>, node: N, frame: Frame<N>, index: number): void {
  const data = walk.tree.data(node)
  let block = walk.block
  if (block === undefined || frame.invisible || frame.textHidden) {
    if (isBlank(data)) return
    if (frame.invisible || frame.textHidden) {
      walk.count(frame.invisible ? 'css' : 'text')
      return
    }
    block = walk.openAnonymous(frame)
  }
  if (block.kind === 'anonymous' && !block.hasNode && block.openOwners === 0 && !isBlank(data)) {
    block.hasNode = true
    const owner = block.owner as ModelElement<N>
    owner.node = node
    owner.path = `${walk.pathOf(walk.stack.length - 1)}${frame.childMark}${index}`
  }
  block.add(data)
}

function enter<N extends object>(walk: WalkState<N>, node: N, parent: Frame<N>, index: number): void {
  const { tree } = walk
  const tag = tree.tag(node)
  if (strippedTags.has(tag)) return
  const frame = walk.frame(node, tag, parent, index)
  const plain = tree.isPlain?.(node) ?? false
  const roles = plain ? noRoles : roleTokens(tree.attribute(node, 'role'))
  const reason = hiddenReason(walk, frame, roles)
  let viaLabel = false
  if (reason !== undefined) {
    viaLabel = (reason === 'css' || reason === 'clip') && usableThroughLabel(walk, frame)
    if (!viaLabel) {
      if (reason === 'clip' || reason === 'aria_hidden') walk.needName()
      walk.count(reason)
      if (reason === 'css' || reason === 'clip') enterLabelled(walk, frame, parent, index)
      return
    }
    frame.invisible = false
  }
  if (silentMedia.has(tag)) {
    graphic(walk, frame, roles)
    return
  }
  if (tag === 'br' || tag === 'wbr') {
    if (tag === 'br') walk.block?.boundary()
    return
  }
  if (enterRegion(walk, frame, parent, roles)) return
  const role = elementRole(tree, node, tag, roles)
  if (role !== undefined && role !== 'container') {
    if (enterElement(walk, frame, role, viaLabel)) return
  } else if (enterInferred(walk, frame)) return
  enterContainer(walk, frame, parent, roles)
}

/** Controls that are styled away with a wrapper and used through their label. */
function enterLabelled<N extends object>(walk: WalkState<N>, hidden: Frame<N>, parent: Frame<N>, index: number): void {
  for (const [place, node] of labelledInside(walk, hidden).entries()) {
    const frame = walk.frame(node, 'input', parent, place)
    frame.mark = `${parent.childMark}${index}/~`
    frame.invisible = false
    const role = elementRole(walk.tree, node, 'input', noRoles)
    if (role !== undefined && role !== 'container') enterElement(walk, frame, role, true)
  }
}

function enterRegion<N extends object>(
  walk: WalkState<N>,
  frame: Frame<N>,
  parent: Frame<N>,
  roles: readonly string[],
): boolean {
  const { tree } = walk
  const { node, tag } = frame
  if (walk.owners.length > 0) return false
  let role = landmarkRole(tree, tag, roles, parent.node)
  if (role === undefined && walk.footer === node) role = 'footer'
  if (role === undefined && parent.region === undefined && parent.item === undefined && parent.table === undefined) {
    role = heuristicRole(walk.document, tag, tree.attribute(node, 'class'), tree.attribute(node, 'id'))
    if (role === undefined && !walk.document.hasNavigation && isLinkList(tree, node, tag)) role = 'navigation'
  }
  if (role === undefined) return false
  if (parent.form !== undefined && (role === 'header' || role === 'footer' || role === 'form')) return false
  if (walk.block?.kind === 'cell' && role !== 'form' && role !== 'dialog') return false
  const entered: ModelRegion<N> = {
    ...region(role, node, regionLabel({ tree, scope: frame.scope }, node, role)),
    form: tag === 'form' ? formFacts(tree, node) : undefined,
    open: role !== 'dialog' || isOpenDialog(tree, node),
    modal: role === 'dialog' && isModalDialog(tree, node),
  }
  walk.regions.push(entered)
  walk.flush()
  const before = walk.block
  before?.boundary()
  walk.block = undefined
  frame.region = entered
  frame.item = undefined
  frame.list = undefined
  frame.table = undefined
  if (role === 'form' || tag === 'form') frame.form = entered
  // A list that is a region is a list all the same.
  const list = tag === 'ul' || tag === 'ol' || tag === 'menu' ? openList(walk, frame) : undefined
  walk.push(frame, () => {
    list?.()
    walk.flush()
    walk.block = before
  })
  return true
}

function isBlank(data: string): boolean {
  return !/\S/.test(data)
}
