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
import { fromWire, toWire } from './wire-values.ts'

/** A snapshot as the client gives it; `cursor` is opaque. */
export interface ClientSnapshot {
  readonly cursor: string
  readonly som: JsonObject
  readonly ext?: JsonObject
  readonly outline?: string
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
    const { signal, timeoutMs, traceId, idempotencyKey, ...params } = options
    return this.#call(
      'page.observe',
      { mode: 'snapshot', ...params },
      requestOptions({ signal, timeoutMs, traceId, idempotencyKey }),
    )
  }
  expand(expand: NonNullable<ObserveOptions['expand']>, options: RequestOptions = {}): Promise<PageSlice> {
    return this.#call('page.observe', { expand }, options)
  }
  mutations(cursor: string, options: RequestOptions & { readonly maxEvents?: number } = {}): Promise<ClientMutations> {
    const { maxEvents, ...rest } = options
    return this.#call('page.observe', { mode: 'mutations', cursor, maxEvents }, rest)
  }
  /**
   * Performs an intent. An action that the server does not know at its level is tried again as a primitive
   * ("Clients SHOULD degrade gracefully"): `semantic.click` becomes `primitive.click`.
   */
  async act(intent: Intent, options: PageRequestOptions = {}): Promise<ActResult> {
    try {
      return await this.#call('page.act', { intent }, options)
    } catch (thrown) {
      const fallback = /^(semantic|intent)\.(click|type|select|scroll|clear|toggle|press|hover|focus)$/.exec(
        intent.action,
      )?.[2]
      if (fallback === undefined || !(thrown instanceof DomosError) || thrown.code !== 'unsupported') throw thrown
      return this.#call('page.act', { intent: { ...intent, action: `primitive.${fallback}` } }, options)
    }
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
  extract(options: ExtractOptions, request: RequestOptions = {}): Promise<ExtractResult> {
    return this.#call('page.extract', { ...options }, request)
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

function requestOptions(options: { [K in keyof RequestOptions]: RequestOptions[K] | undefined }): RequestOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as RequestOptions
}

function toBytes(value: JsonValue): Uint8Array {
  if (value instanceof Uint8Array) return value
  return Uint8Array.from(atob(String(value)), (character) => character.charCodeAt(0))
}
