import { type Pattern, re2Pattern } from '@domos/som'
import {
  DomosError,
  type DownloadInfo,
  type ElementMatch,
  type ElementRecord,
  type ElementState,
  type EngineNavigation,
  type EnginePage,
  type EnginePageEvent,
  type EnginePageState,
  type EngineRequest,
  type JsonObject,
  type JsonValue,
  type ObserveOptions,
  type PageSlice,
  type PerformResult,
  type Primitive,
  type ResolvedTarget,
  type Target,
} from '@domos/spec'
import type { CdpSession } from '../cdp/connection.ts'
import type { ChromiumContext } from '../context/context.ts'
import { perform, type Stage } from '../input/perform.ts'
import { evaluate } from './evaluate.ts'
import { Frames } from './frames.ts'
import { Navigator } from './navigator.ts'
import { type EgressFailure, navigationError } from './net-errors.ts'
import { prepareTarget } from './prepare-target.ts'
import { Requests } from './requests.ts'

type Query = NonNullable<Target['query']>

/** A dialog the page has opened; the page stands still until it is answered. */
interface Dialog {
  readonly type: string
  readonly message: string
  readonly defaultValue?: string
}

interface Compiled {
  readonly som: JsonObject
  readonly ext: JsonObject
  readonly outline?: string
  readonly outlineCursor?: string
}

/** The element is in another frame's world. */
interface Elsewhere {
  readonly elsewhere: { readonly frame: string; readonly node: number }
  readonly role: string
}

const MAX_CONSOLE_ERRORS = 50
const MAX_TOLD_ERRORS = 5
/** Matches of a pattern that are told of one text. */
const MAX_SPANS = 1_000
const LOOK_AGAIN_MS = 10
/** How long an action waits for the download it began. */
const DOWNLOAD_MS = 3_000
/** How long an aborted navigation may take to turn out to be a download; an answer without content costs this much. */
const ABORTED_MS = 300
const STILL_DOWNLOADING = 'A download has begun and goes on; an event tells when it has ended.'
const POPUP_MS = 3_000

/** One page of the browser. */
export class ChromiumPage implements EnginePage {
  readonly id: string
  readonly session: CdpSession
  readonly #context: ChromiumContext
  readonly #frames: Frames
  readonly #requests: Requests
  readonly #navigator: Navigator
  readonly #listeners = new Set<(event: EnginePageEvent) => void>()
  readonly #dialogWaiters = new Set<() => void>()
  readonly #consoleErrors: string[] = []
  readonly #downloads = new Set<string>()
  #lastCompiled: Compiled | undefined
  #dialog: Dialog | undefined
  #popups = 0
  #downloadsBegun = 0
  #popupsSeen = 0
  #isClosed = false

  constructor(context: ChromiumContext, session: CdpSession, targetId: string) {
    this.#context = context
    this.session = session
    this.id = targetId
    this.#frames = new Frames(targetId, session, context.limits.maxFrames)
    this.#requests = new Requests(context.limits)
    this.#requests.mainFrameId = targetId
    this.#navigator = new Navigator(
      session,
      targetId,
      (event) => this.#emit(event),
      async () =>
        (await this.#frames.call<{ title: string; refreshUrl?: string }>('ready', {}, AbortSignal.timeout(2_000)))
          .value,
    )
    this.#listen()
  }

  /** Sets the page up; it runs on when all is in place. */
  async start(): Promise<void> {
    await prepareTarget(this.session, this.#context.preparation, true)
  }

  state(): EnginePageState {
    const { url, title, ready, historyLength, historyIndex } = this.#navigator
    return {
      url,
      title,
      ready,
      pendingRequests: [...this.#navigator.pending(), ...this.#requests.pending()],
      ignoredRequests: this.#requests.ignored(),
      ...(this.#dialog === undefined ? {} : { dialog: this.#dialog }),
      historyLength,
      historyIndex,
    }
  }

  hasFrame(frameId: string): boolean {
    return this.#frames.has(frameId)
  }

  async navigate(request: EngineRequest, signal: AbortSignal): Promise<EngineNavigation> {
    const url = parseUrl(request.url)
    this.#context.options.policy.checkUrl(url)
    if ((request.method ?? 'GET') !== 'GET') {
      throw new DomosError('unsupported', 'This engine sends forms by pressing their button, not by navigating.', {
        details: { field: 'method' },
      })
    }
    return this.#load(url.href, signal, async () => {
      const answer = await this.session.send('Page.navigate', {
        url: url.href,
        ...(request.referrer === undefined ? {} : { referrer: request.referrer }),
      })
      return { failure: answer.errorText, isSameDocument: answer.loaderId === undefined }
    })
  }

  async traverse(delta: number, signal: AbortSignal): Promise<EngineNavigation> {
    const { entries, index } = await this.#navigator.readHistory()
    const entry = entries[index + delta]
    if (entry === undefined) {
      throw new DomosError('conflict', `There is no page ${delta < 0 ? 'before' : 'after'} this one in the history.`, {
        details: { reason: 'HISTORY_END', historyLength: entries.length, historyIndex: index },
      })
    }
    return this.#load(entry.url, signal, async () => {
      await this.session.send('Page.navigateToHistoryEntry', { entryId: entry.id })
      return {}
    })
  }

  async reload(signal: AbortSignal): Promise<EngineNavigation> {
    if (this.#navigator.ready === 'empty') throw noDocument()
    return this.#load(this.#navigator.url, signal, async () => {
      await this.session.send('Page.reload', {})
      return {}
    })
  }

  async seedHistory(urls: readonly string[], signal: AbortSignal): Promise<void> {
    await this.answeringBlank(async () => {
      for (const url of urls) await this.navigate({ url }, signal)
    })
    this.#navigator.ready = 'empty'
  }

  /** While something runs, every request of this page is answered with an empty document and reaches no network. */
  async answeringBlank(run: () => Promise<void>): Promise<void> {
    const stop = this.session.on('Fetch.requestPaused', ({ requestId }) => {
      const responseHeaders = [
        { name: 'content-type', value: 'text/html' },
        { name: 'cache-control', value: 'no-store' },
      ]
      this.session.post('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders, body: '' })
    })
    try {
      await this.session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })
      await run()
    } finally {
      stop()
      await this.session.send('Fetch.disable').catch(() => {})
    }
  }

  async compile(options: ObserveOptions): Promise<Compiled> {
    if (this.#navigator.ready === 'empty') throw noDocument()
    if (this.#dialog !== undefined) return this.#compiledBehindDialog()
    const page = this.#facts()
    // The facts stand beside what the page's world compiled and count as bytes all the same.
    const room =
      options.maxBytes === undefined
        ? {}
        : { maxBytes: Math.max(1, options.maxBytes - JSON.stringify(page).length - 16) }
    const compiled = await this.#ask<Compiled>('compile', { ...options, ...room })
    this.#lastCompiled = compiled
    return { ...compiled, ext: { ...compiled.ext, page } }
  }

  async expand(options: NonNullable<ObserveOptions['expand']>): Promise<PageSlice> {
    return this.#ask<PageSlice>('expand', options)
  }

  async resolve(target: Target): Promise<ResolvedTarget> {
    return this.#withPatterns<ResolvedTarget>('resolve', { target })
  }

  async query(query: Query, limit: number, region?: string): Promise<readonly ElementMatch[]> {
    const argument = { query, limit, ...(region === undefined ? {} : { region }) }
    return (await this.#withPatterns<{ found: readonly ElementMatch[] }>('query', argument)).found
  }

  async read(elementId: string): Promise<ElementMatch | undefined> {
    return (await this.#ask<ElementMatch | null>('read', { id: elementId })) ?? undefined
  }

  async records(
    query: Query,
    fields: Readonly<Record<string, Query>>,
    limit: number,
  ): Promise<readonly ElementRecord[]> {
    return (await this.#withPatterns<{ found: readonly ElementRecord[] }>('records', { query, fields, limit })).found
  }

  async element(elementId: string): Promise<ElementState | undefined> {
    const value = await this.#ask<ElementState | Elsewhere | null>('element', { ref: { elementId } })
    if (value === null) return undefined
    if (!('elsewhere' in value)) return value
    const { frame, node } = value.elsewhere
    return this.#patiently(async (signal) => {
      const argument = { ref: { node }, role: value.role }
      return (await this.#frames.call<ElementState>('element', argument, signal, frame)).value
    })
  }

  async perform(primitive: Primitive, signal: AbortSignal): Promise<PerformResult> {
    signal.throwIfAborted()
    this.#refuseDialog()
    const { serial, asked } = this.#navigator
    const popups = this.#popups
    const expected = this.#navigator.downloadsExpected
    const begun = this.#downloadsBegun
    // A dialog stops the page in the middle of the action; what is left of it goes on when it is answered.
    return this.#unlessDialog(signal, {}, async () => {
      await this.#update(signal)
      const isLink = primitive.type === 'click' && (await this.#leadsSomewhere(primitive.elementId))
      const result = await perform(this.#stage(), primitive, signal)
      // What the page did is told before its world answers; a document that is left answers nothing.
      await this.#frames.settle(signal).catch((thrown: unknown) => {
        if (signal.aborted) throw thrown
      })
      this.#emit({ type: 'mutated' })
      await this.#navigator.arrived(serial, signal, () => this.#isClosed)
      if (this.#navigator.serial !== serial && !this.#isClosed) await this.#navigator.readHistory()
      // It should have led somewhere and came to nothing: perhaps it is about to be a download.
      else if (isLink || this.#navigator.asked > asked) await this.#downloadBegins(expected, begun, signal)
      await this.#popupsArrived(popups, signal)
      return (await this.#downloadsEnded(this.#navigator.downloadsExpected > expected ? begun : undefined, signal))
        ? result
        : { notes: [...(result.notes ?? []), STILL_DOWNLOADING] }
    })
  }

  async #leadsSomewhere(elementId: string): Promise<boolean> {
    const state = await this.element(elementId).catch(() => undefined)
    return state?.href !== undefined && !state.href.startsWith('javascript:') && !state.href.includes('#')
  }

  async answerDialog(accept: boolean, text: string | undefined): Promise<void> {
    if (this.#dialog === undefined)
      throw new DomosError('conflict', 'No dialog is open.', { details: { reason: 'NO_DIALOG' } })
    this.#dialog = undefined
    await this.session.send('Page.handleJavaScriptDialog', {
      accept,
      ...(text === undefined ? {} : { promptText: text }),
    })
    this.#emit({ type: 'mutated' })
  }

  async evaluate(expression: string, signal: AbortSignal): Promise<JsonValue> {
    this.#refuseDialog()
    if (!this.#context.canEvaluate) {
      throw new DomosError('unsupported', 'Running script of the caller in pages is off; the operator can allow it.', {
        details: { field: 'evaluate' },
      })
    }
    const value = await evaluate(this.session, expression, this.#context.limits.maxEvaluateBytes, signal)
    this.#emit({ type: 'mutated' })
    return value
  }

  async screenshot(
    elementId: string | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly data: Uint8Array; readonly mimeType: string }> {
    this.#refuseDialog()
    if (this.#navigator.ready === 'empty') throw noDocument()
    let clip: { x: number; y: number; width: number; height: number; scale: number } | undefined
    if (elementId !== undefined) {
      const { value: box, frameId } = await this.#frames.call<{ x: number; y: number; width: number; height: number }>(
        'box',
        { ref: { elementId } },
        signal,
      )
      const corner = frameId === this.id ? box : await this.#frames.pointInPage(frameId, box, signal)
      clip = { x: corner.x, y: corner.y, width: Math.max(1, box.width), height: Math.max(1, box.height), scale: 1 }
    }
    const { data } = await abortable(
      signal,
      this.session.send('Page.captureScreenshot', {
        format: 'png',
        ...(clip === undefined ? {} : { clip, captureBeyondViewport: true }),
      }),
    )
    return { data: Buffer.from(data, 'base64'), mimeType: 'image/png' }
  }

  onEvent(listener: (event: EnginePageEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async close(): Promise<void> {
    if (!this.#isClosed) await this.end('closed')
  }

  /** Ends the page for what it did. */
  async end(reason: string): Promise<void> {
    this.ended(reason)
    await this.#context.closeTarget(this.id)
  }

  /** Storage of the origin it shows. */
  async storage(): Promise<{ readonly local: JsonObject; readonly session: JsonObject } | undefined> {
    if (this.#dialog !== undefined || !/^https?:/.test(this.#navigator.url)) return undefined
    return this.#patiently(
      async (signal) =>
        (await this.#frames.call<{ local: JsonObject; session: JsonObject }>('storage', {}, signal)).value,
    )
  }

  async setStorage(local: object, session: object): Promise<void> {
    await this.#patiently((signal) => this.#frames.call('setStorage', { local, session } as object, signal))
  }

  headOf(url: string): ReturnType<Requests['headOf']> {
    return this.#requests.headOf(url)
  }

  /** The context was told of a download of one of this page's frames; once when it begins, once when it has ended. */
  downloaded(download: DownloadInfo): void {
    if (download.state === 'running') {
      this.#downloads.add(download.id)
      this.#downloadsBegun += 1
      this.#navigator.settle()
      return
    }
    this.#downloads.delete(download.id)
    this.#emit({ type: 'download', download })
    for (const wake of [...this.#dialogWaiters]) wake()
    this.#navigator.wake()
  }

  /** A page that this one opened is there. */
  popupArrived(): void {
    this.#popupsSeen += 1
    this.#navigator.wake()
  }

  /** The page is gone, or is going. */
  ended(reason: string): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#frames.end()
    this.#context.forget(this)
    this.#emit({ type: 'closed', reason })
    this.#listeners.clear()
    // A crashed target keeps its session and never answers: whoever waits is told here.
    this.session.end(reason)
    this.#navigator.wake()
  }

  async #load(
    url: string,
    signal: AbortSignal,
    start: () => Promise<{ readonly failure?: string | undefined; readonly isSameDocument?: boolean }>,
  ): Promise<EngineNavigation> {
    signal.throwIfAborted()
    if (this.#isClosed) throw new DomosError('not_found', 'The page is closed.')
    this.#refuseDialog()
    const navigator = this.#navigator
    const { serial } = navigator
    const downloads: DownloadInfo[] = []
    const stop = this.onEvent((event) => {
      if (event.type === 'download') downloads.push(event.download)
    })
    const startedAt = performance.now()
    const expected = navigator.downloadsExpected
    const begun = this.#downloadsBegun
    try {
      navigator.expect(url)
      navigator.attemptedUrl = ''
      const opened = await this.#unlessDialog(signal, 'dialog' as const, () => abortable(signal, start()))
      if (opened === 'dialog') {
        this.#refuseDialog()
        throw new DomosError('conflict', 'The page asked whether it may be left.', {
          details: { reason: 'DIALOG_OPEN' },
        })
      }
      if (opened.failure !== undefined) {
        navigator.settle()
        if (opened.failure === 'net::ERR_ABORTED') await this.#downloadBegins(expected, begun, signal)
        const download = await this.#downloadOf(downloads, signal)
        if (download !== undefined)
          return { ...navigator.current(), download, fetchMs: Math.round(performance.now() - startedAt) }
        if (opened.failure === 'net::ERR_ABORTED' && !navigator.isMoving) return navigator.current()
        if (opened.failure !== 'net::ERR_ABORTED') throw navigationError(opened.failure, url, this.#failureOf(url))
      }
      if (opened.isSameDocument === true && opened.failure === undefined) {
        navigator.settle()
        await navigator.readHistory()
        return navigator.current()
      }
      const arrived = await navigator.arrived(serial, signal, () => this.#isClosed || downloads.length > 0)
      if (this.#isClosed)
        throw new DomosError('unavailable', 'The page is gone: it crashed or was closed.', {
          details: { reason: 'TARGET_GONE' },
        })
      if (navigator.isFailed) throw navigationError('FAILED', url, this.#failureOf(url))
      const [download] = downloads
      await navigator.readHistory()
      return { ...(arrived ?? navigator.current()), ...(download === undefined ? {} : { download }) }
    } catch (thrown) {
      if (signal.aborted) {
        this.session.post('Page.stopLoading')
        navigator.settle()
        throw signal.reason
      }
      throw thrown
    } finally {
      stop()
    }
  }

  /** What the proxy knows of the address a navigation failed at: the one asked for, or where it was sent on to. */
  #failureOf(url: string): EgressFailure | undefined {
    const { attemptedUrl } = this.#navigator
    return (attemptedUrl === '' ? undefined : this.#context.failureOf(attemptedUrl)) ?? this.#context.failureOf(url)
  }

  /** A navigation that becomes a download is told as aborted first and as a download a moment later. */
  async #downloadBegins(expected: number, begun: number, signal: AbortSignal): Promise<void> {
    const abortedAt = Date.now()
    while (this.#downloadsBegun === begun) {
      const patienceMs = this.#navigator.downloadsExpected > expected ? DOWNLOAD_MS / 2 : ABORTED_MS
      if (Date.now() - abortedAt > patienceMs) return
      await abortable(signal, new Promise<void>((resolve) => setTimeout(resolve, LOOK_AGAIN_MS)))
    }
  }

  /** The download that a navigation has become, when it has. */
  async #downloadOf(downloads: readonly DownloadInfo[], signal: AbortSignal): Promise<DownloadInfo | undefined> {
    while (downloads.length === 0 && this.#downloads.size > 0) {
      await abortable(
        signal,
        new Promise<void>((resolve) => {
          const wake = (): void => {
            this.#dialogWaiters.delete(wake)
            resolve()
          }
          this.#dialogWaiters.add(wake)
        }),
      )
    }
    return downloads[0]
  }

  /** Whether nothing is being downloaded any more, after a little patience; with a count, one more has yet to begin. */
  async #downloadsEnded(before: number | undefined, signal: AbortSignal): Promise<boolean> {
    const until = Date.now() + DOWNLOAD_MS
    const isDue = (): boolean =>
      before !== undefined && this.#downloadsBegun === before && Date.now() < until - DOWNLOAD_MS / 2
    while ((this.#downloads.size > 0 || isDue()) && Date.now() < until) {
      await abortable(signal, new Promise<void>((resolve) => setTimeout(resolve, LOOK_AGAIN_MS)))
    }
    return this.#downloads.size === 0
  }

  async #popupsArrived(before: number, signal: AbortSignal): Promise<void> {
    const until = Date.now() + POPUP_MS
    while (this.#popups > before && this.#popupsSeen < this.#popups && Date.now() < until) {
      await abortable(signal, new Promise<void>((resolve) => setTimeout(resolve, LOOK_AGAIN_MS)))
    }
  }

  /** Runs something that ends early, with `instead`, when a dialog opens. */
  async #unlessDialog<T, D>(signal: AbortSignal, instead: D, run: () => Promise<T>): Promise<T | D> {
    let wake: () => void = () => {}
    const opened = new Promise<D>((resolve) => {
      wake = () => {
        if (this.#dialog !== undefined) resolve(instead)
      }
      this.#dialogWaiters.add(wake)
    })
    try {
      const running = run()
      running.catch(() => {})
      return await abortable(signal, Promise.race([running, opened]))
    } finally {
      this.#dialogWaiters.delete(wake)
    }
  }

  async #update(signal: AbortSignal): Promise<void> {
    await this.#frames.update(this.#navigator.htmlBytes, signal)
  }

  /** State of the page that is not in the document (`som_ext.page`). */
  #facts(): JsonObject {
    const { ready, status, historyLength, historyIndex } = this.#navigator
    return {
      ready,
      status,
      history: { length: historyLength, index: historyIndex },
      ...(this.#dialog === undefined ? {} : { dialog: { ...this.#dialog } }),
      ...(this.#consoleErrors.length === 0 ? {} : { console_errors: this.#consoleErrors.slice(-MAX_TOLD_ERRORS) }),
    }
  }

  #compiledBehindDialog(): Compiled {
    const last = this.#lastCompiled
    if (last === undefined) this.#refuseDialog()
    const known = last as Compiled
    return { ...known, ext: { ...known.ext, page: this.#facts() } }
  }

  /** Asks the page's world about the document as it is now. */
  async #ask<T>(method: string, argument: object): Promise<T> {
    this.#refuseDialog()
    return this.#patiently(async (signal) => {
      await this.#update(signal)
      return (await this.#frames.call<T>(method, argument, signal)).value
    })
  }

  /** Asks, and matches here the patterns that come up on the way. */
  async #withPatterns<R extends object>(method: string, argument: object): Promise<R> {
    const first = await this.#ask<R & { readonly ask?: readonly string[] }>(method, argument)
    if (first.ask === undefined) return first
    const patterns = new Map<string, Pattern>()
    const spans: [string, string, number, number][] = []
    for (const asked of first.ask) {
      const [source, text] = JSON.parse(asked) as [string, string]
      const pattern = patterns.get(source) ?? re2Pattern(source)
      patterns.set(source, pattern)
      for (let from = 0, count = 0; count < MAX_SPANS; count += 1) {
        const found = pattern.find(text, from)
        if (found === undefined) break
        spans.push([source, text, found.start, found.end])
        from = Math.max(found.end, found.start + 1)
      }
    }
    return this.#ask<R>(method, { ...argument, spans })
  }

  #stage(): Stage {
    const { uploadDirectory, account } = this.#context.launched
    return { session: this.session, frames: this.#frames, limits: this.#context.limits, uploadDirectory, account }
  }

  /** For what has no signal of its own: a page that does not answer for long has its script ended. */
  async #patiently<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { blockedPageMs } = this.#context.limits
    const controller = new AbortController()
    const timer = setTimeout(() => {
      this.session.post('Runtime.terminateExecution')
      controller.abort(
        new DomosError('timeout', `The page did not answer in ${blockedPageMs} ms; its script was stopped.`, {
          details: { reason: 'PAGE_BLOCKED', timeoutMs: blockedPageMs },
        }),
      )
    }, blockedPageMs)
    try {
      return await this.#unlessDialog(controller.signal, undefined, () => run(controller.signal)).then((value) => {
        if (value === undefined) this.#refuseDialog()
        return value as T
      })
    } finally {
      clearTimeout(timer)
    }
  }

  #refuseDialog(): void {
    if (this.#dialog === undefined) return
    throw new DomosError('conflict', `A ${this.#dialog.type} dialog is open; answer it first.`, {
      details: { reason: 'DIALOG_OPEN', type: this.#dialog.type, message: this.#dialog.message.slice(0, 500) },
    })
  }

  #listen(): void {
    const { session } = this
    this.#frames.listen(session)
    this.#requests.listen(session)
    session.on('Runtime.bindingCalled', ({ name, payload }) => this.#told(name, payload))
    session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      const child = this.#context.connection.session(sessionId)
      if (targetInfo.type !== 'iframe') {
        child.post('Runtime.runIfWaitingForDebugger')
        session.post('Target.detachFromTarget', { sessionId })
        return
      }
      this.#frames.listen(child)
      this.#frames.move(targetInfo.targetId, child)
      this.#requests.listen(child)
      child.on('Runtime.bindingCalled', ({ name, payload }) => this.#told(name, payload))
      void prepareTarget(child, this.#context.preparation, false).catch(() => {})
    })
    session.on('Target.detachedFromTarget', ({ sessionId }) => {
      const child = this.#context.connection.session(sessionId)
      this.#frames.forget(child)
      this.#requests.forget(child)
      this.#emit({ type: 'mutated' })
    })
    session.on('Page.javascriptDialogOpening', ({ type, message, defaultPrompt }) => {
      this.#dialog = {
        type,
        message: message.slice(0, 10_000),
        ...(type === 'prompt' ? { defaultValue: defaultPrompt ?? '' } : {}),
      }
      this.#emit({
        type: 'dialog',
        dialogType: type,
        message: this.#dialog.message,
        ...(type === 'prompt' ? { defaultValue: defaultPrompt ?? '' } : {}),
      })
      for (const wake of [...this.#dialogWaiters]) wake()
    })
    session.on('Page.javascriptDialogClosed', () => {
      this.#dialog = undefined
    })
    session.on('Page.windowOpen', () => {
      this.#popups += 1
    })
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id !== this.id) return
      this.#requests.startOver(session)
      this.#consoleErrors.length = 0
      this.#lastCompiled = undefined
    })
    session.on('Runtime.exceptionThrown', ({ exceptionDetails }) => {
      this.#consoleError(exceptionDetails.exception?.description ?? exceptionDetails.text)
    })
    session.on('Runtime.consoleAPICalled', ({ type, args }) => {
      if (type === 'error')
        this.#consoleError(args.map(({ value, description }) => String(value ?? description ?? '')).join(' '))
    })
    session.on('Inspector.targetCrashed', () => {
      this.ended(this.#context.crashReason())
      void this.#context.closeTarget(this.id)
    })
  }

  #told(name: string, payload: string): void {
    if (name !== this.#context.preparation.binding) return
    try {
      const { title } = JSON.parse(payload) as { title?: unknown }
      if (typeof title === 'string' && this.#frames.size === 1) this.#navigator.title = title
    } catch {
      return
    }
    this.#emit({ type: 'mutated' })
  }

  #consoleError(text: string): void {
    const message = text.split('\n')[0]?.slice(0, 500) ?? ''
    if (this.#consoleErrors.length >= MAX_CONSOLE_ERRORS) return
    this.#consoleErrors.push(message)
    this.#emit({ type: 'console-error', message })
  }

  #emit(event: EnginePageEvent): void {
    for (const listener of [...this.#listeners]) listener(event)
  }
}

/** A promise that ends with the signal's reason when that comes first. */
async function abortable<T>(signal: AbortSignal, running: Promise<T>): Promise<T> {
  let abort: () => void = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
  aborted.catch(() => {})
  try {
    return await Promise.race([running, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

function parseUrl(text: string): URL {
  if (URL.canParse(text)) return new URL(text)
  throw new DomosError('invalid_request', 'The URL is not complete; it starts with http:// or https://.', {
    details: { reason: 'BAD_URL', field: 'url' },
  })
}

function noDocument(): DomosError {
  return new DomosError('not_found', 'No page is loaded yet; navigate first.', { details: { reason: 'NO_DOCUMENT' } })
}
