import {
  type Clock,
  type DomosError,
  type ErrorCode,
  needsApproval,
  type Risk,
  type TextToSpeech,
  type Turn,
  type TurnEvent,
  type VoiceConfig,
  type VoiceSink,
} from '@domos/spec'
import type { EchoGate } from './echo-gate.ts'
import type { TurnTimes } from './latency.ts'
import type { VoiceLimits } from './limits.ts'
import { createPlayer, type Player } from './player.ts'
import { createSentenceChunker, type TextChunk } from './sentence-chunker.ts'
import { isPronounceable, speakable } from './speakable.ts'
import { createSpeaker, type Speaker } from './speaker.ts'
import type { VoiceTexts } from './texts.ts'

/** What an answer needs of its conversation. */
export interface AnswerContext {
  readonly number: number
  readonly sink: VoiceSink
  /** Undefined where nothing can or shall be spoken. */
  readonly engine: TextToSpeech | undefined
  readonly echoGate: EchoGate
  readonly clock: Clock
  readonly limits: VoiceLimits
  readonly config: () => VoiceConfig
  readonly texts: () => VoiceTexts
  /** Whether a person at a screen is asked about this call. */
  asksOnScreen(toolName: string): boolean
  onSoundStart(): void
  onSoundEnd(): void
  /** The answer is over: said to the end, failed, or interrupted. Comes once. */
  onOver(interrupted: boolean): void
}

/** One answer, or announcement, from its first word to the end of its sound. */
export interface Answer {
  readonly number: number
  readonly turn: Turn | undefined
  readonly times: Partial<TurnTimes>
  /** A person is being asked on a screen now. */
  readonly awaitsApproval: boolean
  /** Something of it has been handed over to be heard. */
  readonly wasHeard: boolean
  /** Epoch milliseconds until which its sound may be heard. */
  readonly audibleUntil: number
  /** What has been spoken or is about to be, as one text. */
  readonly spokenText: string
  /** Holds its sound back, and lets it go on. */
  hold(isHeld: boolean): void
  /** An answer that was prepared early may be heard from now on. */
  release(): void
  /** Stops it, and keeps in the conversation what was heard. `hard`: a running tool is stopped at once. */
  interrupt(hard: boolean): void
  /** Says something of its own within this answer. */
  interject(text: string): void
}

/** Starts the answer to a turn, or speaks a text that is nobody's answer. `released` false: prepared, but not to be heard yet. */
export function createAnswer(context: AnswerContext, source: Turn | string, released: boolean): Answer {
  const { sink, clock, limits, number } = context
  const turn = typeof source === 'string' ? undefined : source
  const times: Partial<TurnTimes> = {}
  const chunker = createSentenceChunker(limits.sentenceMaxChars)
  const openCalls = new Map<string, Risk>()
  let approvals = new Set<string>()
  let shown = ''
  let unshown = ''
  let spokenChars = 0
  let spokenText = ''
  let isReleased = released
  let isHeld = false
  let turnOver = turn === undefined
  let over = false
  let failure: { readonly code: ErrorCode; readonly message: string } | undefined
  let stopWatch = (): void => {}
  let stopIdle = (): void => {}
  let afterCalls: (() => void) | undefined
  let speaker: Speaker | undefined
  let player: Player | undefined

  if (context.engine !== undefined) {
    player = createPlayer(
      {
        get bufferedMs() {
          return sink.bufferedMs
        },
        onAudio(samples) {
          times.firstSentAt ??= clock.now()
          context.echoGate.played(samples)
          sink.onAudio(samples)
        },
      },
      {
        onStart() {
          show()
          sink.onSpeechStart({ turn: number })
          context.onSoundStart()
        },
        onEnd(end) {
          const whole = { audioMs: Math.round(end.audioMs), playedMs: Math.round(end.playedMs) }
          sink.onSpeechEnd({ turn: number, ...whole, interrupted: end.interrupted })
          settle()
          if (!over) context.onSoundEnd()
        },
        onRoom: () => speaker?.onRoom(),
        onStuck() {
          report({ code: 'busy', message: 'The far end does not take the sound off; the answer was given up.' })
          answer.interrupt(false)
        },
      },
      clock,
      limits,
      () => context.config().fastDelivery,
    )
    speaker = createSpeaker({
      engine: context.engine,
      player,
      clock,
      limits,
      voice() {
        const { voice, speed } = context.config()
        return voice === undefined ? { speed } : { voice, speed }
      },
      onFirstSound() {
        times.firstAudioAt ??= clock.now()
      },
      onError: (error: DomosError) => report(error),
      onIdle: () => settle(),
    })
    if (!released) player.pause()
  }

  function report({ code, message }: { readonly code: ErrorCode; readonly message: string }): void {
    failure ??= { code, message }
    if (isReleased) sink.onError({ code, message, turn: number })
  }

  /** Shows what is known of the answer, in front of its sound. */
  function show(): void {
    const text = unshown.trim()
    unshown = ''
    if (text === '' || !isReleased) return
    shown = shown === '' ? text : `${shown} ${text}`
    sink.onTranscript({ role: 'assistant', text, isFinal: true, turn: number })
  }

  function say(chunks: readonly TextChunk[]): void {
    for (const chunk of chunks) {
      unshown += chunk.text
      if (speaker === undefined || spokenChars >= limits.speechTextMaxChars) continue
      spokenChars += chunk.text.length
      const spoken = speakable(chunk.text, context.config().language)
      spokenText += `${chunk.text} `
      if (isPronounceable(spoken)) speaker.speak({ spoken, source: chunk })
    }
  }

  function interject(text: string): void {
    if (over || text === '') return
    if (isReleased) {
      show()
      sink.onTranscript({ role: 'assistant', text, isFinal: true, turn: number })
    }
    spokenText += `${text} `
    speaker?.speak({ spoken: speakable(text, context.config().language), source: undefined })
  }

  /** Ends the stretch of sound when nothing more is coming for now, and the answer when nothing more is coming at all. */
  function settle(): void {
    if (over || !isReleased) return
    const pausesForTool = openCalls.size > 0
    if ((turnOver || pausesForTool) && (speaker?.isIdle ?? true)) player?.finish()
    if (!turnOver || !(speaker?.isIdle ?? true) || (player?.isPlaying ?? false) || (player?.aheadMs ?? 0) > 0) return
    finish(false)
  }

  function finish(interrupted: boolean): void {
    if (over) return
    over = true
    stopWatch()
    context.onOver(interrupted)
  }

  function watch(): void {
    stopWatch()
    if (over || turnOver) return
    const waitMs = openCalls.size > 0 ? limits.toolSilentMs : limits.turnSilentMs
    stopWatch = clock.schedule(waitMs, () => {
      report({ code: 'timeout', message: `The answer gave no sign of life for ${Math.round(waitMs / 1000)} s.` })
      turn?.cancel('silent')
      turnOver = true
      settle()
    })
  }

  function hear(event: TurnEvent): void {
    stopIdle()
    if (event.type === 'text-delta') {
      times.firstTokenAt ??= clock.now()
      say(chunker.push(event.text))
      stopIdle = clock.schedule(limits.sentenceIdleMs, () => !over && say(chunker.flushSentence()))
    } else if (event.type === 'tool-call') {
      say(chunker.flush())
      openCalls.set(event.callId, event.risk)
      if (needsApproval(event.risk) && context.asksOnScreen(event.name)) {
        approvals = new Set([...approvals, event.callId])
        interject(context.texts().approveOnScreen)
      }
    } else if (event.type === 'tool-progress') {
      if (event.fraction !== undefined) approvals.delete(event.callId)
    } else if (event.type === 'tool-result') {
      openCalls.delete(event.callId)
      approvals.delete(event.callId)
    } else if (event.type === 'error') report(event)
    else {
      say(chunker.flush())
      turnOver = true
      if (shown === '' && unshown.trim() === '' && failure !== undefined && event.reason === 'failed') {
        interject(context.texts().failed)
      }
      if (isReleased) show()
    }
    watch()
    settle()
  }

  async function read(events: Turn): Promise<void> {
    for await (const event of events) {
      if (!over) hear(event)
      else if (event.type === 'tool-result') {
        openCalls.delete(event.callId)
        if (openCalls.size === 0) afterCalls?.()
      }
    }
    if (over || turnOver) return
    // The events were read by somebody else, or ended without an end.
    say(chunker.flush())
    turnOver = true
    show()
    settle()
  }

  /** A tool that has begun may finish within a grace, so that its result is not lost; then the turn ends. */
  function cancelTurn(hard: boolean): void {
    if (turn === undefined || turnOver) return
    const undecided = [...openCalls.keys()].every((id) => approvals.has(id))
    if (hard || openCalls.size === 0 || undecided || limits.toolGraceMs === 0) return turn.cancel('interrupted')
    const stop = clock.schedule(limits.toolGraceMs, () => turn.cancel('interrupted'))
    afterCalls = () => {
      stop()
      turn.cancel('interrupted')
    }
  }

  const answer: Answer = {
    number,
    turn,
    times,
    get awaitsApproval() {
      return approvals.size > 0
    },
    get wasHeard() {
      return times.firstSentAt !== undefined
    },
    get audibleUntil() {
      return player?.audibleUntil ?? 0
    },
    get spokenText() {
      return spokenText
    },
    hold(held) {
      isHeld = held
      if (!isReleased) return
      if (isHeld) player?.pause()
      else player?.resume()
    },
    release() {
      if (isReleased || over) return
      isReleased = true
      if (failure !== undefined) sink.onError({ ...failure, turn: number })
      if (turnOver) show()
      if (!isHeld) player?.resume()
      settle()
    },
    interrupt(hard) {
      if (over) return
      const heard = speaker?.heardChars() ?? chunker.length
      over = true
      stopWatch()
      stopIdle()
      speaker?.stop()
      player?.stop()
      // What nobody heard was not said; without sound the text was shown as it came.
      if (speaker !== undefined) turn?.truncate(heard)
      cancelTurn(hard)
      context.onOver(true)
    },
    interject,
  }

  if (typeof source === 'string') {
    say([...chunker.push(source), ...chunker.flush()])
    queueMicrotask(settle)
  } else {
    watch()
    void read(source)
  }
  return answer
}
