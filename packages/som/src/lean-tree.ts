import type { DocumentTree, FrameView, NodeKind, ShadowView } from './tree.ts'

/** What a parsed node is, as a small number so that the compiler's switch stays cheap. */
export const LEAN_ELEMENT = 1
export const LEAN_TEXT = 3
export const LEAN_COMMENT = 8
export const LEAN_OTHER = 9

/** One attribute as the parser delivers it. */
export interface LeanAttribute {
  readonly name: string
  value: string
}

const noAttributes: LeanAttribute[] = []

/**
 * A node of the lean tree: sibling-linked, one shape for all kinds, no child arrays. Engines may change it in place
 * (value, checked, selected, attrs, links) and compile again; ids stay bound to the node objects.
 */
export class LeanNode {
  readonly type: number
  readonly tag: string
  readonly namespace: string
  attrs: LeanAttribute[]
  text: string
  parent: LeanNode | undefined = undefined
  first: LeanNode | undefined = undefined
  last: LeanNode | undefined = undefined
  next: LeanNode | undefined = undefined
  previous: LeanNode | undefined = undefined
  /** Content of a template. */
  content: LeanNode | undefined = undefined
  /** Control state that markup does not show, form owner and frame document; absent until something sets it. */
  state: LeanState | undefined = undefined

  constructor(type: number, tag: string, namespace: string, attrs: LeanAttribute[], text: string) {
    this.type = type
    this.tag = tag
    this.namespace = namespace
    this.attrs = attrs
    this.text = text
  }
}

/** State beside the markup of a {@link LeanNode}. */
export interface LeanState {
  value?: string
  checked?: boolean
  selected?: boolean
  /** Form element the parser associated the control with. */
  formOwner?: LeanNode
  frame?: FrameView<LeanNode>
  /** Of a template's content: the template. */
  template?: LeanNode
  /** Attributes dropped because the element had too many. */
  droppedAttributes?: number
}

/** Makes an element node. */
export function leanElement(tag: string, attrs: LeanAttribute[] = noAttributes, namespace = ''): LeanNode {
  return new LeanNode(LEAN_ELEMENT, tag, namespace, attrs, '')
}

/** Makes a text node. */
export function leanText(text: string): LeanNode {
  return new LeanNode(LEAN_TEXT, '', '', noAttributes, text)
}

/** Unlinks a node from its parent. */
export function detach(node: LeanNode): void {
  const { parent, previous, next } = node
  if (previous) previous.next = next
  else if (parent) parent.first = next
  if (next) next.previous = previous
  else if (parent) parent.last = previous
  node.parent = undefined
  node.previous = undefined
  node.next = undefined
}

/** Adds a node as last child; it must be detached. */
export function append(parent: LeanNode, node: LeanNode): void {
  node.parent = parent
  const last = parent.last
  node.previous = last
  if (last) last.next = node
  else parent.first = node
  parent.last = node
}

/** Adds a node before a child of `parent`; it must be detached. */
export function insertBefore(parent: LeanNode, node: LeanNode, reference: LeanNode): void {
  node.parent = parent
  const previous = reference.previous
  node.previous = previous
  node.next = reference
  reference.previous = node
  if (previous) previous.next = node
  else parent.first = node
}

/** Value of an attribute, undefined when absent. */
export function getAttribute(node: LeanNode, name: string): string | undefined {
  const attrs = node.attrs
  for (let index = 0; index < attrs.length; index++) {
    const attribute = attrs[index] as LeanAttribute
    if (attribute.name === name) return attribute.value
  }
  return undefined
}

/** Sets or, with undefined, removes an attribute. */
export function setAttribute(node: LeanNode, name: string, value: string | undefined): void {
  const at = node.attrs.findIndex((attribute) => attribute.name === name)
  if (value === undefined) {
    if (at >= 0) node.attrs = node.attrs.filter((_, index) => index !== at)
  } else if (at >= 0) {
    node.attrs = node.attrs.map((attribute, index) => (index === at ? { name, value } : attribute))
  } else {
    node.attrs = [...node.attrs, { name, value }]
  }
}

/** State of a node, made on first use. */
export function stateOf(node: LeanNode): LeanState {
  node.state ??= {}
  return node.state
}

/** The {@link DocumentTree} over lean nodes. One instance per document. */
export class LeanTree implements DocumentTree<LeanNode> {
  readonly document: LeanNode
  /** The parser stopped before the end of the source. */
  readonly isCut: boolean
  private readonly mayHaveShadow: boolean

  /**
   * @param document the node {@link parseHtml} made, whose element child is the root
   * @param mayHaveShadow false when it is known that no template is a shadow root
   * @param isCut the source was not read to its end
   */
  constructor(document: LeanNode, mayHaveShadow = true, isCut = false) {
    this.document = document
    this.isCut = isCut
    this.mayHaveShadow = mayHaveShadow
  }

  get root(): LeanNode | undefined {
    for (let child = this.document.first; child; child = child.next) if (child.type === LEAN_ELEMENT) return child
    return undefined
  }

  kind(node: LeanNode): NodeKind {
    const type = node.type
    if (type === LEAN_ELEMENT) return 'element'
    if (type === LEAN_TEXT) return 'text'
    return type === LEAN_COMMENT ? 'comment' : 'other'
  }

  tag(node: LeanNode): string {
    return node.tag
  }

  data(node: LeanNode): string {
    return node.text
  }

  attribute(node: LeanNode, name: string): string | undefined {
    return getAttribute(node, name)
  }

  attributeNames(node: LeanNode): readonly string[] {
    return node.attrs.map((attribute) => attribute.name)
  }

  isPlain(node: LeanNode): boolean {
    return node.attrs.length === 0
  }

  parent(node: LeanNode): LeanNode | undefined {
    return node.parent
  }

  firstChild(node: LeanNode): LeanNode | undefined {
    return node.first
  }

  lastChild(node: LeanNode): LeanNode | undefined {
    return node.last
  }

  nextSibling(node: LeanNode): LeanNode | undefined {
    return node.next
  }

  previousSibling(node: LeanNode): LeanNode | undefined {
    return node.previous
  }

  /** A `<template shadowrootmode>` child is a shadow root, the first of them wins. */
  shadow(node: LeanNode): ShadowView<LeanNode> | undefined {
    if (!this.mayHaveShadow) return undefined
    for (let child = node.first; child; child = child.next) {
      if (child.tag !== 'template' || child.content === undefined || child.attrs.length === 0) continue
      const mode = (getAttribute(child, 'shadowrootmode') ?? getAttribute(child, 'shadowroot'))?.toLowerCase()
      if (mode === 'open' || mode === 'closed') return { mode, firstChild: child.content.first }
    }
    return undefined
  }

  frame(node: LeanNode): FrameView<LeanNode> | undefined {
    return node.state?.frame
  }

  value(node: LeanNode): string | undefined {
    return node.state?.value
  }

  checked(node: LeanNode): boolean | undefined {
    return node.state?.checked
  }

  selected(node: LeanNode): boolean | undefined {
    return node.state?.selected
  }

  connected(node: LeanNode): boolean {
    let current = node
    for (;;) {
      const above = current.parent ?? current.state?.template
      if (above === undefined) return current === this.document
      current = above
    }
  }
}
