/** A numbered frame as it was sent. */
export interface NumberedFrame {
  readonly seq: number
  readonly frame: string
}

/** The newest frames sent to a page, bounded by count and size, to be sent again after a drop. */
export class ReplayBuffer {
  readonly #maxFrames: number
  readonly #maxBytes: number
  readonly #frames: NumberedFrame[] = []
  #bytes = 0
  #lastSeq = 0

  constructor(maxFrames: number, maxBytes: number) {
    this.#maxFrames = maxFrames
    this.#maxBytes = maxBytes
  }

  /** The number the next frame gets. */
  nextSeq(): number {
    this.#lastSeq += 1
    return this.#lastSeq
  }

  /** Keeps a frame; the oldest give way. */
  push(numbered: NumberedFrame): void {
    this.#frames.push(numbered)
    this.#bytes += numbered.frame.length
    while (this.#frames.length > this.#maxFrames || this.#bytes > this.#maxBytes) {
      const oldest = this.#frames.shift()
      if (oldest === undefined) return
      this.#bytes -= oldest.frame.length
    }
  }

  /** Frames after `seq`, and whether none of them is missing. */
  after(seq: number): { readonly frames: readonly NumberedFrame[]; readonly isComplete: boolean } {
    const frames = this.#frames.filter((numbered) => numbered.seq > seq)
    return { frames, isComplete: seq <= this.#lastSeq && frames.length === this.#lastSeq - seq }
  }
}
