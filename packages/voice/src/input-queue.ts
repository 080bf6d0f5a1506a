import type { VoiceLimits } from './limits.ts'

/** A button or wake word, in its place among the samples. */
export type InputMark = 'arm' | 'commit'

/** What comes out next: a whole frame, or a mark (with the samples before it that fill no frame). */
export type InputItem =
  | { readonly type: 'frame'; readonly samples: Int16Array }
  | { readonly type: 'mark'; readonly mark: InputMark; readonly rest: Int16Array }

/** Samples that wait to be heard, cut into frames; bounded, the oldest are dropped. */
export interface InputQueue {
  readonly waitingSamples: number
  /** Takes samples; they are copied. Returns how many of the oldest had to be dropped. */
  push(samples: Int16Array): number
  mark(mark: InputMark): void
  next(): InputItem | undefined
  clear(): void
}

const MARKS_MAX = 64

/** Makes a queue that gives frames of `frameSamples`. */
export function createInputQueue(frameSamples: number, limits: VoiceLimits): InputQueue {
  const maxSamples = limits.inputBufferMs * 16
  const parts: (Int16Array | InputMark)[] = []
  let waiting = 0
  let marks = 0
  let frame = new Int16Array(frameSamples)
  let filled = 0

  function dropOldest(): number {
    let dropped = 0
    while (waiting > maxSamples) {
      const at = parts.findIndex((part) => typeof part !== 'string')
      const part = parts[at]
      if (part === undefined || typeof part === 'string') break
      const surplus = waiting - maxSamples
      if (part.length <= surplus) parts.splice(at, 1)
      else parts[at] = part.subarray(surplus)
      const gone = Math.min(part.length, surplus)
      waiting -= gone
      dropped += gone
    }
    return dropped
  }

  return {
    get waitingSamples() {
      return waiting + filled
    },
    push(samples) {
      if (samples.length === 0) return 0
      parts.push(samples.slice())
      waiting += samples.length
      return dropOldest()
    },
    mark(mark) {
      // A peer that sends marks without sound must not fill the queue.
      if (marks >= MARKS_MAX || parts.at(-1) === mark) return
      parts.push(mark)
      marks += 1
    },
    next() {
      for (;;) {
        const part = parts[0]
        if (part === undefined) return undefined
        if (typeof part === 'string') {
          parts.shift()
          marks -= 1
          const rest = frame.slice(0, filled)
          filled = 0
          return { type: 'mark', mark: part, rest }
        }
        const taken = part.subarray(0, frameSamples - filled)
        frame.set(taken, filled)
        filled += taken.length
        waiting -= taken.length
        if (taken.length === part.length) parts.shift()
        else parts[0] = part.subarray(taken.length)
        if (filled < frameSamples) continue
        const whole = frame
        frame = new Int16Array(frameSamples)
        filled = 0
        return { type: 'frame', samples: whole }
      }
    },
    clear() {
      parts.length = 0
      waiting = 0
      marks = 0
      filled = 0
    },
  }
}
