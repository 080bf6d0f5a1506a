import type { ApprovalQuestion, ClientEventName, ClientEvents, DomOSClient, TurnHandle } from '@domos/core'
import { type AgentSnapshot, agentStore, approvalQueue, IDLE_AGENT, type Readable } from '@domos/core/adapter'
import { createSubscriber } from 'svelte/reactivity'
import { getDomOS } from './client.ts'
import { onceAlive } from './lifetime.svelte.ts'

/** The agent's state, reactive where it is read, and what one can do with it. Do not take it apart: `agent.state`. */
export interface Agent extends AgentSnapshot {
  readonly client: DomOSClient
  /** Says something; `done` of the result tells how the turn ended. */
  readonly sendText: (text: string) => TurnHandle
  /** Stops the running turn. */
  readonly stop: () => void
  readonly clearError: () => void
  /** `state`. */
  readonly agentState: AgentSnapshot['state']
  /** `response`. */
  readonly lastResponse: string
  /** `stop`. */
  readonly sendInterrupt: () => void
}

/** Follows the agent: connection, streamed answer, errors; and speaks to it. */
export function createAgent(): Agent {
  const client = getDomOS()
  const store = agentStore(client)
  const now = follow(store)
  const stop = () => client.stop()
  const sendText = (text: string) => client.sendText(text)
  const agent = { client, sendText, stop, clearError: store.clearError, sendInterrupt: stop }
  const aliases = { agentState: 'state', lastResponse: 'response' } as const
  for (const name of Object.keys(IDLE_AGENT) as (keyof AgentSnapshot)[]) define(agent, name, () => now()[name])
  for (const [alias, name] of Object.entries(aliases)) define(agent, alias, () => now()[name])
  return agent as Agent
}

function define(target: object, name: string, get: () => unknown): void {
  Object.defineProperty(target, name, { get, enumerable: true })
}

/** Questions that a component of one's own puts to the person; reactive where it is read. */
export interface Approvals {
  /** What waits, oldest first. */
  readonly pending: readonly ApprovalQuestion[]
  /** The oldest. */
  readonly pendingApproval: ApprovalQuestion | null
  /** Approves one question; without an id, the oldest. False when it does not wait any more. */
  readonly approve: (callId?: string) => boolean
  /** Declines one question; without an id, the oldest. False when it does not wait any more. */
  readonly deny: (callId?: string, reason?: string) => boolean
}

/**
 * Approvals in the page's own hands, where `createDomOS` has `approvals: 'custom-unsafe'`: any script may then approve.
 * @throws DomosError `invalid_request` when the client asks in its own dialog
 */
export function createApproval(): Approvals {
  const queue = approvalQueue(getDomOS())
  const now = follow(queue)
  return {
    get pending() {
      return now()
    },
    get pendingApproval() {
      return now()[0] ?? null
    },
    approve: queue.approve,
    deny: queue.deny,
  }
}

/** Listens to an event of the client for as long as the component lives. */
export function onDomOSEvent<Name extends ClientEventName>(
  name: Name,
  listener: (data: ClientEvents[Name]) => void,
): void {
  const client = getDomOS()
  onceAlive(() => client.onEvent(name, listener))
}

/** Reads a value such that effects and templates follow it; it is listened to only while one does. */
function follow<T>({ getSnapshot, subscribe }: Readable<T>): () => T {
  const track = createSubscriber((update) => subscribe(update))
  return () => {
    track()
    return getSnapshot()
  }
}
