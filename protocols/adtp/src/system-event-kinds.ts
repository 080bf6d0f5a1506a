/**
 * Kinds of SYSTEM_EVENT. `tools_effective` goes to the spoken dialect and to peers with any extension, `notice` to the
 * latter alone, `transcript` goes with audio or to peers with `join`, `join_token` with `join` alone, and `rate_limit`, `warning` and `info` are only ever read: older peers send them.
 */
export const SYSTEM_EVENT_KINDS = [
  'error',
  'disconnect',
  'notice',
  'tools_effective',
  'transcript',
  'join_token',
  'reload',
  'redirect',
  'waiting',
  'approval_required',
  'rate_limit',
  'warning',
  'info',
] as const
