import type { EngineContext, EngineContextOptions, EnginePage, JsonObject } from '@domos/spec'
import type { AutoEngineOptions } from './auto-engine.ts'
import { AutoPage } from './auto-page.ts'

/** A session that begins on the plain engine and moves to the other one when a page needs it. */
export class AutoContext implements EngineContext {
  readonly engines: AutoEngineOptions
  readonly #options: EngineContextOptions
  readonly #plain: EngineContext
  readonly #onClose: () => void
  readonly #pages = new Set<AutoPage>()
  readonly #downloads = new Map<string, EngineContext>()
  #script: Promise<EngineContext> | undefined
  #moved: EngineContext | undefined
  #pageListener: (page: EnginePage, openerId: string | undefined) => void = () => {}
  #lostListener: (reason: string) => void = () => {}
  #nextPage = 1

  constructor(engines: AutoEngineOptions, options: EngineContextOptions, plain: EngineContext, onClose: () => void) {
    this.engines = engines
    this.#options = options
    this.#plain = plain
    this.#onClose = onClose
    plain.onPage((page, openerId) => this.#opened(page, openerId))
    plain.onLost((reason) => this.#lostListener(reason))
  }

  /** Whether the session is on the engine with script. */
  get isMoved(): boolean {
    return this.#moved !== undefined
  }

  get policy(): EngineContextOptions['policy'] {
    return this.#options.policy
  }

  readonly cookies: EngineContext['cookies'] = {
    get: (url) => this.#current.cookies.get(url),
    set: (cookies) => this.#current.cookies.set(cookies),
    clear: (filter) => this.#current.cookies.clear(filter),
  }

  get #current(): EngineContext {
    return this.#moved ?? this.#plain
  }

  async openPage(): Promise<AutoPage> {
    return this.#add(await this.#current.openPage())
  }

  /** The context with script; the first call moves the cookies there. */
  async move(): Promise<EngineContext> {
    this.#script ??= this.#move().catch((thrown: unknown) => {
      this.#script = undefined
      throw thrown
    })
    return this.#script
  }

  async #move(): Promise<EngineContext> {
    const context = await this.engines.script.openContext(this.#options)
    try {
      context.onPage((page, openerId) => this.#opened(page, openerId))
      context.onLost((reason) => this.#lostListener(reason))
      const cookies = await this.#plain.cookies.get(undefined)
      if (cookies.length > 0) await context.cookies.set(cookies)
      const storage = await this.#plain.exportStorage()
      if (Object.keys(storage).length > 0) await context.importStorage(storage)
      this.#moved = context
      return context
    } catch (thrown) {
      await context.close()
      throw thrown
    }
  }

  /** Called by pages: where a download is kept. */
  keepsDownload(id: string, isMoved: boolean): void {
    this.#downloads.set(id, isMoved ? (this.#moved ?? this.#plain) : this.#plain)
  }

  forget(page: AutoPage): void {
    this.#pages.delete(page)
  }

  async exportStorage(): Promise<JsonObject> {
    return this.#current.exportStorage()
  }

  /** Web storage matters to script alone, so that a session that brings some is one for the engine with script. */
  async importStorage(storage: JsonObject): Promise<void> {
    if (Object.keys(storage).length === 0) return
    await (await this.move()).importStorage(storage)
  }

  onPage(listener: (page: EnginePage, openerId: string | undefined) => void): void {
    this.#pageListener = listener
  }

  onLost(listener: (reason: string) => void): void {
    this.#lostListener = listener
  }

  readDownload(id: string, offset: number, maxBytes: number): ReturnType<EngineContext['readDownload']> {
    return (this.#downloads.get(id) ?? this.#current).readDownload(id, offset, maxBytes)
  }

  traffic(): ReturnType<EngineContext['traffic']> {
    const one = this.#plain.traffic()
    const two = this.#moved?.traffic()
    if (two === undefined) return one
    return {
      requests: one.requests + two.requests,
      bytesIn: one.bytesIn + two.bytesIn,
      bytesOut: one.bytesOut + two.bytesOut,
      refused: one.refused + two.refused,
    }
  }

  async close(): Promise<void> {
    this.#onClose()
    await this.#plain.close()
    await (await this.#script?.catch(() => undefined))?.close()
  }

  #opened(page: EnginePage, openerId: string | undefined): void {
    const opener = [...this.#pages].find((each) => each.shows(openerId))
    this.#pageListener(this.#add(page), opener?.id)
  }

  #add(inner: EnginePage): AutoPage {
    const page = new AutoPage(this, `auto-${this.#nextPage++}`, inner, this.isMoved)
    this.#pages.add(page)
    return page
  }
}
