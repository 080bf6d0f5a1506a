import { assignedNodes } from './accessible-name.ts'
import { buildElement, buildTextElement } from './build-element.ts'
import type { ElementModelInput } from './element-input.ts'
import type { SomLimits } from './limits.ts'
import type { ModelElement, ModelItem, ModelRegion, MutableExt, Run } from './model.ts'
import { type DocumentScope, type ReadScopeOptions, readScope, type Scope } from './scope.ts'
import type { ElementRole, RegionRole } from './som.ts'
import { type BlockKind, TextBlock } from './text-block.ts'
import type { DocumentTree } from './tree.ts'

/** What the walk of one document gives. */
export interface WalkResult<N extends object> {
  readonly regions: ModelRegion<N>[]
  readonly hidden: Map<string, number>
  /** Frame elements in order, with the element made of each. */
  readonly frames: readonly { readonly node: N; readonly element: ModelElement<N> | undefined }[]
}

/** What the walk needs beside the tree. */
export interface WalkOptions<N extends object> {
  readonly scopeOptions: ReadScopeOptions
  readonly limits: SomLimits
  readonly isSecret: (node: N) => boolean
}

/** One open element of the walk: what its children inherit, and what leaving it does. */
export interface Frame<N extends object> {
  node: N
  tag: string
  next: N | undefined
  assigned: readonly { readonly node: N; readonly index: number }[] | undefined
  assignedAt: number
  index: number
  /** Own place among the parent's children, and how it is spelled: `/` or, in a shadow root, `#shadow/`. */
  place: number
  mark: string
  path: string | undefined
  childMark: string
  scope: Scope<N>
  invisible: boolean
  textHidden: boolean
  disabled: boolean
  inert: boolean
  region: ModelRegion<N> | undefined
  form: ModelRegion<N> | undefined
  item: ModelItem<N> | undefined
  list: ModelElement<N> | undefined
  table: TableState<N> | undefined
  exit: (() => void) | undefined
}

/** A data table being read. */
export interface TableState<N extends object> {
  readonly element: ModelElement<N>
  row: { cells: Run<N>[]; headerCells: number; item: ModelItem<N> } | undefined
}

/** An open element that is named by its content; `needsName` when more than its text names it. */
export interface Owner {
  needsName: boolean
}

/** Tags of form controls. */
export const controls: ReadonlySet<string> = new Set(['input', 'select', 'textarea', 'button'])

/** What the walk of a document knows at any moment, and the steps every kind of element shares. */
export class WalkState<N extends object> {
  readonly tree: DocumentTree<N>
  readonly document: DocumentScope<N>
  readonly options: WalkOptions<N>
  readonly stack: Frame<N>[] = []
  readonly pool: Frame<N>[] = []
  readonly regions: ModelRegion<N>[] = []
  readonly content: ModelRegion<N>
  readonly hidden = new Map<string, number>()
  readonly frames: { node: N; element: ModelElement<N> | undefined }[] = []
  readonly owners: Owner[] = []
  readonly shownControls = new Set<N>()
  readonly deferred: (() => void)[] = []
  /** Details and groups that wait for their summary or legend. */
  readonly summaries = new Map<N, ModelElement<N>>()
  block: TextBlock<N> | undefined
  heading: ModelElement<N> | undefined
  footer: N | undefined
  nodes = 0

  constructor(tree: DocumentTree<N>, document: DocumentScope<N>, options: WalkOptions<N>, root: N) {
    this.tree = tree
    this.document = document
    this.options = options
    this.content = region('content', root, '')
  }

  openAnonymous(frame: Frame<N>): TextBlock<N> {
    const target = frame.region ?? this.content
    const owner = buildTextElement('paragraph', frame.node, target, '', { scope: frame.scope })
    owner.heading = this.heading
    owner.item = frame.item
    target.elements.push(owner)
    const block = new TextBlock<N>('anonymous', owner)
    this.block = block
    return block
  }

  /** Ends an anonymous block, if one is open and nothing inside it is. */
  flush(): void {
    const block = this.block
    if (block === undefined || block.kind !== 'anonymous' || block.openOwners > 0) return
    this.block = undefined
    const owner = block.owner as ModelElement<N>
    this.settle(
      block,
      owner,
      () => block.hasNode && block.hasOwnText((control) => this.shownControls.has(control), true),
    )
  }

  settle(block: TextBlock<N>, owner: ModelElement<N>, keep: () => boolean): void {
    const decide = (): void => {
      if (!keep()) {
        owner.dead = true
        if (block.spans !== undefined && block.spans.length > 1)
          for (const { element } of block.spans) element.line = block
        return
      }
      owner.text = block.finish()
      owner.spans = block.spans
      if (owner.spans) for (const span of owner.spans) span.element.inside = owner
    }
    // A label may name a control that comes later, so whether its text stands for something shows at the end.
    if (block.covered === undefined) decide()
    else this.deferred.push(decide)
  }

  /** Opens a block of its own and gives the step that closes it. */
  openBlock(kind: BlockKind, owner: ModelElement<N> | undefined, close: (block: TextBlock<N>) => void): () => void {
    const before = this.block
    const block = new TextBlock<N>(kind, owner)
    this.block = block
    return () => {
      this.flush()
      this.block = before
      close(block)
    }
  }

  /** Puts an element without text of its own where it stands in the running text. */
  inline(element: ModelElement<N>): void {
    const block = this.block
    if (block === undefined) return
    if (element.role !== 'image') block.boundary()
    block.span(block.mark(), element)
  }

  /** What the edge of a block does to the text around it. */
  readonly leaveBlock = (): void => {
    this.flush()
    this.block?.boundary()
  }

  make(
    frame: Frame<N>,
    role: ElementRole,
    ext: MutableExt = {},
  ): { element: ModelElement<N>; input: ElementModelInput<N> } {
    const target = frame.region ?? this.content
    const input: ElementModelInput<N> = {
      tree: this.tree,
      scope: frame.scope,
      node: frame.node,
      tag: frame.tag,
      role,
      ext,
      disabled:
        controls.has(frame.tag) && (frame.disabled || this.tree.attribute(frame.node, 'disabled') !== undefined),
      inert: frame.inert,
      isSecret: this.options.isSecret,
      maxChars: this.options.limits.maxAttributeChars,
    }
    const parentPath = this.pathOf(this.stack.length - 1)
    const element = buildElement(input, target, this.bounded(parentPath + frame.mark + frame.place, this.stack.length))
    element.heading = this.heading
    element.item = frame.item
    frame.item?.elements.push(element)
    if (frame.form !== undefined && frame.form !== target && element.interactive) ext.formRegion = frame.form
    target.elements.push(element)
    return { element, input }
  }

  frame(node: N, tag: string, parent: Frame<N> | undefined, place: number): Frame<N> {
    const { tree } = this
    const slotted = parent !== undefined && parent.assigned !== undefined
    const scope = parent === undefined ? this.document : slotted ? (parent.scope.outer ?? parent.scope) : parent.scope
    const frame = this.pool.pop() ?? ({} as Frame<N>)
    frame.node = node
    frame.tag = tag
    frame.next = undefined
    frame.assigned = undefined
    frame.assignedAt = 0
    frame.index = 0
    frame.place = place
    frame.mark = parent?.childMark ?? '/'
    frame.path = parent === undefined ? '0' : undefined
    frame.childMark = '/'
    frame.scope = scope
    frame.invisible = parent?.invisible ?? false
    frame.textHidden = parent?.textHidden ?? false
    frame.disabled = parent?.disabled ?? false
    frame.inert = (parent?.inert ?? false) || tree.attribute(node, 'inert') !== undefined
    frame.region = parent?.region
    frame.form = parent?.form
    frame.item = parent?.item
    frame.list = undefined
    frame.table = parent?.table
    frame.exit = undefined
    return frame
  }

  push(frame: Frame<N>, exit: (() => void) | undefined): void {
    const { tree } = this
    const { node } = frame
    frame.exit = exit
    const shadow = tree.shadow(node)
    if (shadow !== undefined) {
      frame.next = shadow.firstChild
      frame.childMark = '#shadow/'
      frame.scope = readScope(tree, shadow.firstChild, this.options.scopeOptions, { host: node, outer: frame.scope })
    } else {
      frame.next = tree.firstChild(node)
      if (frame.tag === 'slot' && frame.scope.host !== undefined) {
        const assigned = assignedNodes(tree, frame.scope.host, tree.attribute(node, 'name') ?? '')
        if (assigned.length > 0) frame.assigned = assigned
      }
    }
    this.stack.push(frame)
  }

  pathOf(depth: number): string {
    let from = depth
    while (from > 0 && (this.stack[from] as Frame<N>).path === undefined) from--
    let path = (this.stack[from] as Frame<N>).path ?? '0'
    for (let at = from + 1; at <= depth; at++) {
      const frame = this.stack[at] as Frame<N>
      path = this.bounded(path + frame.mark + frame.place, at)
      frame.path = path
    }
    return path
  }

  /** Very deep places keep the end of their path and their depth, so that ids stay apart and work stays linear. */
  bounded(path: string, depth: number): string {
    const max = this.options.limits.maxPathChars
    return path.length > max ? `~${depth}~${path.slice(-max / 2)}` : path
  }

  needName(): void {
    for (const owner of this.owners) owner.needsName = true
  }

  count(reason: string): void {
    this.hidden.set(reason, (this.hidden.get(reason) ?? 0) + 1)
  }
}

/** An empty region. */
export function region<N extends object>(role: RegionRole, node: N, label: string): ModelRegion<N> {
  return { id: '', role, node, label, form: undefined, elements: [], open: true, modal: false }
}
