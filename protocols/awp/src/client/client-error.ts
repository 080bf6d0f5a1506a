import { DomosError, type ErrorCode, type ErrorDetails } from '@domos/spec'
import type { AwpError, AwpErrorCode } from '../errors.ts'

const CODES: Readonly<Record<AwpErrorCode, ErrorCode>> = {
  INVALID_REQUEST: 'invalid_request',
  UNSUPPORTED: 'unsupported',
  NOT_FOUND: 'not_found',
  TIMEOUT: 'timeout',
  CONFLICT: 'conflict',
  RATE_LIMITED: 'rate_limited',
  PERMISSION_DENIED: 'forbidden',
  NAVIGATION_FAILED: 'navigation_failed',
  SCRIPT_ERROR: 'script_failed',
  SKILL_ERROR: 'internal',
  INTERNAL: 'internal',
}

/** Reasons that are finer than the wire's code. */
const REASONS: Readonly<Record<string, ErrorCode>> = {
  UNAUTHENTICATED: 'unauthorized',
  TOO_LARGE: 'too_large',
  BUSY: 'busy',
  CANCELLED: 'cancelled',
  EXPIRED: 'expired',
  UNAVAILABLE: 'unavailable',
}

/** An error the server answered with: the house's code, and the wire's in {@link wireCode}. */
export class AwpClientError extends DomosError {
  readonly wireCode: string
  /** The error's details as the server sent them. */
  readonly wireDetails: Readonly<Record<string, unknown>>

  constructor(error: AwpError) {
    const code = REASONS[String(error.details?.['reason'])] ?? CODES[error.code] ?? 'internal'
    super(code, String(error.message), { details: (error.details ?? {}) as ErrorDetails })
    this.name = 'AwpClientError'
    this.wireCode = error.code
    this.wireDetails = error.details ?? {}
  }
}
