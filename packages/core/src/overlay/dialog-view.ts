import type { ApprovalQuestion } from '../approval/approver.ts'
import { argumentView } from './argument-view.ts'
import { type Builder, each, foreignText } from './elements.ts'
import { type Catalogue, clockTime, fill } from './messages.ts'
import type { Pristine } from './pristine.ts'

/** The parts of a dialog that change or are listened to. */
export interface DialogView {
  readonly dialog: HTMLDialogElement
  readonly approve: HTMLElement
  readonly deny: HTMLElement
  /** Critical calls only. */
  readonly word: HTMLInputElement | undefined
  showCount(count: number): void
  showTime(leftMs: number): void
  /** Tells whether there is more to see below; to be called when the size may have changed. */
  showMore(): void
  /** Whether Approve counts now, and what to say if something is in the way. */
  showReady(ready: boolean, hint: string): void
  /** Says something to a screen reader when it has time. */
  announce(text: string): void
}

/** Builds the dialog of one question. Name, risk and arguments are always there; the page's own words stand beside them. */
export function createDialogView(
  dom: Pristine,
  build: Builder,
  messages: Catalogue,
  language: string,
  question: ApprovalQuestion,
): DialogView {
  const critical = question.risk === 'critical'
  const { host } = location
  const count = build('span', { class: 'count' })
  const status = build('span', { class: 'status' })
  const hint = build('p', { class: 'hint', role: 'status' })
  const live = build('p', { class: 'quiet', 'aria-live': 'polite' })
  const deny = build('button', { type: 'button', class: 'deny' }, messages.deny)
  const approve = build('button', { type: 'button', class: 'approve', 'aria-disabled': 'true' }, messages.approve)
  const word = critical
    ? build('input', {
        type: 'text',
        id: 'word',
        autocomplete: 'off',
        spellcheck: 'false',
      })
    : undefined
  const said = [question.description, question.text ?? ''].filter((text) => text !== '')
  const scroll = build(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-labelledby': 'tool' },
    build('p', { id: 'tool', class: 'tool' }, foreignText(build, question.toolName)),
    said.length > 0 && build('h2', { dir: 'auto' }, messages.describedAs),
    each(said, (text) => build('p', { dir: 'auto' }, foreignText(build, text))),
    build('h2', { dir: 'auto' }, messages.withArguments),
    build('div', { class: 'card' }, argumentView(build, messages, question.args)),
  )
  const footer = build(
    'footer',
    {},
    build('div', { class: 'below', 'aria-hidden': 'true' }, messages.moreBelow),
    word && build('label', { for: 'word', dir: 'auto' }, wordLabel(build, messages), word),
    hint,
    build('div', { class: 'actions' }, status, deny, approve),
    live,
  )
  const showMore = () =>
    dom.setAttribute(
      footer,
      'class',
      dom.scrollHeight(scroll) - dom.clientHeight(scroll) - dom.scrollTop(scroll) > 8 ? 'more' : '',
    )
  dom.listen(scroll, 'scroll', showMore)

  const dialog = build(
    'dialog',
    {
      class: critical ? 'critical' : 'high',
      role: 'alertdialog',
      'aria-modal': 'true',
      'aria-labelledby': 'title',
      'aria-describedby': 'about tool',
      lang: language,
      dir: document.documentElement.dir || 'ltr',
    },
    build(
      'header',
      {},
      build(
        'div',
        { class: 'line' },
        build('span', { class: 'badge' }, critical ? messages.riskCritical : messages.riskHigh),
        count,
      ),
      build('h1', { id: 'title', dir: 'auto' }, messages.title),
      build(
        'p',
        { id: 'about', class: 'muted', dir: 'auto' },
        fill(messages.asks, { who: messages[question.origin], host }),
      ),
    ),
    scroll,
    footer,
  )
  // The tags they were made with.
  return {
    dialog: dialog as HTMLDialogElement,
    approve,
    deny,
    word: word as HTMLInputElement | undefined,
    showMore,
    showCount: (waiting) => dom.setText(count, waiting > 1 ? `1 / ${waiting}` : ''),
    showTime: (leftMs) => dom.setText(status, fill(messages.expires, { time: clockTime(leftMs) })),
    showReady(ready, text) {
      dom.setAttribute(approve, 'aria-disabled', ready ? 'false' : 'true')
      dom.setText(hint, text)
    },
    announce: (text) => dom.setText(live, text),
  }
}

function wordLabel(build: Builder, messages: Catalogue): HTMLElement {
  const [before = '', after = ''] = messages.typeWord.split('{word}')
  return build('span', {}, before, build('b', {}, messages.approve.toUpperCase()), after)
}
