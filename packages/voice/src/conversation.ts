import {
  type Clock,
  DomosError,
  type JsonObject,
  type Log,
  type Metrics,
  type Recognition,
  type Session,
  type SpeechHints,
  type SpeechToText,
  type TextToSpeech,
  toDomosError,
  type VoiceActivityDetector,
  type VoiceConfig,
  type VoiceConversation,
  type VoiceSink,
} from '@domos/spec'
import { type Answer, createAnswer } from './answer.ts'
import { changeVoiceConfig } from './config.ts'
import { createEagerAnswers } from './eager-answers.ts'
import { createEar, type Ear, type Utterance } from './ear.ts'
import { createEchoGate } from './echo-gate.ts'
import type { HeardSoFar } from './endpointing.ts'
import { latencyReport, observeLatency, type TurnTimes } from './latency.ts'
import type { VoiceLimits } from './limits.ts'
import { createRecognizer } from './recognizer.ts'
import type { RecordingWriter } from './recording.ts'
import { voiceTextsFor } from './texts.ts'
import { holdsSound, nextVoicePhase, PUBLIC_STATES, type VoiceEvent, type VoicePhase } from './voice-state.ts'
import { isBackchannel, isHesitation, isRepeatOf, isStop, isYes } from './words.ts'

/** What one conversation needs of the voice it belongs to. */
export interface ConversationContext {
  readonly id: string
  readonly session: Session
  readonly sink: VoiceSink
  readonly detector: VoiceActivityDetector | undefined
  readonly recognition: SpeechToText | undefined
  /** Gives 16 kHz; undefined while it does not work. */
  readonly synthesis: () => TextToSpeech | undefined
  readonly limits: VoiceLimits
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** Prepare answers before the end of a turn is certain. */
  readonly isEager: boolean
  readonly recording: RecordingWriter | undefined
  /** What the peer is told when it speaks and cannot be heard. */
  readonly missing: () => string
  onClosed(): void
}

/** Opens a conversation: takes a seat in the session and listens. */
export function openConversation(context: ConversationContext, initial: VoiceConfig): VoiceConversation {
  const { session, sink, limits, clock, log, metrics, recording } = context
  let config = initial
  let phase: VoicePhase = 'idle'
  let told = PUBLIC_STATES[phase]
  let turns = 0
  let answer: Answer | undefined
  let lastAudibleUntil = 0
  let lastSpoken = ''
  let stopHold = (): void => {}
  let saidDeaf = false
  /** The answer that the utterance under way, or its words, interrupted. */
  let cutOff: Answer | undefined
  const announcements: string[] = []
  const frameSamples = context.detector?.frameSamples ?? 512
  const echoGate = createEchoGate(frameSamples, limits.echoDelayMaxMs)

  // ---- state ----

  function step(event: VoiceEvent): boolean {
    const next = nextVoicePhase(phase, event)
    if (next === undefined) return false
    phase = next
    const shown = PUBLIC_STATES[phase]
    if (shown !== told) {
      told = shown
      recording?.event('state', { state: shown })
      sink.onState(shown)
    }
    watchHold()
    return true
  }

  /** The answer waits while somebody may be interrupting it, but never longer than a while. */
  function watchHold(): void {
    stopHold()
    answer?.hold(holdsSound(phase))
    if (!holdsSound(phase)) return
    stopHold = clock.schedule(limits.holdMaxMs, () => {
      metrics.count('voice_false_interruptions')
      if (phase.startsWith('hearing')) ear?.drop('no-words', true)
      else step('speech-drop')
    })
  }

  function fail(thrown: unknown, turn?: number): void {
    const { code, message } = toDomosError(thrown)
    log.warn('voice-error', { code })
    recording?.event('error', { code })
    sink.onError({ code, message, ...(turn === undefined ? {} : { turn }) })
  }

  // ---- answers ----

  function startAnswer(
    source: Parameters<typeof createAnswer>[1],
    number: number,
    times: TurnTimes | undefined,
  ): Answer {
    const made = makeAnswer(source, number, true)
    if (times !== undefined) Object.assign(made.times, times)
    adopt(made)
    return made
  }

  function makeAnswer(source: Parameters<typeof createAnswer>[1], number: number, released: boolean): Answer {
    const made: Answer = createAnswer(
      {
        number,
        sink,
        engine: config.speak ? context.synthesis() : undefined,
        echoGate,
        clock,
        limits,
        config: () => config,
        texts: () => voiceTextsFor(config.language),
        asksOnScreen,
        onSoundStart: () => made === answer && step('sound-start'),
        onSoundEnd: () => made === answer && step('sound-end'),
        onOver: (interrupted) => over(made, interrupted),
      },
      source,
      released,
    )
    return made
  }

  function adopt(made: Answer): void {
    answer = made
    step('answer-start')
    watchHold()
  }

  function over(made: Answer, interrupted: boolean): void {
    lastAudibleUntil = Math.max(lastAudibleUntil, made.audibleUntil)
    if (made !== answer) return
    lastSpoken = made.spokenText
    answer = undefined
    const { times } = made
    if (made.turn !== undefined) {
      metrics.count('voice_turns', { interrupted: String(interrupted) })
      if (times.speechEndedAt !== undefined) {
        const report = latencyReport(made.number, times as TurnTimes, interrupted)
        observeLatency(metrics, report)
        sink.onLatency(report)
      }
    }
    step('answer-end')
    ear?.resume()
    nextAnnouncement()
  }

  function interruptAnswer(reason: string, hard = false): void {
    if (answer === undefined) return
    metrics.count('voice_interruptions', { reason })
    recording?.event('interrupt', { reason })
    answer.interrupt(hard)
  }

  function asksOnScreen(toolName: string): boolean {
    return (
      session.tools.get(toolName)?.approval === 'executor' ||
      session.members.some((member) => member.approver !== undefined)
    )
  }

  function nextAnnouncement(): void {
    if (answer !== undefined || phase !== 'idle') return
    const text = announcements.shift()
    if (text === undefined) return
    turns += 1
    startAnswer(text, turns, undefined)
  }

  // ---- words ----

  /** Starts a turn with what was said or typed. */
  function ask(text: string, times: TurnTimes | undefined, recognition?: Recognition): void {
    turns += 1
    const turn = turns
    recording?.event('transcript', { role: 'user', text })
    sink.onTranscript({
      role: 'user',
      text,
      isFinal: true,
      turn,
      ...(recognition === undefined || recognition.words.length === 0 ? {} : { words: recognition.words }),
      ...(recognition?.confidence === undefined ? {} : { confidence: recognition.confidence }),
    })
    const waiting = answer
    if (waiting?.awaitsApproval === true) return decideByVoice(text, turn, waiting)
    interruptAnswer('speech')
    try {
      const made = session.say({ text, modality: 'audio', from: context.id })
      startAnswer(made, turn, times)
    } catch (thrown) {
      fail(thrown, turn)
      step('speech-drop')
      const isBusy = ['busy', 'rate_limited'].includes(toDomosError(thrown).code)
      if (isBusy && answer === undefined && config.speak)
        startAnswer(voiceTextsFor(config.language).busy, turn, undefined)
    }
  }

  /** A risky call waits for the person at the screen: a yes by voice is not enough, anything else withdraws the call. */
  function decideByVoice(text: string, turn: number, waiting: Answer): void {
    step('speech-drop')
    if (isYes(text)) {
      waiting.interject(voiceTextsFor(config.language).approveOnScreen)
      return
    }
    try {
      const made = session.say({ text, modality: 'audio', from: context.id })
      // The running turn goes on with this input, or had just ended and a new one begins.
      if (made !== waiting.turn) {
        interruptAnswer('speech')
        startAnswer(made, turn, undefined)
      }
    } catch (thrown) {
      fail(thrown, turn)
    }
  }

  /** Whether these words are nothing to act on, and why. */
  function unwanted(text: string): string | undefined {
    if (text.trim() === '' || isHesitation(text)) return 'no-words'
    if (answer === undefined) {
      return clock.now() < lastAudibleUntil + limits.echoTailMs && isRepeatOf(text, lastSpoken) ? 'echo' : undefined
    }
    if (answer.wasHeard && isRepeatOf(text, answer.spokenText)) return 'echo'
    if (answer.awaitsApproval) return undefined
    return answer.wasHeard && isBackchannel(text) ? 'backchannel' : undefined
  }

  function onWords(utterance: Utterance, result: Recognition | DomosError): void {
    if (result instanceof DomosError) {
      eager.withdraw()
      step('speech-drop')
      metrics.count('voice_recognition_failures', { code: result.code })
      fail(result)
      return nextAnnouncement()
    }
    const { text } = result
    const reason = unwanted(text)
    if (reason !== undefined) {
      eager.withdraw()
      metrics.count('voice_utterances_dropped', { reason })
      step('speech-drop')
      return nextAnnouncement()
    }
    const times: TurnTimes = {
      speechEndedAt: utterance.speechEndedAt,
      endpointAt: utterance.endedAt,
      transcriptAt: clock.now(),
    }
    const stopped = answer?.awaitsApproval === true ? undefined : (answer ?? cutOff)
    cutOff = undefined
    if (stopped !== undefined && isStop(text)) {
      turns += 1
      sink.onTranscript({ role: 'user', text, isFinal: true, turn: turns })
      interruptAnswer('stop', true)
      stopped.turn?.cancel('stop')
      step('speech-drop')
      return nextAnnouncement()
    }
    if (eager.confirm(text, times, result)) return
    ask(text, times, result)
  }

  // ---- eager generation ----

  const eager = createEagerAnswers({
    session,
    memberId: context.id,
    metrics,
    make: (turn) => makeAnswer(turn, turns + 1, false),
    adopt(made, text, times, recognition) {
      turns += 1
      recording?.event('transcript', { role: 'user', text })
      sink.onTranscript({
        role: 'user',
        text,
        isFinal: true,
        turn: turns,
        ...(recognition.words.length === 0 ? {} : { words: recognition.words }),
        ...(recognition.confidence === undefined ? {} : { confidence: recognition.confidence }),
      })
      Object.assign(made.times, times)
      adopt(made)
      made.release()
    },
  })

  // ---- hearing ----

  function hints(): SpeechHints {
    return { tools: session.tools.surface().effective, vocabulary: config.vocabulary }
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

  const ear: Ear | undefined =
    recognizer === undefined || context.detector === undefined
      ? undefined
      : createEar(
          {
            frameSamples,
            activity: context.detector.openStream(),
            recognizer,
            echoGate,
            limits,
            clock,
            config: () => config,
          },
          {
            listening() {
              const isAudible = answer?.wasHeard === true && clock.now() < answer.audibleUntil + limits.echoTailMs
              const mayEcho = isAudible || clock.now() < lastAudibleUntil + limits.echoTailMs
              return { isDeaf: !config.bargeIn && phase === 'speaking', mayEcho }
            },
            mayGoOn: (waitingMs) =>
              waitingMs < limits.uploadThresholdMs || (answer === undefined && !phase.startsWith('recognizing')),
            onSpeechStart: () => void step('speech-start'),
            onProgress(heard, speechMs) {
              if (heard.text !== '') eager.check(heard.text)
              if (config.partials && heard.text !== lastPartial) {
                lastPartial = heard.text
                if (heard.text !== '')
                  sink.onTranscript({ role: 'user', text: heard.text, isFinal: false, turn: turns + 1 })
              }
              if (answer !== undefined && interrupts(heard, speechMs)) {
                cutOff = answer
                interruptAnswer('speech')
              }
            },
            onSpeechDrop(reason) {
              cutOff = undefined
              eager.withdraw()
              metrics.count('voice_utterances_dropped', { reason })
              step('speech-drop')
              nextAnnouncement()
            },
            onStable(heard) {
              if (context.isEager && answer === undefined && phase === 'hearing') eager.prepare(heard.text)
            },
            onUtterance(utterance) {
              lastPartial = ''
              recording?.event('endpoint', { reason: utterance.reason })
              step('speech-end')
            },
            onWords,
            onOverflow(droppedMs) {
              metrics.count('voice_input_dropped_ms', {}, Math.round(droppedMs))
              fail(
                new DomosError(
                  'too_large',
                  `More than ${limits.inputBufferMs / 1000} s of sound waited to be heard; the oldest ${Math.round(droppedMs)} ms were dropped (inputBufferMs).`,
                ),
              )
            },
          },
        )
  let lastPartial = ''

  /** Whether what is heard so far is somebody who wants the word. */
  function interrupts(heard: HeardSoFar, speechMs: number): boolean {
    if (answer === undefined || answer.awaitsApproval) return false
    if (context.recognition?.abilities.partials !== true) return answer.wasHeard && speechMs >= limits.interruptSpeechMs
    return unwanted(heard.text) === undefined
  }

  // ---- membership ----

  const leave = session.join({
    id: context.id,
    door: 'voice',
    onTools: () => recognizer?.setHints(hints()),
    onClose: () => void conversation.close(),
  })
  recognizer?.prepare()

  let closing: Promise<void> | undefined
  const conversation: VoiceConversation = {
    get state() {
      return PUBLIC_STATES[phase]
    },
    get config() {
      return config
    },
    pushAudio(samples) {
      if (phase === 'closed' || samples.length === 0) return
      recording?.audio(samples)
      if (ear !== undefined) return ear.push(samples)
      if (saidDeaf) return
      saidDeaf = true
      fail(new DomosError('unavailable', context.missing()))
    },
    arm: () => ear?.mark('arm'),
    commit: () => ear?.mark('commit'),
    interrupt(reason) {
      log.debug('voice-interrupt', { reason: reason.slice(0, 40) })
      interruptAnswer('request', true)
    },
    say(text) {
      if (phase === 'closed') return
      eager.withdraw()
      ask(text, undefined)
    },
    announce(text, mode) {
      if (phase === 'closed' || text.trim() === '') return
      if (text.length > limits.announcementMaxChars) {
        return fail(
          new DomosError('too_large', `An announcement has at most ${limits.announcementMaxChars} characters.`),
        )
      }
      if (mode === 'interrupt') {
        announcements.unshift(text)
        interruptAnswer('announcement')
      } else if (announcements.length >= limits.announcementsMax) {
        return fail(new DomosError('busy', `${announcements.length} announcements wait already (announcementsMax).`))
      } else announcements.push(text)
      nextAnnouncement()
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
        interruptAnswer('close')
        step('close')
        stopHold()
        announcements.length = 0
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
