/**
 * Kinds of SYSTEM_EVENT. `tools_effective` and `transcript` are the spoken dialect's, `notice` goes to peers with any
 * extension, and `rate_limit`, `warning` and `info` are only ever read: older peers send them.
 */
export const SYSTEM_EVENT_KINDS = [
  'error',
  'disconnect',
  'notice',
  'tools_effective',
  'transcript',
  'reload',
  'redirect',
  'waiting',
  'approval_required',
  'rate_limit',
  'warning',
  'info',
] as const
