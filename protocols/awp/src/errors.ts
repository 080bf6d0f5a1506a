import type { DomosError, ErrorCode, JsonObject } from '@domos/spec'
import type { Dialect } from './dialect.ts'

/** The standard error codes of the document ("Error Model"). */
export const AWP_ERROR_CODES = [
  'INVALID_REQUEST',
  'UNSUPPORTED',
  'NOT_FOUND',
  'TIMEOUT',
  'CONFLICT',
  'RATE_LIMITED',
  'PERMISSION_DENIED',
  'NAVIGATION_FAILED',
  'SCRIPT_ERROR',
  'SKILL_ERROR',
  'INTERNAL',
] as const

/** One of {@link AWP_ERROR_CODES}. */
export type AwpErrorCode = (typeof AWP_ERROR_CODES)[number]

/** An error as it stands on the wire. */
export interface AwpError {
  readonly code: AwpErrorCode
  readonly message: string
  readonly details?: JsonObject
}

interface ErrorRow {
  readonly code: AwpErrorCode
  /** Finer reason, unless the error brings its own. */
  readonly reason?: string
}

/** The only table from the house's codes to the wire. */
const TABLE: Readonly<Record<ErrorCode, ErrorRow>> = {
  invalid_request: { code: 'INVALID_REQUEST' },
  unauthorized: { code: 'PERMISSION_DENIED', reason: 'UNAUTHENTICATED' },
  forbidden: { code: 'PERMISSION_DENIED' },
  not_found: { code: 'NOT_FOUND' },
  conflict: { code: 'CONFLICT' },
  too_large: { code: 'INVALID_REQUEST', reason: 'TOO_LARGE' },
  rate_limited: { code: 'RATE_LIMITED' },
  busy: { code: 'RATE_LIMITED', reason: 'BUSY' },
  timeout: { code: 'TIMEOUT' },
  cancelled: { code: 'TIMEOUT', reason: 'CANCELLED' },
  expired: { code: 'NOT_FOUND', reason: 'EXPIRED' },
  unavailable: { code: 'INTERNAL', reason: 'UNAVAILABLE' },
  unsupported: { code: 'UNSUPPORTED' },
  model_failed: { code: 'INTERNAL' },
  navigation_failed: { code: 'NAVIGATION_FAILED' },
  script_failed: { code: 'SCRIPT_ERROR' },
  internal: { code: 'INTERNAL' },
}

/** Legacy peers know five codes; what they call differently. */
const LEGACY: Readonly<Partial<Record<AwpErrorCode, AwpErrorCode>>> = {
  UNSUPPORTED: 'INVALID_REQUEST',
}

/** Gives an error its wire form. `details` always names the method and, where it is finer than the code, a `reason`. */
export function toAwpError(error: DomosError, dialect: Dialect, method: string | undefined): AwpError {
  const row = TABLE[error.code]
  const details: Record<string, string | number | boolean | readonly string[]> = {}
  if (method !== undefined) details['method'] = method
  if (row.reason !== undefined) details['reason'] = row.reason
  for (const [key, value] of Object.entries(error.details)) {
    if (value !== undefined) details[toSnake(key)] = value
  }
  const code = dialect === 'legacy' ? (LEGACY[row.code] ?? row.code) : row.code
  return { code, message: error.message, details }
}

function toSnake(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
