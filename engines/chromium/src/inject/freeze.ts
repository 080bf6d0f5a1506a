import type { DomNode } from '@domos/som/dom'
import type { FrozenDocument, FrozenNode } from './frozen.ts'
import { LiveTree, type TreeHost } from './live-tree.ts'

const MAX_NODES = 50_000

/** Numbers nodes, so that a copy in another process can name them. */
export class NodeNumbers {
  readonly #numbers = new WeakMap<object, number>()
  #nodes = new Map<number, Node>()
  #next = 1

  number(node: Node): number {
    let number = this.#numbers.get(node)
    if (number === undefined) {
      number = this.#next++
      this.#numbers.set(node, number)
    }
    this.#nodes.set(number, node)
    return number
  }

  node(number: number): Node | undefined {
    return this.#nodes.get(number)
  }

  /** Forgets which nodes were named; the next copy names those that are left. */
  startOver(): void {
    this.#nodes = new Map()
  }
}

/** Copies this world's document for the world that compiles the page. */
export function freeze(
  document: Document,
  key: string,
  host: TreeHost,
  numbers: NodeNumbers,
  frameOf: (element: Element) => string | undefined,
): FrozenDocument {
  let left = MAX_NODES
  const freezeDocument = (inner: Document, innerKey: string): FrozenDocument => {
    const tree = new LiveTree(inner, host)
    const root = tree.root
    return { key: innerKey, url: inner.URL, ...(root === undefined ? {} : { root: freezeNode(tree, root) }) }
  }
  const children = (tree: LiveTree, first: DomNode | undefined): FrozenNode[] => {
    const found: FrozenNode[] = []
    for (let child = first; child !== undefined && left > 0; child = tree.nextSibling(child)) {
      const kind = tree.kind(child)
      if (kind === 'element' || kind === 'text') found.push(freezeNode(tree, child))
    }
    return found
  }
  const freezeNode = (tree: LiveTree, node: DomNode): FrozenNode => {
    left -= 1
    const n = numbers.number(node as unknown as Node)
    if (tree.kind(node) === 'text') return { n, d: tree.data(node) }
    const tag = tree.tag(node)
    const names = tree.attributeNames(node)
    const h = tree.visibility?.(node)
    const c =
      tag === 'script' && tree.attribute(node, 'type') !== 'application/ld+json'
        ? []
        : children(tree, tree.firstChild(node))
    const shadow = tree.shadow(node)
    const frame = tag === 'iframe' || tag === 'frame' ? (node as unknown as HTMLIFrameElement) : undefined
    const inner = frame?.contentDocument ?? undefined
    const remote = frame === undefined || inner !== undefined ? undefined : frameOf(frame)
    const value = tree.value(node)
    const checked = tree.checked(node)
    const selected = tree.selected(node)
    return {
      n,
      t: tag,
      ...(names.length === 0
        ? {}
        : { a: Object.fromEntries(names.map((name) => [name, tree.attribute(node, name) ?? ''])) }),
      ...(c.length === 0 ? {} : { c }),
      ...(shadow === undefined ? {} : { s: { c: children(tree, shadow.firstChild) } }),
      ...(value === undefined ? {} : { v: value }),
      ...(checked === undefined ? {} : { k: checked }),
      ...(selected === undefined ? {} : { o: selected }),
      ...(tree.clickable?.(node) === true ? { l: true as const } : {}),
      ...(h === undefined ? {} : { h }),
      ...(inner === undefined ? {} : { f: freezeDocument(inner, `${key}.${n}`) }),
      ...(remote === undefined ? {} : { r: remote }),
    }
  }
  numbers.startOver()
  return freezeDocument(document, key)
}
