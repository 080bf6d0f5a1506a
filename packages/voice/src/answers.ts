import {
  type Clock,
  DomosError,
  type Metrics,
  type Recognition,
  type Session,
  type TextToSpeech,
  type Turn,
  toDomosError,
  type VoiceConfig,
  type VoiceSink,
} from '@domos/spec'
import { type Answer, createAnswer } from './answer.ts'
import type { EchoGate } from './echo-gate.ts'
import { latencyReport, observeLatency, type TurnTimes } from './latency.ts'
import type { VoiceLimits } from './limits.ts'
import type { Phase } from './phase.ts'
import type { RecordingWriter } from './recording.ts'
import type { VoiceTexts } from './texts.ts'
import { isYes } from './words.ts'

/** What the answers of one conversation need. */
export interface AnswersContext {
  readonly memberId: string
  readonly session: Session
  readonly sink: VoiceSink
  readonly synthesis: () => TextToSpeech | undefined
  readonly echoGate: EchoGate
  readonly phase: Phase
  readonly texts: () => VoiceTexts
  readonly limits: VoiceLimits
  readonly clock: Clock
  readonly metrics: Metrics
  readonly recording: RecordingWriter | undefined
  readonly config: () => VoiceConfig
  onLatency(report: Parameters<VoiceSink['onLatency']>[0]): void
  fail(thrown: unknown, turn?: number): void
  /** An answer is over; samples that waited for it may be heard. */
  onOver(): void
}

/** Everything a conversation says: at most one answer at a time, and announcements between them. */
export interface Answers {
  readonly current: Answer | undefined
  /** Number of the newest turn. */
  readonly turn: number
  /** Epoch milliseconds until which sound may be heard; -Infinity before the first. */
  readonly audibleUntil: number
  /** What was spoken last, or is being spoken. */
  readonly spokenText: string
  /** Starts a turn with what was said or typed. */
  ask(text: string, times?: TurnTimes, recognition?: Recognition): void
  /** Shows what a person said, under a new turn number, without asking anybody. */
  show(text: string, recognition?: Recognition): number
  /** Prepares an answer that may not be heard yet. */
  prepare(turn: Turn): Answer
  /** Makes a prepared answer the current one. */
  adopt(answer: Answer, times: TurnTimes): void
  interrupt(reason: string, hard?: boolean): void
  announce(text: string, mode: 'queue' | 'interrupt'): void
  /** Speaks the next announcement, if nothing else is going on. */
  next(): void
  close(): void
}

/** Makes the answers of one conversation. */
export function createAnswers(context: AnswersContext): Answers {
  const { session, sink, phase, limits, clock, metrics, recording, config } = context
  const announcements: string[] = []
  let turns = 0
  let answer: Answer | undefined
  let audibleUntil = Number.NEGATIVE_INFINITY
  let lastSpoken = ''
  let isClosed = false
  /** An answer is being stopped for another one, so that no announcement comes between them. */
  let isReplacing = false

  function make(source: Turn | string, number: number, released: boolean): Answer {
    const made: Answer = createAnswer(
      {
        number,
        sink,
        engine: config().speak ? context.synthesis() : undefined,
        echoGate: context.echoGate,
        clock,
        limits,
        config,
        texts: context.texts,
        asksOnScreen,
        onSoundStart: () => made === answer && phase.step('sound-start'),
        onSoundEnd: () => made === answer && phase.step('sound-end'),
        onOver: (interrupted) => over(made, interrupted),
      },
      source,
      released,
    )
    return made
  }

  function adopt(made: Answer, times: TurnTimes | undefined): void {
    if (times !== undefined) Object.assign(made.times, times)
    answer = made
    phase.step('answer-start')
    phase.applyHold()
  }

  function over(made: Answer, interrupted: boolean): void {
    audibleUntil = Math.max(audibleUntil, made.audibleUntil)
    if (made !== answer) return
    lastSpoken = made.spokenText
    answer = undefined
    const { times } = made
    if (made.turn !== undefined) {
      metrics.count('voice_turns', { interrupted: String(interrupted) })
      if (times.speechEndedAt !== undefined) {
        const report = latencyReport(made.number, times as TurnTimes, interrupted)
        observeLatency(metrics, report)
        context.onLatency(report)
        sink.onLatency(report)
      }
    }
    phase.step('answer-end')
    context.onOver()
    next()
  }

  function interrupt(reason: string, hard = false): void {
    if (answer === undefined) return
    metrics.count('voice_interruptions', { reason })
    recording?.event('interrupt', { reason })
    answer.interrupt(hard)
  }

  /** Stops the answer to make room for another one. */
  function replace(): void {
    isReplacing = true
    interrupt('speech')
    isReplacing = false
  }

  function asksOnScreen(toolName: string): boolean {
    const asksItself = session.tools.get(toolName)?.approval === 'executor'
    return asksItself || session.members.some((member) => member.approver !== undefined)
  }

  function show(text: string, recognition?: Recognition): number {
    turns += 1
    recording?.event('transcript', { role: 'user', text })
    sink.onTranscript({
      role: 'user',
      text,
      isFinal: true,
      turn: turns,
      ...(recognition === undefined || recognition.words.length === 0 ? {} : { words: recognition.words }),
      ...(recognition?.confidence === undefined ? {} : { confidence: recognition.confidence }),
    })
    return turns
  }

  function say(text: string): Turn {
    return session.say({ text, modality: 'audio', from: context.memberId })
  }

  /** A risky call waits for the person at the screen: a yes by voice is not enough, anything else withdraws the call. */
  function decideByVoice(text: string, turn: number, waiting: Answer): void {
    phase.step('speech-drop')
    if (isYes(text)) return waiting.interject(context.texts().approveOnScreen)
    try {
      const made = say(text)
      // The running turn goes on with this input, or it had just ended and a new one begins.
      if (made === waiting.turn) return
      replace()
      adopt(make(made, turn, true), undefined)
    } catch (thrown) {
      context.fail(thrown, turn)
    }
  }

  function next(): void {
    if (answer !== undefined || phase.current !== 'idle' || isReplacing || isClosed) return
    const text = announcements.shift()
    if (text === undefined) return
    turns += 1
    adopt(make(text, turns, true), undefined)
  }

  return {
    get current() {
      return answer
    },
    get turn() {
      return turns
    },
    get audibleUntil() {
      return Math.max(audibleUntil, answer?.wasHeard === true ? answer.audibleUntil : Number.NEGATIVE_INFINITY)
    },
    get spokenText() {
      return answer === undefined ? lastSpoken : answer.spokenText
    },
    ask(text, times, recognition) {
      const turn = show(text, recognition)
      if (answer?.awaitsApproval === true) return decideByVoice(text, turn, answer)
      replace()
      try {
        adopt(make(say(text), turn, true), times)
      } catch (thrown) {
        context.fail(thrown, turn)
        phase.step('speech-drop')
        const isBusy = ['busy', 'rate_limited'].includes(toDomosError(thrown).code)
        if (isBusy && answer === undefined) adopt(make(context.texts().busy, turn, true), undefined)
        next()
      }
    },
    show,
    prepare: (turn) => make(turn, turns + 1, false),
    adopt,
    interrupt,
    announce(text, mode) {
      if (text.trim() === '') return
      if (text.length > limits.announcementMaxChars) {
        const message = `An announcement has at most ${limits.announcementMaxChars} characters (announcementMaxChars).`
        return context.fail(new DomosError('too_large', message))
      }
      if (announcements.length >= limits.announcementsMax) {
        const message = `${announcements.length} announcements wait already (announcementsMax).`
        return context.fail(new DomosError('busy', message))
      }
      if (mode === 'queue') announcements.push(text)
      else {
        announcements.unshift(text)
        interrupt('announcement')
      }
      next()
    },
    next,
    close() {
      isClosed = true
      announcements.length = 0
      interrupt('close')
    },
  }
}
