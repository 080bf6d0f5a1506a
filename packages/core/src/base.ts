import type { Clock } from '@domos/spec'
import type { Emitter } from './emitter.ts'
import type { ClientEvents } from './events.ts'
import type { ClientLimits } from './limits.ts'

/** What every part of a client is given. */
export interface ClientBase {
  readonly clock: Clock
  readonly limits: ClientLimits
  readonly events: Emitter<ClientEvents>
}
