import type { ErrorCode, ToolFailureCode } from '@domos/spec'
import { closeCodes } from './limits.ts'

/** Codes the protocol adds to those of the house. */
export type ProtocolErrorCode =
  | 'invalid_json'
  | 'too_deep'
  | 'forbidden_key'
  | 'invalid_envelope'
  | 'unknown_type'
  | 'wrong_direction'
  | 'invalid_payload'
  | 'not_announced'
  | 'handshake_required'
  | 'handshake_timeout'
  | 'version_mismatch'
  | 'unknown_call'
  | 'late_result'
  | 'ticket_refused'
  | 'tool_ignored'
  | 'context_cut'
  | 'replay_gap'

/** Every code that can stand in `data.code` of SYSTEM_EVENT error. */
export type AdtpErrorCode = ErrorCode | ProtocolErrorCode

/** What SYSTEM_EVENT error carries in `data`, to every peer. */
export interface ErrorData {
  readonly code: AdtpErrorCode
  /** Id of the frame it answers; null where there is none. */
  readonly ref: string | null
  /** Dot path of the offending value; empty for the frame as a whole. */
  readonly path: string
}

/** The close code that follows an error which ends the connection; errors that are not listed do not end it. */
export const fatalCloseCodes: Readonly<Partial<Record<AdtpErrorCode, number>>> = {
  unauthorized: closeCodes.policy,
  forbidden: closeCodes.policy,
  version_mismatch: closeCodes.policy,
  handshake_timeout: closeCodes.handshakeTimeout,
  busy: closeCodes.tryLater,
  rate_limited: closeCodes.tryLater,
  unavailable: closeCodes.tryLater,
  timeout: closeCodes.tryLater,
  too_large: closeCodes.tooLarge,
  internal: closeCodes.internal,
}

/** The codes of a failed TOOL_RESULT. */
export const TOOL_FAILURE_CODES = [
  'failed',
  'timeout',
  'invalid_arguments',
  'unavailable',
  'denied',
  'expired',
  'cancelled',
] as const satisfies readonly ToolFailureCode[]

const refusal = /\b(?:declined|denied)\b/i

/** The code of a failed result: as given, `denied` where the text says declined or denied, else `failed`. */
export function toolFailureCode(code: string | undefined, text: string): ToolFailureCode {
  const known = TOOL_FAILURE_CODES.find((candidate) => candidate === code)
  return known ?? (code === undefined && refusal.test(text) ? 'denied' : 'failed')
}
