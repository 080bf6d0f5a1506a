import { DomosError } from '@domos/spec'
import { createEngineWorker, type EngineWorker, siblingModule } from '@domos/speech-worker'
import type { PocketsphinxLimits } from './limits.ts'
import type { HintGrammar } from './tool-grammar.ts'
import type {
  AudioParams,
  BeginParams,
  FinalResult,
  PartialEvent,
  SphinxGrammar,
  SphinxInit,
} from './worker-messages.ts'

/** A worker held for one utterance. */
export interface DecoderLease {
  begin(utterance: number, grammar: PreparedGrammar | undefined): void
  audio(utterance: number, samples: Int16Array): void
  finish(utterance: number, signal: AbortSignal): Promise<FinalResult>
  abandon(utterance: number): void
  /** Gives the worker back. May be called twice. */
  release(): void
}

/** A grammar with the form the decoder takes; compared by identity. */
export interface PreparedGrammar extends HintGrammar {
  readonly decoder: SphinxGrammar
}

/** Worker processes, each with a pair of decoders, shared by all streams. */
export interface DecoderPool {
  /** Loads a first worker. */
  warm(): Promise<void>
  /**
   * A free worker, if possible the one `owner` had last, because a decoder gets used to a voice. Waits while all are taken.
   */
  acquire(owner: object, onPartial: (event: PartialEvent) => void, signal: AbortSignal): Promise<DecoderLease>
  close(): Promise<void>
}

interface Slot {
  readonly worker: EngineWorker
  lastOwner: object | undefined
  grammar: PreparedGrammar | undefined
  onPartial: ((event: PartialEvent) => void) | undefined
  failure: DomosError | undefined
  taken: boolean
}

/** Makes a pool; workers are started when needed. */
export function createDecoderPool(
  init: SphinxInit,
  limits: PocketsphinxLimits,
  onWorkerStart?: (pid: number) => void,
): DecoderPool {
  const slots: Slot[] = []
  const waiting: ((slot: Slot) => void)[] = []

  const createSlot = (): Slot => {
    const slot: Slot = {
      lastOwner: undefined,
      grammar: undefined,
      onPartial: undefined,
      failure: undefined,
      taken: false,
      worker: createEngineWorker({
        name: 'pocketsphinx',
        entry: siblingModule('./worker', import.meta.url),
        init,
        limits: { callTimeoutMs: limits.finishTimeoutMs, startTimeoutMs: limits.startTimeoutMs },
        onStart: onWorkerStart,
        onEvent: (event) => slot.onPartial?.(event as PartialEvent),
        onExit: (error) => {
          slot.grammar = undefined
          slot.lastOwner = undefined
          slot.failure = error
        },
      }),
    }
    slots.push(slot)
    return slot
  }

  const pick = (owner: object): Slot | undefined => {
    const idle = slots.filter((slot) => !slot.taken)
    const own = idle.find((slot) => slot.lastOwner === owner) ?? idle[0]
    return own ?? (slots.length < limits.maxWorkers ? createSlot() : undefined)
  }

  const wait = (signal: AbortSignal): Promise<Slot> => {
    const turn = Promise.withResolvers<Slot>()
    const leave = (): void => {
      const index = waiting.indexOf(turn.resolve)
      if (index >= 0) waiting.splice(index, 1)
      turn.reject(new DomosError('cancelled', 'The recognition was cancelled.'))
    }
    waiting.push(turn.resolve)
    signal.addEventListener('abort', leave, { once: true })
    return turn.promise.finally(() => signal.removeEventListener('abort', leave))
  }

  const giveBack = (slot: Slot): void => {
    slot.onPartial = undefined
    const next = waiting.shift()
    if (next) next(slot)
    else slot.taken = false
  }

  return {
    async warm() {
      await (slots[0] ?? createSlot()).worker.start()
    },

    async acquire(owner, onPartial, signal) {
      if (signal.aborted) throw new DomosError('cancelled', 'The recognition was cancelled.')
      const free = pick(owner)
      if (free) free.taken = true
      const slot = free ?? (await wait(signal))
      try {
        await slot.worker.start()
      } catch (thrown) {
        giveBack(slot)
        throw thrown
      }
      const isNewVoice = slot.lastOwner !== owner
      slot.lastOwner = owner
      slot.failure = undefined
      slot.onPartial = onPartial
      return createLease(slot, isNewVoice, () => giveBack(slot))
    },

    async close() {
      await Promise.all(slots.map((slot) => slot.worker.close()))
    },
  }
}

function createLease(slot: Slot, isNewVoice: boolean, giveBack: () => void): DecoderLease {
  let released = false
  return {
    begin(utterance, grammar) {
      const isNew = grammar !== undefined && grammar !== slot.grammar
      slot.grammar = grammar ?? slot.grammar
      const params: BeginParams = isNew
        ? { utterance, isNewVoice, useGrammar: true, grammar: grammar.decoder }
        : { utterance, isNewVoice, useGrammar: grammar !== undefined }
      slot.worker.post('begin', params)
    },
    audio: (utterance, samples) => slot.worker.post('audio', { utterance, samples } satisfies AudioParams),
    async finish(utterance, signal) {
      // The worker that had this utterance is gone; its successor knows nothing of it.
      if (slot.failure) throw slot.failure
      return (await slot.worker.call('finish', utterance, signal)) as FinalResult
    },
    abandon: (utterance) => slot.worker.post('abandon', utterance),
    release() {
      if (released) return
      released = true
      giveBack()
    },
  }
}
