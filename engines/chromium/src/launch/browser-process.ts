import type { CdpSession } from '../cdp/connection.ts'
import type { ChromiumLimits } from '../limits.ts'
import { killGroup, type LaunchedBrowser } from './launch-browser.ts'
import { RendererMemory } from './renderer-memory.ts'

/** How long after a renderer was ended its page may be told of as crashed. */
const CRASH_TOLD_MS = 10_000

/** What a context gives to the browser it lives in. */
export interface Resident {
  /** A page or popup of the context has been attached; it waits until it is resumed. */
  attached(session: CdpSession, info: { readonly targetId: string; readonly openerId?: string }): void
  /** A page is gone. */
  detached(targetId: string): void
  /** An event of the context's downloads. */
  downloadEvent(event: 'begin' | 'progress', params: object): void
  /** The browser is gone with everything in it. */
  lost(reason: string): void
}

/** A running browser: hands out what belongs to each context, watches that it lives and that no renderer grows too large. */
export class BrowserProcess {
  readonly launched: LaunchedBrowser
  readonly #limits: ChromiumLimits
  readonly #residents = new Map<string, Resident>()
  readonly #timers: ReturnType<typeof setInterval>[] = []
  #lost: string | undefined
  #isClosing = false
  #isMeasuring = false
  /** Renderers ended for their memory since the start. */
  renderersEnded = 0
  #endedAt = 0
  readonly #memory: RendererMemory
  readonly #ended = new Set<number>()

  constructor(
    launched: LaunchedBrowser,
    limits: ChromiumLimits,
    onGone: (process: BrowserProcess, reason: string) => void,
  ) {
    this.launched = launched
    this.#limits = limits
    this.#memory = new RendererMemory(launched.process.pid ?? 0)
    const { browser } = launched.connection
    browser.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      const session = launched.connection.session(sessionId)
      const resident = this.#residents.get(targetInfo.browserContextId ?? '')
      if (targetInfo.type !== 'page' || resident === undefined) {
        session.post('Runtime.runIfWaitingForDebugger')
        browser.post('Target.detachFromTarget', { sessionId })
        return
      }
      const { targetId, openerId } = targetInfo
      resident.attached(session, { targetId, ...(openerId === undefined ? {} : { openerId }) })
    })
    browser.on('Target.detachedFromTarget', ({ targetId }) => {
      if (targetId !== undefined) for (const resident of this.#residents.values()) resident.detached(targetId)
    })
    browser.post('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
      filter: [{ type: 'page', exclude: false }, { exclude: true }],
    })
    void launched.exited.then((why) => {
      for (const timer of this.#timers) clearInterval(timer)
      if (this.#isClosing) return
      this.#lost = `the browser is gone: ${why}`
      const residents = [...this.#residents.values()]
      this.#residents.clear()
      for (const resident of residents) resident.lost(this.#lost)
      onGone(this, this.#lost)
      void launched.close()
    })
    this.#watch()
  }

  get pid(): number {
    return this.launched.process.pid ?? 0
  }

  get contexts(): number {
    return this.#residents.size
  }

  get isLost(): boolean {
    return this.#lost !== undefined || this.#isClosing
  }

  /** Whether a renderer was ended for its memory a moment ago. */
  get hasJustEndedRenderer(): boolean {
    return Date.now() - this.#endedAt < CRASH_TOLD_MS
  }

  add(browserContextId: string, resident: Resident): void {
    this.#residents.set(browserContextId, resident)
    if (this.#residents.size === 1) this.#listenToDownloads()
  }

  remove(browserContextId: string): void {
    this.#residents.delete(browserContextId)
  }

  async close(): Promise<void> {
    this.#isClosing = true
    for (const timer of this.#timers) clearInterval(timer)
    await this.launched.close()
  }

  #isListening = false
  /** Download events name a frame, not a context; whoever knows the frame takes them. */
  #listenToDownloads(): void {
    if (this.#isListening) return
    this.#isListening = true
    const { browser } = this.launched.connection
    browser.on('Browser.downloadWillBegin', (params) => {
      for (const resident of this.#residents.values()) resident.downloadEvent('begin', params)
    })
    browser.on('Browser.downloadProgress', (params) => {
      for (const resident of this.#residents.values()) resident.downloadEvent('progress', params)
    })
  }

  #watch(): void {
    const { healthIntervalMs, healthTimeoutMs, memoryIntervalMs } = this.#limits
    let answeredAt = Date.now()
    const ask = (): void => {
      if (Date.now() - answeredAt > healthTimeoutMs) {
        killGroup(this.launched.process)
        return
      }
      this.launched.connection.browser.send('Browser.getVersion').then(
        () => {
          answeredAt = Date.now()
        },
        () => {},
      )
    }
    this.#timers.push(setInterval(ask, healthIntervalMs).unref())
    if (process.platform === 'linux') {
      this.#timers.push(setInterval(() => void this.#checkMemory(), memoryIntervalMs).unref())
    }
  }

  async #checkMemory(): Promise<void> {
    if (this.#isMeasuring || this.#residents.size === 0) return
    this.#isMeasuring = true
    try {
      for (const pid of await this.#memory.over(this.#limits.maxRendererMb)) {
        // A process that was ended holds its memory for a moment longer.
        if (this.#ended.has(pid)) continue
        this.#ended.add(pid)
        this.#endedAt = Date.now()
        this.renderersEnded += 1
        process.kill(pid, 'SIGKILL')
      }
    } catch {
      // A process that ended by itself meanwhile.
    } finally {
      this.#isMeasuring = false
    }
  }
}
