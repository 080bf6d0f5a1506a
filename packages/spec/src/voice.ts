import type { ErrorCode } from './error.ts'
import type { JsonObject } from './json.ts'
import type { Session } from './session.ts'
import type { RecognizedWord } from './speech.ts'

/** What a conversation by voice is doing. */
export type VoiceState = 'idle' | 'listening' | 'thinking' | 'speaking' | 'paused'

/** Settings of one conversation that its peer may change (WebSocket Voice Protocol, "config"). */
export interface VoiceConfig {
  /** 0 to 1; higher hears quieter speech. @default 0.5 */
  readonly vadSensitivity: number
  /** BCP 47. @default 'en' */
  readonly language: string
  /** Words and names that are likely to be said. @default [] */
  readonly vocabulary: readonly string[]
  /** Send partial transcripts. @default false */
  readonly partials: boolean
  /** Only an explicit commit ends a turn. @default false */
  readonly pushToTalk: boolean
  /** Silence that ends a turn with a complete parse by the live grammar. @default 250 */
  readonly endpointCompleteMs: number
  /** Silence that ends a turn otherwise. @default 700 */
  readonly endpointMs: number
  /** Whether speech may interrupt the answer. @default true */
  readonly bargeIn: boolean
  /** Speak answers at all. @default true */
  readonly speak: boolean
  /** Voice of the synthesiser; undefined = its default. */
  readonly voice: string | undefined
  /** 0.5 to 2. @default 1 */
  readonly speed: number
  /** Deliver audio as fast as it is made instead of in real time. @default false */
  readonly fastDelivery: boolean
}

/** The far end of a conversation: what it is told and what it is played. Implemented by doors. Must not throw. */
export interface VoiceSink {
  /** Milliseconds of audio handed over and not yet written to the wire; the pipeline holds back when it grows. */
  readonly bufferedMs: number
  /**
   * What a person said (final once a turn; before that, with partials on, the words so far under the turn number they would get),
   * and what the assistant answers: always final, in front of its sound. An answer that is known when its sound begins comes
   * as one transcript, else as a few, which joined by blanks give the whole.
   */
  onTranscript(transcript: {
    readonly role: 'user' | 'assistant'
    readonly text: string
    readonly isFinal: boolean
    readonly turn: number
    readonly words?: readonly RecognizedWord[]
    readonly confidence?: number
  }): void
  /**
   * Always followed by exactly one {@link onSpeechEnd} of the same turn, whatever happens. An answer that waits (for a tool, or for a
   * person at a screen) ends its sound and may begin again under the same turn number.
   */
  onSpeechStart(speech: { readonly turn: number }): void
  /** 16 kHz mono, only between start and end, paced in real time with a lead unless fast delivery is on. */
  onAudio(samples: Int16Array): void
  onSpeechEnd(speech: {
    readonly turn: number
    readonly audioMs: number
    readonly interrupted: boolean
    /** What was really played, as far as pacing can tell. */
    readonly playedMs: number
  }): void
  onState(state: VoiceState): void
  /**
   * An utterance came to nothing: no turn starts for it. Reasons: `no-speech`, `no-words`, `nothing-said` (after a wake word),
   * `echo`, `backchannel` ("uh-huh" during an answer), `stop` (it asked for silence and nothing else), `failed` (an error was told
   * as well).
   */
  onNothingHeard?(nothing: { readonly reason: string }): void
  /** A turn or engine failed; the conversation goes on. */
  onError(error: { readonly code: ErrorCode; readonly message: string; readonly turn?: number }): void
  /** Times of one finished turn, in milliseconds from the end of the person's speech. */
  onLatency(report: {
    readonly turn: number
    readonly endpointMs: number
    readonly transcriptMs: number
    readonly firstTokenMs?: number
    readonly firstAudioMs?: number
    readonly voiceToVoiceMs?: number
    readonly interrupted: boolean
  }): void
}

/** One microphone and speaker in a session. Time is counted in samples, not in arrival. */
export interface VoiceConversation {
  readonly state: VoiceState
  readonly config: VoiceConfig
  /**
   * Takes microphone samples, mono, any number at a time; bounded, the oldest are dropped with an error.
   * @param sampleRateHz Their rate; other rates are converted. @default 16000
   */
  pushAudio(samples: Int16Array, sampleRateHz?: number): void
  /** Starts listening at once, without waiting for the detector (wake word, button down). */
  arm(): void
  /** The person has finished: end the turn now (button up, end of stream). */
  commit(): void
  /** Stops the answer. */
  interrupt(reason: string): void
  /** A typed sentence takes the same way as a spoken one. */
  say(text: string): void
  /** Speaks a sentence that is nobody's answer. */
  announce(text: string, mode: 'queue' | 'interrupt'): void
  /** @throws DomosError `invalid_request` with details.path; then nothing is changed */
  configure(change: JsonObject): VoiceConfig
  close(): Promise<void>
}

/** The organ behind the voice door and ADTP's audio modality. */
export interface Voice {
  /** Whether recognition and synthesis work now. */
  readonly canHear: boolean
  readonly canSpeak: boolean
  open(session: Session, sink: VoiceSink, config?: JsonObject): VoiceConversation
  /** Facts for /healthz: engines, what is missing and how to get it. */
  health(): JsonObject
  close(): Promise<void>
}
