import type { ClientEventName, ClientEvents, DomOSClient, DomOSClientOptions } from '@domos/core'
import { createDomOSClient, holdClient } from '@domos/core/adapter'
import { bridgeWebMcp, type WebMcpOptions } from '@domos/core/webmcp'
import { connectChat } from './chat.ts'
import { discover } from './discover.ts'

/** What {@link init} takes: every option of the client, and the following. */
export interface InitOptions extends DomOSClientOptions {
  /** Whether to connect. @default true */
  readonly autoConnect?: boolean
  /** Whether elements with `data-domos-*` attributes are followed. @default true */
  readonly autoDiscovery?: boolean
  /** What the page tells of itself from the start. */
  readonly context?: object
  /** Whether and how tools are shared with the browser's own agent, where it has one. @default false */
  readonly webmcp?: boolean | WebMcpOptions
  /** There is a session. */
  readonly onReady?: (client: DomOSClient) => void
  readonly onError?: (error: ClientEvents['system.error']['error']) => void
}

let current: { readonly client: DomOSClient; readonly end: () => void } | undefined

/** Starts the page's agent. A second call gives the client of the first; {@link destroy} comes before a new beginning. */
export function init(options: InitOptions = {}): DomOSClient {
  if (current) return current.client
  const { autoConnect = true, autoDiscovery = true, webmcp = false, context, onReady, onError, ...own } = options
  const client = createDomOSClient(own)
  if (context) client.setContext(context)
  client.on({ onSessionId: () => onReady?.(client), onError: (error) => onError?.(error) })
  const ends = [
    ...(autoDiscovery ? [discover(client), connectChat(client)] : []),
    ...(webmcp ? [bridgeWebMcp(client, webmcp === true ? {} : webmcp)] : []),
    ...(autoConnect ? [holdClient(client)] : []),
  ]
  const end = () => {
    for (const each of ends) each()
    client.destroy()
  }
  current = { client, end }
  return client
}

/** Ends the page's agent and takes back all that it declared. */
export function destroy(): void {
  current?.end()
  current = undefined
}

/**
 * The client of the page.
 * @throws Error before {@link init}
 */
export function getClient(): DomOSClient {
  if (!current) throw new Error('Call DomOS.init() first, or put data-domos on the script tag.')
  return current.client
}

/** Says something to the agent. */
export function sendText(text: string): ReturnType<DomOSClient['sendText']> {
  return getClient().sendText(text)
}

/** Offers a tool; the returned function takes it back. */
export const registerTool: DomOSClient['registerTool'] = (...args: readonly unknown[]) =>
  (getClient().registerTool as (...args: readonly unknown[]) => () => void).apply(getClient(), args as unknown[])

/** Hears the pieces of answers, and the end of each. */
export function onResponse(listener: (text: string, done: boolean) => void): () => void {
  return getClient().on({ onAgentResponse: listener })
}

/** Listens to an event of the client. */
export function subscribeEvent<Name extends ClientEventName>(
  name: Name,
  listener: (data: ClientEvents[Name]) => void,
): () => void {
  return getClient().onEvent(name, listener)
}
