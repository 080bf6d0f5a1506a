import { type Clock, DomosError, type SynthesisRequest, type TextToSpeech, toDomosError } from '@domos/spec'
import type { VoiceLimits } from './limits.ts'
import type { Player } from './player.ts'

/** One piece of text on its way to be heard. */
export interface SpokenPiece {
  /** As the synthesiser gets it. */
  readonly spoken: string
  /** As it stands in the answer, with its place there; undefined for what the pipeline says by itself. */
  readonly source: { readonly text: string; readonly start: number; readonly end: number } | undefined
}

/** What a speaker needs. */
export interface SpeakerContext {
  readonly engine: TextToSpeech
  readonly player: Player
  readonly clock: Clock
  readonly limits: VoiceLimits
  readonly voice: () => Pick<SynthesisRequest, 'voice' | 'speed'>
  /** The first sound of an answer exists. */
  onFirstSound(): void
  /** The engine failed; nothing more of this answer is spoken. Comes once. */
  onError(error: DomosError): void
  /** Everything given was synthesised, or given up. */
  onIdle(): void
}

/** Speaks pieces of one answer, one after the other, through its player. */
export interface Speaker {
  speak(piece: SpokenPiece): void
  /** Room in the player. */
  onRoom(): void
  /** Drops everything and stops the engine. */
  stop(): void
  readonly isIdle: boolean
  /** How many characters of the answer have been heard, cut between words. */
  heardChars(): number
}

interface Track {
  readonly piece: SpokenPiece
  readonly startMs: number
  audioMs: number
  done: boolean
}

/** Length of speech for one character where the whole sound is not there yet. */
const MS_PER_CHAR = 62

/** Makes the speaker of one answer. Its engine must give 16 kHz. */
export function createSpeaker(context: SpeakerContext): Speaker {
  const { engine, player, clock, limits } = context
  const pieces: SpokenPiece[] = []
  const tracks: Track[] = []
  const stopping = new AbortController()
  let pushedMs = 0
  let running = false
  let broken = false
  let sounded = false
  let room: (() => void) | undefined

  async function run(): Promise<void> {
    running = true
    while (!stopping.signal.aborted && !broken) {
      const piece = pieces.shift()
      if (piece === undefined) break
      const track: Track = { piece, startMs: pushedMs, audioMs: 0, done: false }
      tracks.push(track)
      try {
        await synthesize(piece, track)
        track.done = true
      } catch (thrown) {
        if (stopping.signal.aborted) break
        broken = true
        pieces.length = 0
        context.onError(toDomosError(thrown, `The speech synthesiser (${engine.id}) failed.`))
      }
    }
    running = false
    if (!stopping.signal.aborted) context.onIdle()
  }

  async function synthesize(piece: SpokenPiece, track: Track): Promise<void> {
    const giveUp = new AbortController()
    const signal = AbortSignal.any([giveUp.signal, stopping.signal])
    const chunks = engine.synthesize({ text: piece.spoken, ...context.voice() }, signal)[Symbol.asyncIterator]()
    try {
      for (;;) {
        const next = await withinTime(chunks.next(), giveUp)
        if (next.done === true || stopping.signal.aborted) return
        const { samples } = next.value
        if (samples.length === 0) continue
        track.audioMs += samples.length / 16
        pushedMs += samples.length / 16
        if (!sounded) {
          sounded = true
          context.onFirstSound()
          // A model that has finished by now has its whole answer shown in one piece, in front of the sound.
          await new Promise<void>((resolve) => clock.schedule(0, resolve))
          if (stopping.signal.aborted) return
        }
        player.push(samples)
        while (player.aheadMs > limits.synthesisAheadMs && !stopping.signal.aborted) {
          await new Promise<void>((resolve) => {
            room = resolve
          })
        }
      }
    } finally {
      giveUp.abort(new DomosError('cancelled', 'Nobody listens any more.'))
      // A generator that hangs never answers this either.
      chunks.return?.().then(undefined, () => {})
    }
  }

  async function withinTime<Value>(work: Promise<Value>, giveUp: AbortController): Promise<Value> {
    const over = Promise.withResolvers<never>()
    const stop = clock.schedule(limits.synthesisTimeoutMs, () => {
      const error = new DomosError(
        'timeout',
        `The speech synthesiser (${engine.id}) gave no sound for ${limits.synthesisTimeoutMs / 1000} s (synthesisTimeoutMs).`,
      )
      over.reject(error)
      giveUp.abort(error)
    })
    const onStop = (): void => over.reject(new DomosError('cancelled', 'The answer was stopped.'))
    stopping.signal.addEventListener('abort', onStop, { once: true })
    work.catch(() => {})
    try {
      return await Promise.race([work, over.promise])
    } finally {
      stop()
      stopping.signal.removeEventListener('abort', onStop)
    }
  }

  return {
    get isIdle() {
      return !running && pieces.length === 0
    },
    speak(piece) {
      if (broken || stopping.signal.aborted) return
      pieces.push(piece)
      if (!running) void run()
    },
    onRoom() {
      if (player.aheadMs > limits.synthesisAheadMs) return
      room?.()
      room = undefined
    },
    stop() {
      pieces.length = 0
      stopping.abort(new DomosError('cancelled', 'The answer was stopped.'))
      room?.()
      room = undefined
    },
    heardChars() {
      const heardMs = player.heardMs
      let chars = 0
      for (const { piece, startMs, audioMs, done } of tracks) {
        const { source } = piece
        if (source === undefined) continue
        const played = heardMs - startMs
        if (done && played >= audioMs - 1) {
          chars = source.end
          continue
        }
        if (played <= 0 && !(player.isPlaying && startMs === 0)) break
        const wholeMs = done ? audioMs : Math.max(audioMs, piece.spoken.length * MS_PER_CHAR)
        chars = source.start + wordEnd(source.text, Math.max(0, played) / wholeMs)
        break
      }
      return chars
    },
  }
}

/** The end of the word that was being heard when this share of the text had sounded; at least the first word's. */
function wordEnd(text: string, share: number): number {
  const at = Math.min(1, share) * text.length
  let end = 0
  for (const word of text.matchAll(/\S+/g)) {
    const middle = word.index + word[0].length / 2
    if (end > 0 && middle > at) break
    end = word.index + word[0].length
  }
  return end
}
