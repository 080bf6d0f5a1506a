/**
 * What can go wrong, as a closed list. Each protocol's `errors.ts` is the only table from these codes to its wire.
 *
 * - `invalid_request` the input is malformed; `details.path` names the place
 * - `unauthorized` no or wrong credentials · `forbidden` the principal lacks a scope or the policy says no
 * - `not_found` no such session, page, tool or element · `conflict` it exists already or changed meanwhile
 * - `too_large` over a size limit · `rate_limited` too often · `busy` a bounded queue is full, try later
 * - `timeout` a stated time passed · `cancelled` someone withdrew it · `expired` a ticket or token is too old
 * - `unavailable` a needed part is missing or down · `unsupported` this build or engine cannot do it
 * - `model_failed` the language model failed · `navigation_failed` a page could not be loaded
 * - `script_failed` a page's script failed · `internal` a fault of ours
 */
export type ErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'rate_limited'
  | 'busy'
  | 'timeout'
  | 'cancelled'
  | 'expired'
  | 'unavailable'
  | 'unsupported'
  | 'model_failed'
  | 'navigation_failed'
  | 'script_failed'
  | 'internal'

/** Extra facts of an error, safe to show to the peer: never page text, arguments or secrets. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** Options of {@link DomosError}. */
export interface DomosErrorOptions {
  readonly details?: ErrorDetails
  readonly cause?: unknown
}

/** The one error class of DomOS: a stable code, a sentence a person can act on, facts, and the cause. */
export class DomosError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, options: DomosErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'DomosError'
    this.code = code
    this.details = options.details ?? {}
  }
}

/** Gives any thrown value as a DomosError; foreign values become `internal` with the cause kept and a neutral message. */
export function toDomosError(thrown: unknown, message = 'Something failed inside the server.'): DomosError {
  if (thrown instanceof DomosError) return thrown
  if (thrown instanceof Error && thrown.name === 'AbortError') {
    return new DomosError('cancelled', 'The work was cancelled.', { cause: thrown })
  }
  return new DomosError('internal', message, { cause: thrown })
}

/** The text of any thrown value, Errors or not, for messages. */
export function describeThrown(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name
  if (typeof thrown === 'string') return thrown
  try {
    return JSON.stringify(thrown) ?? String(thrown)
  } catch {
    return String(thrown)
  }
}
