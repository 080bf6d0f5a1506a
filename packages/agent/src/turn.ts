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
  /** Settles when the input is certain: true, or false when it was withdrawn before. */
  readonly certain: Promise<boolean>
  readonly isCertain: boolean
  /** The smallest number given to `truncate`; undefined when everything counts. */
  readonly heardChars: number | undefined
  /** Called when less was heard than the conversation holds. */
  onTruncate: (() => void) | undefined
}

/** Makes a turn that waits to be started. `onCancel` hears a cancellation once. */
export function createTurn(input: UserInput, progressMax: number, onCancel: () => void): RunningTurn {
  const stream = createEventStream(progressMax)
  const events = stream.reader()
  const abort = new AbortController()
  const ended = Promise.withResolvers<TurnEndReason>()
  const certain = Promise.withResolvers<boolean>()
  let isCertain: boolean | undefined
  let heardChars: number | undefined
  let state: TurnState = 'queued'

  function decide(confirmed: boolean): boolean {
    isCertain ??= confirmed
    certain.resolve(isCertain)
    return isCertain
  }
  if (input.provisional !== true) decide(true)

  return {
    id: randomId(),
    input,
    ended: ended.promise,
    signal: abort.signal,
    certain: certain.promise,
    get isCertain() {
      return isCertain === true
    },
    onTruncate: undefined,
    get heardChars() {
      return heardChars
    },
    truncate(chars) {
      const heard = Math.max(0, Math.floor(chars))
      if (heardChars !== undefined && heardChars <= heard) return
      heardChars = heard
      this.onTruncate?.()
    },
    confirm: () => decide(true),
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
      decide(false)
      stream.push({ type: 'end', reason })
      ended.resolve(reason)
    },
    cancel() {
      if (abort.signal.aborted || state === 'ended') return
      abort.abort()
      decide(false)
      onCancel()
    },
    reader: () => stream.reader(),
    [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
  }
}
