import type { Clock } from '@domos/spec'
import type { ApprovalQuestion, ApprovalVerdict, Approver } from '../approval/approver.ts'
import { type Arming, watchArming } from './arming.ts'
import { createDialogView, type DialogView } from './dialog-view.ts'
import { type Builder, createBuilder, foreignText } from './elements.ts'
import { createHost, type OverlayHost } from './host.ts'
import { type Catalogue, catalogueFor, clockTime, fill } from './messages.ts'
import { listenForPress } from './press.ts'
import type { Pristine } from './pristine.ts'
import { OVERLAY_CSS } from './styles.ts'

/** How long a notice stays. */
const NOTICE_MS = 4000
/** Notices shown at once; the oldest gives way. */
const MAX_NOTICES = 3
/** Seconds left at which a screen reader is told. */
const ANNOUNCED_SECONDS: readonly number[] = [60, 30, 10]

interface Waiting {
  readonly question: ApprovalQuestion
  readonly answer: (verdict: ApprovalVerdict) => void
}

/** What the overlay is made of. */
export interface ApprovalOverlayOptions {
  readonly dom: Pristine
  readonly language: string
  readonly clock: Clock
  readonly mode: ShadowRootMode
}

/** Asks the person, one question after the other, in a dialog that the page's scripts cannot reach. */
export class ApprovalOverlay implements Approver {
  readonly #dom: Pristine
  readonly #clock: Clock
  readonly #messages: Catalogue
  readonly #language: string
  readonly #build: Builder
  readonly #host: OverlayHost
  readonly #queue: Waiting[] = []
  #view: DialogView | undefined
  #close: (() => void) | undefined
  #notices: HTMLElement | undefined
  readonly #shownNotices: HTMLElement[] = []

  constructor({ dom, language, clock, mode }: ApprovalOverlayOptions) {
    this.#dom = dom
    this.#clock = clock
    const found = catalogueFor(language)
    this.#messages = found.catalogue
    this.#language = found.language
    this.#build = createBuilder(dom)
    this.#host = createHost(dom, OVERLAY_CSS, mode)
  }

  ask(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalVerdict> {
    return new Promise((resolve) => {
      const waiting: Waiting = {
        question,
        answer: (verdict) => {
          signal.removeEventListener('abort', withdrawn)
          const index = this.#queue.indexOf(waiting)
          if (index < 0) return
          this.#queue.splice(index, 1)
          if (index === 0) this.#close?.()
          resolve(verdict)
          this.#next()
        },
      }
      const withdrawn = () => waiting.answer({ approved: false, why: 'cancelled' })
      if (signal.aborted) return resolve({ approved: false, why: 'cancelled' })
      signal.addEventListener('abort', withdrawn)
      this.#queue.push(waiting)
      this.#next()
    })
  }

  notify({ toolName }: { readonly toolName: string }): void {
    const dom = this.#dom
    const build = this.#build
    this.#host.attach()
    if (!this.#notices) {
      this.#notices = build('div', { class: 'notices', role: 'status', lang: this.#language })
      dom.appendChild(this.#host.root, this.#notices)
    }
    const [before = '', after = ''] = fill(this.#messages.notice, { who: this.#messages.agent }).split('{tool}')
    const notice = build('div', { class: 'notice', dir: 'ltr' }, before, foreignText(build, toolName), after)
    dom.appendChild(this.#notices, notice)
    this.#shownNotices.push(notice)
    const surplus = this.#shownNotices.length > MAX_NOTICES ? this.#shownNotices.shift() : undefined
    if (surplus) dom.remove(surplus)
    this.#clock.schedule(NOTICE_MS, () => dom.remove(notice))
  }

  destroy(): void {
    for (const waiting of [...this.#queue]) waiting.answer({ approved: false, why: 'cancelled' })
    this.#host.remove()
  }

  #next(): void {
    const [first] = this.#queue
    if (first && !this.#close) this.#show(first)
    this.#view?.showCount(this.#queue.length)
  }

  #show({ question, answer }: Waiting): void {
    const dom = this.#dom
    const view = createDialogView(dom, this.#build, this.#messages, this.#language, question)
    const { dialog, approve, deny, word } = view
    const denied = () => answer({ approved: false, why: 'denied' })
    const gone = () =>
      answer({ approved: false, why: 'unavailable', reason: 'The page keeps the dialog from being shown.' })
    dom.appendChild(this.#host.root, dialog)
    const watched = { host: this.#host.element, root: this.#host.root, dialog, button: approve }

    let arming: Arming | undefined
    const typed = () =>
      word === undefined || dom.value(word).trim().toUpperCase() === this.#messages.approve.toUpperCase()
    const showState = (armed: boolean, obstructed: boolean) =>
      view.showReady(armed && typed(), obstructed ? this.#messages.covered : '')
    const open = () => {
      if (!dom.isConnected(dialog)) dom.appendChild(this.#host.root, dialog)
      dom.showModal(dialog)
      dom.focus(deny, { preventScroll: true })
      view.showMore()
    }
    const stopKeeping = this.#host.keepAttached(() => {
      // Back on the page it is no longer in the top layer, though it still counts as open.
      reopening = true
      dom.close(dialog)
      open()
      arming?.disturb()
    }, gone)
    let reopening = false
    dom.listen(deny, 'click', (event) => {
      if (event.isTrusted) denied()
    })
    dom.listen(dialog, 'cancel', (event) => {
      dom.preventDefault(event)
      denied()
    })
    dom.listen(dialog, 'close', () => {
      if (reopening) reopening = false
      else denied()
    })
    if (word) {
      dom.listen(word, 'input', () => showState(arming?.isArmed() ?? false, false))
    }
    const stopTime = this.#countDown(question, view, () => answer({ approved: false, why: 'expired' }))
    try {
      open()
    } catch {
      stopTime()
      stopKeeping()
      dom.remove(dialog)
      return void queueMicrotask(gone)
    }
    arming = watchArming(dom, watched, showState)
    listenForPress(
      dom,
      watched,
      arming,
      () => {
        if (!typed()) return word && dom.focus(word)
        if (this.#clock.now() > question.expiresAt) answer({ approved: false, why: 'expired' })
        else answer({ approved: true })
      },
      () => {
        if (word && !typed()) dom.focus(word)
      },
    )
    this.#view = view
    this.#close = () => {
      this.#close = undefined
      this.#view = undefined
      arming?.stop()
      stopTime()
      stopKeeping()
      reopening = true
      dom.close(dialog)
      dom.remove(dialog)
    }
  }

  #countDown(question: ApprovalQuestion, view: DialogView, expired: () => void): () => void {
    let cancel = () => {}
    const tick = () => {
      const leftMs = question.expiresAt - this.#clock.now()
      if (leftMs <= 0) return expired()
      view.showTime(leftMs)
      const seconds = Math.ceil(leftMs / 1000)
      if (ANNOUNCED_SECONDS.includes(seconds)) view.announce(fill(this.#messages.expires, { time: clockTime(leftMs) }))
      cancel = this.#clock.schedule(leftMs % 1000 || 1000, tick)
    }
    tick()
    return () => cancel()
  }
}
