import type { DomOSClient, DomOSClientOptions } from '@domos/core'
import { bindTools, createDomOSClient, holdClient, type ToolOptions } from '@domos/core/adapter'
import { createContext, createElement, type ReactNode, useContext, useEffect, useState } from 'react'
import { useBinding } from './use-binding.ts'

/** What {@link DomOSProvider} takes: every option of the client, read once, and the following. */
export interface DomOSProviderProps extends DomOSClientOptions {
  /** A client made elsewhere. Whoever made it connects it, unless `autoConnect` is set. */
  readonly client?: DomOSClient
  /** Whether to be connected while the provider is on the page. @default true, with `client` false */
  readonly autoConnect?: boolean
  /** Tools that are there on every page. */
  readonly globalTools?: readonly ToolOptions[]
  readonly children?: ReactNode
}

const ClientContext = createContext<DomOSClient | null>(null)
const NO_TOOLS: readonly ToolOptions[] = []

/** Gives the components below it a client, connected for as long as the provider is on the page. */
export function DomOSProvider(props: DomOSProviderProps): ReactNode {
  const { client: given, autoConnect = !given, globalTools = NO_TOOLS, children, ...options } = props
  // Making a client touches nothing outside it, so one made for a rendering that React drops needs no end.
  const [made] = useState(() => given ?? createDomOSClient(options))
  const client = given ?? made
  useBinding(client, bindTools, globalTools)
  // The effects of the components below have run by now: the first message to the server has their tools.
  useEffect(() => (autoConnect ? holdClient(client) : undefined), [client, autoConnect])
  return createElement(ClientContext.Provider, { value: client }, children)
}

/**
 * The client of the provider around.
 * @throws Error outside a {@link DomOSProvider}
 */
export function useDomOSClient(): DomOSClient {
  const client = useContext(ClientContext)
  if (!client) throw new Error('Put this component below <DomOSProvider>.')
  return client
}
