import type { JsonObject, JsonSchema, JsonValue } from './json.ts'
import type { Principal } from './principal.ts'

/**
 * The operations of the headless organ, as the browser door, session tools and the MCP server call them. Names and
 * meanings are those of the Agent Web Protocol ("Sessions", "Page Lifecycle", "Observation", "Actions", "Data
 * Extraction", "State"), in camelCase. Everything throws DomosError; details name what an agent can do next.
 */
export interface Browsing {
  /** What hello announces. */
  readonly features: BrowsingFeatures
  /** @throws DomosError `busy` over the session limits, `unsupported` with details.field for an unknown profile */
  createSession(principal: Principal, options: CreateBrowsingSession): Promise<BrowsingSession>
  /** @throws DomosError `not_found`, also for a session of another tenant or one never attached by this principal */
  session(principal: Principal, id: string): BrowsingSession
  /** Takes a session over with the secret its creation returned. @throws DomosError `not_found` for a wrong secret too */
  attachSession(principal: Principal, id: string, attachSecret: string): Promise<BrowsingSession>
  listSessions(principal: Principal): readonly BrowsingSessionInfo[]
  /** Opens a session from what {@link BrowsingSession.exportState} gave. */
  importSession(principal: Principal, state: JsonValue, options: CreateBrowsingSession): Promise<BrowsingSession>
  /** Facts for /healthz: engines, sessions, pages. */
  health(): JsonObject
  close(): Promise<void>
}

/** What this build can do (Capability Negotiation). */
export interface BrowsingFeatures {
  readonly profiles: readonly string[]
  readonly engines: readonly string[]
  readonly proxy: boolean
  readonly skills: boolean
  readonly evaluate: boolean
  readonly screenshots: boolean
  /** `semantic.*` and `intent.*` actions. */
  readonly intentLevels: readonly string[]
  readonly maxSessions: number
  readonly maxPagesPerSession: number
  readonly maxSomBytes: number
}

/** Parameters of session.create. */
export interface CreateBrowsingSession {
  /** Keep cookies, storage and page URLs, encrypted, across restarts until the ttl. @default false */
  readonly persist?: boolean
  /** @default 3600000, at most the limit */
  readonly ttlMs?: number
  readonly profile?: {
    readonly impersonation?: string
    readonly userAgent?: string
    readonly locale?: string
    readonly timezone?: string
    readonly viewport?: { readonly width: number; readonly height: number }
    readonly colorScheme?: 'light' | 'dark'
  }
  readonly limits?: { readonly maxPages?: number; readonly maxJsHeapMb?: number }
  /** `static`, `chromium` or `auto`. @default the server's setting */
  readonly engine?: string
  readonly allowedDomains?: readonly string[]
  /** Default time limit of page operations. */
  readonly timeoutMs?: number
  /** Seat in an existing DomOS session (decisions: joining). */
  readonly joinToken?: string
}

/** What is known of a session. */
export interface BrowsingSessionInfo {
  readonly id: string
  readonly url?: string
  readonly pageCount: number
  readonly uptimeMs: number
  readonly expiresAt: number
  readonly persist: boolean
}

/** One browsing session: its own cookies, storage and pages. */
export interface BrowsingSession {
  /** 32 lower-case hex digits; the door spells it `s_…`. */
  readonly id: string
  /** Needed to attach from another connection; told once, at creation. */
  readonly attachSecret: string
  /** What was asked for and cannot be applied by the engine, such as `limits.maxJsHeapMb`. */
  readonly ignored: readonly string[]
  info(): BrowsingSessionInfo
  createPage(call: BrowsingCall, options?: { readonly url?: string }): Promise<BrowsingPage>
  /** Without an id: the session's default page, made on demand. @throws DomosError `not_found` */
  page(id: string | undefined): Promise<BrowsingPage>
  listPages(): readonly { readonly id: string; readonly url: string; readonly title: string }[]
  readonly cookies: {
    get(filter: { readonly url?: string }): Promise<readonly BrowsingCookie[]>
    /** @throws DomosError `invalid_request` naming the cookie that is wrong; then none is set */
    set(cookies: readonly BrowsingCookie[]): Promise<number>
    clear(filter: { readonly name?: string; readonly domain?: string; readonly url?: string }): Promise<number>
  }
  exportState(): Promise<JsonValue>
  /** Events of this session and its pages, until the returned function is called. Delivery never blocks the page. */
  onEvent(listener: (event: BrowsingEvent) => void): () => void
  /** Idle clock: a door calls it for every request of the session. */
  touch(): void
  close(options?: { readonly persist?: boolean }): Promise<void>
}

/** A cookie. `expires` is epoch seconds; absent = until the session ends. */
export interface BrowsingCookie {
  readonly name: string
  readonly value: string
  readonly domain?: string
  readonly url?: string
  readonly path?: string
  readonly expires?: number
  readonly httpOnly?: boolean
  readonly secure?: boolean
  readonly sameSite?: 'Strict' | 'Lax' | 'None'
}

/** What every operation carries. */
export interface BrowsingCall {
  readonly signal: AbortSignal
  readonly traceId?: string
  /** True opts out of the page's queue (`concurrency: "parallel"`). @default false */
  readonly isParallel?: boolean
}

/** Wait strategies of the document, "Page Lifecycle". */
export type WaitUntil = 'dom_content_loaded' | 'load' | 'network_idle' | 'som_stable'

/** What to wait for: a state of the page, or an element. */
export interface WaitSpec {
  readonly until?: WaitUntil
  readonly query?: TargetQuery
  /** With `query`: wait until it is gone instead. */
  readonly gone?: boolean
  readonly timeoutMs?: number
}

/** A semantic query ("Element References"). */
export interface TargetQuery {
  readonly text?: string
  readonly textRegex?: string
  readonly role?: string
  readonly label?: string
  readonly level?: number
  readonly css?: string
}

/** A target: a reference, a query, and what to try when they miss. */
export interface Target {
  readonly elementRef?: string
  readonly query?: TargetQuery
  readonly fallback?: readonly Target[]
}

/** Parameters of page.observe. */
export interface ObserveOptions {
  readonly maxBytes?: number
  readonly maxTokens?: number
  /** Ask for what an earlier snapshot cut. */
  readonly expand?: {
    readonly region?: string
    readonly element?: string
    readonly cursor?: string
    readonly maxTokens?: number
    readonly filter?: string
  }
  /** Also the text view for models. */
  readonly outline?:
    | boolean
    | {
        readonly links?: boolean
        readonly interactive?: boolean
        readonly maxTokens?: number
        /** `outlineCursor` of the piece before. */
        readonly cursor?: string
      }
  /** @default true */
  readonly ext?: boolean
}

/** A snapshot. `som` is valid under the SOM schema; `ext` is its sibling `som_ext`. */
export interface PageSnapshot {
  readonly cursor: number
  readonly som: JsonObject
  readonly ext?: JsonObject
  readonly outline?: string
  /** Where the outline goes on, when it was cut. */
  readonly outlineCursor?: string
  /** Set when mutations were asked for and a snapshot had to be given instead, such as `cursor_expired`. */
  readonly reason?: string
}

/** The answer to an `expand`. */
export interface PageSlice {
  readonly region?: string
  readonly element?: string
  readonly elements: readonly JsonValue[]
  /** The rest of an element's text, list items, table rows or options, when that is what was cut. */
  readonly text?: string
  readonly items?: readonly JsonValue[]
  readonly rows?: readonly JsonValue[]
  readonly headers?: readonly string[]
  readonly options?: readonly JsonValue[]
  /** Entries, or characters of text, still to come. */
  readonly left?: number
  readonly nextCursor?: string
}

/** Mutations since a cursor: RFC 6902 patches; applying them in order gives the snapshot byte for byte. */
export interface PageMutations {
  readonly fromCursor: number
  readonly cursor: number
  readonly isChanged: boolean
  readonly patches: readonly { readonly cursor: number; readonly patch: readonly JsonObject[] }[]
  /** More than `maxEvents` are waiting. */
  readonly hasMore: boolean
}

/** What an intent is ("Actions: Intent-Based Interaction"). `action` may carry a namespace. */
export interface Intent {
  readonly action: string
  readonly target?: Target
  readonly value?: JsonValue
  readonly options?: JsonObject
}

/** What an action did, as observed. */
export interface ActEffects {
  /** `false`, or what kind of navigation happened. */
  readonly navigation: false | 'document' | 'same_document'
  readonly somChanged: boolean
  readonly url?: string
  readonly newPages?: readonly { readonly pageId: string; readonly url: string }[]
  readonly dialog?: { readonly type: string; readonly message: string; readonly defaultValue?: string }
  readonly downloads?: readonly DownloadInfo[]
  /** What the control holds after typing or choosing; secrets are masked. */
  readonly value?: JsonValue
  readonly [name: string]: unknown
}

/** The result of page.act. */
export interface ActResult {
  /** The intent after normalising its name, such as `primitive.click`. */
  readonly action: string
  readonly effects: ActEffects
  readonly target?: {
    readonly elementId: string
    readonly role: string
    readonly text: string
    readonly confidence: number
    readonly reanchoredFrom?: string
    /** Which fallback of the target was used, counted from 0. */
    readonly fallback?: number
  }
  /** The steps of a `semantic.*` or `intent.*` plan. */
  readonly steps?: readonly JsonObject[]
  readonly cursor: number
  readonly warnings?: readonly string[]
}

/** The result of navigate, back, forward and reload. */
export interface NavigateResult {
  readonly pageId: string
  readonly url: string
  readonly status: number
  readonly contentType: string
  readonly title: string
  readonly htmlBytes: number
  readonly somBytes: number
  readonly redirects: readonly string[]
  readonly fetchMs: number
  readonly pipelineMs: number
  readonly loadMs: number
  readonly cursor: number
  readonly engine: string
  /** Why this engine showed the page. */
  readonly engineReason?: string
  readonly download?: DownloadInfo
}

/** One field to extract. */
export interface ExtractQuery {
  readonly query: TargetQuery & { readonly elementRef?: string; readonly region?: string }
  /** All matches instead of the first. @default false, or what the schema says */
  readonly all?: boolean
  /** Attributes to give instead of the text. */
  readonly props?: readonly string[]
  /** For lists of records: fields within each match. */
  readonly fields?: Readonly<Record<string, ExtractQuery>>
}

/** Parameters of page.extract. */
export interface ExtractOptions {
  readonly schema?: JsonSchema
  readonly queries?: Readonly<Record<string, ExtractQuery>>
  readonly structuredData?: boolean
  readonly interactiveElements?: boolean
}

/** The result of page.extract. Provenance of a field: ids of the elements it came from, or null. */
export interface ExtractResult {
  readonly data: JsonValue
  readonly provenance: Readonly<Record<string, string | readonly string[] | null>>
  /** Fields for which more elements matched than were used, and how many. */
  readonly ambiguous?: Readonly<Record<string, number>>
  /** The text that a typed value was read from. */
  readonly raw?: JsonObject
  /** Fields, or records of a list, that were found and could not be read as the schema wants them. */
  readonly invalid?: readonly string[]
  readonly url: string
}

/** A download in quarantine. */
export interface DownloadInfo {
  readonly id: string
  readonly filename: string
  readonly bytes: number
  readonly contentType: string
  readonly state: 'running' | 'done' | 'failed'
  readonly sha256?: string
  readonly url: string
}

/** One page (tab). Operations run in order unless a call opts out; {@link close}, dialogs and cancel pass the queue. */
export interface BrowsingPage {
  readonly id: string
  navigate(url: string, wait: WaitSpec, call: BrowsingCall): Promise<NavigateResult>
  back(wait: WaitSpec, call: BrowsingCall): Promise<NavigateResult>
  forward(wait: WaitSpec, call: BrowsingCall): Promise<NavigateResult>
  reload(wait: WaitSpec, call: BrowsingCall): Promise<NavigateResult>
  /** @throws DomosError `not_found` while no page is loaded */
  snapshot(options: ObserveOptions, call: BrowsingCall): Promise<PageSnapshot>
  expand(options: NonNullable<ObserveOptions['expand']>, call: BrowsingCall): Promise<PageSlice>
  /** A snapshot with `reason` when the cursor is too old. */
  mutations(cursor: number, maxEvents: number, call: BrowsingCall): Promise<PageMutations | PageSnapshot>
  act(intent: Intent, wait: WaitSpec, call: BrowsingCall): Promise<ActResult>
  waitFor(
    wait: WaitSpec,
    call: BrowsingCall,
  ): Promise<{ readonly elementId?: string; readonly waitedMs: number; readonly cursor: number }>
  extract(options: ExtractOptions, call: BrowsingCall): Promise<ExtractResult>
  listDownloads(): readonly DownloadInfo[]
  readDownload(
    id: string,
    offset: number,
    maxBytes: number,
  ): Promise<{ readonly data: Uint8Array; readonly totalBytes: number; readonly done: boolean }>
  answerDialog(accept: boolean, text: string | undefined): Promise<void>
  screenshot(
    elementRef: string | undefined,
    call: BrowsingCall,
  ): Promise<{ readonly data: Uint8Array; readonly mimeType: string }>
  evaluate(expression: string, call: BrowsingCall): Promise<JsonValue>
  /** Starts som-mutation events for this page (they cost compiling on change). The returned function stops them. */
  subscribe(): () => void
  close(): Promise<void>
}

/** What a session tells without being asked. */
export type BrowsingEvent =
  | {
      readonly type: 'som-mutation'
      readonly pageId: string
      readonly cursor: number
      readonly patch: readonly JsonObject[]
    }
  /** A bounded queue overflowed or a re-render was too large: take a snapshot. */
  | { readonly type: 'resync'; readonly pageId: string; readonly cursor: number; readonly reason: string }
  | { readonly type: 'telemetry'; readonly pageId: string; readonly traceId?: string; readonly facts: JsonObject }
  | { readonly type: 'page-opened'; readonly pageId: string; readonly openerId?: string; readonly url: string }
  | { readonly type: 'page-closed'; readonly pageId: string; readonly reason: string }
  | { readonly type: 'dialog'; readonly pageId: string; readonly dialogType: string; readonly message: string }
  | { readonly type: 'download'; readonly pageId: string; readonly download: DownloadInfo }
  | { readonly type: 'session-recovered'; readonly reason: string }
  | { readonly type: 'session-closed'; readonly reason: string }
