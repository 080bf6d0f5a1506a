import {
  type BrowserEngine,
  type BrowsingCall,
  type BrowsingCookie,
  type BrowsingEvent,
  type BrowsingSession,
  type BrowsingSessionInfo,
  type Clock,
  type CreateBrowsingSession,
  DomosError,
  type EngineContext,
  type EnginePage,
  type JsonValue,
  type Log,
  type Metrics,
  type NetworkPolicy,
  type Principal,
} from '@domos/spec'
import type { BrowsingLimits } from '../limits.ts'
import { HeadlessPage, type PageEnvironment } from '../page/headless-page.ts'
import { randomHex } from '../secrets.ts'
import { checkCookie } from './check-cookie.ts'
import { exportState } from './state.ts'

/** What a session is made of. */
export interface SessionParts {
  readonly id: string
  readonly attachSecret: string
  readonly principal: Principal
  readonly options: CreateBrowsingSession
  readonly ignored: readonly string[]
  readonly engine: BrowserEngine
  readonly context: EngineContext
  readonly policy: NetworkPolicy
  readonly limits: BrowsingLimits
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly createdAt: number
  readonly expiresAt: number
  /** Called once when the session is over. */
  onClosed(session: HeadlessSession, keep: boolean): Promise<void>
}

/** One browsing session: pages over one engine context. */
export class HeadlessSession implements BrowsingSession {
  readonly id: string
  readonly attachSecret: string
  readonly ignored: readonly string[]
  readonly parts: SessionParts
  readonly #pages = new Map<string, HeadlessPage>()
  readonly #byEngineId = new Map<string, HeadlessPage>()
  readonly #listeners = new Set<(event: BrowsingEvent) => void>()
  readonly #pageEnvironment: PageEnvironment
  readonly #maxPages: number
  #defaultPage: Promise<HeadlessPage> | undefined
  #opening = 0
  #lastUsedAt: number
  #closing: Promise<void> | undefined

  constructor(parts: SessionParts) {
    this.parts = parts
    this.id = parts.id
    this.attachSecret = parts.attachSecret
    this.ignored = parts.ignored
    this.#lastUsedAt = parts.createdAt
    this.#maxPages = Math.min(
      parts.options.limits?.maxPages ?? Number.POSITIVE_INFINITY,
      parts.limits.maxPagesPerSession,
    )
    this.#pageEnvironment = {
      engine: parts.engine,
      context: parts.context,
      limits: parts.limits,
      clock: parts.clock,
      metrics: parts.metrics,
      timeoutMs: Math.min(parts.options.timeoutMs ?? parts.limits.operationTimeoutMs, parts.limits.maxTimeoutMs),
      emit: (event) => this.emit(event),
      urlOf: (pageId) => this.#pages.get(pageId)?.url,
      onClosed: (page, reason) => this.#pageClosed(page, reason),
    }
    parts.context.onPage((page, openerId) => this.#adopt(page, openerId))
    parts.context.onLost((reason) => this.#lost(reason))
  }

  get lastUsedAt(): number {
    return this.#lastUsedAt
  }

  get isPersistent(): boolean {
    return this.parts.options.persist === true
  }

  readonly cookies = {
    get: (filter: { readonly url?: string }): Promise<readonly BrowsingCookie[]> =>
      this.parts.context.cookies.get(checkUrl(filter.url)),
    set: async (cookies: readonly BrowsingCookie[]): Promise<number> => {
      for (const cookie of cookies) this.parts.policy.checkUrl(checkCookie(cookie))
      await this.parts.context.cookies.set(cookies)
      return cookies.length
    },
    clear: (filter: { readonly name?: string; readonly domain?: string; readonly url?: string }): Promise<number> => {
      checkUrl(filter.url)
      return this.parts.context.cookies.clear(filter)
    },
  }

  info(): BrowsingSessionInfo {
    const first = this.#pages.values().next().value
    return {
      id: this.id,
      ...(first === undefined ? {} : { url: first.url }),
      pageCount: this.#pages.size,
      uptimeMs: this.parts.clock.now() - this.parts.createdAt,
      expiresAt: this.parts.expiresAt,
      persist: this.isPersistent,
    }
  }

  async createPage(call: BrowsingCall, options: { readonly url?: string } = {}): Promise<HeadlessPage> {
    this.touch()
    if (this.#closing !== undefined) throw new DomosError('not_found', 'The session is closed.')
    if (this.#pages.size + this.#opening >= this.#maxPages) {
      throw new DomosError('busy', `This session may have ${this.#maxPages} pages; close one first.`, {
        details: { reason: 'RESOURCE_EXHAUSTED', maxPages: this.#maxPages },
      })
    }
    this.#opening += 1
    let page: HeadlessPage
    try {
      page = this.#register(await this.parts.context.openPage(), undefined)
    } finally {
      this.#opening -= 1
    }
    if (options.url !== undefined) {
      try {
        await page.navigate(options.url, {}, call)
      } catch (thrown) {
        await page.close()
        throw thrown
      }
    }
    return page
  }

  async page(id: string | undefined): Promise<HeadlessPage> {
    this.touch()
    if (id !== undefined) {
      const page = this.#pages.get(id)
      if (page !== undefined) return page
      throw new DomosError('not_found', 'This session has no such page.', { details: { field: 'page_id' } })
    }
    const first = this.#pages.values().next().value
    if (first !== undefined) return first
    this.#defaultPage ??= this.createPage({ signal: new AbortController().signal }).finally(() => {
      this.#defaultPage = undefined
    })
    return this.#defaultPage
  }

  listPages(): readonly { readonly id: string; readonly url: string; readonly title: string }[] {
    return [...this.#pages.values()].map(({ id, url, title }) => ({ id, url, title }))
  }

  exportState(): Promise<JsonValue> {
    return exportState(this.parts, this.listPages())
  }

  onEvent(listener: (event: BrowsingEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  touch(): void {
    this.#lastUsedAt = this.parts.clock.now()
  }

  close(options: { readonly persist?: boolean } = {}): Promise<void> {
    this.#closing ??= this.#close(options.persist ?? this.isPersistent, 'closed')
    return this.#closing
  }

  /** Ends the session for a reason of the server's; a persistent one is kept when its time is not over. */
  end(reason: 'expired' | 'idle' | 'server-closed'): Promise<void> {
    this.#closing ??= this.#close(reason !== 'expired' && this.isPersistent, reason)
    return this.#closing
  }

  emit(event: BrowsingEvent): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event)
      } catch {
        this.parts.log.error('browsing-listener-failed', { session: this.id })
      }
    }
  }

  async #close(keep: boolean, reason: string): Promise<void> {
    try {
      await this.parts.onClosed(this, keep)
    } finally {
      for (const page of [...this.#pages.values()]) await page.close().catch(() => {})
      await this.parts.context.close()
      this.emit({ type: 'session-closed', reason })
      this.#listeners.clear()
    }
  }

  #register(engine: EnginePage, openerId: string | undefined): HeadlessPage {
    const page = new HeadlessPage(`p_${randomHex(8)}`, engine, this.#pageEnvironment, openerId)
    this.#pages.set(page.id, page)
    this.#byEngineId.set(engine.id, page)
    return page
  }

  /** A page that a page opened. Over the limit it is closed again and that is said. */
  #adopt(engine: EnginePage, openerEngineId: string | undefined): void {
    const opener = openerEngineId === undefined ? undefined : this.#byEngineId.get(openerEngineId)
    if (this.#pages.size + this.#opening >= this.#maxPages || this.#closing !== undefined) {
      void engine.close()
      throw new DomosError(
        'busy',
        `This opens a new page, and the session may have ${this.#maxPages}; close one first.`,
        {
          details: { reason: 'RESOURCE_EXHAUSTED', maxPages: this.#maxPages },
        },
      )
    }
    const page = this.#register(engine, opener?.id)
    const { url } = engine.state()
    opener?.pageOpened(page.id, url)
    this.emit({ type: 'page-opened', pageId: page.id, ...(opener === undefined ? {} : { openerId: opener.id }), url })
  }

  #pageClosed(page: HeadlessPage, reason: string): void {
    this.#pages.delete(page.id)
    this.#byEngineId.delete(page.engine.id)
    this.emit({ type: 'page-closed', pageId: page.id, reason })
  }

  #lost(reason: string): void {
    this.emit({ type: 'session-recovered', reason })
  }
}

function checkUrl(url: string | undefined): string | undefined {
  if (url === undefined || URL.canParse(url)) return url
  throw new DomosError('invalid_request', 'url is not a complete URL.', { details: { field: 'url' } })
}
