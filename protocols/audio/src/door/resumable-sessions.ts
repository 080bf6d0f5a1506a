import type { Clock, JsonObject, Principal, Session } from '@domos/spec'
import { randomHex } from '@domos/wire'
import type { ConnectionConfig } from '../config.ts'
import type { AudioDoorLimits } from '../limits.ts'

/** A session whose client may come back. */
export interface Resumable {
  readonly session: Session
  readonly isOwn: boolean
  readonly voiceConfig: JsonObject
  readonly connectionConfig: ConnectionConfig
  /** Lets it go: nobody came. */
  abandon(): void
}

/** Sessions whose connection broke, for a minute, by the token their client has. Memory stays; audio is never replayed. */
export class ResumableSessions {
  readonly #clock: Clock
  readonly #limits: AudioDoorLimits
  readonly #waiting = new Map<string, { readonly resumable: Resumable; readonly stopTimer: () => void }>()
  #isClosed = false

  constructor(clock: Clock, limits: AudioDoorLimits) {
    this.#clock = clock
    this.#limits = limits
  }

  get count(): number {
    return this.#waiting.size
  }

  /** A token that nobody can guess. */
  newToken(): string {
    return randomHex(16)
  }

  /** Keeps a session under its token. */
  keep(token: string, resumable: Resumable): void {
    if (this.#isClosed) {
      resumable.abandon()
      return
    }
    const stopTimer = this.#clock.schedule(this.#limits.resumeTtlMs, () => {
      this.#waiting.delete(token)
      resumable.abandon()
    })
    this.#waiting.set(token, { resumable, stopTimer })
    if (this.#waiting.size <= this.#limits.maxResumable) return
    for (const [oldest, entry] of this.#waiting) {
      this.#waiting.delete(oldest)
      entry.stopTimer()
      entry.resumable.abandon()
      break
    }
  }

  /** The session of a token, which stays here. */
  find(token: string): Resumable | undefined {
    return this.#waiting.get(token)?.resumable
  }

  /** Gives out the session of a token to its owner, once. */
  take(token: string, principal: Principal): Resumable | undefined {
    const entry = this.#waiting.get(token)
    if (entry === undefined) return undefined
    const { principal: owner, signal } = entry.resumable.session
    if (owner.id !== principal.id || owner.tenant !== principal.tenant) return undefined
    this.#waiting.delete(token)
    entry.stopTimer()
    if (!signal.aborted) return entry.resumable
    entry.resumable.abandon()
    return undefined
  }

  close(): void {
    this.#isClosed = true
    for (const { resumable, stopTimer } of this.#waiting.values()) {
      stopTimer()
      resumable.abandon()
    }
    this.#waiting.clear()
  }
}
