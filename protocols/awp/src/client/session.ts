import type { BrowsingCookie, JsonObject, JsonValue } from '@domos/spec'
import type { AwpConnection, RequestOptions } from './connection.ts'
import { type AwpEvent, EventQueue } from './event-queue.ts'
import { AwpPage } from './page.ts'
import { fromWire, toWire } from './wire-values.ts'

/** One browsing session. */
export class AwpSession {
  readonly #connection: AwpConnection
  readonly id: string
  readonly attachSecret: string
  /** What was asked for and could not be applied. */
  readonly ignored: readonly string[]
  readonly #readers = new Set<EventQueue>()
  #isClosed = false
  readonly #onClosed: () => void

  constructor(
    connection: AwpConnection,
    created: { id: string; attachSecret: string; ignored: readonly string[] },
    onClosed: () => void,
  ) {
    this.#connection = connection
    this.id = created.id
    this.attachSecret = created.attachSecret
    this.ignored = created.ignored
    this.#onClosed = onClosed
  }

  async createPage(options: { readonly url?: string } & RequestOptions = {}): Promise<AwpPage> {
    const { url, ...request } = options
    const result = await this.#request('page.create', url === undefined ? {} : { url }, request)
    return new AwpPage(this.#connection, this.id, String(result['page_id']))
  }
  /** A page by its id, such as one that an act reported as new. */
  page(id: string): AwpPage {
    return new AwpPage(this.#connection, this.id, id)
  }
  async pages(): Promise<readonly { readonly pageId: string; readonly url: string; readonly title: string }[]> {
    return (fromWire(await this.#request('page.list', {})) as { pages: never }).pages
  }
  async cookies(url?: string): Promise<readonly BrowsingCookie[]> {
    const result = await this.#request('session.cookies.get', url === undefined ? {} : { url })
    return (fromWire(result) as unknown as { cookies: readonly BrowsingCookie[] }).cookies
  }
  async setCookies(cookies: readonly BrowsingCookie[]): Promise<number> {
    return Number((await this.#request('session.cookies.set', { cookies: toWire(cookies) }))['set'])
  }
  async clearCookies(
    filter: { readonly name?: string; readonly domain?: string; readonly url?: string } = {},
  ): Promise<number> {
    return Number((await this.#request('session.cookies.clear', toWire(filter) as JsonObject))['cleared'])
  }
  async export(): Promise<JsonValue> {
    return (await this.#request('session.export', {}))['state'] ?? null
  }
  async close(options: { readonly persist?: boolean } = {}): Promise<void> {
    await this.#request('session.close', toWire(options) as JsonObject)
    this.#close()
  }

  /**
   * Events from this call on, until the loop is left, `signal` aborts or the session closes. Pages tell of mutations
   * when {@link AwpPage.subscribe} or the hello asked for them.
   */
  events(signal?: AbortSignal): AsyncIterableIterator<AwpEvent> {
    const queue = new EventQueue()
    const leave = (): void => {
      this.#readers.delete(queue)
      signal?.removeEventListener('abort', leave)
      queue.end()
    }
    if (this.#isClosed || signal?.aborted === true) queue.end()
    else {
      this.#readers.add(queue)
      signal?.addEventListener('abort', leave, { once: true })
    }
    return {
      [Symbol.asyncIterator]() {
        return this
      },
      async next() {
        const event = await queue.next()
        return event === undefined ? { done: true, value: undefined } : { done: false, value: event }
      },
      async return() {
        leave()
        return { done: true, value: undefined }
      },
    }
  }

  /** Given events by the client that owns this session. */
  deliver(event: AwpEvent): void {
    for (const reader of this.#readers) reader.push(event)
    if (event.method === 'session.closed') this.#close()
  }

  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const reader of this.#readers) reader.end()
    this.#readers.clear()
    this.#onClosed()
  }

  #request(method: string, params: JsonObject, options: RequestOptions = {}): Promise<JsonObject> {
    return this.#connection.request(method, { ...params, session_id: this.id }, options)
  }
}
