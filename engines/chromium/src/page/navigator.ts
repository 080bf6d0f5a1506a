import { DomosError, type EngineNavigation, type EnginePageEvent, type EnginePageState } from '@domos/spec'
import type { CdpSession } from '../cdp/connection.ts'
import type { Protocol } from '../cdp/types.ts'

/** A document on its way, or shown. */
interface Loading {
  readonly loaderId: string
  url: string
  readonly startedAt: number
  respondedAt: number
  status: number
  contentType: string
  redirects: string[]
  bytes: number
  failure: string | undefined
}

/** A refresh the page has planned. */
interface Scheduled {
  readonly url: string
  readonly at: number
}

/** What a parsed document says about itself. */
export interface DocumentFacts {
  readonly title: string
  /** Where a refresh without delay leads. */
  readonly refreshUrl?: string
}

const MAX_DOCUMENTS = 8
/** Navigations a page may start by itself before anybody gets an answer. */
const MAX_CLIENT_REDIRECTS = 10
/** A refresh within this time belongs to the navigation before it. */
const IMMEDIATE_MS = 50
/** Time a requested navigation has to begin; some never do, such as links to other programs. */
const START_MS = 3_000

/** Follows the top frame: where it is, what it is about to show, and how far it has come. */
export class Navigator {
  readonly #session: CdpSession
  readonly #mainFrameId: string
  readonly #emit: (event: EnginePageEvent) => void
  readonly #documents = new Map<string, Loading>()
  readonly #waiters = new Set<() => void>()
  readonly #readDocument: () => Promise<DocumentFacts>
  #current: Loading | undefined
  #requestedAt = 0
  #requestedUrl: string | undefined
  #startedLoader: string | undefined
  #scheduled: Scheduled | undefined
  /** Changes with every navigation of any kind, so that an action can see whether it caused one. */
  serial = 0
  url = 'about:blank'
  title = ''
  ready: EnginePageState['ready'] = 'empty'
  historyLength = 0
  historyIndex = -1
  isFailed = false
  /** Counts navigations that a browser turns into downloads; the download itself is told elsewhere, and maybe later. */
  downloadsExpected = 0
  /** Counts navigations that were asked for, whatever became of them. */
  asked = 0
  /** The last address that was asked for a document, after redirects. */
  attemptedUrl = ''

  constructor(
    session: CdpSession,
    mainFrameId: string,
    emit: (event: EnginePageEvent) => void,
    readDocument: () => Promise<DocumentFacts>,
  ) {
    this.#session = session
    this.#readDocument = readDocument
    this.#mainFrameId = mainFrameId
    this.#emit = emit
    this.#listen()
  }

  /** Bytes of the document shown. */
  get htmlBytes(): number {
    return this.#current?.bytes ?? 0
  }

  get status(): number {
    return this.#current?.status ?? 0
  }

  /** What is under way in the top frame, as texts for whoever waits. */
  pending(): readonly string[] {
    const loading = this.#startedLoader === undefined ? undefined : this.#documents.get(this.#startedLoader)
    const refresh = this.#scheduled
    return [
      ...(loading === undefined || loading === this.#current ? [] : [loading.url]),
      ...(loading === undefined && this.isMoving ? [this.#requestedUrl ?? ''] : []),
      ...(refresh === undefined ? [] : [`refresh to ${refresh.url} in ${Math.max(0, refresh.at - Date.now())} ms`]),
    ]
  }

  /** Whether a navigation of the top frame has been asked for or begun and has not come to anything yet. */
  get isMoving(): boolean {
    if (this.#startedLoader !== undefined) return true
    return this.#requestedUrl !== undefined && Date.now() - this.#requestedAt < START_MS
  }

  /** A navigation that was asked for by command. */
  expect(url: string): void {
    this.asked += 1
    this.#requestedUrl = url
    this.#requestedAt = Date.now()
  }

  /** Nothing will come of what was asked for: a download, an answer without content, a refusal. */
  settle(): void {
    this.#requestedUrl = undefined
    this.#startedLoader = undefined
    this.#wake()
  }

  /**
   * Waits until the document that is coming is parsed, following what the page starts by itself at once.
   * Gives undefined when nothing came: a download, or a document that stayed.
   */
  async arrived(since: number, signal: AbortSignal, isStopped: () => boolean): Promise<EngineNavigation | undefined> {
    const passed: string[] = []
    let seen: Loading | undefined
    for (;;) {
      if (isStopped()) return undefined
      const current = this.#current
      if (current !== seen && current !== undefined && this.serial > since) {
        if (seen !== undefined) passed.push(...seen.redirects, seen.url)
        seen = current
        if (passed.length > MAX_CLIENT_REDIRECTS) {
          throw new DomosError(
            'navigation_failed',
            `The page moved on by itself ${MAX_CLIENT_REDIRECTS} times in a row.`,
            {
              details: { reason: 'TOO_MANY_REDIRECTS' },
            },
          )
        }
      }
      const isImmediate = this.#scheduled !== undefined && this.#scheduled.at - Date.now() <= IMMEDIATE_MS
      const isThere = this.ready === 'interactive' || this.ready === 'complete'
      if (!this.isMoving && !isImmediate && isThere) {
        if (seen === undefined) return undefined
        return this.#navigation(seen, passed)
      }
      if (!this.isMoving && !isImmediate && seen === undefined && this.ready !== 'loading') return undefined
      await this.#change(
        signal,
        this.#startedLoader === undefined && (this.isMoving || isImmediate) ? START_MS : undefined,
      )
    }
  }

  /** Waits for the next change of anything here. */
  async #change(signal: AbortSignal, atMostMs: number | undefined): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const done = (settle: () => void): void => {
        this.#waiters.delete(wake)
        signal.removeEventListener('abort', abort)
        clearTimeout(timer)
        settle()
      }
      const wake = (): void => done(resolve)
      const abort = (): void => done(() => reject(signal.reason))
      if (signal.aborted) {
        abort()
        return
      }
      this.#waiters.add(wake)
      signal.addEventListener('abort', abort, { once: true })
      if (atMostMs !== undefined) timer = setTimeout(wake, atMostMs)
    })
  }

  /** Lets whoever waits look again. */
  wake(): void {
    this.#wake()
  }

  #wake(): void {
    for (const wake of [...this.#waiters]) wake()
  }

  async readHistory(): Promise<{ readonly entries: readonly Protocol.Page.NavigationEntry[]; readonly index: number }> {
    const { entries, currentIndex } = await this.#session.send('Page.getNavigationHistory')
    // The blank page every page begins as is not part of what was visited.
    const offset = entries[0]?.url === 'about:blank' ? 1 : 0
    const visited = entries.slice(offset)
    this.historyLength = visited.length
    this.historyIndex = currentIndex - offset
    return { entries: visited, index: this.historyIndex }
  }

  /** The last document's failure, when it is one that the browser made up itself. */
  failureOf(loaderId: string): string | undefined {
    return this.#documents.get(loaderId)?.failure
  }

  #navigation(document: Loading, passed: readonly string[]): EngineNavigation {
    return {
      url: this.url,
      status: document.status,
      contentType: document.contentType,
      title: this.title,
      htmlBytes: document.bytes,
      redirects: [...passed, ...document.redirects],
      fetchMs: Math.max(0, document.respondedAt - document.startedAt),
      pipelineMs: Math.max(0, Math.round(performance.now() - document.respondedAt)),
    }
  }

  /** The navigation that the page is at, for those that ask after it. */
  current(): EngineNavigation {
    const nothing = {
      loaderId: '',
      url: this.url,
      startedAt: 0,
      respondedAt: performance.now(),
      status: 0,
      contentType: '',
      redirects: [],
      bytes: 0,
      failure: undefined,
    }
    return this.#navigation(this.#current ?? nothing, [])
  }

  #document(loaderId: string, url: string): Loading {
    let document = this.#documents.get(loaderId)
    if (document === undefined) {
      const now = performance.now()
      document = {
        loaderId,
        url,
        startedAt: now,
        respondedAt: now,
        status: 0,
        contentType: '',
        redirects: [],
        bytes: 0,
        failure: undefined,
      }
      this.#documents.set(loaderId, document)
      for (const key of this.#documents.keys()) {
        if (this.#documents.size <= MAX_DOCUMENTS) break
        if (key !== this.#current?.loaderId && key !== loaderId) this.#documents.delete(key)
      }
    }
    return document
  }

  #listen(): void {
    const session = this.#session
    const isMain = (frameId: string | undefined): boolean => frameId === this.#mainFrameId
    session.on('Network.requestWillBeSent', ({ requestId, loaderId, frameId, type, request, redirectResponse }) => {
      if (type !== 'Document' || !isMain(frameId) || requestId !== loaderId) return
      const document = this.#document(loaderId, request.url)
      if (redirectResponse !== undefined) document.redirects.push(redirectResponse.url)
      document.url = request.url
      this.attemptedUrl = request.url
      this.#startedLoader = loaderId
      this.#scheduled = undefined
      this.#wake()
    })
    session.on('Network.responseReceived', ({ requestId, loaderId, frameId, type, response }) => {
      if (type !== 'Document' || !isMain(frameId) || requestId !== loaderId) return
      const document = this.#document(loaderId, response.url)
      document.respondedAt = performance.now()
      document.status = response.status
      document.contentType = response.mimeType
    })
    session.on('Network.dataReceived', ({ requestId, dataLength }) => {
      const document = this.#documents.get(requestId)
      if (document !== undefined) document.bytes += dataLength
    })
    session.on('Network.loadingFailed', ({ requestId, errorText, canceled }) => {
      const document = this.#documents.get(requestId)
      if (document === undefined) return
      document.failure = errorText
      if (errorText === 'net::ERR_ABORTED' && document.status >= 200 && document.status !== 204)
        this.downloadsExpected += 1
      if (this.#startedLoader !== requestId) return
      this.settle()
      if (canceled !== true && errorText !== 'net::ERR_ABORTED') {
        this.#emit({
          type: 'navigation-failed',
          url: document.url,
          message: `The page could not be loaded (${errorText.replace(/^net::ERR_/, '')}).`,
        })
      }
    })
    session.on('Page.frameRequestedNavigation', ({ frameId, url, disposition }) => {
      if (!isMain(frameId)) return
      if (disposition === 'download') this.downloadsExpected += 1
      if (disposition !== 'currentTab') return
      this.expect(url)
      this.#wake()
    })
    session.on('Page.frameScheduledNavigation', ({ frameId, url, delay }) => {
      if (!isMain(frameId)) return
      this.#scheduled = { url, at: Date.now() + delay * 1_000 }
      this.#wake()
    })
    session.on('Page.frameClearedScheduledNavigation', ({ frameId }) => {
      if (!isMain(frameId)) return
      this.#scheduled = undefined
      this.#wake()
    })
    session.on('Page.frameNavigated', ({ frame }) => {
      if (!isMain(frame.id)) return
      this.#commit(frame)
    })
    session.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      if (!isMain(frameId)) return
      this.serial += 1
      this.url = url
      if (this.#startedLoader === undefined) this.#requestedUrl = undefined
      this.#emit({ type: 'navigated', kind: 'same_document', url })
      this.#wake()
      this.readHistory().catch(() => {})
    })
    session.on('Page.lifecycleEvent', ({ frameId, loaderId, name }) => {
      if (!isMain(frameId) || loaderId !== this.#current?.loaderId) return
      if (name === 'DOMContentLoaded') void this.#parsed(loaderId)
      if (name === 'load') void this.#parsed(loaderId).then(() => this.#complete(loaderId))
    })
    session.on('Page.frameStoppedLoading', ({ frameId }) => {
      if (!isMain(frameId)) return
      // An answer without content, or one that became a download, ends without a document.
      if (this.#startedLoader !== undefined && this.#startedLoader !== this.#current?.loaderId) this.settle()
      if (this.ready === 'loading' && this.#current !== undefined) void this.#parsed(this.#current.loaderId)
    })
  }

  #commit(frame: Protocol.Page.Frame): void {
    const document = this.#document(frame.loaderId, frame.url)
    this.isFailed = frame.unreachableUrl !== undefined
    document.url = frame.url
    this.#current = document
    this.serial += 1
    this.url = frame.unreachableUrl ?? `${frame.url}${frame.urlFragment ?? ''}`
    this.title = ''
    this.#requestedUrl = undefined
    this.#scheduled = undefined
    if (this.#startedLoader === frame.loaderId) this.#startedLoader = undefined
    this.ready = 'loading'
    if (frame.url !== 'about:blank' || this.serial > 1) {
      this.#emit({ type: 'navigated', kind: 'document', url: this.url, navigation: this.#navigation(document, []) })
    }
    this.#emit({ type: 'ready', ready: 'loading' })
    this.#wake()
    this.readHistory().catch(() => {})
  }

  #complete(loaderId: string): void {
    if (loaderId === this.#current?.loaderId && this.ready === 'interactive') this.#become('complete')
  }

  /** The title is read before anybody is told that the document is there. */
  async #parsed(loaderId: string): Promise<void> {
    const facts = await this.#readDocument().catch(() => undefined)
    if (loaderId !== this.#current?.loaderId) return
    if (facts !== undefined) {
      this.title = facts.title
      if (facts.refreshUrl !== undefined && facts.refreshUrl !== this.url)
        this.#scheduled ??= { url: facts.refreshUrl, at: Date.now() }
    }
    if (this.ready === 'loading') this.#become('interactive')
  }

  #become(ready: EnginePageState['ready']): void {
    this.ready = ready
    this.#emit({ type: 'ready', ready })
    this.#wake()
  }
}
