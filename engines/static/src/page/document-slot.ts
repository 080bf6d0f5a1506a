import { createLocalHost, type DocumentCalls, type DocumentHost } from '../document/document-host.ts'
import type { DocumentSource, LoadedFacts } from '../document/page-model.ts'
import type { WantedParts } from '../document/parts.ts'
import type { StaticContext } from './context.ts'
import { loadParts } from './load-parts.ts'

const DEFAULT_MEDIA = { width: 1_280, height: 720 }

/** Where the document of one page is: on this thread, in a worker when it is large, or asleep. */
export class DocumentSlot {
  readonly #context: StaticContext
  #host: DocumentHost
  #isInWorker = false
  #isAwake = false
  #lastUsedAt = 0

  constructor(context: StaticContext) {
    this.#context = context
    this.#host = createLocalHost(this.#media())
  }

  call<K extends keyof DocumentCalls>(
    method: K,
    ...args: Parameters<DocumentCalls[K]>
  ): Promise<ReturnType<DocumentCalls[K]>> {
    this.#isAwake = true
    this.#lastUsedAt = this.#context.clock.now()
    return this.#host.call(method, ...args)
  }

  /**
   * Loads a document. A large one goes to a worker, and the page stays there: ids are bound where the document is.
   * @throws DomosError `too_large` when it is too heavy for a worker; the slot is empty then
   */
  async load(source: DocumentSource): Promise<LoadedFacts> {
    const isLarge = source.htmlBytes > this.#context.engineLimits.workerFromBytes
    if ((isLarge && !this.#isInWorker) || this.#host.isOver) {
      this.#host.close()
      this.#host = isLarge ? this.#context.workers.open(this.#media()) : createLocalHost(this.#media())
      this.#isInWorker = isLarge
    }
    try {
      return await this.call('load', source)
    } catch (thrown) {
      // The worker is gone, and the document with it.
      this.#host.close()
      this.#host = createLocalHost(this.#media())
      this.#isInWorker = false
      throw thrown
    }
  }

  /** Stylesheets and frames, as far as they come in time. */
  async loadParts(wanted: WantedParts, initiator: URL, signal: AbortSignal): Promise<void> {
    if (wanted.stylesheets.length === 0 && wanted.frames.length === 0) return
    const { environment, engineLimits } = this.#context
    const target = {
      setStylesheet: (href: string, css: string) => this.call('setStylesheet', href, css),
      setFrame: (key: number, source: DocumentSource) => this.call('setFrame', key, source),
    }
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(engineLimits.partsTimeoutMs)])
    await loadParts(environment, engineLimits, wanted, initiator, target, inTime)
  }

  /** Drops the tree when nobody used it since `before` (epoch milliseconds). */
  hibernate(before: number): void {
    if (!this.#isAwake || this.#lastUsedAt > before) return
    this.#isAwake = false
    // A host that is over has nothing to drop.
    this.#host.call('hibernate').catch(() => {})
  }

  close(): void {
    this.#host.close()
  }

  #media(): { readonly width: number; readonly height: number } {
    return { ...DEFAULT_MEDIA, ...this.#context.options.viewport }
  }
}
