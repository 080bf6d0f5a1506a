/**
 * The DOM functions the dialog is built with and judged by, taken once when this module loads, from a fresh realm of this
 * origin: what the page patched before or patches later does not reach them. A script that runs in the page before this
 * module and is out to deceive can still win; what has to be safe from the page belongs to the page's own server.
 */
export interface Pristine {
  readonly create: (tag: string) => HTMLElement
  readonly append: (parent: Node, child: Node) => void
  readonly remove: (element: Element) => void
  readonly setText: (node: Node, text: string) => void
  readonly setAttribute: (element: Element, name: string, value: string) => void
  readonly removeAttribute: (element: Element, name: string) => void
  readonly listen: (
    target: EventTarget,
    type: string,
    listener: (event: Event) => void,
    options?: AddEventListenerOptions,
  ) => void
  readonly unlisten: (
    target: EventTarget,
    type: string,
    listener: (event: Event) => void,
    options?: AddEventListenerOptions,
  ) => void
  readonly attachShadow: (element: Element, init: ShadowRootInit) => ShadowRoot
  readonly adoptStyles: (root: ShadowRoot, css: string) => void
  /** Sets an inline property that no sheet of the page overrides. */
  readonly forceStyle: (element: HTMLElement, property: string, value: string) => void
  readonly showModal: (dialog: Element) => void
  readonly close: (dialog: Element) => void
  readonly focus: (element: HTMLElement) => void
  readonly inputValue: (input: Element) => string
  readonly rect: (element: Element) => DOMRect
  /** How many pixels of a scrolling element lie below its visible part. */
  readonly hiddenBelow: (element: Element) => number
  readonly computed: (element: Element) => CSSStyleDeclaration
  readonly styleValue: (style: CSSStyleDeclaration, property: string) => string
  readonly parent: (element: Element) => Element | null
  readonly isConnected: (node: Node) => boolean
  readonly hitInDocument: (x: number, y: number) => Element | null
  readonly hitInRoot: (root: ShadowRoot, x: number, y: number) => Element | null
  readonly contains: (parent: Node, child: Node | null) => boolean
  readonly clientX: (event: Event) => number
  readonly clientY: (event: Event) => number
  readonly clickCount: (event: Event) => number
  readonly key: (event: Event) => string
  readonly isRepeat: (event: Event) => boolean
  readonly target: (event: Event) => EventTarget | null
  readonly preventDefault: (event: Event) => void
  readonly now: () => number
  readonly hasFocus: () => boolean
  readonly isPageVisible: () => boolean
  readonly isActivated: () => boolean
  readonly nextFrame: (task: () => void) => number
  readonly observeChildren: (node: Node, changed: () => void) => () => void
  /** Undefined where the browser does not track visibility. */
  readonly observeVisibility: ((element: Element, seen: (visible: boolean) => void) => () => void) | undefined
}

type Realm = typeof globalThis

/** A realm that no script of the page has seen: that of an empty frame, alive for an instant. */
function withFreshRealm<T>(use: (realm: Realm) => T): T {
  let frame: HTMLIFrameElement | undefined
  try {
    frame = document.createElement('iframe')
    frame.setAttribute('aria-hidden', 'true')
    frame.style.setProperty('display', 'none', 'important')
    document.documentElement.append(frame)
    const realm = frame.contentWindow as (Window & Realm) | null
    // A frame without these is no browser's; then the page's own realm has to do.
    if (realm !== null && 'Element' in realm && 'Function' in realm) return use(realm)
  } catch {
    // Frames may be forbidden here.
  } finally {
    frame?.remove()
  }
  return use(globalThis)
}

/** Takes the references; call once, as early as possible. */
export function takePristine(): Pristine {
  return withFreshRealm(collect)
}

function collect(realm: Realm): Pristine {
  const { apply, getOwnPropertyDescriptor } = realm.Reflect
  const { call, bind } = realm.Function.prototype
  // Afterwards a call looks nothing up: neither on the element nor on Function.prototype.
  const free = (method: unknown) => apply(bind, call, [method]) as (...args: never[]) => never
  const method = (prototype: object, name: string) => free(Reflect.get(prototype, name))
  const accessor = (prototype: object, name: string, kind: 'get' | 'set' = 'get') =>
    free(getOwnPropertyDescriptor(prototype, name)?.[kind] ?? (() => undefined))
  const page = document
  const { Document, Element, Node, EventTarget, HTMLElement, Event, MouseEvent, UIEvent, KeyboardEvent } = realm
  const { HTMLDialogElement, HTMLInputElement, CSSStyleDeclaration, ShadowRoot, Performance } = realm
  const createElement = method(Document.prototype, 'createElement') as unknown as (
    page: Document,
    tag: string,
  ) => HTMLElement
  const hitDocument = method(Document.prototype, 'elementFromPoint') as unknown as (
    page: Document,
    x: number,
    y: number,
  ) => Element | null
  const hasFocus = method(Document.prototype, 'hasFocus') as unknown as (page: Document) => boolean
  const visibility = accessor(Document.prototype, 'visibilityState') as unknown as (page: Document) => string
  const styleOf = accessor(HTMLElement.prototype, 'style') as unknown as (element: HTMLElement) => CSSStyleDeclaration
  const setProperty = method(CSSStyleDeclaration.prototype, 'setProperty') as unknown as (
    style: CSSStyleDeclaration,
    ...args: [string, string, string]
  ) => void
  const [scrollHeight, clientHeight, scrollTop] = ['scrollHeight', 'clientHeight', 'scrollTop'].map(
    (name) => accessor(Element.prototype, name) as unknown as (element: Element) => number,
  ) as [(element: Element) => number, (element: Element) => number, (element: Element) => number]
  const now = method(Performance.prototype, 'now') as unknown as (performance: Performance) => number
  const timing = performance
  const view = window
  const getStyle = free(realm.getComputedStyle) as unknown as (self: Window, element: Element) => CSSStyleDeclaration
  const activation = typeof navigator.userActivation === 'object' ? navigator.userActivation : undefined
  const isActive =
    activation && (accessor(realm.UserActivation.prototype, 'isActive') as unknown as (self: UserActivation) => boolean)
  const setSheets = accessor(ShadowRoot.prototype, 'adoptedStyleSheets', 'set') as unknown as (
    root: ShadowRoot,
    list: CSSStyleSheet[],
  ) => void
  // A sheet must belong to the document that adopts it, and observers and frames to a window that lives on.
  const Sheet = globalThis.CSSStyleSheet
  const replaceSheet = free(Sheet.prototype.replaceSync) as unknown as (sheet: CSSStyleSheet, css: string) => void
  const Mutations = globalThis.MutationObserver
  const Intersections = globalThis.IntersectionObserver
  const frame = globalThis.requestAnimationFrame
  const observe =
    Intersections &&
    (free(Intersections.prototype.observe) as unknown as (self: IntersectionObserver, element: Element) => void)
  const tracks = Intersections !== undefined && 'isVisible' in (globalThis.IntersectionObserverEntry?.prototype ?? {})
  const isVisible = tracks
    ? (free(Object.getOwnPropertyDescriptor(IntersectionObserverEntry.prototype, 'isVisible')?.get) as unknown as (
        entry: IntersectionObserverEntry,
      ) => boolean)
    : undefined

  return {
    create: (tag) => createElement(page, tag),
    append: method(Node.prototype, 'appendChild') as unknown as Pristine['append'],
    remove: method(Element.prototype, 'remove') as unknown as Pristine['remove'],
    setText: accessor(Node.prototype, 'textContent', 'set') as unknown as Pristine['setText'],
    setAttribute: method(Element.prototype, 'setAttribute') as unknown as Pristine['setAttribute'],
    removeAttribute: method(Element.prototype, 'removeAttribute') as unknown as Pristine['removeAttribute'],
    listen: method(EventTarget.prototype, 'addEventListener') as unknown as Pristine['listen'],
    unlisten: method(EventTarget.prototype, 'removeEventListener') as unknown as Pristine['unlisten'],
    attachShadow: method(Element.prototype, 'attachShadow') as unknown as Pristine['attachShadow'],
    adoptStyles(root, css) {
      const sheet = new Sheet()
      replaceSheet(sheet, css)
      setSheets(root, [sheet])
    },
    forceStyle: (element, property, value) => setProperty(styleOf(element), property, value, 'important'),
    showModal: method(HTMLDialogElement.prototype, 'showModal') as unknown as Pristine['showModal'],
    close: method(HTMLDialogElement.prototype, 'close') as unknown as Pristine['close'],
    focus: method(HTMLElement.prototype, 'focus') as unknown as Pristine['focus'],
    inputValue: accessor(HTMLInputElement.prototype, 'value') as unknown as Pristine['inputValue'],
    rect: method(Element.prototype, 'getBoundingClientRect') as unknown as Pristine['rect'],
    hiddenBelow: (element) => scrollHeight(element) - clientHeight(element) - scrollTop(element),
    computed: (element) => getStyle(view, element),
    styleValue: method(CSSStyleDeclaration.prototype, 'getPropertyValue') as unknown as Pristine['styleValue'],
    parent: accessor(Node.prototype, 'parentElement') as unknown as Pristine['parent'],
    isConnected: accessor(Node.prototype, 'isConnected') as unknown as Pristine['isConnected'],
    hitInDocument: (x, y) => hitDocument(page, x, y),
    hitInRoot: method(ShadowRoot.prototype, 'elementFromPoint') as unknown as Pristine['hitInRoot'],
    contains: method(Node.prototype, 'contains') as unknown as Pristine['contains'],
    clientX: accessor(MouseEvent.prototype, 'clientX') as unknown as Pristine['clientX'],
    clientY: accessor(MouseEvent.prototype, 'clientY') as unknown as Pristine['clientY'],
    clickCount: accessor(UIEvent.prototype, 'detail') as unknown as Pristine['clickCount'],
    key: accessor(KeyboardEvent.prototype, 'key') as unknown as Pristine['key'],
    isRepeat: accessor(KeyboardEvent.prototype, 'repeat') as unknown as Pristine['isRepeat'],
    target: accessor(Event.prototype, 'target') as unknown as Pristine['target'],
    preventDefault: method(Event.prototype, 'preventDefault') as unknown as Pristine['preventDefault'],
    now: () => now(timing),
    hasFocus: () => hasFocus(page),
    isPageVisible: () => visibility(page) === 'visible',
    isActivated: () => (activation && isActive ? isActive(activation) : true),
    nextFrame: (task) => frame(task),
    observeChildren(node, changed) {
      const observer = new Mutations(changed)
      observer.observe(node, { childList: true })
      return () => observer.disconnect()
    },
    observeVisibility:
      isVisible &&
      ((element, seen) => {
        const options = { trackVisibility: true, delay: 100, threshold: [0.99, 1] }
        const observer = new Intersections((entries) => {
          const last = entries[entries.length - 1]
          if (last) seen(isVisible(last))
        }, options)
        observe(observer, element)
        return () => observer.disconnect()
      }),
  }
}
