/** What a tree reader says a node is. Comments count in sibling positions, nothing else about them is read. */
export type NodeKind = 'element' | 'text' | 'comment' | 'other'

/**
 * The read interface between the compiler and a document: a lean parse tree (`@domos/som/parse`) and a live DOM
 * (`@domos/som/dom`) both satisfy it. `N` is the node type; the compiler never looks inside a node. Tag names of HTML
 * elements are lower case. Every method is a pure read and must not throw.
 */
export interface DocumentTree<N extends object> {
  /** The root element (`html`), or undefined for an empty document. */
  readonly root: N | undefined
  /** The parser stopped before the end, for the document would have grown out of bounds. */
  readonly isCut?: boolean
  kind(node: N): NodeKind
  /** Local name, lower case for HTML elements; `''` for anything that is no element. */
  tag(node: N): string
  /** Data of a text node, `''` otherwise. */
  data(node: N): string
  /** Value of an attribute, undefined when absent. Names are given in lower case. */
  attribute(node: N, name: string): string | undefined
  /** Names of all attributes in source order. */
  attributeNames(node: N): readonly string[]
  /** True when the element has no attributes at all; saves the questions. */
  isPlain?(node: N): boolean
  parent(node: N): N | undefined
  firstChild(node: N): N | undefined
  lastChild(node: N): N | undefined
  nextSibling(node: N): N | undefined
  previousSibling(node: N): N | undefined
  /** First child of the element's shadow root and its mode; undefined without one. A closed root may be reported. */
  shadow(node: N): ShadowView<N> | undefined
  /** The document inside a frame element, when the engine has it. */
  frame?(node: N): FrameView<N> | undefined

  /** Live value of an input, textarea or contenteditable; undefined = read it from markup. */
  value?(node: N): string | undefined
  /** Live checkedness of a checkbox or radio; undefined = read it from markup. */
  checked?(node: N): boolean | undefined
  /** Live selectedness of an option; undefined = read it from markup. */
  selected?(node: N): boolean | undefined
  /** True when something other than markup says a click does something (listener, pointer cursor). */
  clickable?(node: N): boolean
  /**
   * The engine's own verdict on visibility; replaces the compiler's cascade for that node. `none` drops the subtree,
   * `invisible` drops its own text but a child may be visible again; undefined = let the compiler decide.
   */
  visibility?(node: N): Visibility | undefined
  /** True while the node is part of the document. Used to tell a hidden node from a removed one. */
  connected(node: N): boolean
}

/** Result of a visibility question; see {@link DocumentTree.visibility}. */
export type Visibility = 'visible' | 'invisible' | 'none'

/** A shadow root as the compiler needs it. */
export interface ShadowView<N extends object> {
  readonly mode: 'open' | 'closed'
  readonly firstChild: N | undefined
}

/** The document of a frame. */
export interface FrameView<N extends object> {
  readonly tree: DocumentTree<N>
  readonly url: string
  /** The engine's name for the frame. @default derived from its place */
  readonly frameId?: string
  /** Size of its source in bytes. @default 0 */
  readonly htmlBytes?: number
}

/** First element child with the given tag, looking at direct children only. */
export function childElement<N extends object>(tree: DocumentTree<N>, node: N, tag: string): N | undefined {
  for (let child = tree.firstChild(node); child !== undefined; child = tree.nextSibling(child)) {
    if (tree.tag(child) === tag) return child
  }
  return undefined
}

/** The node after `node` in document order, staying inside `within`; with `skip`, its descendants are passed over. */
export function nextInTree<N extends object>(tree: DocumentTree<N>, node: N, within: N, skip = false): N | undefined {
  if (!skip) {
    const child = tree.firstChild(node)
    if (child !== undefined) return child
  }
  let current: N | undefined = node
  while (current !== undefined && current !== within) {
    const sibling = tree.nextSibling(current)
    if (sibling !== undefined) return sibling
    current = tree.parent(current)
  }
  return undefined
}

/** Text of a subtree as the source has it, without whitespace treatment. */
export function rawText<N extends object>(tree: DocumentTree<N>, node: N, maxChars = 1_000_000): string {
  let text = ''
  for (let at: N | undefined = node; at !== undefined; at = nextInTree(tree, at, node)) {
    if (tree.kind(at) === 'text') {
      text += tree.data(at)
      if (text.length > maxChars) return text.slice(0, maxChars)
    }
    if (at === node && tree.firstChild(node) === undefined) break
  }
  return text
}
