import { computed, DestroyRef, inject, type Signal, signal } from '@angular/core'
import type { ApprovalQuestion, ClientEventName, ClientEvents, DomOSClient, TurnHandle } from '@domos/core'
import { type AgentSnapshot, agentStore, approvalQueue, IDLE_AGENT, type Readable } from '@domos/core/adapter'
import { injectDomOS, isBrowser } from './provide.ts'

type Signals<T> = { readonly [K in keyof T]: Signal<T[K]> }

/** The agent's state as signals, and what one can do with it. */
export interface Agent extends Signals<AgentSnapshot> {
  readonly client: DomOSClient
  /** Says something; `done` of the result tells how the turn ended. */
  readonly sendText: (text: string) => TurnHandle
  /** Stops the running turn. */
  readonly stop: () => void
  readonly clearError: () => void
  /** `state`. */
  readonly agentState: Signal<AgentSnapshot['state']>
  /** `response`. */
  readonly lastResponse: Signal<string>
  /** `stop`. */
  readonly sendInterrupt: () => void
}

/** Follows the agent: connection, streamed answer, errors; and speaks to it. */
export function injectAgent(): Agent {
  const client = injectDomOS()
  const store = agentStore(client)
  const now = follow(store)
  const names = Object.keys(IDLE_AGENT) as (keyof AgentSnapshot)[]
  const entries = names.map((name) => [name, computed(() => now()[name])])
  const signals = Object.fromEntries(entries) as Signals<AgentSnapshot>
  const stop = () => client.stop()
  return {
    ...signals,
    client,
    sendText: (text) => client.sendText(text),
    stop,
    clearError: store.clearError,
    agentState: signals.state,
    lastResponse: signals.response,
    sendInterrupt: stop,
  }
}

/** Questions that a component of one's own puts to the person. */
export interface Approvals {
  /** What waits, oldest first. */
  readonly pending: Signal<readonly ApprovalQuestion[]>
  /** The oldest. */
  readonly pendingApproval: Signal<ApprovalQuestion | null>
  /** Approves one question; without an id, the oldest. False when it does not wait any more. */
  readonly approve: (callId?: string) => boolean
  /** Declines one question; without an id, the oldest. False when it does not wait any more. */
  readonly deny: (callId?: string, reason?: string) => boolean
}

/**
 * Approvals in the page's own hands, where `provideDomOS` has `approvals: 'custom-unsafe'`: any script may then approve.
 * @throws DomosError `invalid_request` when the client asks in its own dialog
 */
export function injectApproval(): Approvals {
  const queue = approvalQueue(injectDomOS())
  const pending = follow(queue)
  return { pending, pendingApproval: computed(() => pending()[0] ?? null), approve: queue.approve, deny: queue.deny }
}

/** Listens to an event of the client for as long as the component lives. */
export function injectDomOSEvent<Name extends ClientEventName>(
  name: Name,
  listener: (data: ClientEvents[Name]) => void,
): void {
  if (isBrowser()) inject(DestroyRef).onDestroy(injectDomOS().onEvent(name, listener))
}

function follow<T>({ getSnapshot, subscribe }: Readable<T>): Signal<T> {
  const now = signal(getSnapshot())
  if (isBrowser()) inject(DestroyRef).onDestroy(subscribe(() => now.set(getSnapshot())))
  return now.asReadonly()
}
