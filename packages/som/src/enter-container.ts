import { ariaName, labelTarget } from './accessible-name.ts'
import type { ModelElement, ModelItem, Run } from './model.ts'
import { blockTags } from './roles.ts'
import { spanOf } from './tables.ts'
import type { Frame, TableState, WalkState } from './walk-state.ts'

const boundaryOnly = new Set(['td', 'th', 'br', 'option', 'wbr'])

export function enterContainer<N extends object>(
  walk: WalkState<N>,
  frame: Frame<N>,
  parent: Frame<N>,
  roles: readonly string[],
): void {
  const { tree } = walk
  const { node, tag } = frame
  if (tag === 'li' && parent.list !== undefined) return enterItem(walk, frame, parent.list)
  if (parent.table !== undefined) {
    if (tag === 'tr') return enterRow(walk, frame, parent.table)
    if ((tag === 'td' || tag === 'th') && parent.table.row !== undefined) return enterCell(walk, frame, parent.table)
    if (tag === 'caption') return enterCaption(walk, frame, parent.table.element)
  }
  if (tag === 'summary' || tag === 'legend') {
    const target = walk.summaries.get(parent.node)
    if (target !== undefined && walk.owners.length === 0) return enterSummary(walk, frame, parent, target)
  }
  if (tag === 'label') return enterLabel(walk, frame)
  if ((tag === 'dt' || tag === 'dd' || tag === 'figcaption') && walk.owners.length === 0 && ownBlockAllowed(walk)) {
    // Descriptions may hold lists and tables, so they only end what came before.
    walk.flush()
    return walk.push(frame, () => walk.flush())
  }
  if (tag === 'section' || tag === 'article' || roles.includes('region')) {
    const label = ariaName({ tree, scope: frame.scope }, node)
    if (label !== '' && walk.owners.length === 0) {
      walk.flush()
      const { element } = walk.make(frame, 'section')
      element.label = label
      element.attrs = { section_label: label, ...element.attrs }
      walk.inline(element)
    }
  }
  if (!blockTags.has(tag)) return enterInline(walk, frame)
  if (boundaryOnly.has(tag)) {
    walk.block?.boundary()
    return walk.push(frame, () => walk.block?.boundary())
  }
  walk.leaveBlock()
  walk.push(frame, walk.leaveBlock)
}

function ownBlockAllowed<N extends object>(walk: WalkState<N>): boolean {
  return walk.block === undefined || walk.block.kind === 'anonymous'
}

/** Inline text that the page marks for programs gets an element of its own beside the text it stands in. */
function enterInline<N extends object>(walk: WalkState<N>, frame: Frame<N>): void {
  const { tree } = walk
  const { node } = frame
  if (walk.owners.length > 0 && tree.attribute(node, 'aria-label') !== undefined) walk.needName()
  const marked =
    tree.attribute(node, 'data-testid') ?? tree.attribute(node, 'data-test') ?? tree.attribute(node, 'data-qa')
  if (marked === undefined || walk.owners.length > 0) return walk.push(frame, undefined)
  const block = walk.block ?? walk.openAnonymous(frame)
  const { element } = walk.make(frame, 'paragraph')
  const mark = block.mark()
  walk.push(frame, () => {
    element.text = block.since(mark).toWellFormed()
    if (element.text === '' || walk.block !== block) element.dead = true
    else element.inside = block.owner
  })
}

function enterLabel<N extends object>(walk: WalkState<N>, frame: Frame<N>): void {
  const target = labelTarget({ tree: walk.tree, scope: frame.scope }, frame.node)
  if (target === undefined) return walk.push(frame, undefined)
  const block = walk.block ?? walk.openAnonymous(frame)
  block.boundary()
  const mark = block.mark()
  walk.push(frame, () => {
    if (walk.block === block && block.text.length > mark) block.cover(mark, target)
    block.boundary()
  })
}

function enterItem<N extends object>(walk: WalkState<N>, frame: Frame<N>, list: ModelElement<N>): void {
  const item: ModelItem<N> = { node: frame.node, text: '', spans: undefined, elements: [] }
  frame.item = item
  frame.list = undefined
  const close = walk.openBlock('item', list, (block) => {
    item.text = block.finish()
    item.spans = block.spans
    if (item.spans) for (const span of item.spans) span.element.inside = list
    if (item.text !== '' || item.spans !== undefined) list.items?.push(item)
  })
  walk.push(frame, close)
}

function enterRow<N extends object>(walk: WalkState<N>, frame: Frame<N>, table: TableState<N>): void {
  const item: ModelItem<N> = { node: frame.node, text: '', spans: undefined, cells: [], elements: [] }
  const row = { cells: item.cells as Run<N>[], headerCells: 0, item }
  table.row = row
  frame.item = item
  walk.flush()
  walk.push(frame, () => {
    walk.flush()
    table.row = undefined
    if (row.cells.length === 0) return
    item.text = row.cells.find((cell) => cell.text !== '')?.text ?? ''
    const { element } = table
    const allHeaders = row.headerCells === row.cells.length
    if (allHeaders && element.headers === undefined && element.items?.length === 0) element.headers = row.cells
    else element.items?.push(item)
  })
}

function enterCell<N extends object>(walk: WalkState<N>, frame: Frame<N>, table: TableState<N>): void {
  const row = table.row as NonNullable<TableState<N>['row']>
  const span = spanOf(walk.tree.attribute(frame.node, 'colspan'))
  frame.table = undefined
  const close = walk.openBlock('cell', table.element, (block) => {
    const cell: Run<N> = { text: block.finish(), spans: block.spans }
    if (cell.spans) for (const inner of cell.spans) inner.element.inside = table.element
    row.cells.push(cell)
    for (let at = 1; at < span; at++) row.cells.push({ text: cell.text, spans: undefined, repeats: true })
    if (frame.tag === 'th') row.headerCells += span
  })
  walk.push(frame, close)
}

function enterCaption<N extends object>(walk: WalkState<N>, frame: Frame<N>, table: ModelElement<N>): void {
  const close = walk.openBlock('caption', table, (block) => {
    const text = block.finish()
    if (table.label === '') table.label = text
    else if (text !== '' && text !== table.label) table.attrs['description'] = text
    table.spans = block.spans
    if (table.spans) for (const span of table.spans) span.element.inside = table
  })
  walk.push(frame, close)
}

export function enterSummary<N extends object>(
  walk: WalkState<N>,
  frame: Frame<N>,
  parent: Frame<N>,
  target: ModelElement<N>,
): void {
  walk.summaries.delete(parent.node)
  if (frame.tag === 'legend') {
    const outer = walk.stack[walk.stack.length - 2]
    frame.disabled = outer?.disabled ?? false
  }
  walk.flush()
  const close = walk.openBlock('caption', target, (block) => {
    const text = block.finish()
    if (frame.tag === 'legend') {
      if (text !== '') target.attrs['legend'] = text
      if (target.label === '') target.label = text
      if (text !== '') target.dead = false
    } else {
      target.text = text
      target.attrs['summary'] = text
    }
    if (text !== '') target.spans = block.spans
    if (target.spans) for (const span of target.spans) span.element.inside = target
  })
  walk.push(frame, close)
}
