import type { Clock, JsonObject, Log } from '@domos/spec'
import type { Extension } from '../capabilities.ts'
import type { AdtpErrorCode } from '../errors.ts'
import type { Dialect } from '../frame.ts'
import type { AdtpDoorLimits } from '../limits.ts'
import type { ToClientPayload, ToClientType } from '../messages.ts'

/** Where a report belongs, and what else the peer should know. */
export interface ReportPlace {
  /** Id of the frame it answers. */
  readonly ref?: string | undefined
  readonly path?: string
  /** Further facts in `data`. */
  readonly more?: JsonObject
}

/** What the parts of a page need to talk to it. */
export interface PagePort {
  readonly memberId: string
  readonly sessionId: string
  readonly dialect: Dialect
  readonly clock: Clock
  readonly log: Log
  readonly limits: AdtpDoorLimits
  /** Whether both sides announced the extension. */
  supports(extension: Extension): boolean
  /** Whether the page announced any extension, and so reads additive facts. */
  readonly isExtended: boolean
  /** Whether the browser said that it is driven by a program; recorded with every decision. */
  readonly isAutomated: boolean
  /** Sends a message; returns the number it got, with the extension `resume`. */
  send<T extends ToClientType>(type: T, payload: ToClientPayload<T>): number | undefined
  /** Sends SYSTEM_EVENT error with `data {code, ref, path}`. */
  report(code: AdtpErrorCode, message: string, place?: ReportPlace): void
}
