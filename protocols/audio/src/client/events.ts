import type { JsonObject, VoiceState } from '@domos/spec'
import type { ToClient } from '../messages.ts'
import type { LinkState } from './link-state.ts'

/** What a client tells, by name of the event. */
export interface VoiceClientEvents {
  /** The connection changed. `retryInMs` with `waiting`, `code` and `reason` when a socket closed. */
  readonly link: {
    readonly state: LinkState
    readonly retryInMs?: number
    readonly code?: number
    readonly reason?: string
  }
  /**
   * A session was assigned. A client that joins or comes back is first told of a session of its own, which it leaves. `resumed`:
   * it is the one from before; `joined`: it is the one that `joinToken` opened; `lost`: that one cannot be had back.
   */
  readonly session: {
    readonly sessionId: string
    readonly resumed: boolean
    readonly joined: boolean
    readonly lost: boolean
  }
  readonly transcript: {
    readonly role: 'user' | 'assistant'
    readonly text: string
    readonly isFinal: boolean
    readonly words: readonly { readonly word: string; readonly start: number; readonly end: number }[]
    readonly turn: number | undefined
  }
  readonly 'speech-start': { readonly turn: number | undefined }
  /** 16 kHz mono, to be played. */
  readonly audio: Int16Array
  readonly 'speech-end': {
    readonly turn: number | undefined
    readonly interrupted: boolean
    readonly playedMs: number | undefined
  }
  /** What the conversation is doing. */
  readonly state: VoiceState
  /** A sound began no turn: `no-speech`, `no-words`, `backchannel`, … */
  readonly 'nothing-heard': { readonly reason: string }
  readonly config: JsonObject
  readonly latency: ToClient<'latency'>
  /** An error of the server, or `client` for one of ours. The connection stays. */
  readonly error: { readonly code: string; readonly message: string }
}
