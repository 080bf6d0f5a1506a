import { randomBytes } from 'node:crypto'
import {
  DomosError,
  type EngineContext,
  type EngineContextOptions,
  type EnginePage,
  type JsonObject,
} from '@domos/spec'
import type { CdpConnection, CdpSession } from '../cdp/connection.ts'
import type { Protocol } from '../cdp/types.ts'
import { type EgressProxy, openEgressProxy } from '../egress/proxy.ts'
import type { BrowserProcess, Resident } from '../launch/browser-process.ts'
import type { LaunchedBrowser } from '../launch/launch-browser.ts'
import type { ChromiumLimits } from '../limits.ts'
import type { InjectedScripts } from '../page/injected-scripts.ts'
import type { EgressFailure } from '../page/net-errors.ts'
import { ChromiumPage } from '../page/page.ts'
import type { Preparation } from '../page/prepare-target.ts'
import { contextCookies } from './cookies.ts'
import { Downloads } from './downloads.ts'
import { watchHeaps } from './heap-watch.ts'
import { exportStorage, importStorage } from './storage.ts'

/** What a context is made with. */
export interface ContextParts {
  readonly process: BrowserProcess
  readonly options: EngineContextOptions
  readonly limits: ChromiumLimits
  readonly scripts: InjectedScripts
  readonly canEvaluate: boolean
  onClose(context: ChromiumContext): void
}

/** One session's browser context: its own cookies, storage, proxy and pages. */
export class ChromiumContext implements EngineContext, Resident {
  readonly options: EngineContextOptions
  readonly limits: ChromiumLimits
  readonly canEvaluate: boolean
  readonly preparation: Preparation
  readonly cookies: EngineContext['cookies']
  readonly #parts: ContextParts
  readonly #proxy: EgressProxy
  readonly #browserContextId: string
  readonly #downloads: Downloads
  readonly #pages = new Map<string, ChromiumPage>()
  readonly #expected = new Map<string, (page: ChromiumPage) => void>()
  #opening = 0
  #pageListener: (page: EnginePage, openerId: string | undefined) => void = () => {}
  #lostListener: (reason: string) => void = () => {}
  #storage: JsonObject = {}
  #lost: string | undefined
  #isClosed = false
  readonly #stopHeapWatch: () => void

  static async open(parts: ContextParts): Promise<ChromiumContext> {
    const proxy = await openEgressProxy(parts.options.policy, { maxBytesIn: parts.limits.maxBytesIn })
    try {
      const { browser } = parts.process.launched.connection
      const { browserContextId } = await browser.send('Target.createBrowserContext', {
        disposeOnDetach: true,
        proxyServer: `http://${proxy.address}`,
        // Loopback too goes through the proxy, which decides.
        proxyBypassList: '<-loopback>',
      })
      const context = new ChromiumContext(parts, proxy, browserContextId)
      parts.process.add(browserContextId, context)
      browser.post('Browser.setDownloadBehavior', {
        behavior: 'allowAndName',
        browserContextId,
        downloadPath: parts.process.launched.downloadDirectory,
        eventsEnabled: true,
      })
      return context
    } catch (thrown) {
      await proxy.close()
      throw thrown
    }
  }

  private constructor(parts: ContextParts, proxy: EgressProxy, browserContextId: string) {
    this.#parts = parts
    this.#proxy = proxy
    this.#browserContextId = browserContextId
    this.options = parts.options
    this.limits = parts.limits
    this.canEvaluate = parts.canEvaluate
    const { browser } = this.connection
    this.cookies = contextCookies(browser, browserContextId)
    const { maxDownloadBytes } = parts.options.limits
    this.#downloads = new Downloads(
      browser,
      browserContextId,
      this.launched.downloadDirectory,
      parts.options.downloadDirectory,
      {
        maxDownloadBytes,
        maxTotalBytes: maxDownloadBytes * parts.limits.downloadQuotaFactor,
        maxFiles: parts.limits.maxDownloads,
      },
    )
    this.#stopHeapWatch = watchHeaps(parts.options.maxJsHeapMb, parts.limits.memoryIntervalMs, () =>
      this.#pages.values(),
    )
    // Random, so that no page can know the names.
    const binding = `b${randomBytes(8).toString('hex')}`
    const token = `t${randomBytes(8).toString('hex')}`
    this.preparation = {
      options: parts.options,
      browserUserAgent: this.launched.userAgent,
      binding,
      isolatedScript: `var __domosSettings=${JSON.stringify({ binding, token })};${parts.scripts.isolated}`,
      mainScript: `{const __domosToken=${JSON.stringify(token)};${parts.scripts.main}}`,
    }
  }

  get launched(): LaunchedBrowser {
    return this.#parts.process.launched
  }

  get connection(): CdpConnection {
    return this.launched.connection
  }

  get process(): BrowserProcess {
    return this.#parts.process
  }

  async openPage(): Promise<ChromiumPage> {
    if (this.#isClosed) throw new DomosError('not_found', 'The session is closed.')
    if (this.#lost !== undefined) {
      throw new DomosError(
        'unavailable',
        `The browser of this session is gone (${this.#lost}); create a new session.`,
        { details: { reason: 'CONTEXT_LOST' } },
      )
    }
    this.#opening += 1
    try {
      const { targetId } = await this.connection.browser.send('Target.createTarget', {
        url: 'about:blank',
        browserContextId: this.#browserContextId,
      })
      const page =
        this.#pages.get(targetId) ??
        (await new Promise<ChromiumPage>((resolve) => this.#expected.set(targetId, resolve)))
      await page.start()
      return page
    } finally {
      this.#opening -= 1
    }
  }

  attached(
    session: CdpSession,
    { targetId, openerId }: { readonly targetId: string; readonly openerId?: string },
  ): void {
    const page = new ChromiumPage(this, session, targetId)
    this.#pages.set(targetId, page)
    const expected = this.#expected.get(targetId)
    if (expected !== undefined || openerId === undefined) {
      this.#expected.delete(targetId)
      expected?.(page)
      return
    }
    void this.#adopt(page, openerId)
  }

  async #adopt(page: ChromiumPage, openerId: string): Promise<void> {
    const opener = this.#pages.get(openerId)
    try {
      this.#pageListener(page, opener?.id)
      await page.start()
    } catch {
      // Whoever listens refuses more pages; it has closed this one.
      await page.close().catch(() => {})
    } finally {
      opener?.popupArrived()
    }
  }

  detached(targetId: string): void {
    this.#pages.get(targetId)?.ended('the page closed itself')
  }

  downloadEvent(event: 'begin' | 'progress', params: object): void {
    if (event === 'progress') {
      this.#downloads.progress(params as Protocol.Browser.DownloadProgressEvent)
      return
    }
    const begun = params as Protocol.Browser.DownloadWillBeginEvent
    const page = [...this.#pages.values()].find((each) => each.hasFrame(begun.frameId))
    if (page !== undefined)
      this.#downloads.begin(begun, page.headOf(begun.url), (download) => page.downloaded(download))
  }

  lost(reason: string): void {
    this.#lost = reason
    this.#stopHeapWatch()
    for (const page of [...this.#pages.values()]) page.ended(reason)
    this.#lostListener(reason)
    this.#parts.onClose(this)
    void this.#proxy.close()
  }

  forget(page: ChromiumPage): void {
    this.#pages.delete(page.id)
  }

  async closeTarget(targetId: string): Promise<void> {
    await this.connection.browser.send('Target.closeTarget', { targetId }).catch(() => {})
  }

  /** Why a renderer has just ended. */
  crashReason(): string {
    return this.process.hasJustEndedRenderer
      ? `the page used more than ${this.limits.maxRendererMb} MB of memory and was ended`
      : 'the page crashed'
  }

  /** What the proxy knows of a host it did not reach. */
  failureOf(url: string): EgressFailure | undefined {
    return this.#proxy.failureOf(url)
  }

  async exportStorage(): Promise<JsonObject> {
    this.#storage = await exportStorage([...this.#pages.values()], this.#storage)
    return this.#storage
  }

  async importStorage(storage: JsonObject): Promise<void> {
    this.#storage = { ...this.#storage, ...storage }
    await importStorage(this, storage)
  }

  onPage(listener: (page: EnginePage, openerId: string | undefined) => void): void {
    this.#pageListener = listener
  }

  onLost(listener: (reason: string) => void): void {
    this.#lostListener = listener
  }

  readDownload(id: string, offset: number, maxBytes: number): ReturnType<Downloads['read']> {
    return this.#downloads.read(id, offset, maxBytes)
  }

  traffic(): EgressProxy['traffic'] {
    return { ...this.#proxy.traffic }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#stopHeapWatch()
    for (const page of [...this.#pages.values()]) page.ended('closed')
    this.process.remove(this.#browserContextId)
    this.#parts.onClose(this)
    if (this.#lost === undefined) {
      await this.connection.browser
        .send('Target.disposeBrowserContext', { browserContextId: this.#browserContextId })
        .catch(() => {})
    }
    await this.#proxy.close()
    await this.#downloads.close()
  }
}
