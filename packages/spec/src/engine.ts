import type { BrowsingCookie, DownloadInfo, ObserveOptions, PageSlice, Target } from './browsing.ts'
import type { JsonObject, JsonValue } from './json.ts'

/**
 * What pages may reach. Made once by the headless organ from the operator's settings; engines ask it before every
 * request, for every DNS answer and for the address a socket really connected to, on every redirect.
 */
export interface NetworkPolicy {
  /** @throws DomosError `forbidden` with details.reason POLICY_DENIED: scheme, userinfo, port or domain is refused */
  checkUrl(url: URL): void
  /**
   * @throws DomosError `forbidden` with details.reason POLICY_DENIED: private, loopback, link-local, metadata or mapped
   * address of a host the operator has not allowed by name
   */
  checkAddress(hostName: string, address: string): void
}

/** What an engine can do, so that nobody finds out by failing. */
export interface EngineAbilities {
  readonly script: boolean
  readonly screenshots: boolean
  readonly evaluate: boolean
  /** Parts of a profile or of limits it really applies, such as `locale`, `viewport`, `maxJsHeapMb`. */
  readonly applies: readonly string[]
}

/** A way to load pages and act on them. Implements primitives; intents, waits and cursors live in `headless`. */
export interface BrowserEngine {
  readonly id: string
  readonly abilities: EngineAbilities
  openContext(options: EngineContextOptions): Promise<EngineContext>
  /** Facts for /healthz, among them what is missing and how to get it. */
  health(): Promise<JsonObject>
  close(): Promise<void>
}

/** Header-level and environment settings of a context. */
export interface EngineContextOptions {
  readonly policy: NetworkPolicy
  readonly userAgent?: string
  /** Client hints and Accept headers of an impersonation profile, in order. */
  readonly headers?: Readonly<Record<string, string>>
  readonly locale?: string
  readonly timezone?: string
  readonly viewport?: { readonly width: number; readonly height: number }
  readonly colorScheme?: 'light' | 'dark'
  readonly maxJsHeapMb?: number
  /** Where downloads are put under random names; never opened. */
  readonly downloadDirectory: string
  readonly limits: EngineLimits
}

/** Bounds an engine keeps. */
export interface EngineLimits {
  /** Bytes of one response on the wire. */
  readonly maxResponseBytes: number
  /** Bytes of one response after decompression. */
  readonly maxDecodedBytes: number
  readonly maxRedirects: number
  readonly requestTimeoutMs: number
  readonly maxDownloadBytes: number
  readonly maxHistoryEntries: number
}

/** Cookies, storage and pages of one session. */
export interface EngineContext {
  openPage(): Promise<EnginePage>
  readonly cookies: {
    get(url: string | undefined): Promise<readonly BrowsingCookie[]>
    set(cookies: readonly BrowsingCookie[]): Promise<void>
    clear(filter: { readonly name?: string; readonly domain?: string; readonly url?: string }): Promise<number>
  }
  /** Web storage by origin; what an engine does not have is empty. */
  exportStorage(): Promise<JsonObject>
  importStorage(storage: JsonObject): Promise<void>
  /** A page opened another one (window.open, target=_blank). */
  onPage(listener: (page: EnginePage, openerId: string | undefined) => void): void
  /** The engine lost this context (crash); its pages are gone. */
  onLost(listener: (reason: string) => void): void
  /** Bytes of a download of this context. @throws DomosError `not_found` */
  readDownload(
    id: string,
    offset: number,
    maxBytes: number,
  ): Promise<{ readonly data: Uint8Array; readonly totalBytes: number; readonly done: boolean }>
  /** Bytes and requests so far. */
  traffic(): {
    readonly requests: number
    readonly bytesIn: number
    readonly bytesOut: number
    readonly refused: number
  }
  close(): Promise<void>
}

/** A request for a document. */
export interface EngineRequest {
  readonly url: string
  readonly method?: 'GET' | 'POST'
  readonly body?: Uint8Array
  readonly contentType?: string
  readonly referrer?: string
}

/** What a navigation came to. */
export interface EngineNavigation {
  readonly url: string
  readonly status: number
  readonly contentType: string
  readonly title: string
  readonly htmlBytes: number
  readonly redirects: readonly string[]
  readonly fetchMs: number
  readonly pipelineMs: number
  /** Set when the response was a download; then the page stays where it was. */
  readonly download?: DownloadInfo
  /** From engines that run no page script: what the source says about its need of one. */
  readonly script?: ScriptEvidence
  /** The document answered a form that was posted; loading it again would post it again. @default false */
  readonly isPost?: boolean
  /** Id of the engine that shows the page, from engines that choose between others. */
  readonly engine?: string
  /** Why that engine, as a sentence. */
  readonly engineReason?: string
}

/** What the source of a document says about its need of script. */
export interface ScriptEvidence {
  /** Scripts that would run, inline and linked. */
  readonly scripts: number
  /** Inline scripts, or handlers in attributes, that write into the page, load more, or move on. */
  readonly writingScripts: number
  /** Characters of text outside scripts, styles and noscript. */
  readonly textChars: number
  /** Elements that applications build their page in, such as `#root`, and that are empty. */
  readonly emptyRoots: readonly string[]
  /** Empty lists, table bodies, regions and articles. */
  readonly emptyRegions: number
  /** Elements whose tag only script can define and that show nothing of their own. */
  readonly emptyCustomElements: number
  /** Controls outside forms, buttons that do nothing by themselves, forms without an action that script handles. */
  readonly scriptControls: number
  /** The page says in noscript that it needs script. */
  readonly asksForScript: boolean
}

/** How far a page has come, and what it waits for. */
export interface EnginePageState {
  readonly url: string
  readonly title: string
  readonly ready: 'empty' | 'loading' | 'interactive' | 'complete'
  /** Requests under way that a network_idle waits for: no sockets, no streams. */
  readonly pendingRequests: readonly string[]
  /** Requests that do not count: sockets, event streams, polling. */
  readonly ignoredRequests: readonly string[]
  readonly dialog?: { readonly type: string; readonly message: string; readonly defaultValue?: string }
  readonly historyLength: number
  readonly historyIndex: number
}

/** An element a target resolved to. */
export interface ResolvedTarget {
  readonly elementId: string
  readonly role: string
  readonly text: string
  readonly confidence: number
  readonly reanchoredFrom?: string
  /** Which fallback of the target was used, counted from 0. */
  readonly fallback?: number
}

/** One match of a query, with what can be read of it. */
export interface ElementMatch extends ResolvedTarget {
  /** Visible text, uncut; `text` is the name and may be shorter. */
  readonly fullText?: string
  /** SOM attributes, and `datetime`, `content`, `title` of the very node that matched. URLs are absolute. */
  readonly attrs?: JsonObject
}

/** One record of a repeating part of a page: the elements of each field inside it. */
export interface ElementRecord {
  /** Id of the element or region that is, or stands for, the record. */
  readonly elementId: string
  readonly fields: Readonly<Record<string, readonly ElementMatch[]>>
}

/** What a control is and holds, read from the document. */
export interface ElementState {
  readonly tag: string
  readonly inputType?: string
  readonly role: string
  readonly value?: string
  /** The value must not be shown: password, card, one-time code. */
  readonly isSecret: boolean
  readonly checked?: boolean
  readonly selected?: readonly string[]
  readonly options?: readonly {
    readonly value: string
    readonly text: string
    readonly disabled: boolean
    readonly selected: boolean
  }[]
  readonly disabled: boolean
  readonly readOnly: boolean
  readonly visible: boolean
  readonly href?: string
  readonly isEditable: boolean
  readonly formId?: string
}

/** The lowest actions ("Intent Levels": `primitive.*`). Elements are named by their SOM id. */
export type Primitive =
  | {
      readonly type: 'click'
      readonly elementId: string
      readonly button?: 'left' | 'right' | 'middle'
      readonly count?: number
      readonly modifiers?: readonly string[]
    }
  | { readonly type: 'hover'; readonly elementId: string }
  | { readonly type: 'focus'; readonly elementId: string }
  | {
      readonly type: 'type'
      readonly elementId: string
      readonly text: string
      readonly replace: boolean
      /** The text is a secret: from now on the value of this field is not shown. @default false */
      readonly isSecret?: boolean
    }
  | { readonly type: 'press'; readonly keys: string; readonly elementId?: string }
  | { readonly type: 'set-checked'; readonly elementId: string; readonly checked: boolean }
  | { readonly type: 'select'; readonly elementId: string; readonly values: readonly string[] }
  | {
      readonly type: 'upload'
      readonly elementId: string
      readonly files: readonly { readonly name: string; readonly data: Uint8Array; readonly contentType: string }[]
    }
  | { readonly type: 'submit'; readonly elementId: string }
  | {
      readonly type: 'scroll'
      readonly elementId?: string
      readonly by?: { readonly x: number; readonly y: number }
      readonly to?: 'top' | 'bottom'
    }
  | { readonly type: 'drag'; readonly elementId: string; readonly toElementId: string }

/** What is to be told about an action that was performed. */
export interface PerformResult {
  /** Sentences for the caller, such as that the button does nothing without page script. */
  readonly notes?: readonly string[]
}

/** What happens to a page; in order, never blocking the engine. */
export type EnginePageEvent =
  | {
      readonly type: 'navigated'
      readonly kind: 'document' | 'same_document'
      readonly url: string
      readonly navigation?: EngineNavigation
    }
  | { readonly type: 'navigation-failed'; readonly url: string; readonly message: string }
  | { readonly type: 'mutated' }
  | { readonly type: 'ready'; readonly ready: EnginePageState['ready'] }
  | { readonly type: 'dialog'; readonly dialogType: string; readonly message: string; readonly defaultValue?: string }
  | { readonly type: 'download'; readonly download: DownloadInfo }
  | { readonly type: 'console-error'; readonly message: string }
  | { readonly type: 'closed'; readonly reason: string }

/** One page of an engine. Methods that load or act take an AbortSignal and leave the page usable when it aborts. */
export interface EnginePage {
  readonly id: string
  state(): EnginePageState
  navigate(request: EngineRequest, signal: AbortSignal): Promise<EngineNavigation>
  /** -1 is back, 1 forward. @throws DomosError `conflict` at the end of the history */
  traverse(delta: number, signal: AbortSignal): Promise<EngineNavigation>
  reload(signal: AbortSignal): Promise<EngineNavigation>
  /**
   * Puts addresses into the history of a page that has shown nothing yet, without loading them: they are loaded when
   * somebody goes back to them. For sessions that move here from another engine.
   */
  seedHistory?(urls: readonly string[], signal: AbortSignal): Promise<void>
  /** Compiles the document where it is. Same document and options give the same bytes. */
  compile(options: ObserveOptions): Promise<{
    readonly som: JsonObject
    readonly ext: JsonObject
    readonly outline?: string
    readonly outlineCursor?: string
  }>
  expand(options: NonNullable<ObserveOptions['expand']>): Promise<PageSlice>
  /** @throws DomosError `not_found`, or `conflict` with candidates when several match equally well */
  resolve(target: Target): Promise<ResolvedTarget>
  /** All elements that a query matches, best first, then in document order. `region` narrows it to one region. */
  query(query: NonNullable<Target['query']>, limit: number, region?: string): Promise<readonly ElementMatch[]>
  /** What can be read of one element; undefined when the id means nothing now. */
  read(elementId: string): Promise<ElementMatch | undefined>
  /** For every match of `query`, the matches of each field inside it, in document order. */
  records(
    query: NonNullable<Target['query']>,
    fields: Readonly<Record<string, NonNullable<Target['query']>>>,
    limit: number,
  ): Promise<readonly ElementRecord[]>
  element(elementId: string): Promise<ElementState | undefined>
  /** @throws DomosError with details naming what is in the way: disabled, hidden, covered by another element */
  perform(primitive: Primitive, signal: AbortSignal): Promise<PerformResult>
  answerDialog(accept: boolean, text: string | undefined): Promise<void>
  evaluate(expression: string, signal: AbortSignal): Promise<JsonValue>
  screenshot(
    elementId: string | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly data: Uint8Array; readonly mimeType: string }>
  onEvent(listener: (event: EnginePageEvent) => void): () => void
  close(): Promise<void>
}
