import { ariaName, isDecorative, nativeAlternative } from './accessible-name.ts'
import { nameControl, nameFromAria, nameFromContent, stemOf } from './build-element.ts'
import type { ModelItem, MutableExt } from './model.ts'
import { blockTags } from './roles.ts'
import type { ElementRole } from './som.ts'
import { isDataTable } from './tables.ts'
import { type DocumentTree, nextInTree } from './tree.ts'
import { controls, type Frame, type Owner, type WalkState } from './walk-state.ts'

export function enterElement<N extends object>(
  walk: WalkState<N>,
  frame: Frame<N>,
  role: ElementRole,
  viaLabel: boolean,
): boolean {
  const { node, tag } = frame
  switch (role) {
    case 'link':
    case 'button':
      if (tag === 'input') return control(walk, frame, role, viaLabel)
      return openOwner(walk, frame, role)
    case 'text_input':
    case 'textarea':
    case 'select':
      return control(walk, frame, role, viaLabel)
    case 'checkbox':
    case 'radio':
      return tag === 'input' ? control(walk, frame, role, viaLabel) : openOwner(walk, frame, role)
    case 'heading':
      return openHeading(walk, frame)
    case 'image': {
      if (walk.tree.attribute(node, 'alt') === '' || isDecorative(walk.tree, node) || isTiny(walk.tree, node))
        return true
      if (walk.owners.length > 0) walk.needName()
      else image(walk, frame)
      return true
    }
    case 'list': {
      if (walk.owners.length > 0 || walk.block?.kind === 'cell') return false
      const close = openList(walk, frame)
      walk.push(frame, close)
      return true
    }
    case 'table':
      return enterTable(walk, frame)
    case 'paragraph': {
      if (walk.owners.length > 0 || (walk.block !== undefined && walk.block.kind !== 'anonymous')) return false
      walk.flush()
      const { element, input } = walk.make(frame, 'paragraph')
      const shown = (control: N): boolean => walk.shownControls.has(control)
      const close = walk.openBlock('paragraph', element, (block) => {
        walk.settle(block, element, () => block.text !== '' && block.hasOwnText(shown, false))
        if (element.attrs['title'] === undefined) nameFromAria(input, element)
      })
      walk.push(frame, close)
      return true
    }
    case 'separator': {
      walk.flush()
      if (walk.owners.length === 0) walk.inline(walk.make(frame, 'separator').element)
      return true
    }
    case 'iframe': {
      walk.flush()
      const { element, input } = walk.make(frame, 'iframe')
      const srcdoc = walk.tree.attribute(node, 'srcdoc')
      if (srcdoc !== undefined) {
        element.attrs['has_srcdoc'] = true
        const preview = srcdoc
          .slice(0, 4_000)
          .replace(/<[^>]*>/g, ' ')
          .replace(/\s+/g, ' ')
          .trim()
        // Where the document itself is shown, it says what is visible of it; the source would not.
        if (preview !== '' && walk.tree.frame?.(node) === undefined)
          element.attrs['srcdoc_preview'] = preview.slice(0, 200).toWellFormed()
      }
      nameFromAria(input, element)
      walk.frames.push({ node, element })
      walk.inline(element)
      return true
    }
    case 'group':
      return enterGroup(walk, frame)
    case 'details': {
      walk.flush()
      const { element } = walk.make(frame, 'details')
      element.attrs['open'] = walk.tree.attribute(node, 'open') !== undefined
      walk.inline(element)
      const before = walk.block
      walk.block = undefined
      walk.summaries.set(node, element)
      walk.push(frame, () => {
        walk.flush()
        walk.block = before
        if (element.text === '') element.text = 'Details'
        element.attrs['summary'] ??= element.text
      })
      return true
    }
    default:
      return false
  }
}

/** Links, buttons and other elements named by what they contain. */
function openOwner<N extends object>(
  walk: WalkState<N>,
  frame: Frame<N>,
  role: ElementRole,
  ext: MutableExt = {},
): boolean {
  const isBlock = blockTags.has(frame.tag)
  if (isBlock) walk.leaveBlock()
  const block = walk.block ?? walk.openAnonymous(frame)
  // Touching links are told apart by their boxes on screen, so their texts are not one word.
  if (block.touchesSpan() || role !== 'link') block.boundary()
  const { element, input } = walk.make(frame, role, ext)
  if (controls.has(frame.tag)) walk.shownControls.add(frame.node)
  const owner: Owner = { needsName: false }
  walk.owners.push(owner)
  block.openOwners++
  const mark = block.mark()
  const spansBefore = block.spanCount
  walk.push(frame, () => {
    walk.owners.pop()
    block.openOwners--
    block.close(mark, spansBefore, element)
    nameFromContent(input, element, owner.needsName || element.text === '')
    block.span(mark, element)
    if (role !== 'link') block.boundary()
    if (isBlock) walk.leaveBlock()
  })
  return true
}

function openHeading<N extends object>(walk: WalkState<N>, frame: Frame<N>): boolean {
  const nested = walk.block !== undefined && (walk.block.kind !== 'anonymous' || walk.block.openOwners > 0)
  if (!nested) walk.flush()
  const { element, input } = walk.make(frame, 'heading')
  const level = Number(walk.tree.attribute(frame.node, 'aria-level') ?? frame.tag.slice(1))
  element.attrs = { level: Number.isInteger(level) ? Math.min(6, Math.max(1, level)) : 2, ...element.attrs }
  const owner: Owner = { needsName: false }
  const finish = (): void => {
    nameFromContent(input, element, owner.needsName)
    if (element.text === '' && element.label === '') element.dead = true
    else walk.heading = element
  }
  const block = walk.block
  if (nested && block !== undefined) {
    block.boundary()
    const mark = block.mark()
    const spansBefore = block.spanCount
    walk.push(frame, () => {
      block.close(mark, spansBefore, element)
      finish()
      if (!element.dead) block.span(mark, element)
      block.boundary()
    })
    return true
  }
  walk.owners.push(owner)
  const close = walk.openBlock('heading', element, (own) => {
    walk.settle(own, element, () => own.text !== '' || (own.spans?.length ?? 0) > 0 || owner.needsName)
    finish()
  })
  // An owner while it is open, so that images in it become part of its name and blocks do not break it.
  walk.push(frame, () => {
    walk.owners.pop()
    close()
  })
  return true
}

function control<N extends object>(walk: WalkState<N>, frame: Frame<N>, role: ElementRole, viaLabel: boolean): boolean {
  const { element, input } = walk.make(frame, role, viaLabel ? { via_label: true } : {})
  walk.shownControls.add(frame.node)
  nameControl(input, element)
  walk.inline(element)
  return true
}

function image<N extends object>(walk: WalkState<N>, frame: Frame<N>): void {
  const { node } = frame
  const { element, input } = walk.make(frame, 'image')
  const alt = walk.tree.attribute(node, 'alt')
  if (alt !== undefined && alt.trim() !== '') element.attrs['alt'] = alt.replace(/\s+/g, ' ').trim()
  nameFromAria(input, element)
  if (element.label === element.attrs['alt']) element.label = ''
  if (element.label === '' && element.attrs['alt'] === undefined) {
    element.label = stemOf(String(element.attrs['src'] ?? ''))
    if (element.label !== '') element.ext.name_from = 'src'
  }
  walk.inline(element)
}

export function graphic<N extends object>(walk: WalkState<N>, frame: Frame<N>, roles: readonly string[]): void {
  const { node, tag, scope } = frame
  if (walk.owners.length > 0) walk.needName()
  if (tag !== 'svg' && tag !== 'canvas' && !roles.includes('img')) return
  if (tag === 'svg' && !roles.includes('img')) return
  const label = ariaName({ tree: walk.tree, scope }, node) || nativeAlternative({ tree: walk.tree, scope }, node)
  if (!label || walk.owners.length > 0) return
  const { element } = walk.make(frame, 'image')
  element.attrs['alt'] = label
  walk.inline(element)
}

export function openList<N extends object>(walk: WalkState<N>, frame: Frame<N>): () => void {
  walk.flush()
  const { element, input } = walk.make(frame, 'list')
  element.attrs = { ordered: frame.tag === 'ol', ...element.attrs }
  element.items = []
  nameFromAria(input, element)
  walk.inline(element)
  frame.list = element
  frame.table = undefined
  const before = walk.block
  walk.block = undefined
  return () => {
    walk.flush()
    walk.block = before
    if ((element.items as ModelItem<N>[]).length === 0) element.dead = true
  }
}

function enterTable<N extends object>(walk: WalkState<N>, frame: Frame<N>): boolean {
  if (walk.owners.length > 0 || walk.block?.kind === 'cell' || !isDataTable(walk.tree, frame.node)) return false
  walk.flush()
  const { element, input } = walk.make(frame, 'table')
  element.items = []
  nameFromAria(input, element)
  walk.inline(element)
  frame.table = { element, row: undefined }
  frame.list = undefined
  const before = walk.block
  walk.block = undefined
  walk.push(frame, () => {
    walk.flush()
    walk.block = before
    if ((element.items as ModelItem<N>[]).length === 0 && element.headers === undefined) element.dead = true
  })
  return true
}

function enterGroup<N extends object>(walk: WalkState<N>, frame: Frame<N>): boolean {
  const { element, input } = walk.make(frame, 'group')
  nameFromAria(input, element)
  if (frame.tag === 'fieldset') {
    if (walk.tree.attribute(frame.node, 'disabled') !== undefined) {
      element.attrs['disabled'] = true
      frame.disabled = true
    }
  } else if (element.label === '') element.dead = true
  walk.summaries.set(frame.node, element)
  walk.flush()
  walk.inline(element)
  walk.block?.boundary()
  walk.push(frame, () => {
    walk.flush()
    walk.block?.boundary()
    if (element.label === '' && element.attrs['disabled'] === undefined) element.dead = true
  })
  return true
}

/** Something without a role that a click acts on: a button, when it holds little and nothing to act on itself. */
export function enterInferred<N extends object>(walk: WalkState<N>, frame: Frame<N>): boolean {
  const { tree } = walk
  const { node, tag } = frame
  if (tag === 'body' || tag === 'label' || tag === 'summary' || walk.owners.length > 0) return false
  const tabindex = tree.attribute(node, 'tabindex')
  const inferred =
    tree.attribute(node, 'onclick') !== undefined
      ? 'onclick'
      : tree.clickable?.(node)
        ? 'listener'
        : tabindex !== undefined && Number(tabindex) >= 0
          ? 'tabindex'
          : undefined
  if (inferred === undefined) return false
  let seen = 0
  let chars = 0
  for (let at = nextInTree(tree, node, node); at !== undefined; at = nextInTree(tree, at, node)) {
    const inner = tree.tag(at)
    if (++seen > 200 || chars > 200) return false
    if (inner === 'a' || inner === 'label' || controls.has(inner) || tree.attribute(at, 'onclick') !== undefined)
      return false
    if (tree.kind(at) === 'text') chars += tree.data(at).trim().length
  }
  if (chars === 0 && tree.attribute(node, 'aria-label') === undefined && tree.attribute(node, 'title') === undefined) {
    return false
  }
  return openOwner(walk, frame, 'button', { inferred })
}

/** Spacers and tracking pixels. */
function isTiny<N extends object>(tree: DocumentTree<N>, node: N): boolean {
  if (tree.attribute(node, 'alt') !== undefined) return false
  const width = tree.attribute(node, 'width')
  const height = tree.attribute(node, 'height')
  return (
    (width !== undefined && Number.parseInt(width, 10) <= 2) ||
    (height !== undefined && Number.parseInt(height, 10) <= 2)
  )
}
