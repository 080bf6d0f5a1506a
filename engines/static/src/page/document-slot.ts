import { createLocalHost, type DocumentCalls, type DocumentHost } from '../document/document-host.ts'
import { isTooHeavyHere } from '../document/local-bounds.ts'
import type { DocumentSource, LoadedFacts } from '../document/page-model.ts'
import type { WantedParts } from '../document/parts.ts'
import type { StaticContext } from './context.ts'
import { loadParts } from './load-parts.ts'

/** Calls that bring what a document consists of. */
const BRINGS: ReadonlySet<string> = new Set(['load', 'setStylesheet', 'setFrame', 'setUrl', 'setFacts'])

/** One such call, and what it gave in the worker if the document moved there. */
interface Brought {
  readonly method: keyof DocumentCalls
  readonly args: unknown[]
  inWorker?: Promise<unknown>
}

const DEFAULT_MEDIA = { width: 1_280, height: 720 }

/** Where the document of one page is: on this thread, in a worker when it is large, or asleep. */
export class DocumentSlot {
  readonly #context: StaticContext
  #host: DocumentHost
  #isInWorker = false
  #isAwake = false
  #lastUsedAt = 0
  /** What came so far of a document on this thread, until it is known to be light enough for it. */
  #brought: Brought[] | undefined

  constructor(context: StaticContext) {
    this.#context = context
    this.#host = this.#localHost()
  }

  async call<K extends keyof DocumentCalls>(
    method: K,
    ...args: Parameters<DocumentCalls[K]>
  ): Promise<ReturnType<DocumentCalls[K]>> {
    this.#isAwake = true
    this.#lastUsedAt = this.#context.clock.now()
    const brought = this.#brought
    if (brought === undefined) return this.#host.call(method, ...args)
    const own: Brought = { method, args }
    const brings = BRINGS.has(method)
    if (brings) brought.push(own)
    if (sizeOf(brought) <= this.#context.engineLimits.workerFromBytes) {
      try {
        const result = await this.#host.call(method, ...args)
        if (!brings && this.#brought === brought) this.#brought = undefined
        return result
      } catch (thrown) {
        if (!isTooHeavyHere(thrown)) throw thrown
      }
    }
    if (this.#brought === brought) this.#move(brought)
    return ((own.inWorker as ReturnType<typeof this.call<K>> | undefined) ??
      this.#host.call(method, ...args)) as ReturnType<typeof this.call<K>>
  }

  /** Gives a document that is too heavy for this thread to a worker, as it came. */
  #move(brought: readonly Brought[]): void {
    this.#brought = undefined
    this.#host.close()
    this.#host = this.#context.workers.open(this.#media())
    this.#isInWorker = true
    for (const call of brought) {
      call.inWorker = this.#host.call(call.method, ...(call.args as never))
      // Who made the call may have its answer from here already.
      call.inWorker.catch(() => {})
    }
  }

  /**
   * Loads a document. A large one goes to a worker, and the page stays there: ids are bound where the document is.
   * @throws DomosError `too_large` when it is too heavy for a worker; the slot is empty then
   */
  async load(source: DocumentSource): Promise<LoadedFacts> {
    const isLarge = source.htmlBytes > this.#context.engineLimits.workerFromBytes
    if ((isLarge && !this.#isInWorker) || this.#host.isOver) {
      this.#host.close()
      this.#host = isLarge ? this.#context.workers.open(this.#media()) : this.#localHost()
      this.#isInWorker = isLarge
    }
    this.#brought = this.#isInWorker ? undefined : []
    try {
      return await this.call('load', source)
    } catch (thrown) {
      // The worker is gone, and the document with it.
      this.#host.close()
      this.#host = this.#localHost()
      this.#isInWorker = false
      this.#brought = undefined
      throw thrown
    }
  }

  /** Stylesheets and frames, as far as they come in time. */
  async loadParts(wanted: WantedParts, initiator: URL, signal: AbortSignal): Promise<void> {
    if (wanted.stylesheets.length === 0 && wanted.frames.length === 0) return
    const { environment, engineLimits } = this.#context
    let left = engineLimits.maxPartsBytes
    const fits = (bytes: number): boolean => {
      if (bytes > left) return false
      left -= bytes
      return true
    }
    const target = {
      setStylesheet: async (href: string, css: string): Promise<void> => {
        if (fits(css.length)) await this.call('setStylesheet', href, css)
      },
      setFrame: async (key: number, source: DocumentSource): Promise<WantedParts> =>
        fits(source.htmlBytes) ? this.call('setFrame', key, source) : { stylesheets: [], frames: [] },
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

  #localHost(): DocumentHost {
    return createLocalHost(this.#media(), this.#context.engineLimits)
  }

  #media(): { readonly width: number; readonly height: number } {
    return { ...DEFAULT_MEDIA, ...this.#context.options.viewport }
  }
}

/** Bytes of the documents and stylesheets among them, about. */
function sizeOf(brought: readonly Brought[]): number {
  let bytes = 0
  for (const { method, args } of brought) {
    if (method === 'load') bytes += (args[0] as DocumentSource).htmlBytes
    else if (method === 'setFrame') bytes += (args[1] as DocumentSource).htmlBytes
    else if (method === 'setStylesheet') bytes += (args[1] as string).length
  }
  return bytes
}
