import type { ErrorCode, ErrorDetails } from '@domos/spec'

/** What a worker is told. */
export type ToWorker =
  | {
      readonly type: 'open'
      readonly page: number
      readonly media: { readonly width: number; readonly height: number }
    }
  | {
      readonly type: 'call'
      readonly page: number
      readonly call: number
      readonly method: string
      readonly args: unknown[]
    }
  | { readonly type: 'close'; readonly page: number }

/** What a worker answers. */
export type FromWorker =
  | { readonly call: number; readonly ok: true; readonly value: unknown }
  | {
      readonly call: number
      readonly ok: false
      readonly code: ErrorCode
      readonly message: string
      readonly details: ErrorDetails
    }
