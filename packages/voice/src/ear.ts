import {
  type Clock,
  type DomosError,
  type Recognition,
  toDomosError,
  type VoiceActivityStream,
  type VoiceConfig,
} from '@domos/spec'
import type { EchoGate } from './echo-gate.ts'
import { type EndpointReason, endpointReason, type HeardSoFar, requiredSilenceMs } from './endpointing.ts'
import { createInputQueue, type InputMark } from './input-queue.ts'
import type { VoiceLimits } from './limits.ts'
import type { Recognizer } from './recognizer.ts'
import { createSpeechDetector, levelOf } from './speech-detector.ts'

/** One utterance that has ended; its words are awaited or in. */
export interface Utterance {
  readonly reason: EndpointReason
  /** Epoch milliseconds at which the last speech was heard. */
  readonly speechEndedAt: number
  /** Epoch milliseconds of the decision that it is over. */
  readonly endedAt: number
  readonly speechMs: number
}

/** What an ear tells its conversation. */
export interface EarListener {
  /** Whether sound is heard at all now (half-duplex), and whether echoes are to be looked for. */
  listening(): { readonly isDeaf: boolean; readonly mayEcho: boolean }
  /** Whether the samples that wait may go on being heard; an upload waits for each answer. */
  mayGoOn(waitingMs: number): boolean
  onSpeechStart(): void
  /** The words so far changed, or the speech went on. */
  onProgress(heard: HeardSoFar, speechMs: number): void
  /** It was no utterance: a click, an echo, a button without words. */
  onSpeechDrop(reason: string): void
  /** A complete sentence and a short silence: an answer may be prepared. */
  onStable(heard: HeardSoFar): void
  onUtterance(utterance: Utterance): void
  /** The words, or why there are none. Comes once for each utterance, in their order. */
  onWords(utterance: Utterance, words: Recognition | DomosError): void
  onOverflow(droppedMs: number): void
  /** The detector failed; told once, and what it cannot judge counts as silence. */
  onFault(thrown: unknown): void
}

/** What an ear needs. */
export interface EarContext {
  readonly frameSamples: number
  readonly activity: VoiceActivityStream
  readonly recognizer: Recognizer
  readonly echoGate: EchoGate
  readonly limits: VoiceLimits
  readonly clock: Clock
  readonly config: () => VoiceConfig
}

/** Hears one microphone. */
export interface Ear {
  push(samples: Int16Array): void
  mark(mark: InputMark): void
  onPartial(heard: HeardSoFar): void
  /** Gives up the utterance under way; goes on hearing. `ignoreBackground`: what goes on is no speech to us. */
  drop(reason: string, ignoreBackground: boolean): void
  /** Goes on with samples that wait. */
  resume(): void
  readonly inUtterance: boolean
  close(): void
}

/** Frames heard in one go before the event loop gets its turn. */
const FRAMES_AT_ONCE = 24
const NOTHING_HEARD: HeardSoFar = { text: '', complete: false }

/** Makes an ear. All its times are counted in samples, except for sound that stops arriving. */
export function createEar(context: EarContext, listener: EarListener): Ear {
  const { frameSamples, activity, recognizer, echoGate, limits, clock } = context
  const frameMs = frameSamples / 16
  const queue = createInputQueue(frameSamples, limits)
  const detector = createSpeechDetector(frameMs, limits)
  const preRollFrames = Math.ceil((limits.preRollMs + limits.speechStartMs) / frameMs) + 1
  let preRoll: Int16Array[] = []
  let utterance: { lengthMs: number; armed: boolean; told: boolean; stable: boolean; changedAtMs: number } | undefined
  let heard = NOTHING_HEARD
  let speechAt = clock.now()
  let closed = false
  let hasFault = false
  let draining = false
  let stopDrain = (): void => {}
  let stopGap = (): void => {}
  let arrivedAt = clock.now()
  let chain: Promise<void> = Promise.resolve()

  function drain(): void {
    if (draining || closed) return
    draining = true
    stopDrain()
    try {
      for (let count = 0; !closed; count += 1) {
        if (!listener.mayGoOn(queue.waitingSamples / 16)) return
        if (count === FRAMES_AT_ONCE) {
          stopDrain = clock.schedule(0, drain)
          return
        }
        const item = queue.next()
        if (item === undefined) return
        if (item.type === 'frame') frame(item.samples)
        else mark(item.mark, item.rest)
      }
    } finally {
      draining = false
    }
  }

  function begin(armed: boolean): void {
    utterance = { lengthMs: 0, armed, told: armed, stable: false, changedAtMs: 0 }
    heard = NOTHING_HEARD
    for (const early of preRoll) write(early)
    preRoll = []
  }

  function write(samples: Int16Array): void {
    recognizer.write(samples)
    if (utterance !== undefined) utterance.lengthMs += samples.length / 16
  }

  function judge(samples: Int16Array): number {
    try {
      return activity.process(samples)
    } catch (thrown) {
      if (!hasFault) listener.onFault(thrown)
      hasFault = true
      return 0
    }
  }

  function frame(raw: Int16Array): void {
    const { isDeaf, mayEcho } = listener.listening()
    const config = context.config()
    detector.setSensitivity(config.vadSensitivity)
    echoGate.hear(raw)
    let samples = isDeaf ? new Int16Array(raw.length) : raw
    let probability = judge(samples)
    // Only what sounds like speech is worth the search.
    if (mayEcho && !isDeaf && detector.isVoiced(probability) && echoGate.isEcho()) {
      samples = new Int16Array(raw.length)
      probability = 0
    }
    const { isSpeech, started } = detector.process(probability, levelOf(samples))
    if (isSpeech) speechAt = clock.now()
    if (utterance === undefined) {
      preRoll.push(samples)
      if (preRoll.length > preRollFrames) preRoll.shift()
      if (!started) {
        if (!isSpeech) detector.endUtterance(false)
        return
      }
      begin(false)
    } else write(samples)
    if (utterance === undefined) return
    if (started && !utterance.told) {
      utterance.told = true
      listener.onSpeechStart()
      if (utterance === undefined) return
    }
    if (isSpeech) {
      utterance.stable = false
      listener.onProgress(heard, detector.speechMs)
      if (utterance === undefined) return
    }
    decide(config)
    watchArrival()
  }

  function decide(config: VoiceConfig): void {
    if (utterance === undefined) return
    if (utterance.armed && detector.speechMs < limits.speechMinMs) {
      if (utterance.lengthMs >= limits.armedMs) drop('nothing-said', false)
      return
    }
    const reason = endpointReason(
      heard,
      {
        silenceMs: detector.silenceMs,
        speechMs: detector.speechMs,
        quietMs: detector.quietMs,
        lengthMs: utterance.lengthMs,
        unchangedMs: utterance.lengthMs - utterance.changedAtMs,
      },
      config,
      limits,
    )
    if (reason !== undefined) end(reason)
    else if (heard.complete && !utterance.stable && detector.silenceMs >= limits.eagerSilenceMs && !config.pushToTalk) {
      utterance.stable = true
      listener.onStable(heard)
    }
  }

  function end(reason: EndpointReason): void {
    const ended = utterance
    if (ended === undefined) return
    const { speechMs } = detector
    if (speechMs < limits.speechMinMs) return drop('no-speech', false)
    utterance = undefined
    stopGap()
    detector.endUtterance(reason === 'background' || reason === 'no-new-words')
    const over: Utterance = { reason, speechEndedAt: speechAt, endedAt: clock.now(), speechMs }
    if (!ended.told) listener.onSpeechStart()
    listener.onUtterance(over)
    const words = recognizer.finish().catch((thrown: unknown) => toDomosError(thrown))
    chain = chain
      .then(() => words)
      .then((result) => {
        if (!closed) listener.onWords(over, result)
      })
  }

  function drop(reason: string, ignoreBackground: boolean): void {
    if (utterance === undefined) return
    const { told } = utterance
    utterance = undefined
    stopGap()
    detector.endUtterance(ignoreBackground)
    recognizer.discard()
    if (told) listener.onSpeechDrop(reason)
  }

  function mark(kind: InputMark, rest: Int16Array): void {
    if (rest.length > 0) {
      const whole = new Int16Array(frameSamples)
      whole.set(rest)
      frame(whole)
    }
    if (kind === 'commit') {
      end('commit')
      drop('no-speech', false)
      preRoll = []
      return
    }
    if (utterance !== undefined) return
    begin(true)
    listener.onSpeechStart()
    watchArrival()
  }

  // Clients that stop sending in silence never deliver the silence that would end the turn.
  function watchArrival(): void {
    stopGap()
    if (utterance === undefined || closed) return
    const config = context.config()
    const needed =
      utterance.armed && detector.speechMs < limits.speechMinMs
        ? limits.armedMs
        : config.pushToTalk
          ? limits.pushToTalkGapMs
          : Math.max(limits.arrivalGapMs, requiredSilenceMs(heard, config, limits) - detector.silenceMs)
    stopGap = clock.schedule(Math.max(0, arrivedAt + needed - clock.now()), () => {
      if (queue.waitingSamples < frameSamples) end('gap')
    })
  }

  return {
    get inUtterance() {
      return utterance !== undefined
    },
    push(samples) {
      if (closed) return
      arrivedAt = clock.now()
      const dropped = queue.push(samples)
      if (dropped > 0) listener.onOverflow(dropped / 16)
      drain()
    },
    mark(kind) {
      if (closed) return
      arrivedAt = clock.now()
      queue.mark(kind)
      drain()
    },
    onPartial(partial) {
      if (closed || utterance === undefined) return
      if (partial.text !== heard.text || partial.complete !== heard.complete) {
        if (partial.text !== heard.text) utterance.changedAtMs = utterance.lengthMs
        heard = partial
        utterance.stable = false
      }
      listener.onProgress(heard, detector.speechMs)
      // The words may say that the silence so far was enough.
      decide(context.config())
      watchArrival()
    },
    drop,
    resume: drain,
    close() {
      closed = true
      stopDrain()
      stopGap()
      utterance = undefined
      queue.clear()
    },
  }
}
