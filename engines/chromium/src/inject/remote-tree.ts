import type { DocumentTree, FrameView, NodeKind, ShadowView, Visibility } from '@domos/som'
import type { DomNode } from '@domos/som/dom'
import type { FrozenDocument, FrozenNode } from './frozen.ts'

/** A node of a document in another process. Keeps its identity from one copy of the document to the next. */
export class RemoteNode {
  readonly frame: string
  readonly number: number
  isHere = false
  frozen: FrozenNode
  parent: RemoteNode | undefined
  first: RemoteNode | undefined
  last: RemoteNode | undefined
  next: RemoteNode | undefined
  previous: RemoteNode | undefined
  shadowFirst: RemoteNode | undefined

  constructor(frame: string, frozen: FrozenNode) {
    this.frame = frame
    this.number = frozen.n
    this.frozen = frozen
  }
}

/** What is known of all frames in other processes. */
export class RemoteFrames {
  readonly #trees = new Map<string, RemoteTree>()
  readonly #hosts = new WeakMap<object, string>()

  /** Tells which frame an element of this document shows. */
  bind(host: object, frame: string): void {
    this.#hosts.set(host, frame)
  }

  frameOf(host: object): string | undefined {
    return this.#hosts.get(host)
  }

  update(frame: string, document: FrozenDocument | null): void {
    if (document === null) return
    const known = this.#trees.get(frame)
    if (known !== undefined && known.key === document.key) known.update(document)
    else this.#trees.set(frame, new RemoteTree(this, frame, document))
  }

  keepOnly(frames: readonly string[]): void {
    const kept = new Set(frames)
    for (const frame of this.#trees.keys()) if (!kept.has(frame)) this.#trees.delete(frame)
  }

  view(frame: string | undefined): FrameView<DomNode> | undefined {
    const tree = frame === undefined ? undefined : this.#trees.get(frame)
    return tree === undefined ? undefined : { tree: tree as unknown as DocumentTree<DomNode>, url: tree.url }
  }
}

class RemoteTree implements DocumentTree<RemoteNode> {
  readonly key: string
  url = ''
  root: RemoteNode | undefined
  readonly #frames: RemoteFrames
  readonly #frame: string
  readonly #nodes = new Map<number, RemoteNode>()
  readonly #inner = new Map<number, RemoteTree>()

  constructor(frames: RemoteFrames, frame: string, document: FrozenDocument) {
    this.#frames = frames
    this.#frame = frame
    this.key = document.key
    this.update(document)
  }

  update(document: FrozenDocument): void {
    this.url = document.url
    for (const node of this.#nodes.values()) node.isHere = false
    this.root = document.root === undefined ? undefined : this.#take(document.root, undefined)
    for (const [number, node] of this.#nodes) if (!node.isHere) this.#nodes.delete(number)
  }

  #take(frozen: FrozenNode, parent: RemoteNode | undefined): RemoteNode {
    const node = this.#nodes.get(frozen.n) ?? new RemoteNode(this.#frame, frozen)
    this.#nodes.set(frozen.n, node)
    node.frozen = frozen
    node.isHere = true
    node.parent = parent
    node.previous = undefined
    node.next = undefined
    const children = this.#takeAll(frozen.c, node)
    node.first = children[0]
    node.last = children.at(-1)
    node.shadowFirst = this.#takeAll(frozen.s?.c, node)[0]
    return node
  }

  #takeAll(list: readonly FrozenNode[] | undefined, parent: RemoteNode): readonly RemoteNode[] {
    const taken = (list ?? []).map((child) => this.#take(child, parent))
    taken.forEach((child, index) => {
      child.previous = taken[index - 1]
      child.next = taken[index + 1]
    })
    return taken
  }

  kind(node: RemoteNode): NodeKind {
    return node.frozen.t === undefined ? 'text' : 'element'
  }

  tag(node: RemoteNode): string {
    return node.frozen.t ?? ''
  }

  data(node: RemoteNode): string {
    return node.frozen.d ?? ''
  }

  attribute(node: RemoteNode, name: string): string | undefined {
    const attributes = node.frozen.a
    return attributes !== undefined && Object.hasOwn(attributes, name) ? attributes[name] : undefined
  }

  attributeNames(node: RemoteNode): readonly string[] {
    return Object.keys(node.frozen.a ?? {})
  }

  parent(node: RemoteNode): RemoteNode | undefined {
    return node.parent
  }

  firstChild(node: RemoteNode): RemoteNode | undefined {
    return node.first
  }

  lastChild(node: RemoteNode): RemoteNode | undefined {
    return node.last
  }

  nextSibling(node: RemoteNode): RemoteNode | undefined {
    return node.next
  }

  previousSibling(node: RemoteNode): RemoteNode | undefined {
    return node.previous
  }

  shadow(node: RemoteNode): ShadowView<RemoteNode> | undefined {
    return node.frozen.s === undefined ? undefined : { mode: 'open', firstChild: node.shadowFirst }
  }

  frame(node: RemoteNode): FrameView<RemoteNode> | undefined {
    const { f, r } = node.frozen
    if (r !== undefined) return this.#frames.view(r) as FrameView<RemoteNode> | undefined
    if (f === undefined) return undefined
    const known = this.#inner.get(node.number)
    const tree = known !== undefined && known.key === f.key ? known : new RemoteTree(this.#frames, this.#frame, f)
    if (tree === known) tree.update(f)
    this.#inner.set(node.number, tree)
    return { tree, url: tree.url }
  }

  value(node: RemoteNode): string | undefined {
    return node.frozen.v
  }

  checked(node: RemoteNode): boolean | undefined {
    return node.frozen.k
  }

  selected(node: RemoteNode): boolean | undefined {
    return node.frozen.o
  }

  clickable(node: RemoteNode): boolean {
    return node.frozen.l === true
  }

  visibility(node: RemoteNode): Visibility | undefined {
    return node.frozen.h
  }

  connected(node: RemoteNode): boolean {
    return node.isHere
  }
}
