import { createSomCompiler, type Snapshot, type SomCompiler, sha256, type View } from '@domos/som'
import type { DomNode } from '@domos/som/dom'
import { DomosError } from '@domos/spec'
import { NodeNumbers } from './freeze.ts'
import { parentOf } from './kinds.ts'
import { LiveTree, type TreeHost } from './live-tree.ts'
import { RemoteFrames, RemoteNode } from './remote-tree.ts'
import { Watcher } from './watcher.ts'

/** Where an action is aimed: an id of the snapshot, or a node number of this world's copy. */
export interface NodeRef {
  readonly elementId?: string
  readonly node?: number
}

/** Thrown to say that the node lives in another frame's world, which has to be asked. */
export class Elsewhere {
  readonly frame: string
  readonly node: number

  constructor(frame: string, node: number) {
    this.frame = frame
    this.node = node
  }
}

/** This document as one isolated world sees it: the compiler with its snapshot, and what changed since. */
export class World implements TreeHost {
  readonly document: Document
  readonly listening = new WeakSet<Element>()
  readonly remotes = new RemoteFrames()
  readonly numbers = new NodeNumbers()
  /** Names this document; another document has another world and another key. */
  readonly key = Math.random().toString(36).slice(2)
  readonly #watcher: Watcher
  readonly #compiler: SomCompiler<DomNode>
  readonly #collectListening: () => void
  #snapshot: Snapshot<DomNode> | undefined
  /** Kept for `expand`, whose cursors belong to a view. */
  view: View<DomNode> | undefined
  /** Counts changes; 1 at the start, so that 0 asks for everything. */
  version = 1
  htmlBytes = 0

  constructor(document: Document, notify: (payload: string) => void, token: string) {
    this.document = document
    this.#watcher = new Watcher(document, notify, () => {
      this.#snapshot = undefined
      this.version += 1
    })
    document.addEventListener(
      token,
      (event) => {
        const target = event.composedPath()[0] as Node
        if (target.nodeType === 1) this.listening.add(target as Element)
        if (target === document) this.#watcher.touch()
        event.stopImmediatePropagation()
      },
      true,
    )
    this.#collectListening = () => document.dispatchEvent(new Event(`${token}?`))
    const view = document.defaultView
    this.#compiler = createSomCompiler<DomNode>({
      sha256,
      media: { width: view?.innerWidth ?? 1_280, height: view?.innerHeight ?? 720 },
    })
  }

  watch(root: Document | ShadowRoot): void {
    this.#watcher.watch(root)
  }

  remoteFrame(host: Element): ReturnType<TreeHost['remoteFrame']> {
    return this.remotes.view(this.remotes.frameOf(host))
  }

  /** Size of the document's source, as far as it has come. */
  setBytes(htmlBytes: number): void {
    if (htmlBytes === this.htmlBytes) return
    this.htmlBytes = htmlBytes
    this.#snapshot = undefined
  }

  touch(): void {
    this.#snapshot = undefined
  }

  /** Takes in what has changed, so that {@link version} is up to date. */
  noticeChanges(): void {
    if (!this.#watcher.isWatching) this.version += 1
    this.#watcher.flush()
  }

  snapshot(): Snapshot<DomNode> {
    this.#watcher.flush()
    if (this.#snapshot !== undefined && this.#watcher.isWatching) return this.#snapshot
    this.#collectListening()
    this.#snapshot = this.#compiler.compile(new LiveTree(this.document, this), {
      url: this.document.URL,
      htmlBytes: this.htmlBytes,
      focused: deepActiveElement(this.document) as unknown as DomNode | undefined,
    })
    this.#watcher.flush()
    return this.#snapshot
  }

  collectListening(): void {
    this.#collectListening()
  }

  /** The node of a reference. @throws Elsewhere it is in another world; DomosError `not_found` */
  node(ref: NodeRef): Element {
    if (ref.node !== undefined) {
      const node = this.numbers.node(ref.node)
      if (node === undefined || !node.isConnected) throw gone()
      return node as Element
    }
    const elementId = ref.elementId ?? ''
    const snapshot = this.snapshot()
    const node: unknown = snapshot.element(elementId)?.node ?? snapshot.region(elementId)?.node
    if (node === undefined) throw snapshot.missing(elementId)
    if (node instanceof RemoteNode) throw new Elsewhere(node.frame, node.number)
    return node as Element
  }

  /** How the snapshot names the element that a node is in, for messages. */
  describe(node: Element): string {
    const snapshot = this.snapshot()
    for (let at: Node | null = node; at !== null; at = parentOf(at)) {
      const element = snapshot.elementOf(at as unknown as DomNode)
      if (element !== undefined) {
        const name = (element.label || element.text).trim().slice(0, 60)
        return `${element.id} (${element.role}${name === '' ? '' : ` “${name}”`})`
      }
    }
    const id = node.id === '' ? '' : `#${node.id}`
    const text = (node.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 60)
    return `<${node.localName}${id}>${text === '' ? '' : ` “${text}”`}`
  }
}

function gone(): DomosError {
  return new DomosError('not_found', 'The element is no longer on the page; observe it for current ids.', {
    details: { reason: 'STALE_REF' },
  })
}

/** The element that has the focus, inside shadow roots and frames too. */
export function deepActiveElement(document: Document): Element | undefined {
  let active: Element | null = document.activeElement
  for (;;) {
    const inner: Element | null | undefined =
      active?.shadowRoot?.activeElement ?? (active as HTMLIFrameElement | null)?.contentDocument?.activeElement
    if (!inner) break
    active = inner
  }
  return active === null || active === document.body ? undefined : active
}
