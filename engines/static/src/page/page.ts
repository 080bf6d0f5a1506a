import {
  DomosError,
  type ElementMatch,
  type ElementRecord,
  type ElementState,
  type EngineNavigation,
  type EnginePage,
  type EnginePageEvent,
  type EnginePageState,
  type EngineRequest,
  type JsonValue,
  type ObserveOptions,
  type PageSlice,
  type PerformResult,
  type Primitive,
  type ResolvedTarget,
  type Target,
  toDomosError,
} from '@domos/spec'
import type { Follow } from '../document/follow.ts'
import type { CompiledPage } from '../document/page-model.ts'
import { parseRefresh, type Refresh } from '../document/refresh.ts'
import type { DocumentRequest } from '../net/fetch-document.ts'
import type { StaticContext } from './context.ts'
import { DocumentSlot } from './document-slot.ts'
import { History } from './history.ts'
import { type Loaded, load } from './load.ts'
import { fetchFrame } from './load-parts.ts'
import { noDocument, parseUrl, refuseRepost, unsupported } from './page-errors.ts'
import { RefreshPlan } from './refresh-plan.ts'

/** Refreshes followed in a row without anybody asking for a page. */
const MAX_REFRESHES = 10
/** A refresh after more than this is a page that updates itself, not one that moved. */
const MAX_REFRESH_DELAY_MS = 30_000

type Query = NonNullable<Target['query']>
type HistoryMove = 'push' | 'replace' | { readonly delta: number }

/** One page of the static engine: loads documents, keeps the history, and acts through {@link PageModel}. */
export class StaticPage implements EnginePage {
  readonly id: string
  readonly #context: StaticContext
  readonly #documents: DocumentSlot
  readonly #history: History
  readonly #listeners = new Set<(event: EnginePageEvent) => void>()
  #title = ''
  #status = 0
  #ready: EnginePageState['ready'] = 'empty'
  #pending: string | undefined
  readonly #refresh: RefreshPlan
  #refreshes = 0
  #loading: AbortController | undefined
  #documentCount = 0
  #isClosed = false

  constructor(context: StaticContext, id: string) {
    this.#context = context
    this.id = id
    this.#documents = new DocumentSlot(context)
    this.#history = new History(context.options.limits.maxHistoryEntries)
    this.#refresh = new RefreshPlan(context.clock, (refresh) => {
      const initiator = new URL(this.state().url)
      // Whoever listens is told of a failure by `navigation-failed`.
      this.#load(
        { url: new URL(refresh.url), method: 'GET', initiator },
        'replace',
        new AbortController().signal,
      ).catch(() => {})
    })
  }

  state(): EnginePageState {
    const refresh = this.#refresh.current
    return {
      url: this.#history.current?.url ?? 'about:blank',
      title: this.#title,
      ready: this.#ready,
      pendingRequests: [
        ...(this.#pending === undefined ? [] : [this.#pending]),
        ...(refresh === undefined ? [] : [`refresh to ${refresh.url} in ${refresh.delayMs} ms`]),
      ],
      ignoredRequests: [],
      historyLength: this.#history.length,
      historyIndex: this.#history.index,
    }
  }

  navigate(request: EngineRequest, signal: AbortSignal): Promise<EngineNavigation> {
    this.#refreshes = 0
    const url = parseUrl(request.url)
    if (url.hash !== '' && this.#isSameDocument(url) && (request.method ?? 'GET') === 'GET') {
      return this.#goToFragment(url.href, 'push')
    }
    return this.#load(
      {
        url,
        method: request.method ?? 'GET',
        ...(request.body === undefined ? {} : { body: request.body }),
        ...(request.contentType === undefined ? {} : { contentType: request.contentType }),
        ...(request.referrer === undefined ? {} : { initiator: new URL(request.referrer) }),
      },
      'push',
      signal,
    )
  }

  async traverse(delta: number, signal: AbortSignal): Promise<EngineNavigation> {
    const entry = this.#history.at(delta)
    if (entry === undefined) {
      throw new DomosError('conflict', `There is no page ${delta < 0 ? 'before' : 'after'} this one in the history.`, {
        details: { reason: 'HISTORY_END', historyLength: this.#history.length, historyIndex: this.#history.index },
      })
    }
    if (entry.documentId === this.#history.current?.documentId) return this.#goToFragment(entry.url, { delta })
    refuseRepost(entry.isPost)
    this.#refreshes = 0
    return this.#load({ url: new URL(entry.url), method: 'GET' }, { delta }, signal)
  }

  async reload(signal: AbortSignal): Promise<EngineNavigation> {
    const entry = this.#history.current
    if (entry === undefined) throw noDocument()
    refuseRepost(entry.isPost)
    this.#refreshes = 0
    return this.#load({ url: new URL(entry.url), method: 'GET' }, 'replace', signal)
  }

  async compile(options: ObserveOptions): Promise<CompiledPage> {
    const refresh = this.#refresh.current
    await this.#documents.call('setFacts', {
      ready: this.#ready,
      status: this.#status,
      history: { length: this.#history.length, index: this.#history.index },
      ...(refresh === undefined ? {} : { refresh: { url: refresh.url, delay_ms: refresh.delayMs } }),
    })
    return this.#documents.call('compile', options)
  }

  async expand(options: NonNullable<ObserveOptions['expand']>): Promise<PageSlice> {
    return this.#documents.call('expand', options)
  }

  async resolve(target: Target): Promise<ResolvedTarget> {
    return this.#documents.call('resolve', target)
  }

  async query(query: Query, limit: number, region?: string): Promise<readonly ElementMatch[]> {
    return this.#documents.call('query', query, limit, region)
  }

  async read(elementId: string): Promise<ElementMatch | undefined> {
    return this.#documents.call('read', elementId)
  }

  async records(
    query: Query,
    fields: Readonly<Record<string, Query>>,
    limit: number,
  ): Promise<readonly ElementRecord[]> {
    return this.#documents.call('records', query, fields, limit)
  }

  async element(elementId: string): Promise<ElementState | undefined> {
    return this.#documents.call('element', elementId)
  }

  async perform(primitive: Primitive, signal: AbortSignal): Promise<PerformResult> {
    signal.throwIfAborted()
    const { changed, follow, frame, notes } = await this.#documents.call('act', primitive)
    if (changed) this.#emit({ type: 'mutated' })
    if (follow !== undefined) await this.#follow(follow, frame, signal)
    return notes === undefined ? {} : { notes }
  }

  async answerDialog(): Promise<void> {
    throw new DomosError('conflict', 'No dialog is open.', { details: { reason: 'NO_DIALOG' } })
  }

  async evaluate(): Promise<JsonValue> {
    throw unsupported('run script')
  }

  async screenshot(): Promise<{ readonly data: Uint8Array; readonly mimeType: string }> {
    throw unsupported('take pictures')
  }

  onEvent(listener: (event: EnginePageEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#refresh.cancel()
    this.#loading?.abort(new DomosError('cancelled', 'The page was closed.'))
    this.#documents.close()
    this.#context.forget(this)
    this.#emit({ type: 'closed', reason: 'closed' })
  }

  /** Drops the tree when nobody used the page since `before`. */
  hibernate(before: number): void {
    if (this.#loading === undefined) this.#documents.hibernate(before)
  }

  async #follow(follow: Follow, frame: number | undefined, signal: AbortSignal): Promise<void> {
    this.#refreshes = 0
    if (follow.type === 'fragment' && frame !== undefined) return
    if (follow.type === 'fragment') {
      await this.#goToFragment(follow.url, 'push')
      return
    }
    const frameUrl = frame === undefined ? undefined : await this.#documents.call('frameUrl', frame)
    const initiator = new URL(frameUrl?.startsWith('http') === true ? frameUrl : this.state().url)
    if (follow.type === 'download') {
      await this.#load({ url: parseUrl(follow.url), method: 'GET', initiator }, 'push', signal, { name: follow.name })
      return
    }
    const request: DocumentRequest = {
      url: parseUrl(follow.url),
      method: follow.method,
      initiator,
      ...(follow.body === undefined ? {} : { body: follow.body }),
      ...(follow.contentType === undefined ? {} : { contentType: follow.contentType }),
    }
    const target = follow.target?.toLowerCase() ?? ''
    const isHere = target === '' || target === '_self' || target === '_parent' || target === '_top'
    if (frame !== undefined && (target === '' || target === '_self')) return this.#loadFrame(frame, request, signal)
    // The policy is asked before a page is opened, so that a refused link opens none.
    this.#context.options.policy.checkUrl(request.url)
    if (isHere) {
      await this.#load(request, 'push', signal)
      return
    }
    const page = await this.#context.pageForTarget(this, follow.target ?? '_blank')
    const { download } = await page.#load(request, 'push', signal)
    if (download === undefined || page.#ready !== 'empty') return
    // As in browsers, a page that only brought a download goes again, and the download is this page's.
    await page.close()
    this.#emit({ type: 'download', download })
  }

  /** A link or form inside a frame: only the frame shows something else. */
  async #loadFrame(frame: number, request: DocumentRequest, signal: AbortSignal): Promise<void> {
    const { environment, engineLimits } = this.#context
    const source = await fetchFrame(environment, engineLimits, { ...request, purpose: 'iframe' }, signal)
    if (source === undefined) {
      throw new DomosError('navigation_failed', 'What the frame was to show is no page.', {
        details: { reason: 'NOT_A_PAGE' },
      })
    }
    const wanted = await this.#documents.call('setFrame', frame, source)
    await this.#documents.loadParts(wanted, new URL(source.url), signal)
    this.#emit({ type: 'mutated' })
  }

  async #load(
    request: DocumentRequest,
    move: HistoryMove,
    signal: AbortSignal,
    download?: { readonly name: string | undefined },
  ): Promise<EngineNavigation> {
    if (this.#isClosed) throw new DomosError('not_found', 'The page is closed.')
    // A newer navigation ends the one under way, as in browsers.
    this.#loading?.abort(new DomosError('cancelled', 'Another navigation took its place.'))
    const loading = new AbortController()
    const either = AbortSignal.any([signal, loading.signal])
    this.#loading = loading
    const refresh = this.#refresh.cancel()
    this.#pending = request.url.href
    try {
      const loaded = await load(
        this.#context.environment,
        request,
        download === undefined ? {} : { download },
        this.#context.downloads,
        this.#context.options.limits,
        either,
      )
      this.#pending = undefined
      if (loaded.type !== 'document') return this.#stay(loaded, refresh)
      const { navigation, refresh: next } = await this.#show(loaded, request, move, either)
      // This navigation is over; a refresh that follows is one of its own.
      this.#loading = undefined
      return next === undefined ? navigation : await this.#refreshTo(next, navigation, signal)
    } catch (thrown) {
      const error = toDomosError(thrown, 'The page could not be loaded.')
      this.#emit({ type: 'navigation-failed', url: request.url.href, message: error.message })
      throw error
    } finally {
      if (this.#loading === loading) {
        this.#loading = undefined
        this.#pending = undefined
      }
    }
  }

  async #show(
    loaded: Loaded & { readonly type: 'document' },
    request: DocumentRequest,
    move: HistoryMove,
    signal: AbortSignal,
  ): Promise<{ readonly navigation: EngineNavigation; readonly refresh: Refresh | undefined }> {
    const startedAt = performance.now()
    const { response } = loaded
    const url = response.url.href
    const { html, encoding, bytes: htmlBytes } = loaded
    const facts = await this.#documents
      .load({ html, url, encoding, status: response.status, htmlBytes })
      .catch((thrown: unknown) => {
        this.#ready = 'empty'
        throw thrown
      })
    await this.#documents.loadParts(facts.wanted, response.url, signal)
    // Another navigation may have taken the place of this one meanwhile.
    signal.throwIfAborted()
    this.#title = facts.title
    this.#status = response.status
    this.#ready = 'complete'
    const entry = {
      url,
      documentId: ++this.#documentCount,
      isPost: request.method === 'POST' && response.redirects.length === 0,
    }
    if (move === 'push') this.#history.push(entry)
    else {
      if (move !== 'replace') this.#history.move(move.delta)
      this.#history.replace(entry)
    }
    const navigation: EngineNavigation = {
      url,
      status: response.status,
      contentType: loaded.contentType,
      title: facts.title,
      htmlBytes: loaded.bytes,
      redirects: response.redirects,
      fetchMs: loaded.fetchMs,
      pipelineMs: Math.round(performance.now() - startedAt),
      script: facts.script,
      ...(entry.isPost ? { isPost: true } : {}),
    }
    this.#emit({ type: 'navigated', kind: 'document', url, navigation })
    this.#emit({ type: 'ready', ready: 'complete' })
    const header = response.headers['refresh']
    const refresh = (header === undefined ? undefined : parseRefresh(header, url, url)) ?? facts.refresh
    const isIgnored = refresh === undefined || refresh.url === url || refresh.delayMs > MAX_REFRESH_DELAY_MS
    return { navigation, refresh: isIgnored ? undefined : refresh }
  }

  /** A refresh at once belongs to the navigation; a later one comes by itself and is announced by its event. */
  async #refreshTo(refresh: Refresh, navigation: EngineNavigation, signal: AbortSignal): Promise<EngineNavigation> {
    if (++this.#refreshes > MAX_REFRESHES) {
      throw new DomosError('navigation_failed', `The page refreshed itself ${MAX_REFRESHES} times in a row.`, {
        details: { reason: 'TOO_MANY_REDIRECTS' },
      })
    }
    const request: DocumentRequest = { url: new URL(refresh.url), method: 'GET', initiator: new URL(navigation.url) }
    if (refresh.delayMs === 0) {
      const next = await this.#load(request, 'replace', signal)
      return { ...next, redirects: [...navigation.redirects, navigation.url, ...next.redirects] }
    }
    this.#refresh.plan(refresh)
    return navigation
  }

  /** A download, or an answer without content: the document stays, and so does what it had planned. */
  #stay(loaded: Loaded & { readonly type: 'download' | 'nothing' }, refresh: Refresh | undefined): EngineNavigation {
    const { response } = loaded
    const download = loaded.type === 'download' ? loaded.download : undefined
    if (download !== undefined) this.#emit({ type: 'download', download })
    if (refresh !== undefined) this.#refresh.plan(refresh)
    return {
      url: this.state().url,
      status: response.status,
      contentType: download?.contentType ?? '',
      title: this.#title,
      htmlBytes: 0,
      redirects: response.redirects,
      fetchMs: loaded.fetchMs,
      pipelineMs: 0,
      ...(download === undefined ? {} : { download }),
    }
  }

  #isSameDocument(url: URL): boolean {
    const current = this.#history.current?.url
    return current !== undefined && current.replace(/#.*$/, '') === url.href.replace(/#.*$/, '')
  }

  async #goToFragment(url: string, move: HistoryMove): Promise<EngineNavigation> {
    const current = this.#history.current
    const entry = { url, documentId: current?.documentId ?? 0, isPost: current?.isPost ?? false }
    if (move === 'push' && url !== current?.url) this.#history.push(entry)
    else if (typeof move === 'object') this.#history.move(move.delta)
    await this.#documents.call('setUrl', url)
    this.#emit({ type: 'navigated', kind: 'same_document', url })
    return {
      url,
      status: this.#status,
      contentType: 'text/html',
      title: this.#title,
      htmlBytes: 0,
      redirects: [],
      fetchMs: 0,
      pipelineMs: 0,
    }
  }

  #emit(event: EnginePageEvent): void {
    for (const listener of [...this.#listeners]) listener(event)
  }
}
