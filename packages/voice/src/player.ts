import type { Clock } from '@domos/spec'
import type { VoiceLimits } from './limits.ts'

/** Where the samples of a player go. */
export interface PlayerSink {
  /** Milliseconds handed over and not yet written out. */
  readonly bufferedMs: number
  onAudio(samples: Int16Array): void
}

/** What a player tells. */
export interface PlayerListener {
  /** The first sample of a stretch is about to be handed over. */
  onStart(): void
  /** Everything queued was handed over and nothing more is announced, or the stretch was stopped. */
  onEnd(end: { readonly audioMs: number; readonly playedMs: number; readonly interrupted: boolean }): void
  /** Room for more; asked for with {@link Player.aheadMs}. */
  onRoom(): void
  /** The far end does not take the sound off; the stretch was stopped. */
  onStuck(): void
}

/** Hands over sound in real time, a lead ahead. */
export interface Player {
  push(samples: Int16Array): void
  /** Nothing more comes for now: the stretch ends when what is queued is out. */
  finish(): void
  /** Holds back; what was handed over goes on being heard. */
  pause(): void
  /** Goes on with the sample after the last one handed over. */
  resume(): void
  /** Drops what is queued and ends the stretch at once. */
  stop(): void
  /** Milliseconds queued and not handed over. */
  readonly aheadMs: number
  /** Milliseconds of this player's sound that have been heard since it was made, as far as the clock can tell. */
  readonly heardMs: number
  readonly isPlaying: boolean
  /** Epoch milliseconds until which something handed over is still being heard. */
  readonly audibleUntil: number
}

/**
 * Makes a player. Deadlines are absolute: sound handed over never runs ahead of real time by more than `leadMs`, does not
 * drift, and after a stall goes on with one lead instead of the whole backlog.
 */
export function createPlayer(
  sink: PlayerSink,
  listener: PlayerListener,
  clock: Clock,
  limits: VoiceLimits,
  isFast: () => boolean,
): Player {
  const frameSamples = limits.outputFrameMs * 16
  let queue: Int16Array[] = []
  let queued = 0
  let playing = false
  let finishing = false
  let paused = false
  /** Time at which the sound of this stretch would have begun, had it run without gaps. */
  let origin = 0
  let sentMs = 0
  let sentBefore = 0
  let audibleUntil = 0
  let heldSince: number | undefined
  let stopTimer = (): void => {}
  let stopGap = (): void => {}

  function playedMs(): number {
    return Math.max(0, Math.min(sentMs, sentMs - (audibleUntil - clock.now())))
  }

  function end(interrupted: boolean): void {
    stopTimer()
    stopGap()
    heldSince = undefined
    finishing = false
    if (!playing) return
    playing = false
    const report = { audioMs: sentMs, playedMs: interrupted ? playedMs() : sentMs, interrupted }
    sentBefore += sentMs
    sentMs = 0
    listener.onEnd(report)
  }

  function take(): Int16Array {
    const first = queue[0] as Int16Array
    if (first.length > frameSamples) {
      queue[0] = first.subarray(frameSamples)
      queued -= frameSamples
      return first.subarray(0, frameSamples)
    }
    queue.shift()
    const parts = [first]
    let length = first.length
    // Short pieces are joined, so that pieces handed over have one length.
    while (length < frameSamples && queue.length > 0) {
      const next = queue[0] as Int16Array
      const part = next.subarray(0, frameSamples - length)
      parts.push(part)
      length += part.length
      if (part.length === next.length) queue.shift()
      else queue[0] = next.subarray(part.length)
    }
    queued -= length
    if (parts.length === 1) return first
    const joined = new Int16Array(length)
    let at = 0
    for (const part of parts) {
      joined.set(part, at)
      at += part.length
    }
    return joined
  }

  function wait(ms: number): void {
    stopTimer()
    stopTimer = clock.schedule(ms, pump)
  }

  function mayFlow(): boolean {
    const { bufferedMs } = sink
    const now = clock.now()
    if (bufferedMs <= limits.sinkHoldMs) {
      heldSince = undefined
      return true
    }
    heldSince ??= now
    if (bufferedMs > limits.sinkCancelMs || now - heldSince >= limits.sinkCancelMs) {
      queue = []
      queued = 0
      end(true)
      listener.onStuck()
    } else wait(limits.outputFrameMs)
    return false
  }

  function pump(): void {
    stopTimer()
    if (paused) return
    for (;;) {
      if (queued === 0) {
        if (finishing) end(false)
        else if (playing) {
          // Nobody should be kept in "speaking" without sound.
          stopGap()
          stopGap = clock.schedule(limits.speechGapMs, () => end(false))
        }
        return
      }
      // Less than a piece is waited for, unless it is the last one.
      if (!finishing && playing && queued < frameSamples && audibleUntil > clock.now()) {
        return wait(Math.max(1, audibleUntil - clock.now()))
      }
      if (!mayFlow()) return
      stopGap()
      const now = clock.now()
      if (!playing) {
        playing = true
        sentMs = 0
        origin = now
        listener.onStart()
        if (!playing || paused) return
      }
      // The listener ran dry, or we were held up: real time starts anew from here.
      if (origin + sentMs < now) origin = now - sentMs
      const aheadMs = origin + sentMs - now
      if (!isFast() && aheadMs >= limits.leadMs) return wait(aheadMs - limits.leadMs + 1)
      const samples = take()
      sentMs += samples.length / 16
      audibleUntil = origin + sentMs
      sink.onAudio(samples)
      if (!playing) return
      listener.onRoom()
    }
  }

  return {
    push(samples) {
      if (samples.length === 0) return
      finishing = false
      queue.push(samples)
      queued += samples.length
      pump()
    },
    finish() {
      finishing = true
      if (!paused) pump()
    },
    pause() {
      paused = true
      stopTimer()
      stopGap()
    },
    resume() {
      if (!paused) return
      paused = false
      pump()
    },
    stop() {
      queue = []
      queued = 0
      end(true)
      finishing = false
    },
    get aheadMs() {
      return queued / 16
    },
    get heardMs() {
      return Math.max(0, sentBefore + sentMs - Math.max(0, audibleUntil - clock.now()))
    },
    get isPlaying() {
      return playing
    },
    get audibleUntil() {
      return audibleUntil
    },
  }
}
