import type { CallErrorCode, CallOutcome } from './definition.ts'

/** An error outcome. */
export function fail(code: CallErrorCode, error: string): CallOutcome {
  return { status: 'error', code, error }
}

/** The outcome an aborted call's signal carries. */
export function reasonOf(signal: AbortSignal): CallOutcome {
  const reason: unknown = signal.reason
  const isOutcome = typeof reason === 'object' && reason !== null && 'status' in reason
  return isOutcome ? (reason as CallOutcome) : fail('cancelled', 'The call was cancelled.')
}
