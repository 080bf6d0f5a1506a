import type { ActEffects, DownloadInfo, EnginePage, EnginePageEvent } from '@domos/spec'

/** Listens to a page while an action runs, so that its effects are what happened and not what was meant to. */
export class EffectRecorder {
  readonly #stop: () => void
  readonly #downloads: DownloadInfo[] = []
  readonly #newPages: { readonly pageId: string; readonly url: string }[] = []
  #navigation: false | 'document' | 'same_document' = false
  #dialog: NonNullable<ActEffects['dialog']> | undefined
  #onDialog: () => void = () => {}
  /** Resolves when a dialog opens: the action behind it waits for an answer then. */
  readonly dialogOpened: Promise<void>

  constructor(page: EnginePage) {
    this.dialogOpened = new Promise((resolve) => {
      this.#onDialog = resolve
    })
    this.#stop = page.onEvent((event) => this.#take(event))
  }

  get hasNavigated(): boolean {
    return this.#navigation !== false
  }

  /** Told by the session when this page opened another one. */
  pageOpened(pageId: string, url: string): void {
    this.#newPages.push({ pageId, url })
  }

  /** Ends the recording. `urlOf` gives the address a new page has by now. */
  finish(somChanged: boolean, url: string, urlOf: (pageId: string) => string | undefined): ActEffects {
    this.#stop()
    // A page that is gone again, because all it brought was a download, is no new page.
    const newPages = this.#newPages.flatMap(({ pageId }) => {
      const now = urlOf(pageId)
      return now === undefined ? [] : [{ pageId, url: now }]
    })
    return {
      navigation: this.#navigation,
      somChanged,
      url,
      ...(newPages.length === 0 ? {} : { newPages }),
      ...(this.#dialog === undefined ? {} : { dialog: this.#dialog }),
      ...(this.#downloads.length === 0 ? {} : { downloads: this.#downloads }),
    }
  }

  stop(): void {
    this.#stop()
  }

  #take(event: EnginePageEvent): void {
    switch (event.type) {
      case 'navigated':
        if (this.#navigation !== 'document') this.#navigation = event.kind
        return
      case 'dialog':
        this.#dialog = {
          type: event.dialogType,
          message: event.message,
          ...(event.defaultValue === undefined ? {} : { defaultValue: event.defaultValue }),
        }
        this.#onDialog()
        return
      case 'download':
        this.#downloads.push(event.download)
        return
      default:
    }
  }
}
