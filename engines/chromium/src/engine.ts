import { type BrowserEngine, DomosError, type JsonObject, type Log, silentLog } from '@domos/spec'
import { ChromiumContext } from './context/context.ts'
import { BrowserProcess } from './launch/browser-process.ts'
import { findBrowser, HOW_TO_GET_A_BROWSER } from './launch/find-browser.ts'
import { launchBrowser } from './launch/launch-browser.ts'
import { CHROMIUM_LIMITS, type ChromiumLimits } from './limits.ts'
import { loadInjectedScripts } from './page/injected-scripts.ts'

/** Options of {@link createChromiumEngine}. */
export interface ChromiumEngineOptions {
  /** Path of the browser. @default DOMOS_CHROMIUM, else the first one found */
  readonly path?: string
  /** False gives up Chromium's own protection of this machine (`--no-sandbox`). @default true */
  readonly sandbox?: boolean
  /** Whether `evaluate` may run script of the caller. @default false */
  readonly evaluate?: boolean
  readonly limits?: Partial<ChromiumLimits>
  readonly log?: Log
}

/**
 * Creates the engine for pages with script. Browsers are started with the first session that needs one, shared by about
 * a hundred, and started anew when one is gone.
 */
export function createChromiumEngine(options: ChromiumEngineOptions = {}): BrowserEngine {
  return new ChromiumEngine(options)
}

class ChromiumEngine implements BrowserEngine {
  readonly id = 'chromium'
  readonly abilities: BrowserEngine['abilities']
  readonly #options: ChromiumEngineOptions
  readonly #limits: ChromiumLimits
  readonly #log: Log
  readonly #processes = new Set<BrowserProcess>()
  readonly #contexts = new Set<ChromiumContext>()
  #starting: Promise<BrowserProcess> | undefined
  #restarts = 0
  #lastFailure: string | undefined
  #isClosed = false

  constructor(options: ChromiumEngineOptions) {
    this.#options = options
    this.#limits = { ...CHROMIUM_LIMITS, ...options.limits }
    this.#log = options.log ?? silentLog
    this.abilities = {
      script: true,
      screenshots: true,
      evaluate: options.evaluate ?? false,
      applies: ['userAgent', 'headers', 'locale', 'timezone', 'viewport', 'colorScheme', 'maxJsHeapMb'],
    }
  }

  async openContext(contextOptions: Parameters<BrowserEngine['openContext']>[0]): Promise<ChromiumContext> {
    if (this.#isClosed) throw new DomosError('unavailable', 'The server is shutting down.')
    const [process, scripts] = await Promise.all([this.#process(), loadInjectedScripts()])
    const context = await ChromiumContext.open({
      process,
      scripts,
      options: contextOptions,
      limits: this.#limits,
      canEvaluate: this.abilities.evaluate,
      onClose: (closed) => this.#contexts.delete(closed),
    })
    this.#contexts.add(context)
    return context
  }

  async health(): Promise<JsonObject> {
    const path = this.#options.path ?? findBrowser()
    const processes = [...this.#processes]
    const [first] = processes
    return {
      ready: path !== undefined && this.#lastFailure === undefined,
      ...(path === undefined ? { missing: HOW_TO_GET_A_BROWSER } : { path }),
      ...(first === undefined ? {} : { product: first.launched.product }),
      sandbox: this.#options.sandbox ?? true,
      ...(first?.launched.account === undefined ? {} : { account: first.launched.account.name }),
      browsers: processes.length,
      contexts: this.#contexts.size,
      restarts: this.#restarts,
      renderersEnded: processes.reduce((sum, { renderersEnded }) => sum + renderersEnded, 0),
      ...(this.#lastFailure === undefined ? {} : { failure: this.#lastFailure }),
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#contexts].map((context) => context.close()))
    await this.#starting?.catch(() => {})
    await Promise.all([...this.#processes].map((process) => process.close()))
    this.#processes.clear()
  }

  /** A browser with room, started when there is none. */
  async #process(): Promise<BrowserProcess> {
    for (;;) {
      const free = [...this.#processes].find(
        ({ isLost, contexts }) => !isLost && contexts < this.#limits.maxContextsPerBrowser,
      )
      if (free !== undefined) return free
      if (this.#processes.size >= this.#limits.maxBrowsers && this.#starting === undefined) {
        throw new DomosError('busy', `All ${this.#limits.maxBrowsers} browsers are full; close a session first.`, {
          details: { reason: 'RESOURCE_EXHAUSTED', maxBrowsers: this.#limits.maxBrowsers },
        })
      }
      this.#starting ??= this.#start().finally(() => {
        this.#starting = undefined
      })
      await this.#starting
    }
  }

  async #start(): Promise<BrowserProcess> {
    const path = this.#options.path ?? findBrowser()
    if (path === undefined) {
      throw new DomosError('unavailable', `There is no browser for pages with script. ${HOW_TO_GET_A_BROWSER}`, {
        details: { reason: 'NO_BROWSER' },
      })
    }
    try {
      const launched = await launchBrowser(path, this.#options.sandbox ?? true, this.#limits)
      this.#lastFailure = undefined
      const process = new BrowserProcess(launched, this.#limits, (gone, reason) => {
        this.#processes.delete(gone)
        this.#restarts += 1
        this.#log.error('browser-gone', { reason })
      })
      this.#processes.add(process)
      this.#log.info('browser-start', { product: launched.product, sandbox: this.#options.sandbox ?? true })
      return process
    } catch (thrown) {
      this.#lastFailure = thrown instanceof DomosError ? thrown.message : 'it did not start'
      throw thrown
    }
  }
}
