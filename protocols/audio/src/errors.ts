import type { ErrorCode } from '@domos/spec'
import { closeCodes } from './limits.ts'

/** Codes the protocol adds to those of the house. */
export type AudioProtocolErrorCode =
  | 'invalid_json'
  | 'too_deep'
  | 'forbidden_key'
  | 'missing_type'
  | 'unknown_type'
  | 'wrong_direction'
  | 'invalid_config'
  | 'key_required'
  | 'wrong_sample_rate'
  | 'unsupported_audio'
  | 'device_id_taken'

/** Every code that can stand in an `error` message. A client may show the sentence and branch on the code. */
export type AudioErrorCode = ErrorCode | AudioProtocolErrorCode

/** The close code after an error met while letting a peer in. Errors at any other time leave the connection open. */
export const admissionCloseCodes: Readonly<Partial<Record<AudioErrorCode, number>>> = {
  unauthorized: closeCodes.policy,
  forbidden: closeCodes.policy,
  busy: closeCodes.tryLater,
  rate_limited: closeCodes.tryLater,
  unavailable: closeCodes.tryLater,
  timeout: closeCodes.tryLater,
}

/** The close code for an error met while letting a peer in. */
export function admissionCloseCode(code: AudioErrorCode): number {
  return admissionCloseCodes[code] ?? closeCodes.internal
}
