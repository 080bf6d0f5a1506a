import {
  type Clock,
  DomosError,
  type PartialRecognition,
  type Recognition,
  type RecognitionStream,
  type SpeechHints,
  type SpeechToText,
  toDomosError,
} from '@domos/spec'
import type { VoiceLimits } from './limits.ts'

/** What a recognizer needs. */
export interface RecognizerContext {
  readonly engine: SpeechToText
  readonly limits: VoiceLimits
  readonly clock: Clock
  language: string
  hints: SpeechHints
  onPartial(partial: PartialRecognition): void
}

/** One speaker's recognition, over whatever the engine does: it opens late, fails, and is opened again. */
export interface Recognizer {
  /** Opens the engine's stream ahead of the first word. Never throws. */
  prepare(): void
  write(samples: Int16Array): void
  /**
   * Ends the utterance and waits for its words.
   * @throws DomosError `unavailable`, `timeout`, `busy` when too many utterances wait, `cancelled` when closed
   */
  finish(): Promise<Recognition>
  discard(): void
  setHints(hints: SpeechHints): void
  /** From the next utterance on. */
  setLanguage(language: string): void
  close(): void
}

const REOPEN_MAX_MS = 30_000

/** Makes a recognizer; the engine's stream is opened with the first utterance, or by `prepare`. */
export function createRecognizer(context: RecognizerContext): Recognizer {
  const { engine, limits, clock } = context
  const closing = new AbortController()
  let stream: RecognitionStream | undefined
  let opening: Promise<RecognitionStream> | undefined
  let failures = 0
  let closedUntil = 0
  /** Sound of the current utterance that came before the stream was open. */
  let early: Int16Array[] = []
  let waiting = 0
  /** Counts the opened streams; what an older one says is not heard any more. */
  let generation = 0

  function open(): Promise<RecognitionStream> {
    if (stream !== undefined) return Promise.resolve(stream)
    if (opening !== undefined) return opening
    if (clock.now() < closedUntil) {
      return Promise.reject(new DomosError('unavailable', `Speech recognition (${engine.id}) does not work now.`))
    }
    generation += 1
    const mine = generation
    const onPartial = (partial: PartialRecognition): void => {
      if (!closing.signal.aborted && mine === generation) context.onPartial(partial)
    }
    const { hints } = context
    const current = engine.openStream({ language: context.language, hints, onPartial }, closing.signal).then(
      (opened) => {
        if (mine !== generation) {
          opened.close()
          throw new DomosError('cancelled', 'The recognition was replaced.')
        }
        stream = opened
        opening = undefined
        failures = 0
        // An engine takes a second to start; what the page offered meanwhile counts from the first word on.
        if (context.hints !== hints) opened.setHints(context.hints)
        for (const samples of early) opened.write(samples)
        early = []
        return opened
      },
      (thrown: unknown) => {
        if (mine === generation) opening = undefined
        failed()
        throw toDomosError(thrown, `Speech recognition (${engine.id}) could not be started.`)
      },
    )
    opening = current
    current.catch(() => {})
    return current
  }

  function failed(): void {
    failures += 1
    closedUntil = clock.now() + Math.min(REOPEN_MAX_MS, limits.reopenDelayMs * 2 ** (failures - 1))
  }

  function drop(): void {
    stream?.close()
    stream = undefined
    opening = undefined
    generation += 1
  }

  return {
    prepare() {
      if (stream === undefined) open().catch(() => {})
    },
    write(samples) {
      if (stream !== undefined) stream.write(samples)
      else if (early.length < (limits.utteranceMaxMs * 16) / samples.length + 64) early.push(samples.slice())
      if (stream === undefined && opening === undefined) open().catch(() => {})
    },
    async finish() {
      if (waiting >= limits.recognitionsOpenMax) {
        stream?.discard()
        early = []
        throw new DomosError('busy', `The words of ${waiting} utterances are awaited already.`)
      }
      waiting += 1
      const late = new AbortController()
      const timedOut = Promise.withResolvers<never>()
      const stop = clock.schedule(limits.recognitionTimeoutMs, () => {
        const error = new DomosError(
          'timeout',
          `Speech recognition gave no words within ${limits.recognitionTimeoutMs / 1000} s (recognitionTimeoutMs).`,
        )
        late.abort(error)
        timedOut.reject(error)
      })
      timedOut.promise.catch(() => {})
      const closed = Promise.withResolvers<never>()
      closed.promise.catch(() => {})
      const onClose = (): void => closed.reject(new DomosError('cancelled', 'The conversation is over.'))
      closing.signal.addEventListener('abort', onClose, { once: true })
      try {
        const work = open().then((opened) => opened.finish(AbortSignal.any([late.signal, closing.signal])))
        work.catch(() => {})
        const recognition = await Promise.race([work, timedOut.promise, closed.promise])
        failures = 0
        return recognition
      } catch (thrown) {
        early = []
        // A stream that gave nothing in time cannot be trusted with the next utterance.
        if (late.signal.aborted) drop()
        throw toDomosError(thrown, `Speech recognition (${engine.id}) failed.`)
      } finally {
        stop()
        closing.signal.removeEventListener('abort', onClose)
        waiting -= 1
      }
    },
    discard() {
      early = []
      stream?.discard()
    },
    setHints(hints) {
      context.hints = hints
      stream?.setHints(hints)
    },
    setLanguage(language) {
      if (language === context.language) return
      context.language = language
      drop()
    },
    close() {
      closing.abort(new DomosError('cancelled', 'The conversation is over.'))
      drop()
      early = []
    },
  }
}
