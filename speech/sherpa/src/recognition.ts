import {
  DomosError,
  describeThrown,
  type PartialRecognition,
  type Recognition,
  type RecognitionStream,
  type SpeechEngineHealth,
  type SpeechToText,
  toDomosError,
} from '@domos/spec'
import { createEngineWorker, type EngineWorker, siblingModule } from '@domos/speech-worker'
import { SHERPA_LIMITS, type SherpaLimits } from './limits.ts'
import { findRecognitionModel, type RecognitionModel } from './model-files.ts'
import type { SherpaResult } from './sherpa-api.ts'
import { wordsFromTokens } from './token-words.ts'
import type { AudioParams, PartialEvent, SherpaInit } from './worker-messages.ts'

/** What both sherpa engines take. */
export interface SherpaOptions {
  /** A directory as sherpa-onnx publishes them; its files tell which model it is. Nothing is downloaded. */
  readonly modelDirectory: string
  readonly limits?: Partial<SherpaLimits>
}

const SAMPLES_PER_MS = 16

/**
 * Recognition with a sherpa-onnx model in a worker process.
 * @throws with code `unavailable` when the directory holds no model that is known
 */
export function createSherpaRecognition(options: SherpaOptions): SpeechToText {
  const limits = { ...SHERPA_LIMITS, ...options.limits }
  const model: RecognitionModel = findRecognitionModel(options.modelDirectory, limits.threads)
  const listeners = new Map<number, (event: PartialEvent) => void>()
  const closing = new AbortController()
  let crashes = 0
  const worker = createEngineWorker({
    name: `sherpa ${model.kind}`,
    entry: siblingModule('./worker', import.meta.url),
    init: { type: 'recognition', model } satisfies SherpaInit,
    limits: { callTimeoutMs: limits.callTimeoutMs, startTimeoutMs: limits.startTimeoutMs },
    onEvent: (event) => listeners.get((event as PartialEvent).utterance)?.(event as PartialEvent),
    onExit: () => {
      crashes++
    },
  })
  const hasTimes = model.kind === 'online-transducer' || model.kind === 'transducer'
  return {
    id: 'sherpa',
    abilities: {
      partials: model.kind === 'online-transducer',
      wordTimes: hasTimes,
      confidence: false,
      hints: 'none',
      languages: ['*'],
    },
    async health(signal): Promise<SpeechEngineHealth> {
      signal.throwIfAborted()
      try {
        await worker.start()
        return { state: 'ready', detail: `sherpa-onnx, ${model.kind} model.`, missing: [] }
      } catch (thrown) {
        return { state: 'unavailable', detail: describeThrown(thrown), missing: ['sherpa-onnx-node (npm package)'] }
      }
    },
    async openStream({ onPartial }, signal) {
      if (closing.signal.aborted) throw new DomosError('unavailable', 'The speech recognizer is closed.')
      await worker.start()
      const either = AbortSignal.any([signal, closing.signal])
      return createStream({ worker, limits, listeners, onPartial, signal: either, crashes: () => crashes })
    },
    async close() {
      closing.abort()
      await worker.close()
    },
  }
}

interface StreamContext {
  readonly worker: EngineWorker
  readonly limits: SherpaLimits
  readonly listeners: Map<number, (event: PartialEvent) => void>
  readonly onPartial: ((partial: PartialRecognition) => void) | undefined
  readonly signal: AbortSignal
  /** How often the worker has crashed; an utterance that began before the last crash is lost. */
  readonly crashes: () => number
}

let nextUtterance = 1

function createStream(context: StreamContext): RecognitionStream {
  const { worker, limits, listeners, onPartial, signal: owner } = context
  const maxSamples = limits.maxUtteranceMs * SAMPLES_PER_MS
  let current: { readonly id: number; readonly crashes: number; samples: number } | undefined
  let isClosed = false
  const end = (): typeof current => {
    const ended = current
    if (ended) listeners.delete(ended.id)
    current = undefined
    return ended
  }
  return {
    write(samples) {
      if (isClosed || owner.aborted || samples.length === 0) return
      if (!current) {
        current = { id: nextUtterance++, crashes: context.crashes(), samples: 0 }
        listeners.set(current.id, ({ text }) => onPartial?.({ text, complete: false }))
      }
      const kept = samples.slice(0, Math.max(0, maxSamples - current.samples))
      current.samples += samples.length
      if (kept.length > 0) worker.post('audio', { utterance: current.id, samples: kept } satisfies AudioParams)
    },
    async finish(signal) {
      if (isClosed || owner.aborted) throw new DomosError('cancelled', 'The recognition stream is closed.')
      const utterance = end()
      const empty: Recognition = { text: '', words: [], source: 'language', audioMs: 0 }
      if (!utterance) return empty
      const audioMs = Math.round(utterance.samples / SAMPLES_PER_MS)
      try {
        if (utterance.samples > maxSamples) {
          const seconds = limits.maxUtteranceMs / 1_000
          throw new DomosError('too_large', `An utterance may last ${seconds} s (maxUtteranceMs); it was longer.`)
        }
        if (utterance.crashes !== context.crashes()) {
          throw new DomosError('unavailable', 'The speech engine sherpa crashed in this utterance.')
        }
        // The worker is our own module, so the shape is known.
        const result = (await worker.call('finish', utterance.id, AbortSignal.any([signal, owner]))) as SherpaResult
        return { ...empty, text: result.text.trim(), words: wordsFromTokens(result, audioMs), audioMs }
      } catch (thrown) {
        worker.post('abandon', utterance.id)
        throw toDomosError(thrown, 'The speech recognizer failed.')
      }
    },
    discard() {
      const utterance = end()
      if (utterance) worker.post('abandon', utterance.id)
    },
    setHints() {
      // These models take none, and `abilities.hints` says so.
    },
    close() {
      isClosed = true
      this.discard()
    },
  }
}
