/** Methods and properties as functions of the object they belong to, under the DOM's own names. */
type Methods<T, Names extends keyof T> = {
  readonly [K in Names]: T[K] extends (...args: infer A) => infer R ? (self: T, ...args: A) => R : never
}
type Getters<T, Names extends keyof T> = { readonly [K in Names]: (self: T) => T[K] }

/**
 * The DOM functions the dialog is built with and judged by, taken once when this module loads, from a fresh realm of this
 * origin: what the page patched before or patches later does not reach them. A script that runs in the page before this
 * module and is out to deceive can still win; what has to be safe from the page belongs to the page's own server.
 */
export interface Pristine
  extends Methods<Node, 'appendChild' | 'contains'>,
    Methods<Element, 'remove' | 'setAttribute' | 'getBoundingClientRect'>,
    Methods<HTMLElement, 'focus'>,
    Methods<HTMLDialogElement, 'showModal' | 'close'>,
    Methods<Event, 'preventDefault'>,
    Methods<CSSStyleDeclaration, 'getPropertyValue'>,
    Getters<Node, 'parentElement' | 'isConnected'>,
    Getters<Element, 'scrollHeight' | 'clientHeight' | 'scrollTop'>,
    Getters<MouseEvent, 'clientX' | 'clientY'>,
    Getters<UIEvent, 'detail'>,
    Getters<KeyboardEvent, 'key' | 'repeat'>,
    Getters<HTMLInputElement, 'value'> {
  readonly create: (tag: string) => HTMLElement
  readonly setText: (node: Node, text: string) => void
  readonly listen: (target: EventTarget, type: string, listener: (event: Event) => void) => () => void
  readonly attachShadow: (element: Element, mode: ShadowRootMode, css: string) => ShadowRoot
  /** Sets an inline property that no sheet of the page overrides. */
  readonly forceStyle: (element: HTMLElement, property: string, value: string) => void
  readonly computed: (element: Element) => CSSStyleDeclaration
  readonly hitInDocument: (x: number, y: number) => Element | null
  readonly hitInRoot: (root: ShadowRoot, x: number, y: number) => Element | null
  readonly now: () => number
  /** Whether the page is in front and the person's last act was on it. */
  readonly isInFront: () => boolean
  readonly isActivated: () => boolean
  readonly nextFrame: (task: () => void) => number
  readonly observeChildren: (node: Node, changed: () => void) => () => void
  /** Undefined where the browser does not track visibility. */
  readonly observeVisibility: ((element: Element, seen: (visible: boolean) => void) => () => void) | undefined
}

type Realm = typeof globalThis
type Free = (self: unknown, ...args: unknown[]) => never

/** Takes the references, from the realm of an empty frame that lives for an instant; call once, as early as possible. */
export function takePristine(): Pristine {
  let frame: HTMLIFrameElement | undefined
  try {
    frame = document.createElement('iframe')
    frame.style.setProperty('display', 'none', 'important')
    document.documentElement.append(frame)
    const realm = frame.contentWindow as (Window & Realm) | null
    if (realm !== null && 'Element' in realm && 'Function' in realm) return collect(realm)
  } catch {
    // Frames may be forbidden here; then the page's own realm has to do.
  } finally {
    frame?.remove()
  }
  return collect(globalThis)
}

function collect(realm: Realm): Pristine {
  const { apply, getOwnPropertyDescriptor } = realm.Reflect
  const { call, bind } = realm.Function.prototype
  // Afterwards a call looks nothing up: neither on the element nor on Function.prototype.
  const free = (method: unknown): Free => apply(bind, call, [method])
  const taken: Record<string, Free> = {}
  const take = (owner: { readonly prototype: object }, names: string) => {
    for (const name of names.split(' ')) {
      const { value, get } = getOwnPropertyDescriptor(owner.prototype, name) ?? {}
      taken[name] = free(value ?? get ?? (() => undefined))
    }
  }
  const setter = (owner: { readonly prototype: object }, name: string) =>
    free(getOwnPropertyDescriptor(owner.prototype, name)?.set)

  take(realm.Node, 'appendChild contains parentElement isConnected')
  take(realm.Element, 'remove setAttribute getBoundingClientRect attachShadow scrollHeight clientHeight scrollTop')
  take(realm.HTMLElement, 'focus style')
  take(realm.HTMLDialogElement, 'showModal close')
  take(realm.HTMLInputElement, 'value')
  take(realm.Event, 'preventDefault')
  take(realm.UIEvent, 'detail')
  take(realm.MouseEvent, 'clientX clientY')
  take(realm.KeyboardEvent, 'key repeat')
  take(realm.CSSStyleDeclaration, 'getPropertyValue setProperty')
  take(realm.EventTarget, 'addEventListener removeEventListener')
  take(realm.Performance, 'now')
  take(realm.Document, 'createElement elementFromPoint hasFocus visibilityState')
  const { now, createElement, elementFromPoint, hasFocus, visibilityState } = taken as Record<string, Free>
  const { attachShadow, style, setProperty, addEventListener, removeEventListener } = taken as Record<string, Free>
  const setText = setter(realm.Node, 'textContent')
  const setSheets = setter(realm.ShadowRoot, 'adoptedStyleSheets')
  const hitInRoot = free(realm.ShadowRoot.prototype.elementFromPoint)
  const getStyle = free(realm.getComputedStyle)
  // A sheet must belong to the document that adopts it, and observers and frames to a window that lives on.
  const { document: page, performance: timing, requestAnimationFrame, CSSStyleSheet: Sheet } = globalThis
  const { MutationObserver: Mutations, IntersectionObserver: Intersections, navigator: browser } = globalThis
  const replaceSheet = free(Sheet.prototype.replaceSync)
  const activation = browser.userActivation as UserActivation | undefined
  const isActive = activation && free(getOwnPropertyDescriptor(realm.UserActivation.prototype, 'isActive')?.get)
  const tracked = getOwnPropertyDescriptor(globalThis.IntersectionObserverEntry?.prototype ?? {}, 'isVisible')?.get
  const isVisible = tracked && free(tracked)

  // The names taken above are those of the interface, which the compiler cannot see.
  return {
    ...(taken as unknown as Pristine),
    setText,
    hitInRoot,
    create: (tag) => createElement?.(page, tag) as never,
    listen(target, type, listener) {
      addEventListener?.(target, type, listener, true)
      return () => removeEventListener?.(target, type, listener, true)
    },
    attachShadow(element, mode, css) {
      const root: ShadowRoot = attachShadow?.(element, { mode }) as never
      const sheet = new Sheet()
      replaceSheet(sheet, css)
      setSheets(root, [sheet])
      return root
    },
    forceStyle: (element, property, value) => void setProperty?.(style?.(element), property, value, 'important'),
    computed: (element) => getStyle(window, element),
    hitInDocument: (x, y) => elementFromPoint?.(page, x, y) ?? null,
    now: () => now?.(timing) as never,
    isInFront: () => visibilityState?.(page) === ('visible' as never) && hasFocus?.(page) === (true as never),
    isActivated: () => isActive === undefined || isActive(activation),
    nextFrame: (task) => requestAnimationFrame(task),
    observeChildren(node, changed) {
      const observer = new Mutations(changed)
      observer.observe(node, { childList: true })
      return () => observer.disconnect()
    },
    observeVisibility:
      isVisible &&
      ((element, seen) => {
        const options = { trackVisibility: true, delay: 100, threshold: [0.99, 1] }
        const observer = new Intersections((entries) => seen(isVisible(entries[entries.length - 1])), options)
        observer.observe(element)
        return () => observer.disconnect()
      }),
  }
}
