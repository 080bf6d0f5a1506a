import { type Clock, DomosError, type ErrorDetails } from '@domos/spec'

/** A time limit on top of a call's own signal. */
export interface Deadline {
  readonly signal: AbortSignal
  readonly timeoutMs: number
  end(): void
}

/**
 * Starts a time limit. When it passes, the signal aborts with a `timeout` error whose details name what was pending at
 * that moment.
 */
export function startDeadline(
  clock: Clock,
  outer: AbortSignal,
  timeoutMs: number,
  describe: () => { readonly message: string; readonly details: ErrorDetails },
): Deadline {
  const limit = new AbortController()
  const onAbort = (): void => limit.abort(outer.reason)
  if (outer.aborted) onAbort()
  else outer.addEventListener('abort', onAbort, { once: true })
  const cancel = clock.schedule(timeoutMs, () => {
    const { message, details } = describe()
    limit.abort(new DomosError('timeout', message, { details: { timeoutMs, ...details } }))
  })
  return {
    signal: limit.signal,
    timeoutMs,
    end() {
      cancel()
      outer.removeEventListener('abort', onAbort)
    },
  }
}
