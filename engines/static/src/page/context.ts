import type { BrowsingCookie, Clock, EngineContext, EngineContextOptions, EnginePage, JsonObject } from '@domos/spec'
import type { WorkerPool } from '../document/worker-pool.ts'
import type { StaticEngineLimits } from '../limits.ts'
import { type Cookies, createCookies } from '../net/cookies.ts'
import { createDispatcher, type Dispatcher } from '../net/dispatcher.ts'
import type { FetchEnvironment } from '../net/fetch-document.ts'
import { createDownloads, type Downloads } from './downloads.ts'
import { contextHeaders } from './headers.ts'
import { StaticPage } from './page.ts'

/** Cookies, connections, downloads and pages of one session. */
export class StaticContext implements EngineContext {
  readonly options: EngineContextOptions
  readonly clock: Clock
  readonly workers: WorkerPool
  readonly engineLimits: StaticEngineLimits
  readonly downloads: Downloads
  readonly environment: FetchEnvironment
  readonly #dispatcher: Dispatcher
  readonly #jar: Cookies = createCookies()
  readonly #pages = new Map<string, StaticPage>()
  /** Pages opened under a name (`target="report"`), so that the name finds them again. */
  readonly #named = new Map<string, string>()
  readonly #onClose: () => void
  #pageListener: (page: EnginePage, openerId: string | undefined) => void = () => {}
  #nextPage = 1
  #isClosed = false

  constructor(
    options: EngineContextOptions,
    shared: { readonly clock: Clock; readonly workers: WorkerPool; readonly limits: StaticEngineLimits },
    onClose: () => void,
  ) {
    this.options = options
    this.clock = shared.clock
    this.workers = shared.workers
    this.engineLimits = shared.limits
    this.#onClose = onClose
    this.#dispatcher = createDispatcher(options.policy)
    this.downloads = createDownloads(options.downloadDirectory, { maxDownloadBytes: options.limits.maxDownloadBytes })
    const { limits } = options
    this.environment = {
      policy: options.policy,
      dispatcher: this.#dispatcher,
      cookies: this.#jar,
      headers: contextHeaders(options),
      // Whether a body is a document or a download shows only later; each has its own bound then.
      limits: {
        ...limits,
        maxResponseBytes: Math.max(limits.maxResponseBytes, limits.maxDownloadBytes),
        maxDecodedBytes: Math.max(limits.maxDecodedBytes, limits.maxDownloadBytes),
      },
      traffic: { requests: 0, bytesIn: 0, bytesOut: 0, refused: 0 },
    }
  }

  readonly cookies = {
    get: (url: string | undefined): Promise<readonly BrowsingCookie[]> => this.#jar.get(url),
    set: (cookies: readonly BrowsingCookie[]): Promise<void> => this.#jar.set(cookies),
    clear: (filter: { readonly name?: string; readonly domain?: string; readonly url?: string }): Promise<number> =>
      this.#jar.clear(filter),
  }

  async openPage(): Promise<StaticPage> {
    const page = new StaticPage(this, `static-${this.#nextPage++}`)
    this.#pages.set(page.id, page)
    return page
  }

  /** The page that a link of `opener` with this target leads to: a known name, or a new page that is announced. */
  async pageForTarget(opener: StaticPage, target: string): Promise<StaticPage> {
    const name = target.toLowerCase() === '_blank' ? undefined : target
    const known = name === undefined ? undefined : this.#pages.get(this.#named.get(name) ?? '')
    if (known !== undefined) return known
    const page = await this.openPage()
    if (name !== undefined) this.#named.set(name, page.id)
    this.#pageListener(page, opener.id)
    return page
  }

  /** Drops the trees of pages that nobody used since `before` (epoch milliseconds). */
  hibernate(before: number): void {
    for (const page of this.#pages.values()) page.hibernate(before)
  }

  /** Called by a page that closed. */
  forget(page: StaticPage): void {
    this.#pages.delete(page.id)
    for (const [name, id] of this.#named) if (id === page.id) this.#named.delete(name)
  }

  async exportStorage(): Promise<JsonObject> {
    return {}
  }

  async importStorage(): Promise<void> {}

  onPage(listener: (page: EnginePage, openerId: string | undefined) => void): void {
    this.#pageListener = listener
  }

  /** This engine shares the server's process; there is nothing that could be lost without it. */
  onLost(): void {}

  traffic(): FetchEnvironment['traffic'] {
    return { ...this.environment.traffic }
  }

  readDownload(id: string, offset: number, maxBytes: number): ReturnType<Downloads['read']> {
    return this.downloads.read(id, offset, maxBytes)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#onClose()
    for (const page of [...this.#pages.values()]) await page.close()
    await this.#dispatcher.close()
    await this.downloads.close()
  }
}
