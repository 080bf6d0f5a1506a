/**
 * Whether a client should try again after its connection closed. Only a refusal that a retry cannot change is final: a
 * policy close (key, origin, version), an unsupported kind of data, and closes of the application's own range above the
 * handshake time-out.
 */
export function mayReconnect(code: number): boolean {
  return !(code === 1003 || code === 1008 || code > 4000)
}
