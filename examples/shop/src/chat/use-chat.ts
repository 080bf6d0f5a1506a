import type { ClientState, DomOSClient } from '@domos/core'
import { useCallback, useEffect, useReducer, useState } from 'react'
import { useAgentClient } from '../agent/client.ts'
import { type Entry, isOpen, nextTranscript, parseTranscript, type TranscriptEvent } from './transcript.ts'

const KEY = 'hearth-and-hum/chat'

/** The conversation of this page, and what one can do in it. */
export interface Chat {
  readonly entries: readonly Entry[]
  readonly connection: ClientState
  /** Whether an answer is under way. */
  readonly busy: boolean
  /** Names of the tools the agent has now. */
  readonly tools: readonly string[]
  readonly send: (text: string) => void
  readonly stop: () => void
  readonly clear: () => void
}

/** Follows the client's events. The conversation outlives a reload of the page, not the tab. */
export function useChat(): Chat {
  const client = useAgentClient()
  const [entries, tell] = useReducer(nextTranscript, null, keptEntries)
  const [connection, setConnection] = useState<ClientState>(client.state)
  const [turnOpen, setTurnOpen] = useState(false)
  const [tools, setTools] = useState<readonly string[]>([])

  useEffect(() => {
    try {
      sessionStorage.setItem(KEY, JSON.stringify(entries))
    } catch {
      // Without storage the conversation ends with the page.
    }
  }, [entries])

  useEffect(() => {
    setConnection(client.state)
    return follow(client, tell, { setConnection, setTurnOpen, setTools })
  }, [client])

  const send = useCallback(
    (text: string) => {
      tell({ type: 'said', id: crypto.randomUUID(), text })
      setTurnOpen(true)
      client.sendText(text)
    },
    [client],
  )
  const stop = useCallback(() => {
    client.stop()
    tell({ type: 'stopped' })
  }, [client])
  const clear = useCallback(() => tell({ type: 'cleared' }), [])
  // A turn that began before a reload shows itself by its calls.
  const isThinking = connection === 'thinking'
  const busy = turnOpen || isThinking || entries.some((entry) => entry.type === 'call' && isOpen(entry))
  return { entries, connection, busy, tools, send, stop, clear }
}

interface Setters {
  readonly setConnection: (state: ClientState) => void
  readonly setTurnOpen: (open: boolean) => void
  readonly setTools: (tools: readonly string[]) => void
}

function follow(
  client: DomOSClient,
  tell: (event: TranscriptEvent) => void,
  { setConnection, setTurnOpen, setTools }: Setters,
): () => void {
  const offs = [
    client.onEvent('connection.state.changed', ({ state }) => setConnection(state)),
    client.onEvent('session.started', ({ resumed }) => {
      if (!resumed) tell({ type: 'restarted', id: crypto.randomUUID() })
    }),
    client.onEvent('tool.registry.synced', (event) => setTools(event.tools)),
    client.onEvent('turn.started', () => setTurnOpen(true)),
    client.onEvent('agent.response.delta', ({ text }) => tell({ type: 'delta', id: crypto.randomUUID(), text })),
    client.onEvent('agent.response.done', () => tell({ type: 'answered' })),
    client.onEvent('turn.completed', ({ status, error }) => {
      setTurnOpen(false)
      tell({ type: status === 'cancelled' ? 'stopped' : 'answered' })
      if (error) tell({ type: 'told', kind: 'error', id: crypto.randomUUID(), text: error.message })
    }),
    client.onEvent('tool.call.requested', (call) => tell({ type: 'call', call, atMs: Date.now() })),
    client.onEvent('approval.requested', (call) => tell({ type: 'asking', call, atMs: Date.now() })),
    client.onEvent('approval.settled', (verdict) => tell({ type: 'decided', verdict, atMs: Date.now() })),
    client.onEvent('tool.call.settled', ({ outcome, ...call }) =>
      tell({ type: 'settled', call, outcome, atMs: Date.now() }),
    ),
    client.onEvent('system.event', ({ kind, data }) => {
      const text = kind === 'transcript' ? (data as { text?: unknown } | null)?.text : undefined
      if (typeof text === 'string') tell({ type: 'said', id: crypto.randomUUID(), text, isSpoken: true })
    }),
    client.onEvent('system.error', ({ message }) =>
      tell({ type: 'told', kind: 'error', id: crypto.randomUUID(), text: message }),
    ),
  ]
  return () => {
    for (const off of offs) off()
  }
}

function keptEntries(): readonly Entry[] {
  try {
    return parseTranscript(sessionStorage.getItem(KEY))
  } catch {
    return []
  }
}
