import { type Clock, DomosError, type JsonValue, systemClock } from '@domos/spec'
import type { DomOSClient } from './client.ts'

/** What lets a phone, a speaker or another page enter this page's session; good for one use. */
export interface JoinTicket {
  readonly token: string
  /** Six digits that mean the same; absent when the server has too many open ones. */
  readonly code?: string
  /** A page that joins with it, where the server has one that other devices reach. */
  readonly url?: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** Options of {@link requestJoinToken}. */
export interface JoinRequestOptions {
  /** @default 10000 */
  readonly timeoutMs?: number
  /** @default the real clock */
  readonly clock?: Clock
}

/**
 * Asks the server for what lets a phone, a speaker or another page enter this page's session.
 * @throws DomosError `unavailable` without a connection or where the server gives none, `timeout`, or what the server says
 */
export async function requestJoinToken(client: DomOSClient, options: JoinRequestOptions = {}): Promise<JoinTicket> {
  const { timeoutMs = 10_000, clock = systemClock } = options
  const answer = Promise.withResolvers<JoinTicket>()
  const id = client.askForJoinToken()
  if (id === undefined) {
    throw new DomosError('unavailable', 'There is no connection to a server that gives join tokens.')
  }
  const ends = [
    client.onEvent('system.event', ({ kind, data }) => {
      const ticket = kind === 'join_token' ? readTicket(data, id) : undefined
      if (ticket !== undefined) answer.resolve(ticket)
    }),
    client.onEvent('system.error', ({ error }) => {
      if (error.details['ref'] === id) answer.reject(error)
    }),
    client.onEvent('connection.state.changed', () => {
      if (!client.isConnected) answer.reject(new DomosError('unavailable', 'The connection was lost.'))
    }),
    clock.schedule(timeoutMs, () =>
      answer.reject(new DomosError('timeout', `The server gave no join token within ${timeoutMs / 1000} s.`)),
    ),
  ]
  try {
    return await answer.promise
  } finally {
    for (const end of ends) end()
  }
}

function readTicket(data: JsonValue, id: string): JoinTicket | undefined {
  const { ref, token, code, url, expiresAt } = (data ?? {}) as Record<string, JsonValue | undefined>
  if (ref !== id || typeof token !== 'string' || typeof expiresAt !== 'number') return undefined
  return {
    token,
    expiresAt,
    ...(typeof code === 'string' && { code }),
    ...(typeof url === 'string' && { url }),
  }
}
