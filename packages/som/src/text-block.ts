import type { ModelElement, Run, Span } from './model.ts'

const spaces = /[\s\u200b]+/g
const needsCollapse = /[\t\n\r\f\v\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]| {2}/

/** Text that stands for something already in the model: a label of a control, or an element. */
export interface Covered<N extends object> {
  readonly start: number
  readonly end: number
  /** For a label: the control it must name, else the text stays. */
  readonly label?: N
}

/** What the text of a block belongs to. */
export type BlockKind = 'anonymous' | 'paragraph' | 'heading' | 'item' | 'cell' | 'caption'

/**
 * Collects the text of one block with whitespace collapsed as it comes in: a block boundary or `<br>` is one space,
 * inline elements add none. Elements inside remember where their text starts and ends.
 */
export class TextBlock<N extends object> implements Run<N> {
  text = ''
  spans: Span<N>[] | undefined = undefined
  covered: Covered<N>[] | undefined = undefined
  /** Elements that are open inside; while there are any, a block boundary does not end an anonymous block. */
  openOwners = 0
  private pending = false
  private well = true
  readonly kind: BlockKind
  /** Element that gets the text. In an anonymous block it has no node until text outside other elements comes. */
  readonly owner: ModelElement<N> | undefined
  hasNode = false

  constructor(kind: BlockKind, owner?: ModelElement<N>) {
    this.kind = kind
    this.owner = owner
  }

  /** Adds text of a text node. */
  add(data: string): void {
    let text = data
    if (needsCollapse.test(text)) text = text.replace(spaces, ' ')
    if (text === '' || text === ' ') {
      if (text === ' ') this.boundary()
      return
    }
    const leads = text.charCodeAt(0) === 32
    const trails = text.charCodeAt(text.length - 1) === 32
    if (leads || trails) text = text.slice(leads ? 1 : 0, trails ? -1 : undefined)
    if (text === '') {
      this.boundary()
      return
    }
    if ((this.pending || leads) && this.text !== '') this.text += ' '
    this.text += text
    this.pending = trails
    if (this.well && !text.isWellFormed()) this.well = false
  }

  /** A block boundary: the next text is set off by one space. */
  boundary(): void {
    this.pending = true
  }

  /** Where the text of an element that opens now will start (before any pending space). */
  mark(): number {
    return this.text.length
  }

  /** Text since a mark, without the space before it. */
  since(mark: number): string {
    return this.text.charCodeAt(mark) === 32 ? this.text.slice(mark + 1) : this.text.slice(mark)
  }

  /** Records an element that covers the text since the mark. */
  span(mark: number, element: ModelElement<N>): void {
    const start = this.text.charCodeAt(mark) === 32 ? mark + 1 : mark
    const span = { start: Math.min(start, this.text.length), end: this.text.length, element }
    if (this.spans === undefined) this.spans = [span]
    else this.spans.push(span)
  }

  /** Number of elements recorded so far, for {@link close}. */
  get spanCount(): number {
    return this.spans?.length ?? 0
  }

  /** Ends an element that began at the mark: it takes over its text and the elements recorded since. */
  close(mark: number, spansBefore: number, element: ModelElement<N>): void {
    element.text = this.since(mark).toWellFormed()
    const start = this.text.length - element.text.length
    const inner = this.spans?.splice(spansBefore) ?? []
    if (inner.length === 0) return
    element.spans = inner.map((span) => {
      span.element.inside = element
      return { start: Math.max(0, span.start - start), end: Math.max(0, span.end - start), element: span.element }
    })
  }

  /** Records a label whose text since the mark names a control. */
  cover(mark: number, label: N): void {
    const covered = { start: mark, end: this.text.length, label }
    if (this.covered === undefined) this.covered = [covered]
    else this.covered.push(covered)
  }

  /** True when the last recorded element ends where the text ends now and no space is pending. */
  touchesSpan(): boolean {
    const last = this.spans?.at(-1)
    return last !== undefined && !this.pending && last.end === this.text.length && last.end > last.start
  }

  /** The finished text, well-formed Unicode. */
  finish(): string {
    if (!this.well) this.text = this.text.toWellFormed()
    return this.text
  }

  /** True when text remains beside the elements inside and the labels of controls that `isShown` confirms. */
  hasOwnText(isShown: (control: N) => boolean, spansCount: boolean): boolean {
    const ranges: [number, number][] = []
    if (spansCount) for (const { start, end } of this.spans ?? []) ranges.push([start, end])
    for (const { start, end, label } of this.covered ?? []) {
      if (label === undefined || isShown(label)) ranges.push([start, end])
    }
    if (ranges.length === 0) return this.text !== ''
    ranges.sort((a, b) => a[0] - b[0])
    let at = 0
    for (const [start, end] of ranges) {
      if (start > at && carriesMeaning(this.text.slice(at, start))) return true
      at = Math.max(at, end)
    }
    return at < this.text.length && carriesMeaning(this.text.slice(at))
  }
}

/** False for what only separates: spaces, bars, dots, arrows, brackets. */
function carriesMeaning(text: string): boolean {
  return /[^\s|·•,;:/\\>»›<«‹()[\]{}–—\-_*.]/u.test(text)
}
