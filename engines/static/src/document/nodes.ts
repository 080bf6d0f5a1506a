import { getAttribute, type LeanNode, setAttribute as setLeanAttribute, stateOf } from '@domos/som/parse'

const ELEMENT = 1
const TEXT = 3

export { getAttribute, stateOf }

const changed = new WeakSet<LeanNode>()

/** Sets or, with undefined, removes an attribute, and remembers that the node is not as its source says. */
export function setAttribute(node: LeanNode, name: string, value: string | undefined): void {
  changed.add(node)
  setLeanAttribute(node, name, value)
}

/** Gives a node the attributes another one had that {@link setAttribute} was used on. */
export function restoreAttributes(node: LeanNode, attributes: LeanNode['attrs']): void {
  changed.add(node)
  node.attrs = attributes
}

/** Whether {@link setAttribute} was ever used on the node. */
export function hasChangedAttributes(node: LeanNode): boolean {
  return changed.has(node)
}

/** Whether a node is an element. */
export function isElement(node: LeanNode): boolean {
  return node.type === ELEMENT
}

/** The node after `node` in document order inside `root`; undefined at the end. */
export function nextNode(node: LeanNode, root: LeanNode): LeanNode | undefined {
  if (node.first !== undefined) return node.first
  let at: LeanNode | undefined = node
  while (at !== undefined && at !== root) {
    if (at.next !== undefined) return at.next
    at = at.parent
  }
  return undefined
}

/** All elements below `root` in document order that `accept` takes. */
export function findElements(root: LeanNode, accept: (node: LeanNode) => boolean): LeanNode[] {
  const found: LeanNode[] = []
  for (let node = nextNode(root, root); node !== undefined; node = nextNode(node, root)) {
    if (node.type === ELEMENT && accept(node)) found.push(node)
  }
  return found
}

/** The first element below `root` that `accept` takes. */
export function findElement(root: LeanNode, accept: (node: LeanNode) => boolean): LeanNode | undefined {
  for (let node = nextNode(root, root); node !== undefined; node = nextNode(node, root)) {
    if (node.type === ELEMENT && accept(node)) return node
  }
  return undefined
}

/** The nearest element that `accept` takes, `node` itself included. */
export function closest(node: LeanNode, accept: (node: LeanNode) => boolean): LeanNode | undefined {
  for (let at: LeanNode | undefined = node; at !== undefined; at = at.parent) {
    if (at.type === ELEMENT && accept(at)) return at
  }
  return undefined
}

/** The top of the tree a node stands in: the document, or the content of a template (a shadow root). */
export function rootOf(node: LeanNode): LeanNode {
  let at = node
  while (at.parent !== undefined) at = at.parent
  return at
}

/** Whether an attribute is there, whatever its value. */
export function hasAttribute(node: LeanNode, name: string): boolean {
  return getAttribute(node, name) !== undefined
}

/** Text of a subtree as the source has it. */
export function textOf(node: LeanNode): string {
  let text = ''
  for (let at = nextNode(node, node); at !== undefined; at = nextNode(at, node)) if (at.type === TEXT) text += at.text
  return text
}

/** Text with runs of white space made one space, and none at the ends. */
export function collapse(text: string): string {
  return text.replace(/[\t\n\f\r ]+/g, ' ').trim()
}

/** The element with an id in the same tree as `near`. */
export function elementById(near: LeanNode, id: string): LeanNode | undefined {
  if (id === '') return undefined
  return findElement(rootOf(near), (node) => getAttribute(node, 'id') === id)
}
