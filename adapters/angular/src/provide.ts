import {
  afterNextRender,
  DestroyRef,
  type EnvironmentProviders,
  effect,
  InjectionToken,
  inject,
  makeEnvironmentProviders,
  PLATFORM_ID,
  provideEnvironmentInitializer,
} from '@angular/core'
import type { DomOSClient, DomOSClientOptions } from '@domos/core'
import { type Binding, bindTools, createDomOSClient, holdClient, type ToolOptions } from '@domos/core/adapter'

/** What {@link provideDomOS} takes: every option of the client, read once, and the following. */
export interface DomOSOptions extends DomOSClientOptions {
  /** A client made elsewhere. Whoever made it connects it, unless `autoConnect` is set. */
  readonly client?: DomOSClient
  /** Whether to be connected while the application, or the route that provides it, lives. @default true, with `client` false */
  readonly autoConnect?: boolean
  /** Tools that are there on every page. */
  readonly globalTools?: readonly ToolOptions[]
}

const CLIENT = new InjectionToken<DomOSClient>('DomOSClient')

/** Gives an application, or a route, a client: `bootstrapApplication(App, { providers: [provideDomOS({ … })] })`. */
export function provideDomOS(options: DomOSOptions = {}): EnvironmentProviders {
  const { client: given, autoConnect = !given, globalTools = [], ...own } = options
  return makeEnvironmentProviders([
    { provide: CLIENT, useFactory: () => given ?? createDomOSClient(own) },
    provideEnvironmentInitializer(() => {
      bindLife(bindTools, () => globalTools)
      if (autoConnect) connect(injectDomOS())
    }),
  ])
}

/** After the first rendering, so that the first message to the server has the tools of the page. A server renders only. */
function connect(client: DomOSClient): void {
  let release: (() => void) | undefined
  const waiting = afterNextRender(() => {
    release = holdClient(client)
  })
  inject(DestroyRef).onDestroy(() => {
    waiting.destroy()
    release?.()
  })
}

/**
 * The client that {@link provideDomOS} gives. Call it where Angular injects.
 * @throws Error where there is none
 */
export function injectDomOS(): DomOSClient {
  const client = inject(CLIENT, { optional: true })
  if (!client) throw new Error('Add provideDomOS() to the providers of the application or of a route above.')
  return client
}

/** Whether this is a page; a server that renders declares nothing and connects to nothing. */
export function isBrowser(): boolean {
  return inject(PLATFORM_ID) === ('browser' as object | string)
}

/** Tells the client what `read` gives, anew whenever a signal in it changed, for as long as the component lives. */
export function bindLife<T>(bind: (client: DomOSClient) => Binding<T>, read: () => T): void {
  const client = injectDomOS()
  if (!isBrowser()) return
  const binding = bind(client)
  effect(() => binding.update(read()))
  inject(DestroyRef).onDestroy(() => binding.remove())
}
