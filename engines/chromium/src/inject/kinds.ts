// Nodes of other frames have other constructors, so kinds are told by name and never by instanceof.

/** The node as an input, when it is one. */
export function asInput(node: Element): HTMLInputElement | undefined {
  return node.localName === 'input' ? (node as HTMLInputElement) : undefined
}

/** The node as a textarea, when it is one. */
export function asTextArea(node: Element): HTMLTextAreaElement | undefined {
  return node.localName === 'textarea' ? (node as HTMLTextAreaElement) : undefined
}

/** The node as a select, when it is one. */
export function asSelect(node: Element): HTMLSelectElement | undefined {
  return node.localName === 'select' ? (node as HTMLSelectElement) : undefined
}

/** The host of a shadow root, or the parent. */
export function parentOf(node: Node): Node | null {
  return node.nodeType === 11 && 'host' in node ? (node as ShadowRoot).host : node.parentNode
}

/** The window a node is shown in. */
export function viewOf(node: Node): Window & typeof globalThis {
  return (node.ownerDocument?.defaultView ?? globalThis) as Window & typeof globalThis
}
