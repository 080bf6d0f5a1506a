import type { Clock, Connection } from '@domos/spec'
import { type AudioFormat, bytesPerSampleFrame, bytesPerSecond } from '../audio-format.ts'
import type { AudioDoorLimits } from '../limits.ts'
import { createPcmEncoder, type PcmEncoder } from '../pcm.ts'
import { type SpeechEvent, type SpeechState, speechTable } from './speech-state.ts'

/** What {@link SpeechOutput} needs of its connection. */
export interface SpeechOutputPort {
  readonly connection: Connection
  readonly clock: Clock
  readonly limits: AudioDoorLimits
  readonly format: AudioFormat
  /** `tts_start` as text. */
  startText(turn: number): string
  /** `tts_end` as text. */
  endText(turn: number, facts: SpeechEndFacts): string
  /** Audio bytes went to the socket. */
  onSent(bytes: number): void
  /** The client is too far behind: the answer is to be given up, or the connection. */
  onBehind(step: 'cancel' | 'close'): void
  /** Audio came outside of an answer and was left out. */
  onStray(): void
}

/** How an answer ended. */
export interface SpeechEndFacts {
  readonly interrupted: boolean
  readonly playedMs: number
  readonly audioMs: number
}

interface Held {
  readonly frame: string | Uint8Array
  readonly audioBytes: number
}

/**
 * One connection's way out for speech: pairs `tts_start` with `tts_end`, cuts audio into small frames of the client's format,
 * and holds back when the client reads too slowly. Frames are never dropped out of the middle: an answer is whole up to where it
 * was given up.
 */
export class SpeechOutput {
  readonly #port: SpeechOutputPort
  readonly #encoder: PcmEncoder
  readonly #bytesPerMs: number
  #state: SpeechState = 'quiet'
  #turn = 0
  #sentBytes = 0
  #held: Held[] = []
  #heldBytes = 0
  #holdSince: number | undefined
  #stopCheck: (() => void) | undefined
  #isCancelAsked = false

  constructor(port: SpeechOutputPort) {
    this.#port = port
    this.#encoder = createPcmEncoder(port.format)
    this.#bytesPerMs = bytesPerSecond(port.format) / 1_000
  }

  get isSpeaking(): boolean {
    return this.#state === 'speaking' || this.#held.length > 0
  }

  /** Milliseconds handed over and not yet written to the wire. */
  get bufferedMs(): number {
    return Math.round((this.#heldBytes + this.#port.connection.bufferedBytes) / this.#bytesPerMs)
  }

  start(turn: number): void {
    const action = this.#step('start')
    if (action === 'close-and-open') this.#sendEnd(this.#facts({ interrupted: true }))
    this.#turn = turn
    this.#sentBytes = 0
    this.#encoder.reset()
    this.#push(this.#port.startText(turn), 0)
  }

  audio(samples: Int16Array): void {
    if (this.#step('audio') === 'drop') {
      this.#port.onStray()
      return
    }
    const bytes = this.#encoder.encode(samples)
    const unit = bytesPerSampleFrame(this.#port.format)
    const size = Math.max(unit, this.#port.limits.maxAudioFrameBytes - (this.#port.limits.maxAudioFrameBytes % unit))
    for (let offset = 0; offset < bytes.length; offset += size) {
      const frame = bytes.subarray(offset, Math.min(bytes.length, offset + size))
      this.#push(frame, frame.length)
    }
  }

  /** Ends the answer; an interrupted one loses what is still held back. */
  end(facts: SpeechEndFacts): void {
    if (this.#step('end') !== 'close') return
    if (facts.interrupted) this.#dropHeld()
    this.#sendEnd(facts.interrupted ? this.#facts(facts) : facts)
  }

  /** Ends whatever is being said, because its session or connection is given up. */
  stop(): void {
    const wasSpeaking = this.#step('lost') === 'close'
    if (this.#held.some(({ audioBytes }) => audioBytes > 0) || wasSpeaking) {
      this.#dropHeld()
      if (wasSpeaking) this.#sendEnd(this.#facts({ interrupted: true }))
    }
  }

  /** Stops the timer; nothing is sent any more. */
  dispose(): void {
    this.#held = []
    this.#heldBytes = 0
    this.#stopCheck?.()
    this.#stopCheck = undefined
  }

  #step(event: SpeechEvent): string {
    const [next, action] = speechTable[this.#state][event]
    this.#state = next
    return action
  }

  /** What was played at most: what went out, less what the socket still holds. */
  #facts(given: Partial<SpeechEndFacts> & { readonly interrupted: boolean }): SpeechEndFacts {
    const unsent = this.#heldBytes + this.#port.connection.bufferedBytes
    const sentMs = Math.max(0, Math.round((this.#sentBytes - unsent) / this.#bytesPerMs))
    return {
      interrupted: given.interrupted,
      audioMs: given.audioMs ?? Math.round(this.#sentBytes / this.#bytesPerMs),
      playedMs: Math.min(given.playedMs ?? sentMs, sentMs),
    }
  }

  #sendEnd(facts: SpeechEndFacts): void {
    this.#push(this.#port.endText(this.#turn, facts), 0)
  }

  /** Held-back audio goes, its `tts_start` and `tts_end` stay: those that were not sent belong to the pairs as well. */
  #dropHeld(): void {
    this.#held = this.#held.filter(({ audioBytes }) => audioBytes === 0)
    this.#heldBytes = 0
  }

  #push(frame: string | Uint8Array, audioBytes: number): void {
    this.#held.push({ frame, audioBytes })
    this.#heldBytes += audioBytes
    this.#flush()
  }

  #flush(): void {
    const { connection, limits } = this.#port
    const holdBytes = limits.holdBufferedMs * this.#bytesPerMs
    while (this.#held.length > 0 && connection.bufferedBytes <= holdBytes) {
      const next = this.#held.shift() as Held
      this.#heldBytes -= next.audioBytes
      connection.send(next.frame)
      if (next.audioBytes > 0) {
        this.#sentBytes += next.audioBytes
        this.#port.onSent(next.audioBytes)
      }
    }
    if (connection.bufferedBytes > holdBytes) this.#hold()
    else if (this.#held.length === 0) this.#release()
  }

  #release(): void {
    this.#holdSince = undefined
    this.#isCancelAsked = false
    this.#stopCheck?.()
    this.#stopCheck = undefined
  }

  #hold(): void {
    const { clock, limits } = this.#port
    this.#holdSince ??= clock.now()
    this.#stopCheck ??= clock.schedule(limits.holdCheckMs, () => {
      this.#stopCheck = undefined
      this.#check()
    })
  }

  /** A client that reads nothing falls behind by the time that passes, even when the pipeline holds back as well. */
  #check(): void {
    const { clock, limits } = this.#port
    this.#flush()
    if (this.#holdSince === undefined) return
    const behindMs = limits.holdBufferedMs + clock.now() - this.#holdSince
    if (behindMs > limits.closeBehindMs) {
      this.dispose()
      this.#port.onBehind('close')
      return
    }
    const isTooMuch = behindMs > limits.cancelBehindMs || this.#heldBytes > limits.maxHeldMs * this.#bytesPerMs
    if (isTooMuch && !this.#isCancelAsked) {
      this.#isCancelAsked = true
      this.#port.onBehind('cancel')
    }
    this.#hold()
  }
}
