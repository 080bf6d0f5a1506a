import { DomosError } from '@domos/spec'

/** Every bound of the client, with the unit in the name. All may be set in the client's options. */
export interface ClientLimits {
  /** From the opening of the socket to the server's acknowledgement (Protocol, "Handshake Timeout"). @default 5000 */
  readonly handshakeTimeoutMs: number
  /** From the call of `connect` to an open socket. @default 10000 */
  readonly openTimeoutMs: number
  /** How long a handler may run without reporting progress. @default 29000 (the server waits 30 s) */
  readonly handlerTimeoutMs: number
  /** How long a person is asked, where the server gives no expiry. @default 115000 (the server waits 120 s) */
  readonly approvalTimeoutMs: number
  /** Questions that may wait for the person at once; further calls are refused as `unavailable`. @default 50 */
  readonly approvalQueueMax: number
  /** Messages kept while there is no connection; further ones are refused with code `busy`. @default 64 */
  readonly sendQueueMax: number
  /** Calls whose results are remembered, so that a repeated delivery is answered without running again. @default 256 */
  readonly rememberedCallsMax: number
  /** A result larger than this is told to the model as a failure. @default 1048576 */
  readonly resultMaxBytes: number
  /** Tools announced when the server names no number. @default 128 */
  readonly activeToolsMax: number
  /** After a navigating tool: how long the registry must be quiet before its result goes out. @default 50 */
  readonly navigationQuietMs: number
  /** After a navigating tool: how long its result may be held back in all. @default 500 */
  readonly navigationMaxMs: number
  /** How long a call survives its tool's unmount, in case it is a navigation or a remount. @default 50 */
  readonly unmountGraceMs: number
}

export const DEFAULT_LIMITS: ClientLimits = {
  handshakeTimeoutMs: 5000,
  openTimeoutMs: 10_000,
  handlerTimeoutMs: 29_000,
  approvalTimeoutMs: 115_000,
  approvalQueueMax: 50,
  sendQueueMax: 64,
  rememberedCallsMax: 256,
  resultMaxBytes: 1_048_576,
  activeToolsMax: 128,
  navigationQuietMs: 50,
  navigationMaxMs: 500,
  unmountGraceMs: 50,
}

/** The defaults with what the options change. @throws DomosError `invalid_request` */
export function readLimits(options: Partial<ClientLimits>): ClientLimits {
  const limits: Record<string, number> = { ...DEFAULT_LIMITS }
  for (const name of Object.keys(DEFAULT_LIMITS) as (keyof ClientLimits)[]) {
    const value = options[name]
    if (value === undefined) continue
    if (typeof value !== 'number' || !(value >= 0)) {
      throw new DomosError('invalid_request', `The option "${name}" must be a number from 0 up, not ${String(value)}.`)
    }
    limits[name] = value
  }
  return limits as unknown as ClientLimits
}
