import type { ApprovalQuestion, ClientEventName, ClientEvents, DomOSClient, TurnHandle } from '@domos/core'
import { type AgentSnapshot, agentStore, approvalQueue, IDLE_AGENT } from '@domos/core/adapter'
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { useDomOSClient } from './provider.ts'

/** The agent's state and what one can do with it. */
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
  /** `error`. */
  readonly agentError: AgentSnapshot['error']
  /** `stop`. */
  readonly sendInterrupt: () => void
  /** `clearError`. */
  readonly clearAgentError: () => void
}

/** Follows the agent: connection, streamed answer, errors; and speaks to it. */
export function useAgent(): Agent {
  const client = useDomOSClient()
  const store = agentStore(client)
  const snapshot = useSyncExternalStore(store.subscribe, store.getSnapshot, () => IDLE_AGENT)
  const actions = useMemo(() => {
    const stop = () => client.stop()
    const { clearError } = store
    const sendText = (text: string) => client.sendText(text)
    return { client, sendText, stop, clearError, sendInterrupt: stop, clearAgentError: clearError }
  }, [client, store])
  const { state, response, error } = snapshot
  return { ...snapshot, ...actions, agentState: state, lastResponse: response, agentError: error }
}

/** Questions that a component of one's own puts to the person. */
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

const NONE: readonly ApprovalQuestion[] = []

/**
 * Approvals in the page's own hands, where the provider has `approvals="custom-unsafe"`: any script may then approve.
 * @throws DomosError `invalid_request` when the client asks in its own dialog
 */
export function useApproval(): Approvals {
  const { subscribe, getSnapshot, approve, deny } = approvalQueue(useDomOSClient())
  const pending = useSyncExternalStore(subscribe, getSnapshot, () => NONE)
  return { pending, pendingApproval: pending[0] ?? null, approve, deny }
}

/** Listens to an event of the client for as long as the component is on the page; the latest listener hears it. */
export function useDomOSEvent<Name extends ClientEventName>(
  name: Name,
  listener: (data: ClientEvents[Name]) => void,
): void {
  const client = useDomOSClient()
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => client.onEvent(name, (data) => latest.current(data)), [client, name])
}
