import { ariaName, assignedNodes, isDecorative, labelTarget, nativeAlternative } from './accessible-name.ts'
import { buildElement, buildTextElement, nameControl, nameFromAria, nameFromContent, stemOf } from './build-element.ts'
import type { ElementModelInput } from './element-input.ts'
import type { SomLimits } from './limits.ts'
import type { ModelElement, ModelItem, ModelRegion, MutableExt, Run } from './model.ts'
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
import { blockTags, elementRole, inputType, roleTokens, strippedTags } from './roles.ts'
import { type DocumentScope, type ReadScopeOptions, readScope, type Scope } from './scope.ts'
import type { ElementRole, RegionRole } from './som.ts'
import { isDataTable, spanOf } from './tables.ts'
import { type BlockKind, TextBlock } from './text-block.ts'
import { childElement, type DocumentTree, nextInTree } from './tree.ts'

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

interface Frame<N extends object> {
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

interface TableState<N extends object> {
  readonly element: ModelElement<N>
  row: { cells: Run<N>[]; headerCells: number; item: ModelItem<N> } | undefined
}

interface Owner {
  needsName: boolean
}

const noRoles: readonly string[] = []
const controls = new Set(['input', 'select', 'textarea', 'button'])
const silentMedia = new Set(['video', 'audio', 'canvas', 'object', 'embed', 'math', 'svg'])
const boundaryOnly = new Set(['td', 'th', 'br', 'option', 'wbr'])

/** Reads a document once, without recursion, and builds its regions and elements. */
export class Walk<N extends object> {
  private readonly tree: DocumentTree<N>
  private readonly document: DocumentScope<N>
  private readonly options: WalkOptions<N>
  private readonly stack: Frame<N>[] = []
  private readonly pool: Frame<N>[] = []
  private readonly regions: ModelRegion<N>[] = []
  private readonly content: ModelRegion<N>
  private readonly hidden = new Map<string, number>()
  private readonly frames: { node: N; element: ModelElement<N> | undefined }[] = []
  private readonly owners: Owner[] = []
  private readonly shownControls = new Set<N>()
  private readonly deferred: (() => void)[] = []
  /** Details and groups that wait for their summary or legend. */
  private readonly summaries = new Map<N, ModelElement<N>>()
  private block: TextBlock<N> | undefined
  private heading: ModelElement<N> | undefined
  private footer: N | undefined
  private nodes = 0

  constructor(tree: DocumentTree<N>, document: DocumentScope<N>, options: WalkOptions<N>, root: N) {
    this.tree = tree
    this.document = document
    this.options = options
    this.content = region('content', root, '')
  }

  run(root: N): WalkResult<N> {
    const { tree } = this
    const body = childElement(tree, root, 'body') ?? childElement(tree, root, 'frameset') ?? root
    if (!this.document.hasFooter) this.footer = findFooter(tree, body)
    const first = this.frame(body, tree.tag(body), undefined, 0)
    first.next = tree.firstChild(body)
    this.stack.push(first)
    while (this.stack.length > 0) this.step(this.stack[this.stack.length - 1] as Frame<N>)
    this.flush()
    for (const decide of this.deferred) decide()
    const regions = [...this.regions, this.content].filter((each) => {
      const alive = each.elements.filter((element) => !element.dead)
      if (alive.length !== each.elements.length) each.elements.splice(0, each.elements.length, ...alive)
      return alive.length > 0
    })
    return { regions, hidden: this.hidden, frames: this.frames }
  }

  private step(frame: Frame<N>): void {
    let child: N | undefined
    let index: number
    if (frame.assigned !== undefined) {
      const slotted = frame.assigned[frame.assignedAt++]
      child = slotted?.node
      index = slotted?.index ?? 0
    } else {
      child = frame.next
      index = frame.index++
      if (child !== undefined) frame.next = this.tree.nextSibling(child)
    }
    if (child === undefined) {
      this.stack.pop()
      frame.exit?.()
      // Nothing keeps a frame once it is left, so it serves again.
      this.pool.push(frame)
      return
    }
    const kind = this.tree.kind(child)
    if (kind === 'text') this.text(child, frame, index)
    else if (kind === 'element') {
      if (++this.nodes > this.options.limits.maxNodes) this.count('limit')
      else this.enter(child, frame, index)
    }
  }

  // Text

  private text(node: N, frame: Frame<N>, index: number): void {
    const data = this.tree.data(node)
    let block = this.block
    if (block === undefined || frame.invisible || frame.textHidden) {
      if (isBlank(data)) return
      if (frame.invisible || frame.textHidden) {
        this.count(frame.invisible ? 'css' : 'text')
        return
      }
      block = this.openAnonymous(frame)
    }
    if (block.kind === 'anonymous' && !block.hasNode && block.openOwners === 0 && !isBlank(data)) {
      block.hasNode = true
      const owner = block.owner as ModelElement<N>
      owner.node = node
      owner.path = `${this.pathOf(this.stack.length - 1)}${frame.childMark}${index}`
    }
    block.add(data)
  }

  private openAnonymous(frame: Frame<N>): TextBlock<N> {
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
  private flush(): void {
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

  private settle(block: TextBlock<N>, owner: ModelElement<N>, keep: () => boolean): void {
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
  private openBlock(
    kind: BlockKind,
    owner: ModelElement<N> | undefined,
    close: (block: TextBlock<N>) => void,
  ): () => void {
    const before = this.block
    const block = new TextBlock<N>(kind, owner)
    this.block = block
    return () => {
      this.flush()
      this.block = before
      close(block)
    }
  }

  // Elements

  private enter(node: N, parent: Frame<N>, index: number): void {
    const { tree } = this
    const tag = tree.tag(node)
    if (strippedTags.has(tag)) return
    const frame = this.frame(node, tag, parent, index)
    const plain = tree.isPlain?.(node) ?? false
    const roles = plain ? noRoles : roleTokens(tree.attribute(node, 'role'))
    const reason = this.hiddenReason(frame, roles)
    let viaLabel = false
    if (reason !== undefined) {
      viaLabel = (reason === 'css' || reason === 'clip') && this.usableThroughLabel(frame)
      if (!viaLabel) {
        if (reason === 'clip' || reason === 'aria_hidden') this.needName()
        this.count(reason)
        return
      }
      frame.invisible = false
    }
    if (silentMedia.has(tag)) {
      this.graphic(frame, roles)
      return
    }
    if (tag === 'br' || tag === 'wbr') {
      if (tag === 'br') this.block?.boundary()
      return
    }
    if (this.enterRegion(frame, parent, roles)) return
    const role = elementRole(tree, node, tag, roles)
    if (role !== undefined && role !== 'container') {
      if (this.enterElement(frame, role, viaLabel)) return
    } else if (this.enterInferred(frame)) return
    this.enterContainer(frame, parent, roles)
  }

  private hiddenReason(frame: Frame<N>, roles: readonly string[]): string | undefined {
    const { tree } = this
    const { node, tag } = frame
    if (tree.attribute(node, 'hidden') !== undefined) return 'attribute'
    const ariaHidden = tree.attribute(node, 'aria-hidden')
    if (ariaHidden !== undefined && ariaHidden.trim().toLowerCase() === 'true') return 'aria_hidden'
    if (tag === 'input' && inputType(tree, node) === 'hidden') return 'input'
    const seen = tree.visibility?.(node)
    if (seen !== undefined) {
      if (seen === 'none' && tag !== 'dialog') return 'css'
      frame.invisible = seen === 'invisible'
      return seen === 'invisible' && (controls.has(tag) || tag === 'a') ? 'css' : undefined
    }
    if (tree.attribute(node, 'popover') !== undefined && !roles.includes('dialog')) return 'popover'
    const verdict = frame.scope.cascade.verdict(
      node,
      tag,
      tree.attribute(node, 'class'),
      tree.attribute(node, 'id'),
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
  private usableThroughLabel({ node, tag, scope }: Frame<N>): boolean {
    const { tree } = this
    if (tag !== 'input' || !/^(?:checkbox|radio|file)$/.test(inputType(tree, node))) return false
    for (let at = tree.parent(node), depth = 0; at !== undefined && depth < 16; at = tree.parent(at), depth++) {
      if (tree.tag(at) === 'label') return true
    }
    const id = tree.attribute(node, 'id')
    const labels = id === undefined ? undefined : scope.labels.get(id)
    return labels?.some((label) => this.isVisible(label, scope)) ?? false
  }

  private isVisible(node: N, scope: Scope<N>): boolean {
    const { tree } = this
    for (let at: N | undefined = node, depth = 0; at !== undefined && depth < 256; at = tree.parent(at), depth++) {
      const seen = tree.visibility?.(at)
      if (seen === 'none') return false
      if (tree.attribute(at, 'hidden') !== undefined) return false
      const verdict = scope.cascade.verdict(at, tree.tag(at), tree.attribute(at, 'class'), tree.attribute(at, 'id'))
      if (seen === undefined && (verdict?.hides !== undefined || verdict?.visibility === 'invisible')) return false
    }
    return true
  }

  private graphic(frame: Frame<N>, roles: readonly string[]): void {
    const { node, tag, scope } = frame
    if (this.owners.length > 0) this.needName()
    if (tag !== 'svg' && tag !== 'canvas' && !roles.includes('img')) return
    if (tag === 'svg' && !roles.includes('img')) return
    const label = ariaName({ tree: this.tree, scope }, node) || nativeAlternative({ tree: this.tree, scope }, node)
    if (!label || this.owners.length > 0) return
    const { element } = this.make(frame, 'image')
    element.attrs['alt'] = label
    this.inline(element)
  }

  private enterRegion(frame: Frame<N>, parent: Frame<N>, roles: readonly string[]): boolean {
    const { tree } = this
    const { node, tag } = frame
    if (this.owners.length > 0) return false
    let role = landmarkRole(tree, tag, roles, parent.node)
    if (role === undefined && this.footer === node) role = 'footer'
    if (role === undefined && parent.region === undefined && parent.item === undefined && parent.table === undefined) {
      role = heuristicRole(this.document, tag, tree.attribute(node, 'class'), tree.attribute(node, 'id'))
      if (role === undefined && !this.document.hasNavigation && isLinkList(tree, node, tag)) role = 'navigation'
    }
    if (role === undefined) return false
    if (parent.form !== undefined && (role === 'header' || role === 'footer' || role === 'form')) return false
    if (this.block?.kind === 'cell' && role !== 'form' && role !== 'dialog') return false
    const entered: ModelRegion<N> = {
      ...region(role, node, regionLabel({ tree, scope: frame.scope }, node, role)),
      form: role === 'form' ? formFacts(tree, node) : undefined,
      open: role !== 'dialog' || isOpenDialog(tree, node),
      modal: role === 'dialog' && isModalDialog(tree, node),
    }
    this.regions.push(entered)
    this.flush()
    const before = this.block
    before?.boundary()
    this.block = undefined
    frame.region = entered
    frame.item = undefined
    frame.list = undefined
    frame.table = undefined
    if (role === 'form') frame.form = entered
    // A list that is a region is a list all the same.
    const list = tag === 'ul' || tag === 'ol' || tag === 'menu' ? this.openList(frame) : undefined
    this.push(frame, () => {
      list?.()
      this.flush()
      this.block = before
    })
    return true
  }

  private enterElement(frame: Frame<N>, role: ElementRole, viaLabel: boolean): boolean {
    const { node, tag } = frame
    switch (role) {
      case 'link':
      case 'button':
        if (tag === 'input') return this.control(frame, role, viaLabel)
        return this.openOwner(frame, role)
      case 'text_input':
      case 'textarea':
      case 'select':
        return this.control(frame, role, viaLabel)
      case 'checkbox':
      case 'radio':
        return tag === 'input' ? this.control(frame, role, viaLabel) : this.openOwner(frame, role)
      case 'heading':
        return this.openHeading(frame)
      case 'image': {
        if (this.tree.attribute(node, 'alt') === '' || isDecorative(this.tree, node) || isTiny(this.tree, node))
          return true
        if (this.owners.length > 0) this.needName()
        else this.image(frame)
        return true
      }
      case 'list': {
        if (this.owners.length > 0 || this.block?.kind === 'cell') return false
        const close = this.openList(frame)
        this.push(frame, close)
        return true
      }
      case 'table':
        return this.enterTable(frame)
      case 'paragraph': {
        if (this.owners.length > 0 || (this.block !== undefined && this.block.kind !== 'anonymous')) return false
        this.flush()
        const { element, input } = this.make(frame, 'paragraph')
        const shown = (control: N): boolean => this.shownControls.has(control)
        const close = this.openBlock('paragraph', element, (block) => {
          this.settle(block, element, () => block.text !== '' && block.hasOwnText(shown, false))
          if (element.attrs['title'] === undefined) nameFromAria(input, element)
        })
        this.push(frame, close)
        return true
      }
      case 'separator': {
        this.flush()
        if (this.owners.length === 0) this.inline(this.make(frame, 'separator').element)
        return true
      }
      case 'iframe': {
        this.flush()
        const { element, input } = this.make(frame, 'iframe')
        const srcdoc = this.tree.attribute(node, 'srcdoc')
        if (srcdoc !== undefined) {
          element.attrs['has_srcdoc'] = true
          const preview = srcdoc
            .slice(0, 4_000)
            .replace(/<[^>]*>/g, ' ')
            .replace(/\s+/g, ' ')
            .trim()
          if (preview !== '') element.attrs['srcdoc_preview'] = preview.slice(0, 200).toWellFormed()
        }
        nameFromAria(input, element)
        this.frames.push({ node, element })
        this.inline(element)
        return true
      }
      case 'group':
        return this.enterGroup(frame)
      case 'details': {
        this.flush()
        const { element } = this.make(frame, 'details')
        element.attrs['open'] = this.tree.attribute(node, 'open') !== undefined
        this.inline(element)
        const before = this.block
        this.block = undefined
        this.summaries.set(node, element)
        this.push(frame, () => {
          this.flush()
          this.block = before
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
  private openOwner(frame: Frame<N>, role: ElementRole, ext: MutableExt = {}): boolean {
    const block = this.block ?? this.openAnonymous(frame)
    // Touching links are told apart by their boxes on screen, so their texts are not one word.
    if (block.touchesSpan() || role !== 'link') block.boundary()
    const { element, input } = this.make(frame, role, ext)
    if (controls.has(frame.tag)) this.shownControls.add(frame.node)
    const owner: Owner = { needsName: this.hasNamedContent(frame) }
    this.owners.push(owner)
    block.openOwners++
    const mark = block.mark()
    const spansBefore = block.spanCount
    this.push(frame, () => {
      this.owners.pop()
      block.openOwners--
      block.close(mark, spansBefore, element)
      nameFromContent(input, element, owner.needsName || element.text === '')
      block.span(mark, element)
      if (role !== 'link') block.boundary()
    })
    return true
  }

  /** Only a shadow host hides content from the walk's own text; everything else reports itself. */
  private hasNamedContent(frame: Frame<N>): boolean {
    return frame.assigned !== undefined
  }

  private openHeading(frame: Frame<N>): boolean {
    const nested = this.block !== undefined && (this.block.kind !== 'anonymous' || this.block.openOwners > 0)
    if (!nested) this.flush()
    const { element, input } = this.make(frame, 'heading')
    const level = Number(this.tree.attribute(frame.node, 'aria-level') ?? frame.tag.slice(1))
    element.attrs = { level: Number.isInteger(level) ? Math.min(6, Math.max(1, level)) : 2, ...element.attrs }
    const owner: Owner = { needsName: false }
    const finish = (): void => {
      nameFromContent(input, element, owner.needsName)
      if (element.text === '' && element.label === '') element.dead = true
      else this.heading = element
    }
    const block = this.block
    if (nested && block !== undefined) {
      block.boundary()
      const mark = block.mark()
      const spansBefore = block.spanCount
      this.push(frame, () => {
        block.close(mark, spansBefore, element)
        finish()
        if (!element.dead) block.span(mark, element)
        block.boundary()
      })
      return true
    }
    this.owners.push(owner)
    const close = this.openBlock('heading', element, (own) => {
      this.settle(own, element, () => own.text !== '' || (own.spans?.length ?? 0) > 0 || owner.needsName)
      finish()
    })
    // An owner while it is open, so that images in it become part of its name and blocks do not break it.
    this.push(frame, () => {
      this.owners.pop()
      close()
    })
    return true
  }

  private control(frame: Frame<N>, role: ElementRole, viaLabel: boolean): boolean {
    const { element, input } = this.make(frame, role, viaLabel ? { via_label: true } : {})
    this.shownControls.add(frame.node)
    nameControl(input, element)
    this.inline(element)
    return true
  }

  private image(frame: Frame<N>): void {
    const { node } = frame
    const { element, input } = this.make(frame, 'image')
    const alt = this.tree.attribute(node, 'alt')
    if (alt !== undefined && alt.trim() !== '') element.attrs['alt'] = alt.replace(/\s+/g, ' ').trim()
    nameFromAria(input, element)
    if (element.label === element.attrs['alt']) element.label = ''
    if (element.label === '' && element.attrs['alt'] === undefined) {
      element.label = stemOf(String(element.attrs['src'] ?? ''))
      if (element.label !== '') element.ext.name_from = 'src'
    }
    this.inline(element)
  }

  /** Puts an element without text of its own where it stands in the running text. */
  private inline(element: ModelElement<N>): void {
    const block = this.block
    if (block === undefined) return
    if (element.role !== 'image') block.boundary()
    block.span(block.mark(), element)
  }

  private openList(frame: Frame<N>): () => void {
    this.flush()
    const { element, input } = this.make(frame, 'list')
    element.attrs = { ordered: frame.tag === 'ol', ...element.attrs }
    element.items = []
    nameFromAria(input, element)
    this.inline(element)
    frame.list = element
    frame.table = undefined
    const before = this.block
    this.block = undefined
    return () => {
      this.flush()
      this.block = before
      if ((element.items as ModelItem<N>[]).length === 0) element.dead = true
    }
  }

  private enterTable(frame: Frame<N>): boolean {
    if (this.owners.length > 0 || this.block?.kind === 'cell' || !isDataTable(this.tree, frame.node)) return false
    this.flush()
    const { element, input } = this.make(frame, 'table')
    element.items = []
    nameFromAria(input, element)
    this.inline(element)
    frame.table = { element, row: undefined }
    frame.list = undefined
    const before = this.block
    this.block = undefined
    this.push(frame, () => {
      this.flush()
      this.block = before
      if ((element.items as ModelItem<N>[]).length === 0 && element.headers === undefined) element.dead = true
    })
    return true
  }

  private enterGroup(frame: Frame<N>): boolean {
    const { element, input } = this.make(frame, 'group')
    nameFromAria(input, element)
    if (frame.tag === 'fieldset') {
      if (this.tree.attribute(frame.node, 'disabled') !== undefined) {
        element.attrs['disabled'] = true
        frame.disabled = true
      }
    } else if (element.label === '') element.dead = true
    this.summaries.set(frame.node, element)
    this.flush()
    this.inline(element)
    this.block?.boundary()
    this.push(frame, () => {
      this.flush()
      this.block?.boundary()
      if (element.label === '' && element.attrs['disabled'] === undefined) element.dead = true
    })
    return true
  }

  /** Something without a role that a click acts on: a button, when it holds little and nothing to act on itself. */
  private enterInferred(frame: Frame<N>): boolean {
    const { tree } = this
    const { node, tag } = frame
    if (tag === 'body' || tag === 'label' || tag === 'summary' || this.owners.length > 0) return false
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
    if (
      chars === 0 &&
      tree.attribute(node, 'aria-label') === undefined &&
      tree.attribute(node, 'title') === undefined
    ) {
      return false
    }
    return this.openOwner(frame, 'button', { inferred })
  }

  private enterContainer(frame: Frame<N>, parent: Frame<N>, roles: readonly string[]): void {
    const { tree } = this
    const { node, tag } = frame
    if (tag === 'li' && parent.list !== undefined) return this.enterItem(frame, parent.list)
    if (parent.table !== undefined) {
      if (tag === 'tr') return this.enterRow(frame, parent.table)
      if ((tag === 'td' || tag === 'th') && parent.table.row !== undefined) return this.enterCell(frame, parent.table)
      if (tag === 'caption') return this.enterCaption(frame, parent.table.element)
    }
    if (tag === 'summary' || tag === 'legend') {
      const target = this.summaries.get(parent.node)
      if (target !== undefined && this.owners.length === 0) return this.enterSummary(frame, parent, target)
    }
    if (tag === 'label') return this.enterLabel(frame)
    if ((tag === 'dt' || tag === 'dd' || tag === 'figcaption') && this.owners.length === 0 && this.ownBlockAllowed()) {
      // Descriptions may hold lists and tables, so they only end what came before.
      this.flush()
      return this.push(frame, () => this.flush())
    }
    if (tag === 'section' || tag === 'article' || roles.includes('region')) {
      const label = ariaName({ tree, scope: frame.scope }, node)
      if (label !== '' && this.owners.length === 0) {
        this.flush()
        const { element } = this.make(frame, 'section')
        element.label = label
        element.attrs = { section_label: label, ...element.attrs }
        this.inline(element)
      }
    }
    if (!blockTags.has(tag)) return this.enterInline(frame)
    if (boundaryOnly.has(tag)) {
      this.block?.boundary()
      return this.push(frame, () => this.block?.boundary())
    }
    this.leaveBlock()
    this.push(frame, this.leaveBlock)
  }

  /** What the edge of a block does to the text around it. */
  private readonly leaveBlock = (): void => {
    this.flush()
    this.block?.boundary()
  }

  private ownBlockAllowed(): boolean {
    return this.block === undefined || this.block.kind === 'anonymous'
  }

  /** Inline text that the page marks for programs gets an element of its own beside the text it stands in. */
  private enterInline(frame: Frame<N>): void {
    const { tree } = this
    const { node } = frame
    if (this.owners.length > 0 && tree.attribute(node, 'aria-label') !== undefined) this.needName()
    const marked =
      tree.attribute(node, 'data-testid') ?? tree.attribute(node, 'data-test') ?? tree.attribute(node, 'data-qa')
    if (marked === undefined || this.owners.length > 0) return this.push(frame, undefined)
    const block = this.block ?? this.openAnonymous(frame)
    const { element } = this.make(frame, 'paragraph')
    const mark = block.mark()
    this.push(frame, () => {
      element.text = block.since(mark).toWellFormed()
      if (element.text === '' || this.block !== block) element.dead = true
      else element.inside = block.owner
    })
  }

  private enterLabel(frame: Frame<N>): void {
    const target = labelTarget({ tree: this.tree, scope: frame.scope }, frame.node)
    if (target === undefined) return this.push(frame, undefined)
    const block = this.block ?? this.openAnonymous(frame)
    block.boundary()
    const mark = block.mark()
    this.push(frame, () => {
      if (this.block === block && block.text.length > mark) block.cover(mark, target)
      block.boundary()
    })
  }

  private enterItem(frame: Frame<N>, list: ModelElement<N>): void {
    const item: ModelItem<N> = { node: frame.node, text: '', spans: undefined, elements: [] }
    frame.item = item
    frame.list = undefined
    const close = this.openBlock('item', list, (block) => {
      item.text = block.finish()
      item.spans = block.spans
      if (item.spans) for (const span of item.spans) span.element.inside = list
      if (item.text !== '' || item.spans !== undefined) list.items?.push(item)
    })
    this.push(frame, close)
  }

  private enterRow(frame: Frame<N>, table: TableState<N>): void {
    const item: ModelItem<N> = { node: frame.node, text: '', spans: undefined, cells: [], elements: [] }
    const row = { cells: item.cells as Run<N>[], headerCells: 0, item }
    table.row = row
    frame.item = item
    this.flush()
    this.push(frame, () => {
      this.flush()
      table.row = undefined
      if (row.cells.length === 0) return
      item.text = row.cells.find((cell) => cell.text !== '')?.text ?? ''
      const { element } = table
      const allHeaders = row.headerCells === row.cells.length
      if (allHeaders && element.headers === undefined && element.items?.length === 0) element.headers = row.cells
      else element.items?.push(item)
    })
  }

  private enterCell(frame: Frame<N>, table: TableState<N>): void {
    const row = table.row as NonNullable<TableState<N>['row']>
    const span = spanOf(this.tree.attribute(frame.node, 'colspan'))
    frame.table = undefined
    const close = this.openBlock('cell', table.element, (block) => {
      const cell: Run<N> = { text: block.finish(), spans: block.spans }
      if (cell.spans) for (const inner of cell.spans) inner.element.inside = table.element
      row.cells.push(cell)
      for (let at = 1; at < span; at++) row.cells.push({ text: cell.text, spans: undefined })
      if (frame.tag === 'th') row.headerCells += span
    })
    this.push(frame, close)
  }

  private enterCaption(frame: Frame<N>, table: ModelElement<N>): void {
    const close = this.openBlock('caption', table, (block) => {
      const text = block.finish()
      if (table.label === '') table.label = text
      else if (text !== '' && text !== table.label) table.attrs['description'] = text
      table.spans = block.spans
      if (table.spans) for (const span of table.spans) span.element.inside = table
    })
    this.push(frame, close)
  }

  private enterSummary(frame: Frame<N>, parent: Frame<N>, target: ModelElement<N>): void {
    this.summaries.delete(parent.node)
    if (frame.tag === 'legend') {
      const outer = this.stack[this.stack.length - 2]
      frame.disabled = outer?.disabled ?? false
    }
    this.flush()
    const close = this.openBlock('caption', target, (block) => {
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
    this.push(frame, close)
  }

  // Frames and bookkeeping

  private make(
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

  private frame(node: N, tag: string, parent: Frame<N> | undefined, place: number): Frame<N> {
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

  private push(frame: Frame<N>, exit: (() => void) | undefined): void {
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

  private pathOf(depth: number): string {
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
  private bounded(path: string, depth: number): string {
    const max = this.options.limits.maxPathChars
    return path.length > max ? `~${depth}~${path.slice(-max / 2)}` : path
  }

  private needName(): void {
    for (const owner of this.owners) owner.needsName = true
  }

  private count(reason: string): void {
    this.hidden.set(reason, (this.hidden.get(reason) ?? 0) + 1)
  }
}

function region<N extends object>(role: RegionRole, node: N, label: string): ModelRegion<N> {
  return { id: '', role, node, label, form: undefined, elements: [], open: true, modal: false }
}

function isBlank(data: string): boolean {
  return !/\S/.test(data)
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
