// Runs in the page's own world before its scripts. Closed shadow roots are made open underneath while the page goes on
// seeing them closed, and elements that get click listeners are remembered; both only so that the isolated world can
// read them. The functions it replaces keep their names and look native.

declare const __domosToken: string

{
  const token = __domosToken
  const { apply } = Reflect
  const closed = new WeakSet<object>()
  const dispatch = EventTarget.prototype.dispatchEvent
  const waiting = new Set<WeakRef<Element>>()
  const clicks: ReadonlySet<string> = new Set([
    'click',
    'mousedown',
    'mouseup',
    'pointerdown',
    'pointerup',
    'touchstart',
  ])
  const isConnected = Object.getOwnPropertyDescriptor(Node.prototype, 'isConnected')?.get as (this: Node) => boolean
  const maxWaiting = 5_000

  Element.prototype.attachShadow = new Proxy(Element.prototype.attachShadow, {
    apply(target, host: Element, parameters: [ShadowRootInit]) {
      const init = parameters[0]
      const isClosed = init?.mode === 'closed'
      const root = apply(target, host, isClosed ? [{ ...init, mode: 'open' }] : parameters) as ShadowRoot
      if (isClosed) closed.add(root)
      if (apply(isConnected, host, [])) apply(dispatch, document, [new Event(token)])
      return root
    },
  })

  const hide = (prototype: object, name: string, shown: (value: unknown, self: object) => unknown): void => {
    const descriptor = Object.getOwnPropertyDescriptor(prototype, name)
    if (descriptor?.get === undefined) return
    Object.defineProperty(prototype, name, {
      ...descriptor,
      get: new Proxy(descriptor.get, {
        apply: (target, self: object, parameters) => shown(apply(target, self, parameters), self),
      }),
    })
  }
  hide(Element.prototype, 'shadowRoot', (root) =>
    typeof root === 'object' && root !== null && closed.has(root) ? null : root,
  )
  hide(ShadowRoot.prototype, 'mode', (mode, self) => (closed.has(self) ? 'closed' : mode))

  EventTarget.prototype.addEventListener = new Proxy(EventTarget.prototype.addEventListener, {
    apply(target, self: unknown, parameters: [unknown, unknown]) {
      if (
        clicks.has(parameters[0] as string) &&
        parameters[1] !== null &&
        self instanceof Element &&
        waiting.size < maxWaiting
      ) {
        waiting.add(new WeakRef(self))
      }
      return apply(target, self, parameters)
    },
  })

  apply(EventTarget.prototype.addEventListener, document, [
    `${token}?`,
    (event: Event) => {
      event.stopImmediatePropagation()
      for (const reference of waiting) {
        const element = reference.deref()
        if (element !== undefined && !apply(isConnected, element, [])) continue
        waiting.delete(reference)
        if (element !== undefined) apply(dispatch, element, [new Event(token, { composed: true })])
      }
    },
    true,
  ])
}
