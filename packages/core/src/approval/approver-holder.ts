import type { Clock } from '@domos/spec'
import { clientLanguage } from '../announce.ts'
import type { DomOSClientOptions } from '../options.ts'
import type { Approver } from './approver.ts'

/**
 * Holds the one who can ask the person. The overlay is loaded before it is needed, so that a script that runs later
 * cannot come between.
 */
export class ApproverHolder {
  readonly #options: DomOSClientOptions
  readonly #clock: Clock
  #loading: Promise<Approver | undefined> | undefined

  constructor(options: DomOSClientOptions, clock: Clock) {
    this.#options = options
    this.#clock = clock
    this.preload()
  }

  /** Starts loading the overlay where there is a page to show it on. */
  preload(): void {
    void this.get().catch(() => {})
  }

  /** The approver; undefined when nobody is to be asked or there is no page. Rejects when it cannot be loaded. */
  get(): Promise<Approver | undefined> {
    this.#loading ??= this.#load()
    this.#loading.catch(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  destroy(): void {
    void this.#loading?.then(
      (approver) => approver?.destroy?.(),
      () => {},
    )
  }

  async #load(): Promise<Approver | undefined> {
    const { approvals = 'overlay', approver, overlay } = this.#options
    if (approvals === 'custom-unsafe') return approver
    if (approvals === 'none' || typeof document === 'undefined') return undefined
    const create = overlay ?? (await import('../overlay/index.ts')).createOverlay
    return create({ language: clientLanguage(this.#options), clock: this.#clock })
  }
}
