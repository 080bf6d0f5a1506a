import type { DomOSClient, DomOSClientOptions } from '@domos/core'
import { type Binding, bindTools, createDomOSClient, holdClient, type ToolOptions } from '@domos/core/adapter'
import { getContext, setContext } from 'svelte'
import { onceAlive, whileAlive } from './lifetime.svelte.ts'

/** What {@link createDomOS} takes: every option of the client, read once, and the following. */
export interface DomOSOptions extends DomOSClientOptions {
  /** A client made elsewhere. Whoever made it connects it, unless `autoConnect` is set. */
  readonly client?: DomOSClient
  /** Whether to be connected while the component is on the page. @default true, with `client` false */
  readonly autoConnect?: boolean
  /** Tools that are there on every page. */
  readonly globalTools?: readonly ToolOptions[]
}

const KEY = Symbol('DomOSClient')
const NO_TOOLS: readonly ToolOptions[] = []

/** Gives this component and those below it a client, connected for as long as the component is on the page. */
export function createDomOS(options: DomOSOptions = {}): DomOSClient {
  const { client: given, autoConnect = !given, globalTools = NO_TOOLS, ...own } = options
  const client = given ?? createDomOSClient(own)
  setContext(KEY, client)
  createBinding(bindTools, () => globalTools)
  // The effects of the components below have run by then: the first message to the server has their tools.
  if (autoConnect) onceAlive(() => holdClient(client))
  return client
}

/**
 * The client of the component around that called {@link createDomOS}.
 * @throws Error where there is none
 */
export function getDomOS(): DomOSClient {
  const client = getContext<DomOSClient | undefined>(KEY)
  if (!client) throw new Error('Call createDomOS() in a component above, such as the layout.')
  return client
}

/** Tells the client what `read` gives, anew whenever what it read changed, for as long as the component lives. */
export function createBinding<T>(bind: (client: DomOSClient) => Binding<T>, read: () => T): void {
  const binding = bind(getDomOS())
  whileAlive(
    () => binding.update(read()),
    () => binding.remove(),
  )
}
