import {
  type Clock,
  DomosError,
  type JsonObject,
  type Log,
  type Metrics,
  type Recognition,
  type Session,
  SPEECH_SAMPLE_RATE_HZ,
  type SpeechHints,
  type SpeechToText,
  type TextToSpeech,
  toDomosError,
  type VoiceActivityDetector,
  type VoiceActivityStream,
  type VoiceConfig,
  type VoiceConversation,
  type VoiceSink,
} from '@domos/spec'
import type { Answer } from './answer.ts'
import { createAnswers } from './answers.ts'
import { createResampler } from './audio/resampler.ts'
import { changeVoiceConfig } from './config.ts'
import { createEagerAnswers } from './eager-answers.ts'
import { createEar, type Ear, type EarListener, type Utterance } from './ear.ts'
import { createEchoGate } from './echo-gate.ts'
import type { HeardSoFar } from './endpointing.ts'
import type { TurnTimes } from './latency.ts'
import type { VoiceLimits } from './limits.ts'
import { createPhase } from './phase.ts'
import { createRecognizer } from './recognizer.ts'
import type { RecordingWriter } from './recording.ts'
import type { VoiceTexts } from './texts.ts'
import { PUBLIC_STATES } from './voice-state.ts'
import { hasContent, isBackchannel, isHesitation, isRepeatOf, isStop, saysNothing } from './words.ts'

/** What one conversation needs of the voice it belongs to. */
export interface ConversationContext {
  readonly id: string
  readonly session: Session
  readonly sink: VoiceSink
  readonly detector: VoiceActivityDetector | undefined
  readonly recognition: SpeechToText | undefined
  /** Gives 16 kHz; undefined while it does not work. */
  readonly synthesis: () => TextToSpeech | undefined
  readonly texts: (language: string) => VoiceTexts
  readonly limits: VoiceLimits
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** Prepare answers before the end of a turn is certain. */
  readonly isEager: boolean
  readonly recording: RecordingWriter | undefined
  /** What the peer is told when it speaks and cannot be heard. */
  readonly missing: () => string
  onLatency(report: Parameters<VoiceSink['onLatency']>[0]): void
  onClosed(): void
}

/** Opens a conversation: takes a seat in the session and listens. */
export function openConversation(context: ConversationContext, initial: VoiceConfig): VoiceConversation {
  const { session, sink, limits, clock, log, metrics, recording } = context
  const frameSamples = context.detector?.frameSamples ?? 512
  const echoGate = createEchoGate(frameSamples, limits.echoDelayMaxMs)
  let config = initial
  let saidDeaf = false
  let lastPartial = ''
  /** The answer that the utterance under way, or its words, interrupted. */
  let cutOff: Answer | undefined

  function fail(thrown: unknown, turn?: number): void {
    const { code, message } = toDomosError(thrown)
    log.warn('voice-error', { code })
    recording?.event('error', { code })
    sink.onError({ code, message, ...(turn === undefined ? {} : { turn }) })
  }

  const phase = createPhase(clock, limits.holdMaxMs, {
    onState(state) {
      recording?.event('state', { state })
      sink.onState(state)
    },
    onHold: (isHeld) => answers.current?.hold(isHeld),
    onHoldOver: () => metrics.count('voice_false_interruptions'),
  })

  const answers = createAnswers({
    memberId: context.id,
    session,
    sink,
    synthesis: context.synthesis,
    echoGate,
    phase,
    texts: () => context.texts(config.language),
    limits,
    clock,
    metrics,
    recording,
    onLatency: context.onLatency,
    config: () => config,
    fail,
    onOver: () => ear?.resume(),
  })

  const eager = createEagerAnswers({
    session,
    memberId: context.id,
    metrics,
    make: (turn) => answers.prepare(turn),
    adopt(made, text, times, recognition) {
      answers.show(text, recognition)
      answers.adopt(made, times)
      made.release()
    },
  })

  // ---- words ----

  /** Why these words are nothing to act on; undefined when they are. */
  function unwanted(text: string): string | undefined {
    if (isHesitation(text) || saysNothing(text)) return 'no-words'
    const mayEcho = clock.now() < answers.audibleUntil + limits.echoTailMs
    if (mayEcho && isRepeatOf(text, answers.spokenText)) return 'echo'
    const { current } = answers
    if (current === undefined || current.awaitsApproval) return undefined
    return current.wasHeard && isBackchannel(text) ? 'backchannel' : undefined
  }

  function dropped(reason: string): void {
    cutOff = undefined
    eager.withdraw()
    metrics.count('voice_utterances_dropped', { reason })
    phase.step('speech-drop')
    sink.onNothingHeard?.({ reason })
    answers.next()
  }

  function onWords(utterance: Utterance, result: Recognition | DomosError): void {
    if (result instanceof DomosError) {
      metrics.count('voice_recognition_failures', { code: result.code })
      fail(result)
      return dropped('failed')
    }
    const { text } = result
    const reason = unwanted(text)
    if (reason !== undefined) return dropped(reason)
    const stopped = answers.current?.awaitsApproval === true ? undefined : (answers.current ?? cutOff)
    cutOff = undefined
    if (stopped !== undefined && isStop(text)) {
      answers.show(text, result)
      answers.interrupt('stop', true)
      stopped.turn?.cancel('stop')
      return dropped('stop')
    }
    const times: TurnTimes = {
      speechEndedAt: utterance.speechEndedAt,
      endpointAt: utterance.endedAt,
      transcriptAt: clock.now(),
    }
    if (!eager.confirm(text, times, result)) answers.ask(text, times, result)
  }

  /** Whether what is heard so far is somebody who wants the word. */
  function interrupts(heard: HeardSoFar, speechMs: number): boolean {
    if (answers.current === undefined || answers.current.awaitsApproval) return false
    if (context.recognition?.abilities.partials !== true) return speechMs >= limits.interruptSpeechMs
    return speechMs >= limits.interruptWordMs && hasContent(heard.text) && unwanted(heard.text) === undefined
  }

  // ---- hearing ----

  const listener: EarListener = {
    listening: () => ({
      isDeaf: !config.bargeIn && phase.current === 'speaking',
      mayEcho: clock.now() < answers.audibleUntil + limits.echoTailMs,
    }),
    mayGoOn: (waitingMs) =>
      waitingMs < limits.uploadThresholdMs ||
      (answers.current === undefined && !phase.current.startsWith('recognizing')),
    onSpeechStart: () => void phase.step('speech-start'),
    onProgress(heard, speechMs) {
      if (heard.text !== '') eager.check(heard.text)
      if (config.partials && heard.text !== lastPartial && heard.text !== '') {
        lastPartial = heard.text
        sink.onTranscript({ role: 'user', text: heard.text, isFinal: false, turn: answers.turn + 1 })
      }
      if (!interrupts(heard, speechMs)) return
      cutOff = answers.current
      // The wait for words may be over, with the answer going on: it stops now after all.
      phase.step('speech-start')
      answers.interrupt('speech')
    },
    onSpeechDrop: dropped,
    onStable(heard) {
      if (context.isEager && answers.current === undefined && phase.current === 'hearing') eager.prepare(heard.text)
    },
    onUtterance(utterance) {
      lastPartial = ''
      recording?.event('endpoint', { reason: utterance.reason })
      phase.step('speech-end')
    },
    onWords,
    onFault: fail,
    onOverflow(droppedMs) {
      metrics.count('voice_input_dropped_ms', {}, Math.round(droppedMs))
      const seconds = limits.inputBufferMs / 1000
      const message = `More than ${seconds} s of sound waited to be heard; the oldest ${Math.round(droppedMs)} ms were dropped (inputBufferMs).`
      fail(new DomosError('too_large', message))
    },
  }

  function hints(): SpeechHints {
    return { tools: session.tools.surface().effective, vocabulary: config.vocabulary }
  }

  /** Without a detector nobody is heard, but typed text and speech still work. */
  function openActivity(): VoiceActivityStream | undefined {
    try {
      return context.detector?.openStream()
    } catch (thrown) {
      log.warn('voice-detector-failed', { code: toDomosError(thrown).code })
      return undefined
    }
  }

  const recognizer =
    context.recognition === undefined || context.detector === undefined
      ? undefined
      : createRecognizer({
          engine: context.recognition,
          limits,
          clock,
          language: config.language,
          hints: hints(),
          onPartial: (partial) => ear?.onPartial(partial),
        })

  const activity = openActivity()
  const ear: Ear | undefined =
    recognizer === undefined || activity === undefined
      ? undefined
      : createEar(
          {
            frameSamples,
            activity,
            recognizer,
            echoGate,
            limits,
            clock,
            config: () => config,
          },
          listener,
        )

  // ---- membership ----

  const leave = session.join({
    id: context.id,
    door: 'voice',
    onTools: () => recognizer?.setHints(hints()),
    onClose: () => void conversation.close(),
  })
  recognizer?.prepare()

  let input = {
    rateHz: SPEECH_SAMPLE_RATE_HZ as number,
    resampler: createResampler(SPEECH_SAMPLE_RATE_HZ, SPEECH_SAMPLE_RATE_HZ),
  }
  function hear(samples: Int16Array): void {
    if (samples.length === 0) return
    recording?.audio(samples)
    ear?.push(samples)
  }

  let closing: Promise<void> | undefined
  const conversation: VoiceConversation = {
    get state() {
      return PUBLIC_STATES[phase.current]
    },
    get config() {
      return config
    },
    pushAudio(samples, sampleRateHz = SPEECH_SAMPLE_RATE_HZ) {
      if (phase.current === 'closed' || samples.length === 0) return
      if (input.rateHz !== sampleRateHz) {
        const rest = input.resampler.flush()
        input = { rateHz: sampleRateHz, resampler: createResampler(sampleRateHz, SPEECH_SAMPLE_RATE_HZ) }
        hear(rest)
      }
      if (ear !== undefined) return hear(input.resampler.push(samples))
      if (saidDeaf) return
      saidDeaf = true
      fail(new DomosError('unavailable', context.missing()))
    },
    arm: () => ear?.mark('arm'),
    commit() {
      hear(input.resampler.flush())
      ear?.mark('commit')
    },
    interrupt(reason) {
      log.debug('voice-interrupt', { reason: reason.slice(0, 40) })
      answers.interrupt('request', true)
    },
    say(text) {
      if (phase.current === 'closed') return
      eager.withdraw()
      answers.ask(text)
    },
    announce(text, mode) {
      if (phase.current !== 'closed') answers.announce(text, mode)
    },
    configure(change: JsonObject) {
      config = changeVoiceConfig(config, change, limits)
      recording?.event('config', { config: change })
      recognizer?.setLanguage(config.language)
      recognizer?.setHints(hints())
      return config
    },
    close() {
      closing ??= (async () => {
        eager.withdraw()
        answers.close()
        phase.step('close')
        ear?.close()
        recognizer?.close()
        leave()
        recording?.close()
        context.onClosed()
      })()
      return closing
    },
  }
  return conversation
}
