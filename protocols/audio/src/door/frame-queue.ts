import type { AudioDoorLimits } from '../limits.ts'

/** Frames that wait while a session is being opened; bounded in number and size, the newest are refused. */
export class FrameQueue {
  readonly #limits: AudioDoorLimits
  #frames: (string | Uint8Array)[] = []
  #bytes = 0

  constructor(limits: AudioDoorLimits) {
    this.#limits = limits
  }

  /** False when there is no room. */
  push(frame: string | Uint8Array): boolean {
    const { maxQueuedFrames, maxQueuedBytes } = this.#limits
    if (this.#frames.length >= maxQueuedFrames || this.#bytes + frame.length > maxQueuedBytes) return false
    this.#frames.push(frame)
    this.#bytes += frame.length
    return true
  }

  /** Gives all of them out, in order. */
  take(): readonly (string | Uint8Array)[] {
    const frames = this.#frames
    this.#frames = []
    this.#bytes = 0
    return frames
  }
}
