import type { Clock } from '@domos/spec'
import { randomHex } from '@domos/wire'
import type { AdtpDoorLimits } from '../limits.ts'
import type { Page } from './page.ts'

/** Tokens of one page that are valid at once: the one it surely has, and the one on its way. */
const MAX_TOKENS = 2

/** All pages of a door: those that are connected, and those that dropped and may come back for a while. */
export class Pages {
  readonly #clock: Clock
  readonly #limits: AdtpDoorLimits
  readonly #byToken = new Map<string, Page>()
  readonly #tokens = new Map<Page, Set<string>>()
  /** Dropped pages with the function that stops their timer, in the order of dropping. */
  readonly #detached = new Map<Page, () => void>()

  #isClosed = false

  constructor(clock: Clock, limits: AdtpDoorLimits) {
    this.#clock = clock
    this.#limits = limits
  }

  /** Pages that wait to be taken over. */
  get detachedCount(): number {
    return this.#detached.size
  }

  /** A fresh token for the page; older ones stay valid until {@link confirmToken}, in case this one never arrives. */
  issueToken(page: Page): string {
    const token = randomHex(16)
    this.#byToken.set(token, page)
    const tokens = this.#tokens.get(page) ?? new Set()
    tokens.add(token)
    for (const oldest of tokens) {
      if (tokens.size <= MAX_TOKENS) break
      tokens.delete(oldest)
      this.#byToken.delete(oldest)
    }
    this.#tokens.set(page, tokens)
    return token
  }

  /** The page has shown that it got this token: the older ones are void. */
  confirmToken(page: Page, token: string): void {
    for (const other of this.#tokens.get(page) ?? []) {
      if (other === token) continue
      this.#byToken.delete(other)
      this.#tokens.get(page)?.delete(other)
    }
  }

  /** The page a token stands for. */
  find(token: string): Page | undefined {
    return this.#byToken.get(token)
  }

  /** A dropped page is taken over. */
  revive(page: Page): void {
    this.#detached.get(page)?.()
    this.#detached.delete(page)
  }

  /** The page has lost its connection: it is kept for a while, or let go. */
  drop(page: Page, canReturn: boolean): void {
    if (!canReturn || page.isGone || this.#isClosed) {
      this.release(page, this.#isClosed ? 'shutdown' : 'page-left')
      return
    }
    const stopTimer = this.#clock.schedule(this.#limits.resumeTtlMs, () => this.release(page, 'page-did-not-return'))
    this.#detached.set(page, stopTimer)
    if (this.#detached.size <= this.#limits.maxDetachedPages) return
    for (const oldest of this.#detached.keys()) {
      this.release(oldest, 'too-many-dropped-pages')
      break
    }
  }

  /** The page is gone for good. */
  release(page: Page, reason: string): void {
    this.revive(page)
    for (const token of this.#tokens.get(page) ?? []) this.#byToken.delete(token)
    this.#tokens.delete(page)
    page.leave(reason)
  }

  /** Lets every dropped page go, and keeps none from now on. */
  close(reason: string): void {
    this.#isClosed = true
    for (const page of [...this.#detached.keys()]) this.release(page, reason)
  }
}
