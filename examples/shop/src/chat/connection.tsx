import type { ClientState } from '@domos/core'
import { type ReactNode, useEffect, useState } from 'react'

const WORDS: Readonly<Record<ClientState, string>> = {
  idle: 'Not connected',
  disconnected: 'Reconnecting',
  connecting: 'Connecting',
  connected: 'Ready',
  thinking: 'Thinking',
  speaking: 'Speaking',
  listening: 'Listening',
  error: 'Trying again',
}

/** Whether the agent can be reached now. */
export function isReachable(state: ClientState): boolean {
  return state !== 'idle' && state !== 'disconnected' && state !== 'connecting' && state !== 'error'
}

/** A dot and a word. */
export function ConnectionBadge({ state }: { readonly state: ClientState }): ReactNode {
  return (
    <span className={`badge ${isReachable(state) ? 'on' : 'off'}`}>
      <i />
      {WORDS[state]}
    </span>
  )
}

const PATIENCE_MS = 1_200

/** Says plainly that the link is down, once that has lasted long enough to matter. */
export function ConnectionNote({ state }: { readonly state: ClientState }): ReactNode {
  const down = !isReachable(state)
  const [long, setLong] = useState(false)
  useEffect(() => {
    if (!down) return setLong(false)
    const timer = setTimeout(() => setLong(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [down])
  return (
    <div role="status" aria-live="polite">
      {down && long && (
        <p className="connection-note">
          <span className="spinner" />
          The connection is down. I keep trying, and send what you type as soon as I am back.
        </p>
      )}
    </div>
  )
}
