import {
  DomosError,
  type Log,
  type PartialRecognition,
  type Recognition,
  type RecognitionStream,
  type SpeechHints,
  toDomosError,
} from '@domos/spec'
import type { DecoderLease, DecoderPool, PreparedGrammar } from './decoder-pool.ts'
import { toJsgf, wordsOf } from './grammar.ts'
import type { PocketsphinxLimits } from './limits.ts'
import { believe, chooseResult } from './result.ts'
import { grammarFromHints } from './tool-grammar.ts'
import type { PartialEvent } from './worker-messages.ts'

/** What a stream needs from its engine. */
export interface StreamContext {
  readonly pool: DecoderPool
  readonly limits: PocketsphinxLimits
  readonly log: Log
  readonly onPartial: ((partial: PartialRecognition) => void) | undefined
  /** Aborts when the stream's owner or the engine closes it. */
  readonly signal: AbortSignal
}

interface Utterance {
  readonly id: number
  readonly lease: Promise<DecoderLease>
  readonly abort: AbortController
  /** Samples written before a worker was free. */
  queue: Int16Array[] | undefined
  samples: number
  isTooLong: boolean
}

const SAMPLES_PER_MS = 16
const EMPTY: Recognition = { text: '', words: [], source: 'language', audioMs: 0 }
let nextUtterance = 1

/** One speaker's utterances, each decoded by a worker of the pool. */
export function createRecognitionStream(context: StreamContext, hints: SpeechHints | undefined): RecognitionStream {
  const { pool, limits, log } = context
  const owner = {}
  let grammar = hints && prepare(hints, limits, log)
  let current: Utterance | undefined
  let isClosed = false

  const begin = (): Utterance => {
    const id = nextUtterance++
    const used = grammar
    const abort = new AbortController()
    const signal = AbortSignal.any([abort.signal, context.signal])
    let lastText = ''
    const onPartial = (event: PartialEvent): void => {
      if (event.utterance !== id || current?.id !== id) return
      const believed = believe(event, used?.grammar)
      const words = believed === 'grammar' ? event.grammar : event.language
      const complete = believed !== 'language'
      const key = `${words.join(' ')}|${complete}`
      if (key === lastText || words.length === 0) return
      lastText = key
      context.onPartial?.({ text: words.join(' '), complete })
    }
    const lease = pool.acquire(owner, onPartial, signal).then((held) => {
      held.begin(id, used)
      for (const samples of utterance.queue ?? []) held.audio(id, samples)
      utterance.queue = undefined
      return held
    })
    // The failure is told by `finish`; an utterance that is discarded has nobody to tell.
    lease.catch(() => {})
    const utterance: Utterance = { id, lease, abort, queue: [], samples: 0, isTooLong: false }
    return utterance
  }

  const drop = ({ id, lease, abort }: Utterance): void => {
    abort.abort()
    lease.then(
      (held) => {
        held.abandon(id)
        held.release()
      },
      () => {},
    )
  }

  return {
    write(samples) {
      if (isClosed || context.signal.aborted || samples.length === 0) return
      current ??= begin()
      const utterance = current
      const room = limits.maxUtteranceMs * SAMPLES_PER_MS - utterance.samples
      if (samples.length > room) utterance.isTooLong = true
      const kept = samples.slice(0, Math.max(0, room))
      utterance.samples += kept.length
      if (kept.length === 0) return
      if (utterance.queue) utterance.queue.push(kept)
      else utterance.lease.then((held) => held.audio(utterance.id, kept)).catch(() => {})
    },

    async finish(signal) {
      if (isClosed || context.signal.aborted) throw new DomosError('cancelled', 'The recognition stream is closed.')
      const utterance = current
      current = undefined
      if (!utterance) return EMPTY
      const used = grammar
      let held: DecoderLease | undefined
      try {
        held = await waitFor(utterance.lease, limits.waitForWorkerMs, signal)
        const result = await held.finish(utterance.id, AbortSignal.any([signal, context.signal]))
        if (result.grammarFailure) log.warn('speech-grammar-refused', { engine: 'pocketsphinx' })
        if (utterance.isTooLong) {
          const seconds = limits.maxUtteranceMs / 1_000
          throw new DomosError('too_large', `An utterance may last ${seconds} s (maxUtteranceMs); it was longer.`)
        }
        return chooseResult(result, used?.grammar, Math.round(utterance.samples / SAMPLES_PER_MS))
      } catch (thrown) {
        if (!held) drop(utterance)
        else held.abandon(utterance.id)
        throw toDomosError(thrown, 'The speech recognizer failed.')
      } finally {
        held?.release()
      }
    },

    discard() {
      if (current) drop(current)
      current = undefined
    },

    setHints(next) {
      grammar = prepare(next, limits, log)
    },

    close() {
      isClosed = true
      this.discard()
    },
  }
}

function prepare(hints: SpeechHints, limits: PocketsphinxLimits, log: Log): PreparedGrammar {
  const made = grammarFromHints(hints, limits)
  if (made.leftOut > 0) log.warn('speech-hints-cut', { engine: 'pocketsphinx', leftOut: made.leftOut })
  return { ...made, decoder: { jsgf: toJsgf(made.grammar), words: wordsOf(made.grammar) } }
}

async function waitFor(lease: Promise<DecoderLease>, waitMs: number, signal: AbortSignal): Promise<DecoderLease> {
  const race = Promise.withResolvers<DecoderLease>()
  const timer = setTimeout(
    () =>
      race.reject(
        new DomosError('busy', 'Too many people speak at once; the recognizer has no free worker (maxWorkers).'),
      ),
    waitMs,
  )
  const cancel = (): void => race.reject(new DomosError('cancelled', 'The recognition was cancelled.'))
  if (signal.aborted) cancel()
  signal.addEventListener('abort', cancel, { once: true })
  lease.then(race.resolve, race.reject)
  try {
    return await race.promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
  }
}
