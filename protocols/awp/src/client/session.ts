import type { BrowsingCookie, JsonObject, JsonValue } from '@domos/spec'
import type { AwpConnection, RequestOptions } from './connection.ts'
import { AwpPage } from './page.ts'
import { fromWire, toWire } from './wire-values.ts'

/** An event of a session: the wire's method name and its parameters in camelCase. */
export interface AwpEvent {
  readonly method: string
  readonly params: JsonObject
}

/** Events kept for a reader that is slower than the server; older ones are dropped and a `resync` takes their place. */
const MAX_UNREAD_EVENTS = 1_024

/** One browsing session. */
export class AwpSession {
  readonly #connection: AwpConnection
  readonly id: string
  readonly attachSecret: string
  /** What was asked for and could not be applied. */
  readonly ignored: readonly string[]
  readonly #readers = new Set<(event: AwpEvent) => void>()
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
    this.#onClosed()
  }

  /** Events until the loop is left, `signal` aborts or the session closes. */
  async *events(signal?: AbortSignal): AsyncGenerator<AwpEvent> {
    const queue: AwpEvent[] = []
    let isDone = signal?.aborted ?? false
    let wake: () => void = () => {}
    const reader = (event: AwpEvent): void => {
      queue.push(event)
      if (queue.length > MAX_UNREAD_EVENTS) {
        queue.length = 0
        queue.push({ method: 'page.som_mutation', params: { resync: true, reason: 'reader_overflow', patch: [] } })
      }
      if (event.method === 'session.closed') isDone = true
      wake()
    }
    const onAbort = (): void => {
      isDone = true
      wake()
    }
    this.#readers.add(reader)
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      for (;;) {
        const event = queue.shift()
        if (event !== undefined) yield event
        else if (isDone) return
        else
          await new Promise<void>((resolve) => {
            wake = resolve
          })
      }
    } finally {
      this.#readers.delete(reader)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  /** Given events by the client that owns this session. */
  deliver(event: AwpEvent): void {
    for (const reader of this.#readers) reader(event)
    if (event.method === 'session.closed') this.#onClosed()
  }

  #request(method: string, params: JsonObject, options: RequestOptions = {}): Promise<JsonObject> {
    return this.#connection.request(method, { ...params, session_id: this.id }, options)
  }
}
