import type { DocumentTree, FrameView } from '@domos/som'
import { type DomDocument, type DomNode, DomTree } from '@domos/som/dom'
import { visibilityOf } from './visibility.ts'

/** What a live tree asks the world around it. */
export interface TreeHost {
  /** Elements that page script listens for clicks on. */
  readonly listening: WeakSet<Element>
  /** The tree of a frame whose document cannot be read from here. */
  remoteFrame(host: Element): FrameView<DomNode> | undefined
  /** A document or shadow root was met: its changes matter too. */
  watch(root: Document | ShadowRoot): void
}

/** The live DOM as the compiler reads it: style, listeners and frames as the browser has them. */
export class LiveTree extends DomTree implements DocumentTree<DomNode> {
  readonly #host: TreeHost

  constructor(document: Document, host: TreeHost) {
    super(document as unknown as DomDocument, {
      visibility: (node) => (node.nodeType === 1 ? visibilityOf(node as unknown as Element) : undefined),
      clickable: (node) => isClickable(node as unknown as Element, host),
    })
    this.#host = host
  }

  override shadow(node: DomNode): ReturnType<DomTree['shadow']> {
    const root = (node as unknown as Element).shadowRoot
    if (!root) return undefined
    this.#host.watch(root)
    return super.shadow(node)
  }

  override frame(node: DomNode): FrameView<DomNode> | undefined {
    const { localName } = node
    if (localName !== 'iframe' && localName !== 'frame') return undefined
    const element = node as unknown as HTMLIFrameElement
    const document = element.contentDocument
    if (document === null) return this.#host.remoteFrame(element)
    this.#host.watch(document)
    return { tree: new LiveTree(document, this.#host), url: document.URL }
  }
}

function isClickable(element: Element, host: TreeHost): boolean {
  if (host.listening.has(element)) return true
  const view = element.ownerDocument.defaultView
  if (view === null || view.getComputedStyle(element).cursor !== 'pointer') return false
  // The cursor is inherited: only where it begins does it say something.
  const parent = element.parentElement
  return parent === null || view.getComputedStyle(parent).cursor !== 'pointer'
}
