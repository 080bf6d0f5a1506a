import type { DomOSClient, DomOSClientOptions } from '@domos/core'
import { bindTools, createDomOSClient, holdClient, type ToolOptions } from '@domos/core/adapter'
import { type App, hasInjectionContext, type InjectionKey, inject, onMounted, onUnmounted, provide } from 'vue'

/** What {@link DomOSPlugin} takes: every option of the client, read once, and the following. */
export interface DomOSPluginOptions extends DomOSClientOptions {
  /** A client made elsewhere. Whoever made it connects it, unless `autoConnect` is set. */
  readonly client?: DomOSClient
  /** Whether to be connected while the app is mounted. @default true, with `client` false */
  readonly autoConnect?: boolean
  /** Tools that are there on every page. */
  readonly globalTools?: readonly ToolOptions[]
}

const KEY: InjectionKey<DomOSClient> = Symbol('DomOSClient')
const NO_TOOLS: readonly ToolOptions[] = []

/** Gives every component of an app a client: `app.use(DomOSPlugin, { endpoint: '/adtp' })`. */
export const DomOSPlugin = {
  install(app: App, options: DomOSPluginOptions = {}): void {
    const { client, start } = prepare(options)
    app.provide(KEY, client)
    if (typeof document !== 'undefined') app.onUnmount(start())
  },
}

/** Gives the components below this one a client of their own, and returns it. */
export function provideDomOS(options: DomOSPluginOptions = {}): DomOSClient {
  const { client, start } = prepare(options)
  provide(KEY, client)
  let stop = () => {}
  onMounted(() => {
    stop = start()
  })
  onUnmounted(() => stop())
  return client
}

/**
 * The client of the app, or of the nearest {@link provideDomOS}.
 * @throws Error where there is none
 */
export function useDomOSClient(): DomOSClient {
  const client = hasInjectionContext() ? inject(KEY, undefined) : undefined
  if (!client) throw new Error('Add app.use(DomOSPlugin), and call this in a component’s setup.')
  return client
}

function prepare({ client: given, autoConnect = !given, globalTools = NO_TOOLS, ...options }: DomOSPluginOptions) {
  const client = given ?? createDomOSClient(options)
  const start = () => {
    const tools = bindTools(client)
    tools.update(globalTools)
    const release = autoConnect ? holdClient(client) : undefined
    return () => {
      tools.update([])
      release?.()
    }
  }
  return { client, start }
}
