import type {
  ActResult,
  DownloadInfo,
  ExtractOptions,
  ExtractResult,
  Intent,
  JsonObject,
  JsonValue,
  NavigateResult,
  ObserveOptions,
  PageSlice,
  Target,
  WaitSpec,
} from '@domos/spec'
import { DomosError } from '@domos/spec'
import type { AwpConnection, RequestOptions } from './connection.ts'
import { primitivePlan } from './fallback.ts'
import { extractToWire, fromWire, toWire } from './wire-values.ts'

/** A snapshot as the client gives it; `cursor` is opaque. */
export interface ClientSnapshot {
  readonly cursor: string
  readonly som: JsonObject
  readonly ext?: JsonObject
  readonly outline?: string
  /** Where the outline goes on, when it was cut. */
  readonly outlineCursor?: string
  readonly reason?: string
}

/** Mutations as the client gives them, or a snapshot when the cursor was too old. */
export type ClientMutations =
  | {
      readonly cursor: string
      readonly fromCursor: string
      readonly changed: boolean
      readonly patches: readonly { readonly cursor: string; readonly patch: readonly JsonObject[] }[]
      readonly hasMore: boolean
    }
  | ClientSnapshot

/** Options of a page operation. */
export interface PageRequestOptions extends RequestOptions {
  readonly wait?: WaitSpec
  /** Opts out of the page's order. */
  readonly parallel?: boolean
}

/** One page of a session. Operations run in the order they are called. */
export class AwpPage {
  readonly #connection: AwpConnection
  readonly sessionId: string
  readonly id: string

  constructor(connection: AwpConnection, sessionId: string, id: string) {
    this.#connection = connection
    this.sessionId = sessionId
    this.id = id
  }

  /** Another page of the same session, such as one that {@link act} reported as new. */
  sibling(id: string): AwpPage {
    return new AwpPage(this.#connection, this.sessionId, id)
  }
  navigate(url: string, options: PageRequestOptions = {}): Promise<NavigateResult> {
    return this.#call('page.navigate', { url }, options)
  }
  back(options: PageRequestOptions = {}): Promise<NavigateResult> {
    return this.#call('page.back', {}, options)
  }
  forward(options: PageRequestOptions = {}): Promise<NavigateResult> {
    return this.#call('page.forward', {}, options)
  }
  reload(options: PageRequestOptions = {}): Promise<NavigateResult> {
    return this.#call('page.reload', {}, options)
  }
  observe(options: Omit<ObserveOptions, 'expand'> & RequestOptions = {}): Promise<ClientSnapshot> {
    const { maxBytes, maxTokens, outline, ext, ...request } = options
    return this.#call('page.observe', { mode: 'snapshot', maxBytes, maxTokens, outline, ext }, request)
  }
  /** The text view for models, without the SOM. `cursor` is there when more follows; give it back to read on. */
  async outline(
    options: Exclude<ObserveOptions['outline'], boolean | undefined> & RequestOptions = {},
  ): Promise<{ readonly text: string; readonly cursor?: string; readonly somCursor: string }> {
    const { links, interactive, maxTokens, cursor, ...request } = options
    const outline = { links, interactive, maxTokens, cursor }
    const raw = await this.#call<ClientSnapshot>('page.observe', { som: false, outline }, request)
    const rest = raw.outlineCursor === undefined ? {} : { cursor: raw.outlineCursor }
    return { text: raw.outline ?? '', somCursor: raw.cursor, ...rest }
  }
  expand(expand: NonNullable<ObserveOptions['expand']>, options: RequestOptions = {}): Promise<PageSlice> {
    return this.#call('page.observe', { expand }, options)
  }
  mutations(cursor: string, options: RequestOptions & { readonly maxEvents?: number } = {}): Promise<ClientMutations> {
    const { maxEvents, ...request } = options
    return this.#call('page.observe', { mode: 'mutations', cursor, maxEvents }, request)
  }
  /**
   * Performs an intent. A server that does not know it at its level gets it as primitives ("Clients SHOULD degrade
   * gracefully"), where there is a plan for that: `semantic.fill_form` becomes one `primitive.type` a field.
   */
  async act(intent: Intent, options: PageRequestOptions = {}): Promise<ActResult> {
    const plan = primitivePlan(intent)
    if (plan === undefined || this.#connection.hasLevel2) {
      try {
        return await this.#act(intent, options)
      } catch (thrown) {
        if (plan === undefined || !isCode(thrown, 'unsupported')) throw thrown
      }
    }
    const { idempotencyKey, ...rest } = options
    const steps: JsonObject[] = []
    let last: ActResult | undefined
    for (const [index, { intent: primitive, orElse }] of plan.entries()) {
      const keyed = idempotencyKey === undefined ? rest : { ...rest, idempotencyKey: `${idempotencyKey}.${index}` }
      try {
        last = await this.#act(primitive, keyed)
      } catch (thrown) {
        if (orElse === undefined || !(isCode(thrown, 'unsupported') || isCode(thrown, 'invalid_request'))) throw thrown
        last = await this.#act(orElse, rest)
      }
      steps.push({ action: last.action, status: 'ok' })
    }
    if (last === undefined) throw new DomosError('invalid_request', 'The intent has nothing to do.')
    return plan.length === 1 ? last : { ...last, action: intent.action, steps }
  }
  click(target: Target, options: PageRequestOptions = {}): Promise<ActResult> {
    return this.act({ action: 'click', target }, options)
  }
  type(target: Target, value: string, options: PageRequestOptions = {}): Promise<ActResult> {
    return this.act({ action: 'type', target, value }, options)
  }
  select(target: Target, value: string, options: PageRequestOptions = {}): Promise<ActResult> {
    return this.act({ action: 'select', target, value }, options)
  }
  waitFor(
    wait: WaitSpec,
    options: RequestOptions = {},
  ): Promise<{ readonly met: true; readonly elementId?: string; readonly waitedMs: number }> {
    return this.#call('page.wait_for', { wait }, options)
  }
  /** Field names stay as they are spelled. Structured data and interactive elements come as members of `data`. */
  async extract(options: ExtractOptions, request: RequestOptions = {}): Promise<ExtractResult> {
    const raw = await this.#raw('page.extract', extractToWire(options), request)
    const { data, provenance, url, ambiguous, raw: read, invalid, ...rest } = raw
    return {
      data: data ?? rest,
      provenance: (provenance ?? {}) as ExtractResult['provenance'],
      url: String(url),
      ...(ambiguous === undefined ? {} : { ambiguous: ambiguous as NonNullable<ExtractResult['ambiguous']> }),
      ...(read === undefined ? {} : { raw: read as JsonObject }),
      ...(invalid === undefined ? {} : { invalid: invalid as readonly string[] }),
    }
  }
  async downloads(): Promise<readonly DownloadInfo[]> {
    return (await this.#call<{ downloads: readonly DownloadInfo[] }>('page.downloads.list', {}, {})).downloads
  }
  /** The bytes of a download, piece by piece. */
  async *readDownload(downloadId: string, options: RequestOptions = {}): AsyncGenerator<Uint8Array> {
    for (let offset = 0, isDone = false; !isDone; ) {
      const raw = await this.#raw('page.downloads.get', { download_id: downloadId, offset }, options)
      const bytes = toBytes(raw['data'] as JsonValue)
      offset += bytes.length
      isDone = raw['done'] === true
      if (bytes.length > 0) yield bytes
      else if (!isDone) throw new DomosError('internal', 'The server sent an empty piece of a download.')
    }
  }
  acceptDialog(text?: string): Promise<unknown> {
    return this.#call('page.dialog.accept', { text }, {})
  }
  dismissDialog(): Promise<unknown> {
    return this.#call('page.dialog.dismiss', {}, {})
  }
  async screenshot(elementRef?: string): Promise<{ readonly data: Uint8Array; readonly mimeType: string }> {
    const raw = await this.#raw('page.screenshot', { element_ref: elementRef } as JsonObject, {})
    return { data: toBytes(raw['data'] as JsonValue), mimeType: String(raw['mime_type']) }
  }
  async evaluate(expression: string, options: RequestOptions = {}): Promise<JsonValue> {
    return (await this.#raw('page.evaluate_js', { expression }, options))['value'] ?? null
  }
  /** Chooses the events of this page; they arrive at the session's `events`. */
  subscribe(events: readonly string[]): Promise<unknown> {
    return this.#call('page.subscribe', { events: [...events] }, {})
  }
  close(): Promise<unknown> {
    return this.#call('page.close', {}, {})
  }

  async #act(intent: Intent, options: PageRequestOptions): Promise<ActResult> {
    const raw = await this.#call<WireActResult>('page.act', { intent }, options)
    const { targetResolved, resolved, artifacts, effects, ...rest } = raw
    const { navigation, navigationKind, navigated: _legacy, ...more } = effects
    return {
      ...rest,
      effects: { ...more, navigation: navigationKind ?? (navigation ? 'document' : false) } as ActResult['effects'],
      cursor: Number(String(artifacts.somCursor).replace('c:', '')),
      ...(targetResolved === undefined ? {} : { target: { role: '', text: '', ...resolved, ...targetResolved } }),
    }
  }

  async #call<T>(method: string, params: object, options: PageRequestOptions): Promise<T> {
    const { wait, parallel, ...request } = options
    const body = {
      ...params,
      ...(wait === undefined ? {} : { wait }),
      ...(parallel === true ? { concurrency: 'parallel' } : {}),
    }
    return fromWire(await this.#raw(method, toWire(body) as JsonObject, request)) as T
  }

  #raw(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject> {
    return this.#connection.request(method, { ...params, session_id: this.sessionId, page_id: this.id }, options)
  }
}

/** What page.act answers, in camelCase. */
interface WireActResult extends Omit<ActResult, 'target' | 'cursor' | 'effects'> {
  readonly effects: {
    readonly navigation: boolean
    readonly navigationKind?: 'document' | 'same_document'
    readonly navigated?: boolean
  }
  readonly targetResolved?: { readonly elementId: string; readonly confidence: number }
  readonly resolved?: { readonly elementId: string; readonly role: string; readonly text: string }
  readonly artifacts: { readonly somCursor: string | number }
}

function isCode(thrown: unknown, code: DomosError['code']): boolean {
  return thrown instanceof DomosError && thrown.code === code
}

function toBytes(value: JsonValue): Uint8Array {
  if (value instanceof Uint8Array) return value
  return Uint8Array.from(atob(String(value)), (character) => character.charCodeAt(0))
}
