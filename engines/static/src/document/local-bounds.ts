import { DomosError } from '@domos/spec'

/** What a document may cost on the thread that serves everybody. */
export interface LocalBounds {
  readonly localParseSteps: number
  readonly localWork: number
}

/** Says that a document belongs in a worker. Never leaves the engine. */
class TooHeavyHere extends DomosError {
  constructor() {
    super('too_large', 'The document is too heavy for this thread.', { details: { reason: 'TOO_HEAVY_HERE' } })
  }
}

/** @throws the error that {@link isTooHeavyHere} knows */
export function refuseHere(): never {
  throw new TooHeavyHere()
}

/** Whether a call failed only for where it ran. */
export function isTooHeavyHere(thrown: unknown): boolean {
  return thrown instanceof TooHeavyHere
}
