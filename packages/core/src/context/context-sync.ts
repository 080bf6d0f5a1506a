import type { JsonObject } from '@domos/spec'
import type { ToolDescription } from '../tools/definition.ts'

/** The whole state of the page as the server is told of it. */
export interface PageState {
  readonly url: string
  readonly title: string
  readonly tools: readonly ToolDescription[]
  readonly data: JsonObject
}

/** What the synchroniser needs from its surroundings. */
export interface ContextSyncPort {
  /** Whether there is a session to tell. */
  ready(): boolean
  read(): PageState
  send(state: PageState): void
}

/**
 * Tells the server of the page's state at most once per microtask, however many things changed. Every message is the full
 * state. Nothing is sent without a session, and nothing when nothing changed.
 */
export class ContextSync {
  readonly #port: ContextSyncPort
  #scheduled = false
  #toolsChanged = false
  #lastSent: string | undefined

  constructor(port: ContextSyncPort) {
    this.#port = port
  }

  /** Something may have changed. */
  mark(what: 'tools' | 'context'): void {
    if (what === 'tools') this.#toolsChanged = true
    if (this.#scheduled) return
    this.#scheduled = true
    queueMicrotask(() => {
      if (this.#scheduled) this.flush()
    })
  }

  /** Sends a pending update now; a result must never overtake the state it leads to. */
  flush(): void {
    if (this.#scheduled) this.#send(this.#toolsChanged)
  }

  /** Sends the state now, changed or not, in place of a pending update. */
  sendNow(): void {
    this.#send(true)
  }

  /** Forgets what the server knows: the next session starts from nothing. */
  reset(): void {
    this.#scheduled = false
    this.#toolsChanged = false
    this.#lastSent = undefined
  }

  #send(always: boolean): void {
    this.#scheduled = false
    if (!this.#port.ready()) return
    const state = this.#port.read()
    const text = JSON.stringify(state)
    if (!always && text === this.#lastSent) return
    this.#toolsChanged = false
    this.#lastSent = text
    this.#port.send(state)
  }
}
