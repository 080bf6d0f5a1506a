import type { DocumentTree, FrameView, NodeKind, ShadowView, Visibility } from './tree.ts'

// The few members of the DOM that are read, so that this file needs no DOM types and runs in any page or test DOM.

/** A DOM node as far as the compiler reads it. */
export interface DomNode {
  readonly nodeType: number
  readonly localName?: string
  readonly parentNode: DomNode | null
  readonly firstChild: DomNode | null
  readonly lastChild: DomNode | null
  readonly nextSibling: DomNode | null
  readonly previousSibling: DomNode | null
  readonly isConnected: boolean
  readonly data?: string
  readonly shadowRoot?: DomShadowRoot | null
  readonly value?: unknown
  readonly checked?: boolean
  readonly selected?: boolean
  readonly isContentEditable?: boolean
  readonly textContent: string | null
  readonly contentDocument?: DomDocument | null
  getAttribute?(name: string): string | null
  getAttributeNames?(): string[]
}

/** A shadow root of the DOM. */
export interface DomShadowRoot {
  readonly mode: string
  readonly firstChild: DomNode | null
}

/** A document of the DOM. */
export interface DomDocument {
  readonly documentElement: DomNode | null
  readonly URL: string
}

/** What the page's engine adds. */
export interface DomTreeOptions {
  /** Closed shadow roots the engine knows. */
  readonly closedShadowRoot?: (host: DomNode) => DomShadowRoot | undefined
  /**
   * Visibility from computed style, for real browsers. Without it the compiler's own cascade over `<style>` decides.
   */
  readonly visibility?: (node: DomNode) => Visibility | undefined
  /** True when a click listener or a pointer cursor says the node is clickable. */
  readonly clickable?: (node: DomNode) => boolean
}

/** The {@link DocumentTree} over a live DOM; reads current values, checks and selections. */
export class DomTree implements DocumentTree<DomNode> {
  private readonly document: DomDocument
  private readonly options: DomTreeOptions
  readonly visibility?: (node: DomNode) => Visibility | undefined
  readonly clickable?: (node: DomNode) => boolean

  constructor(document: DomDocument, options: DomTreeOptions = {}) {
    this.document = document
    this.options = options
    if (options.visibility !== undefined) this.visibility = options.visibility
    if (options.clickable !== undefined) this.clickable = options.clickable
  }

  get root(): DomNode | undefined {
    return this.document.documentElement ?? undefined
  }

  kind(node: DomNode): NodeKind {
    if (node.nodeType === 1) return 'element'
    if (node.nodeType === 3 || node.nodeType === 4) return 'text'
    return node.nodeType === 8 ? 'comment' : 'other'
  }

  tag(node: DomNode): string {
    return node.nodeType === 1 ? (node.localName ?? '') : ''
  }

  data(node: DomNode): string {
    return node.nodeType === 3 || node.nodeType === 4 ? (node.data ?? '') : ''
  }

  attribute(node: DomNode, name: string): string | undefined {
    return node.getAttribute?.(name) ?? undefined
  }

  attributeNames(node: DomNode): readonly string[] {
    return node.getAttributeNames?.() ?? []
  }

  parent(node: DomNode): DomNode | undefined {
    const parent = node.parentNode
    return parent !== null && parent.nodeType === 1 ? parent : undefined
  }

  firstChild(node: DomNode): DomNode | undefined {
    return node.firstChild ?? undefined
  }

  lastChild(node: DomNode): DomNode | undefined {
    return node.lastChild ?? undefined
  }

  nextSibling(node: DomNode): DomNode | undefined {
    return node.nextSibling ?? undefined
  }

  previousSibling(node: DomNode): DomNode | undefined {
    return node.previousSibling ?? undefined
  }

  shadow(node: DomNode): ShadowView<DomNode> | undefined {
    const root = node.shadowRoot ?? this.options.closedShadowRoot?.(node)
    if (!root) return undefined
    return { mode: root.mode === 'closed' ? 'closed' : 'open', firstChild: root.firstChild ?? undefined }
  }

  /** Same-origin frames; a document of another origin is not readable from here. */
  frame(node: DomNode): FrameView<DomNode> | undefined {
    if (node.localName !== 'iframe' && node.localName !== 'frame') return undefined
    const document = node.contentDocument
    return document ? { tree: new DomTree(document, this.options), url: document.URL } : undefined
  }

  value(node: DomNode): string | undefined {
    if (typeof node.value === 'string') return node.value
    return node.isContentEditable ? (node.textContent ?? '') : undefined
  }

  checked(node: DomNode): boolean | undefined {
    return node.checked
  }

  selected(node: DomNode): boolean | undefined {
    return node.selected
  }

  connected(node: DomNode): boolean {
    return node.isConnected
  }
}
