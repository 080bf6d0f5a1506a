import {
  type ActResult,
  type BrowserEngine,
  type BrowsingCall,
  type BrowsingEvent,
  type BrowsingPage,
  type Clock,
  DomosError,
  type DownloadInfo,
  type EngineContext,
  type EngineNavigation,
  type EnginePage,
  type EnginePageEvent,
  type ExtractOptions,
  type ExtractResult,
  type Intent,
  type JsonObject,
  type JsonValue,
  type Metrics,
  type NavigateResult,
  type ObserveOptions,
  type PageMutations,
  type PageSlice,
  type PageSnapshot,
  type WaitSpec,
} from '@domos/spec'
import { runIntent } from '../act/run-intent.ts'
import { extract } from '../extract/extract.ts'
import type { BrowsingLimits } from '../limits.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { EffectRecorder } from './effects.ts'
import { MutationSender } from './mutation-sender.ts'
import { Observation } from './observation.ts'
import { PageQueue } from './page-queue.ts'
import { nextChange, type WaitContext, waitUntil } from './waits.ts'

/** What a page is given by its session. */
export interface PageEnvironment {
  readonly engine: BrowserEngine
  readonly context: EngineContext
  readonly limits: BrowsingLimits
  readonly clock: Clock
  readonly metrics: Metrics
  /** Time operations of this session get that name none. */
  readonly timeoutMs: number
  emit(event: BrowsingEvent): void
  urlOf(pageId: string): string | undefined
  onClosed(page: HeadlessPage, reason: string): void
}

/** One page: order, waits, journal and events over an engine's primitives. */
export class HeadlessPage implements BrowsingPage {
  readonly id: string
  readonly engine: EnginePage
  readonly environment: PageEnvironment
  readonly openerId: string | undefined
  readonly #queue: PageQueue
  readonly #observation: Observation
  readonly #mutations: MutationSender
  readonly #downloads: DownloadInfo[] = []
  readonly #recorders = new Set<EffectRecorder>()
  #isClosed = false
  #stopDialogTimer: () => void = () => {}

  constructor(id: string, engine: EnginePage, environment: PageEnvironment, openerId?: string) {
    this.id = id
    this.engine = engine
    this.environment = environment
    this.openerId = openerId
    this.#queue = new PageQueue(environment.limits.maxQueuedPerPage)
    this.#observation = new Observation(engine, environment.limits)
    this.#mutations = new MutationSender(environment.clock, environment.limits.mutationDelayMs, () => {
      const whenDue: BrowsingCall = { signal: new AbortController().signal }
      this.#queue
        .run(whenDue, () => this.sync())
        .catch(() => environment.emit({ type: 'resync', pageId: id, cursor: this.cursor, reason: 'not_compiled' }))
    })
    engine.onEvent((event) => this.#take(event))
  }

  get url(): string {
    return this.engine.state().url
  }

  get title(): string {
    return this.engine.state().title
  }

  get cursor(): number {
    return this.#observation.cursor
  }

  get ext(): JsonObject {
    return this.#observation.ext
  }

  navigate(url: string, wait: WaitSpec, call: BrowsingCall): Promise<NavigateResult> {
    return this.#load('page.navigate', wait, call, (signal) => this.engine.navigate({ url }, signal))
  }

  back(wait: WaitSpec, call: BrowsingCall): Promise<NavigateResult> {
    return this.#load('page.back', wait, call, (signal) => this.engine.traverse(-1, signal))
  }

  forward(wait: WaitSpec, call: BrowsingCall): Promise<NavigateResult> {
    return this.#load('page.forward', wait, call, (signal) => this.engine.traverse(1, signal))
  }

  reload(wait: WaitSpec, call: BrowsingCall): Promise<NavigateResult> {
    return this.#load('page.reload', wait, call, (signal) => this.engine.reload(signal))
  }

  snapshot(options: ObserveOptions, call: BrowsingCall): Promise<PageSnapshot> {
    return this.#queue.run(call, async () => {
      await this.sync()
      return this.#observation.snapshot(options)
    })
  }

  expand(options: NonNullable<ObserveOptions['expand']>, call: BrowsingCall): Promise<PageSlice> {
    return this.#queue.run(call, () => this.engine.expand(options))
  }

  mutations(cursor: number, maxEvents: number, call: BrowsingCall): Promise<PageMutations | PageSnapshot> {
    return this.#queue.run(call, async () => {
      await this.sync()
      return this.#observation.mutations(cursor, maxEvents)
    })
  }

  act(intent: Intent, wait: WaitSpec, call: BrowsingCall): Promise<ActResult> {
    return this.#queue.run(call, async () => {
      this.refuseDialog()
      const startedAt = this.environment.clock.now()
      const deadline = this.deadline('page.act', wait, call)
      try {
        const result = await runIntent(this, intent, wait, deadline)
        this.#telemetry('page.act', call, { action: result.action, total_ms: this.environment.clock.now() - startedAt })
        return result
      } finally {
        deadline.end()
      }
    })
  }

  async waitFor(
    wait: WaitSpec,
    call: BrowsingCall,
  ): Promise<{ readonly elementId?: string; readonly waitedMs: number; readonly cursor: number }> {
    return this.#queue.run(call, async () => {
      const startedAt = this.environment.clock.now()
      const deadline = this.deadline('page.wait_for', wait, call)
      try {
        const elementId = await this.awaitCondition(wait, deadline)
        await this.sync()
        return {
          ...(elementId === undefined ? {} : { elementId }),
          waitedMs: this.environment.clock.now() - startedAt,
          cursor: this.#observation.cursor,
        }
      } finally {
        deadline.end()
      }
    })
  }

  extract(options: ExtractOptions, call: BrowsingCall): Promise<ExtractResult> {
    return this.#queue.run(call, async () => {
      await this.sync()
      return extract(this, options)
    })
  }

  listDownloads(): readonly DownloadInfo[] {
    return [...this.#downloads]
  }

  readDownload(
    id: string,
    offset: number,
    maxBytes: number,
  ): Promise<{ readonly data: Uint8Array; readonly totalBytes: number; readonly done: boolean }> {
    if (!this.#downloads.some((download) => download.id === id)) {
      return Promise.reject(
        new DomosError('not_found', 'This page has no such download.', { details: { field: 'download_id' } }),
      )
    }
    return this.environment.context.readDownload(id, offset, maxBytes)
  }

  async answerDialog(accept: boolean, text: string | undefined): Promise<void> {
    this.#stopDialogTimer()
    await this.engine.answerDialog(accept, text)
  }

  screenshot(
    elementRef: string | undefined,
    call: BrowsingCall,
  ): Promise<{ readonly data: Uint8Array; readonly mimeType: string }> {
    return this.#queue.run(call, async () => {
      const elementId = elementRef === undefined ? undefined : (await this.engine.resolve({ elementRef })).elementId
      return this.engine.screenshot(elementId, call.signal)
    })
  }

  evaluate(expression: string, call: BrowsingCall): Promise<JsonValue> {
    return this.#queue.run(call, async () => {
      this.refuseDialog()
      return this.engine.evaluate(expression, call.signal)
    })
  }

  subscribe(): () => void {
    const stop = this.#mutations.subscribe()
    if (this.engine.state().ready !== 'empty') this.#mutations.soon()
    return stop
  }

  /** Passes the queue: what runs is cancelled, what waits is refused. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    await this.engine.close()
    this.#ended('closed')
  }

  // What intents and extraction use; callers of the interface do not see it.

  /** Brings the journal up to date with the page; says whether the page looks different now. */
  async sync(): Promise<boolean> {
    const { isChanged, entry } = await this.#observation.sync()
    if (entry !== undefined && this.#mutations.isHeard && entry.patch.length > 0) {
      this.environment.emit({ type: 'som-mutation', pageId: this.id, cursor: entry.cursor, patch: entry.patch })
    } else if (isChanged && this.#mutations.isHeard) {
      // What changed stands beside `som`, in a frame for instance: no patch of it says so.
      this.environment.emit({ type: 'resync', pageId: this.id, cursor: this.cursor, reason: 'ext_changed' })
    }
    return isChanged
  }

  /** The newest snapshot under the default ceiling. */
  async wholeSom(): Promise<JsonObject> {
    await this.sync()
    return this.#observation.som ?? {}
  }

  /** @throws DomosError `conflict` naming the open dialog */
  refuseDialog(): void {
    const { dialog } = this.engine.state()
    if (dialog === undefined) return
    throw new DomosError(
      'conflict',
      `A ${dialog.type} dialog is open; answer it with page.dialog.accept or page.dialog.dismiss first.`,
      { details: { reason: 'DIALOG_OPEN', type: dialog.type, message: dialog.message.slice(0, 500) } },
    )
  }

  deadline(method: string, wait: WaitSpec, call: BrowsingCall): Deadline {
    const { limits, clock, timeoutMs } = this.environment
    const limitMs = Math.min(wait.timeoutMs ?? timeoutMs, limits.maxTimeoutMs)
    return startDeadline(clock, call.signal, limitMs, () => {
      const { ready, pendingRequests, url } = this.engine.state()
      return {
        message:
          pendingRequests.length === 0
            ? `${method} did not come to an end in ${limitMs} ms. The page stays usable.`
            : `${method} did not come to an end in ${limitMs} ms; ${pendingRequests.length} requests were under way. The page stays usable.`,
        details: { method, ready, url, pending: pendingRequests.slice(0, 10) },
      }
    })
  }

  startRecorder(): EffectRecorder {
    const recorder = new EffectRecorder(this.engine)
    this.#recorders.add(recorder)
    return recorder
  }

  endRecorder(recorder: EffectRecorder): void {
    recorder.stop()
    this.#recorders.delete(recorder)
  }

  /** Told by the session when this page opened another one. */
  pageOpened(pageId: string, url: string): void {
    for (const recorder of this.#recorders) recorder.pageOpened(pageId, url)
  }

  /** Waits for what a wait asks for; gives the id of the element that a query found. */
  async awaitCondition(wait: WaitSpec, deadline: Deadline): Promise<string | undefined> {
    const context = this.#waitContext()
    if (wait.until !== undefined || wait.query === undefined) {
      await waitUntil(wait.until ?? 'dom_content_loaded', context, deadline.signal)
    }
    const { query } = wait
    if (query === undefined) return undefined
    for (;;) {
      const isEmpty = this.engine.state().ready === 'empty'
      const found = isEmpty ? [] : await this.engine.query(query, 1)
      if (wait.gone === true ? found.length === 0 : found.length > 0) return found[0]?.elementId
      await nextChange(context, deadline.signal, this.environment.limits.pollMs, () => true)
    }
  }

  #waitContext(): WaitContext {
    const { clock, limits, engine } = this.environment
    return { page: this.engine, clock, limits, hasScript: engine.abilities.script }
  }

  #load(
    method: string,
    wait: WaitSpec,
    call: BrowsingCall,
    start: (signal: AbortSignal) => Promise<EngineNavigation>,
  ): Promise<NavigateResult> {
    return this.#queue.run(call, async () => {
      this.refuseDialog()
      const { clock } = this.environment
      const startedAt = clock.now()
      const deadline = this.deadline(method, wait, call)
      try {
        const navigation = await start(deadline.signal)
        if (navigation.download === undefined) await this.awaitCondition(wait, deadline)
        const result = await this.#navigateResult(navigation, clock.now() - startedAt)
        this.#telemetry(method, call, {
          status: result.status,
          network_ms: result.fetchMs,
          parse_ms: result.pipelineMs,
          total_ms: result.loadMs,
          html_bytes: result.htmlBytes,
          som_bytes: result.somBytes,
          redirects: result.redirects.length,
        })
        return result
      } catch (thrown) {
        this.#telemetry(method, call, {
          error: thrown instanceof DomosError ? thrown.code : 'internal',
          total_ms: clock.now() - startedAt,
        })
        throw thrown
      } finally {
        deadline.end()
      }
    })
  }

  async #navigateResult(navigation: EngineNavigation, loadMs: number): Promise<NavigateResult> {
    const hasDocument = this.engine.state().ready !== 'empty'
    if (hasDocument) await this.sync()
    const meta = this.#observation.som?.['meta'] as JsonObject | undefined
    return {
      pageId: this.id,
      url: navigation.url,
      status: navigation.status,
      contentType: navigation.contentType,
      title: navigation.title,
      htmlBytes: navigation.htmlBytes,
      somBytes: Number(meta?.['som_bytes'] ?? 0),
      redirects: navigation.redirects,
      fetchMs: navigation.fetchMs,
      pipelineMs: navigation.pipelineMs,
      loadMs,
      cursor: this.#observation.cursor,
      engine: navigation.engine ?? this.environment.engine.id,
      ...(navigation.engineReason === undefined ? {} : { engineReason: navigation.engineReason }),
      ...(navigation.download === undefined ? {} : { download: navigation.download }),
    }
  }

  #take(event: EnginePageEvent): void {
    switch (event.type) {
      case 'navigated':
      case 'mutated':
      case 'ready':
        this.#observation.isStale = true
        this.#mutations.soon()
        return
      case 'dialog':
        this.environment.emit({ type: 'dialog', pageId: this.id, dialogType: event.dialogType, message: event.message })
        this.#stopDialogTimer()
        this.#stopDialogTimer = this.environment.clock.schedule(this.environment.limits.dialogTimeoutMs, () => {
          this.engine.answerDialog(false, undefined).catch(() => {})
        })
        return
      case 'download':
        this.#downloads.push(event.download)
        this.environment.emit({ type: 'download', pageId: this.id, download: event.download })
        return
      case 'closed':
        this.#ended(event.reason)
        return
      default:
    }
  }

  #telemetry(method: string, call: BrowsingCall, facts: JsonObject): void {
    const { metrics, engine } = this.environment
    metrics.count('browsing_operations', { method, engine: engine.id, outcome: 'error' in facts ? 'error' : 'ok' })
    if (typeof facts['total_ms'] === 'number') {
      metrics.observe('browsing_operation_seconds', facts['total_ms'] / 1_000, { method })
    }
    this.environment.emit({
      type: 'telemetry',
      pageId: this.id,
      ...(call.traceId === undefined ? {} : { traceId: call.traceId }),
      facts: { method, engine: engine.id, ...facts },
    })
  }

  #ended(reason: string): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#mutations.close()
    this.#stopDialogTimer()
    this.#queue.close(new DomosError('not_found', 'The page is closed.', { details: { reason: 'PAGE_CLOSED' } }))
    this.environment.onClosed(this, reason)
  }
}
