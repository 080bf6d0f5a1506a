/** How long changes are collected before they are told. */
const BATCH_MS = 16
const EVENTS = ['input', 'change', 'toggle', 'load', 'transitionend', 'animationend', 'slotchange', 'close'] as const
const OPTIONS: MutationObserverInit = { subtree: true, childList: true, attributes: true, characterData: true }

/** Notices everything that may change how a document reads, in its shadow roots and readable frames too. */
export class Watcher {
  readonly #observer: MutationObserver
  readonly #watched = new WeakSet<Node>()
  readonly #notify: (payload: string) => void
  readonly #onChange: () => void
  readonly #document: Document
  #isDue = false
  #isWatching = false

  constructor(document: Document, notify: (payload: string) => void, onChange: () => void) {
    this.#document = document
    this.#notify = notify
    this.#onChange = onChange
    this.#observer = new MutationObserver((records) => this.#take(records))
    // Watching a document while it is parsed costs many times the parsing; it counts as changed all the time instead.
    if (document.readyState !== 'loading') this.#begin()
    else document.addEventListener('readystatechange', () => this.#begin(), { once: true })
  }

  /** Whether changes are noticed; before that, everything read may be old a moment later. */
  get isWatching(): boolean {
    return this.#isWatching
  }

  #begin(): void {
    this.#isWatching = true
    this.watch(this.#document)
    this.#watchShadows(this.#document.documentElement)
    this.touch()
  }

  watch(root: Document | ShadowRoot): void {
    if (!this.#isWatching) return
    if (this.#watched.has(root)) return
    this.#watched.add(root)
    this.#observer.observe(root, OPTIONS)
    for (const type of EVENTS) root.addEventListener(type, () => this.touch(), { capture: true, passive: true })
  }

  /** Takes in what the observer has seen and not yet told. */
  flush(): void {
    const records = this.#observer.takeRecords()
    if (records.length > 0) this.#take(records)
  }

  touch(): void {
    this.#onChange()
    if (this.#isDue) return
    this.#isDue = true
    setTimeout(() => {
      this.#isDue = false
      this.#notify(JSON.stringify({ title: this.#document.title }))
    }, BATCH_MS)
  }

  #take(records: readonly MutationRecord[]): void {
    for (const { addedNodes } of records) {
      for (const node of addedNodes) if (node.nodeType === 1) this.#watchShadows(node as Element)
    }
    this.touch()
  }

  #watchShadows(top: Element | null): void {
    if (top === null) return
    if (top.shadowRoot !== null) this.watch(top.shadowRoot)
    if (top.firstElementChild === null) return
    const walker = document.createTreeWalker(top, NodeFilter.SHOW_ELEMENT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const { shadowRoot } = node as Element
      if (shadowRoot !== null) this.watch(shadowRoot)
    }
  }
}
