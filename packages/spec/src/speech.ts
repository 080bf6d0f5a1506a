/**
 * What a speech engine is: voice activity detection, speech to text, text to speech. All audio is mono; samples are
 * signed 16-bit (`Int16Array`, ±32,768) or float (`Float32Array`, ±1). Recognition and voice activity take 16,000 samples
 * a second; synthesis says its rate with each chunk. Times are milliseconds. Failures are thrown as the one error class.
 */

import type { ToolDeclaration } from './tool.ts'

/** Samples a second of everything an engine listens to. */
export const SPEECH_SAMPLE_RATE_HZ = 16_000

/** Whether an engine can work now. */
export interface SpeechEngineHealth {
  /** `degraded`: works, but with less than it could (the detail says what). */
  readonly state: 'ready' | 'degraded' | 'unavailable'
  /** A sentence for a person: what works, or what is missing and how to get it. */
  readonly detail: string
  /** What is missing, one entry each, e.g. the Debian package to install. Empty when nothing is. */
  readonly missing: readonly string[]
}

/** What every speech engine has. */
export interface SpeechEngine {
  /** Stable id for logs, health and configuration, e.g. `pocketsphinx`. */
  readonly id: string
  /** Looks whether the engine can work: reads files, asks its endpoint. Never throws except when `signal` aborts. */
  health(signal: AbortSignal): Promise<SpeechEngineHealth>
  /** Ends workers, connections and open streams. May be called twice. */
  close(): Promise<void>
}

// ---- voice activity ----

/** Tells speech from everything else, frame by frame. */
export interface VoiceActivityDetector extends SpeechEngine {
  /** Samples in one frame, at 16 kHz; Silero: 512 (32 ms). */
  readonly frameSamples: number
  /** Starts the state for one audio stream. Streams do not influence each other. */
  openStream(): VoiceActivityStream
}

/** The detector's memory of one audio stream. Synchronous: one frame costs well under a millisecond. */
export interface VoiceActivityStream {
  /**
   * The probability, 0 to 1, that this frame is speech.
   * @throws with code `invalid_request` when the frame does not hold exactly `frameSamples` samples
   */
  process(frame: Int16Array | Float32Array): number
  /** Forgets everything heard, as at the start of a session. */
  reset(): void
}

// ---- speech to text ----

/** What a recognizer can do, so that callers need not guess from its output. */
export interface SpeechToTextAbilities {
  /** Delivers partial results while a person speaks. */
  readonly partials: boolean
  /** Final results carry word times. */
  readonly wordTimes: boolean
  /** Words carry a confidence. */
  readonly confidence: boolean
  /** Hints it uses: a grammar made from tools and vocabulary, a list of words, or none. */
  readonly hints: 'grammar' | 'words' | 'none'
  /** BCP 47 tags it was made for; `*` = many, decided by the model behind it. */
  readonly languages: readonly string[]
}

/** A tool as far as a recognizer needs it: enums, constants and titles of its parameters become expected words. */
export type SpeechToolHint = Pick<ToolDeclaration, 'name' | 'description' | 'parameters'>

/** What is likely to be said next. Replaced as a whole whenever the session's tools or vocabulary change. */
export interface SpeechHints {
  /** The session's live tools. */
  readonly tools?: readonly SpeechToolHint[]
  /** Names and phrases of the site: products, rooms, people. */
  readonly vocabulary?: readonly string[]
  /** Whole sentences that are expected, e.g. the answers to a question just asked. */
  readonly phrases?: readonly string[]
}

/** One recognized word. Times count from the first sample of the utterance. */
export interface RecognizedWord {
  readonly word: string
  readonly startMs: number
  readonly endMs: number
  /** 0 to 1; absent when the engine has none. */
  readonly confidence?: number
}

/** What is recognized so far; later partials of an utterance may change earlier words. */
export interface PartialRecognition {
  readonly text: string
  /**
   * True when the text is a complete sentence of the grammar made from the hints, so that nothing more is needed to act on
   * it. Engines without a grammar say false.
   */
  readonly complete: boolean
}

/** The result of one utterance. */
export interface Recognition {
  /** Lower or mixed case, without sound tags; empty when nothing was understood. */
  readonly text: string
  /** Empty when the engine gives no word times. */
  readonly words: readonly RecognizedWord[]
  /** 0 to 1 for the whole utterance; absent when the engine has none. */
  readonly confidence?: number
  /** Which model won: the grammar of the hints, or general language. */
  readonly source: 'grammar' | 'language'
  /** Length of the audio that was recognized. */
  readonly audioMs: number
}

/** What one recognition stream is opened with. */
export interface RecognitionOptions {
  /** BCP 47 tag. @default the engine's first language */
  readonly language?: string
  readonly hints?: SpeechHints
  /** Called with every change of the partial result, never after `finish` or `discard` began. */
  readonly onPartial?: (partial: PartialRecognition) => void
}

/** Turns speech into text. */
export interface SpeechToText extends SpeechEngine {
  readonly abilities: SpeechToTextAbilities
  /**
   * Opens a stream for one speaker. It serves many utterances, one after the other, and keeps what it learned about the
   * voice and the room between them. Aborting `signal` closes the stream.
   * @throws with code `unavailable` when the engine cannot work; the message names what is missing
   */
  openStream(options: RecognitionOptions, signal: AbortSignal): Promise<RecognitionStream>
}

/** One speaker's stream of utterances. Utterances begin with the first `write` after the last `finish` or `discard`. */
export interface RecognitionStream {
  /**
   * Takes samples of the current utterance, 16 kHz, any number. Returns at once. The samples are copied. What exceeds the
   * engine's bound for one utterance is left out, and `finish` fails with code `too_large`.
   */
  write(samples: Int16Array): void
  /**
   * Ends the utterance and waits for its result. With nothing written the text is empty.
   * @throws `unavailable` when the engine failed in this utterance (the next one starts afresh), `timeout`, `cancelled`
   */
  finish(signal: AbortSignal): Promise<Recognition>
  /** Drops the utterance; no result and no further partial of it comes. */
  discard(): void
  /** Replaces the hints, from the next utterance on. */
  setHints(hints: SpeechHints): void
  /** May be called twice. */
  close(): void
}

// ---- text to speech ----

/** A voice that can be asked for. */
export interface SpeechVoice {
  readonly id: string
  /** BCP 47 tag. */
  readonly language: string
  /** A few words for a person who chooses. */
  readonly description: string
}

/** What to speak. */
export interface SynthesisRequest {
  /** Plain text. Empty or unpronounceable text gives no chunks. */
  readonly text: string
  /** Id of a voice; an unknown one is refused with code `invalid_request`. @default the engine's first voice */
  readonly voice?: string
  /** Rate of speaking, 0.5 to 2. @default 1 */
  readonly speed?: number
}

/** A piece of speech, in order. Pieces of one request join without a gap. */
export interface SpeechChunk {
  readonly samples: Int16Array
  readonly sampleRateHz: number
  /** Where in the request's text this piece begins and ends, in UTF-16 units, where the engine knows it. */
  readonly textStart?: number
  readonly textEnd?: number
}

/** Turns text into speech. */
export interface TextToSpeech extends SpeechEngine {
  /** Voices at hand, the default first. */
  voices(signal: AbortSignal): Promise<readonly SpeechVoice[]>
  /**
   * Speaks the text sentence by sentence; a chunk comes as soon as it exists. Leaving the loop or aborting `signal`
   * stops the work.
   * @throws `unavailable`, `timeout`, `invalid_request`, `too_large` (text too long), `cancelled`
   */
  synthesize(request: SynthesisRequest, signal: AbortSignal): AsyncIterable<SpeechChunk>
}
