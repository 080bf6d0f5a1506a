import type { Turn, TurnEndReason, TurnEvent, UserInput } from '@domos/spec'
import { createEventStream } from './event-stream.ts'
import { randomId } from './ids.ts'
import { nextTurnState, type TurnState, type TurnStateEvent } from './turn-state.ts'

/** A turn with the handles its session holds. */
export interface RunningTurn extends Turn {
  readonly state: TurnState
  /** Aborts when the turn is cancelled. */
  readonly signal: AbortSignal
  step(event: TurnStateEvent): boolean
  emit(event: Exclude<TurnEvent, { type: 'end' }>): void
  /** Emits `end`, once; later calls and events are without effect. */
  end(reason: TurnEndReason): void
  /** A further reader of the events from now on. */
  reader(): AsyncIterable<TurnEvent>
}

/** Makes a turn that waits to be started. `onCancel` hears a cancellation once. */
export function createTurn(input: UserInput, progressMax: number, onCancel: () => void): RunningTurn {
  const stream = createEventStream(progressMax)
  const events = stream.reader()
  const abort = new AbortController()
  const ended = Promise.withResolvers<TurnEndReason>()
  let state: TurnState = 'queued'

  return {
    id: randomId(),
    input,
    ended: ended.promise,
    signal: abort.signal,
    get state() {
      return state
    },
    step(event) {
      const next = nextTurnState(state, event)
      if (next === undefined) return false
      state = next
      return true
    },
    emit(event) {
      if (state !== 'ended') stream.push(event)
    },
    end(reason) {
      const next = nextTurnState(state, 'stopped')
      if (next === undefined) return
      state = next
      stream.push({ type: 'end', reason })
      ended.resolve(reason)
    },
    cancel() {
      if (abort.signal.aborted || state === 'ended') return
      abort.abort()
      onCancel()
    },
    reader: () => stream.reader(),
    [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
  }
}
