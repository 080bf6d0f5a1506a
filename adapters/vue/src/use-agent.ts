import type { ApprovalQuestion, ClientEventName, ClientEvents, DomOSClient, TurnHandle } from '@domos/core'
import { type AgentSnapshot, agentStore, approvalQueue, IDLE_AGENT, type Readable } from '@domos/core/adapter'
import {
  type ComputedRef,
  computed,
  getCurrentInstance,
  onMounted,
  onScopeDispose,
  type ShallowRef,
  shallowRef,
} from 'vue'
import { useDomOSClient } from './plugin.ts'

type Refs<T> = { readonly [K in keyof T]: ComputedRef<T[K]> }

/** The agent's state as refs, and what one can do with it. */
export interface Agent extends Refs<AgentSnapshot> {
  readonly client: DomOSClient
  /** Says something; `done` of the result tells how the turn ended. */
  readonly sendText: (text: string) => TurnHandle
  /** Stops the running turn. */
  readonly stop: () => void
  readonly clearError: () => void
  /** `state`. */
  readonly agentState: ComputedRef<AgentSnapshot['state']>
  /** `response`. */
  readonly lastResponse: ComputedRef<string>
  /** `error`. */
  readonly agentError: ComputedRef<AgentSnapshot['error']>
  /** `stop`. */
  readonly sendInterrupt: () => void
}

/** Follows the agent: connection, streamed answer, errors; and speaks to it. */
export function useAgent(): Agent {
  const client = useDomOSClient()
  const store = agentStore(client)
  const now = follow(store, IDLE_AGENT)
  const names = Object.keys(IDLE_AGENT) as (keyof AgentSnapshot)[]
  const refs = Object.fromEntries(
    names.map((name) => [name, computed(() => now.value[name])]),
  ) as unknown as Refs<AgentSnapshot>
  const stop = () => client.stop()
  return {
    ...refs,
    client,
    sendText: (text) => client.sendText(text),
    stop,
    clearError: store.clearError,
    agentState: refs.state,
    lastResponse: refs.response,
    agentError: refs.error,
    sendInterrupt: stop,
  }
}

/** Questions that a component of one's own puts to the person. */
export interface Approvals {
  /** What waits, oldest first. */
  readonly pending: Readonly<ShallowRef<readonly ApprovalQuestion[]>>
  /** The oldest. */
  readonly pendingApproval: ComputedRef<ApprovalQuestion | null>
  /** Approves one question; without an id, the oldest. False when it does not wait any more. */
  readonly approve: (callId?: string) => boolean
  /** Declines one question; without an id, the oldest. False when it does not wait any more. */
  readonly deny: (callId?: string, reason?: string) => boolean
}

/**
 * Approvals in the page's own hands, where the plugin has `approvals: 'custom-unsafe'`: any script may then approve.
 * @throws DomosError `invalid_request` when the client asks in its own dialog
 */
export function useApproval(): Approvals {
  const queue = approvalQueue(useDomOSClient())
  const pending = follow(queue, [])
  return {
    pending,
    pendingApproval: computed(() => pending.value[0] ?? null),
    approve: queue.approve,
    deny: queue.deny,
  }
}

/** Listens to an event of the client for as long as the component is on the page. */
export function useDomOSEvent<Name extends ClientEventName>(
  name: Name,
  listener: (data: ClientEvents[Name]) => void,
): void {
  const client = useDomOSClient()
  whileMounted(() => client.onEvent(name, listener))
}

/** A readable value as a ref; what a server renders is its first value. */
function follow<T>({ getSnapshot, subscribe }: Readable<T>, first: T): ShallowRef<T> {
  const now = shallowRef(first) as ShallowRef<T>
  const take = () => {
    now.value = getSnapshot()
  }
  whileMounted(() => {
    take()
    return subscribe(take)
  })
  return now
}

/** Runs something once mounted, outside a component at once, and its end with the scope. A server mounts nothing. */
function whileMounted(start: () => () => void): void {
  let stop = () => {}
  const run = () => {
    stop = start()
  }
  if (getCurrentInstance()) onMounted(run)
  else run()
  onScopeDispose(() => stop())
}
