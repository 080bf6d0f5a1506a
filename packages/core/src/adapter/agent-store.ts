import type { DomosError } from '@domos/spec'
import type { DomOSClient } from '../client.ts'
import type { ClientState } from '../events.ts'

/** What a component shows of the agent; a new object after each change. */
export interface AgentSnapshot {
  readonly state: ClientState
  readonly sessionId: string | undefined
  readonly isConnected: boolean
  /** Whether an answer is awaited or under way. */
  readonly isThinking: boolean
  readonly isSpeaking: boolean
  /** The answer as far as it came; afterwards the whole of the last one. */
  readonly response: string
  /** Whether {@link response} is still growing. */
  readonly isStreaming: boolean
  /** The last failure; forgotten at the next input and at the next session. */
  readonly error: DomosError | undefined
}

/** A value over time, in the shape that every framework can follow. */
export interface Readable<T> {
  getSnapshot(): T
  /** Calls back after each change; the returned function ends it. */
  subscribe(listener: () => void): () => void
}

/** The agent as components see it. */
export interface AgentStore extends Readable<AgentSnapshot> {
  clearError(): void
}

/** Before anything happened, and on a server. */
export const IDLE_AGENT: AgentSnapshot = {
  state: 'idle',
  sessionId: undefined,
  isConnected: false,
  isThinking: false,
  isSpeaking: false,
  response: '',
  isStreaming: false,
  error: undefined,
}

const stores = new WeakMap<DomOSClient, AgentStore>()

/** The store of a client; one per client, and it ends with it. */
export function agentStore(client: DomOSClient): AgentStore {
  let store = stores.get(client)
  if (!store) stores.set(client, (store = createStore(client)))
  return store
}

function createStore(client: DomOSClient): AgentStore {
  const { set, ...readable } = createValue<AgentSnapshot>({ ...IDLE_AGENT, ...connection(client) })
  const change = (part: Partial<AgentSnapshot>) => set({ ...readable.getSnapshot(), ...part })
  let answering: string | undefined
  client.on('connection.state.changed', () => change(connection(client)))
  client.on('session.started', () => change({ ...connection(client), error: undefined }))
  client.on('turn.started', () => change({ error: undefined }))
  client.on('agent.response.delta', ({ text, turnId }) => {
    const { isStreaming, response } = readable.getSnapshot()
    const goesOn = isStreaming && answering === turnId
    answering = turnId
    change({ isStreaming: true, response: goesOn ? response + text : text })
  })
  client.on('agent.response.done', ({ text }) => change({ isStreaming: false, response: text }))
  client.on('turn.completed', ({ error }) => change({ isStreaming: false, ...(error && { error }) }))
  client.on('system.error', ({ error }) => change({ error }))
  return { ...readable, clearError: () => change({ error: undefined }) }
}

function connection(client: DomOSClient): Partial<AgentSnapshot> {
  const { state, sessionId, isConnected } = client
  return { state, sessionId, isConnected, isThinking: state === 'thinking', isSpeaking: state === 'speaking' }
}

/** A readable value and the function that changes it. */
export function createValue<T>(first: T): Readable<T> & { set(next: T): void } {
  let value = first
  const listeners = new Set<() => void>()
  return {
    getSnapshot: () => value,
    subscribe(listener) {
      const own = () => listener()
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    set(next) {
      value = next
      for (const listener of [...listeners]) listener()
    },
  }
}
