/** Waiting time after the first disconnection ("Reconnection", Initial Wait). */
export const INITIAL_WAIT_MS = 1_000

/** Longest waiting time ("Reconnection", Cap). */
export const MAX_WAIT_MS = 30_000

/**
 * How long to wait before the next attempt: 1 s after the first disconnection, doubled with each further one, at most 30 s.
 * `failures` counts disconnections since the last successful connection, from 1.
 */
export function reconnectDelayMs(failures: number): number {
  return Math.min(MAX_WAIT_MS, INITIAL_WAIT_MS * 2 ** Math.max(0, Math.min(failures - 1, 20)))
}
