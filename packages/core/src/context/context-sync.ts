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
  #toolsAdded = false
  #lastSent: string | undefined
  #lastTools: readonly string[] = []

  constructor(port: ContextSyncPort) {
    this.#port = port
  }

  /**
   * Something may have changed. A tool that the server does not know yet is told of even when it leaves in the same task;
   * one that leaves and comes back the same, as in strict mode or a hot reload, is not.
   */
  mark(addedTool?: string): void {
    if (addedTool !== undefined && !this.#lastTools.includes(addedTool)) this.#toolsAdded = true
    if (this.#scheduled) return
    this.#scheduled = true
    queueMicrotask(() => {
      if (this.#scheduled) this.flush()
    })
  }

  /** Sends a pending update now; a result must never overtake the state it leads to. */
  flush(): void {
    if (this.#scheduled) this.#send(this.#toolsAdded)
  }

  /** Sends the state now, changed or not, in place of a pending update. */
  sendNow(): void {
    this.#send(true)
  }

  /** Forgets what the server knows: the next session starts from nothing. */
  reset(): void {
    this.#scheduled = false
    this.#toolsAdded = false
    this.#lastSent = undefined
    this.#lastTools = []
  }

  #send(always: boolean): void {
    this.#scheduled = false
    if (!this.#port.ready()) return
    const state = this.#port.read()
    const text = JSON.stringify(state)
    if (!always && text === this.#lastSent) return
    this.#toolsAdded = false
    this.#lastSent = text
    this.#lastTools = state.tools.map(({ name }) => name)
    this.#port.send(state)
  }
}
