import type { DocumentScope, Scope } from './scope.ts'
import type { AttributeValue, ElementAction, ElementRole, RegionRole, SomOption, StructuredData } from './som.ts'
import type { DocumentTree } from './tree.ts'

// The model is the whole page, uncut. What travels is a view of it; outlines, slices and targets are read from it.

/** An element inside the text of another one: where in the text it stands. */
export interface Span<N extends object> {
  readonly start: number
  readonly end: number
  readonly element: ModelElement<N>
}

/** A run of text with the elements inside it. */
export interface Run<N extends object> {
  text: string
  spans: Span<N>[] | undefined
  /** A cell that repeats the one before it, which spans several columns. */
  readonly repeats?: true
}

/** A list item, or a table row with its cells. */
export interface ModelItem<N extends object> extends Run<N> {
  readonly node: N
  /** Cells of a row; absent in a list item. */
  cells?: Run<N>[]
  elements: ModelElement<N>[]
}

/** Mutable while the walk builds it, read-only afterwards. */
export interface ModelElement<N extends object> extends Run<N> {
  id: string
  readonly role: ElementRole
  node: N
  /** Place in the document, for the spec's id. */
  path: string
  readonly region: ModelRegion<N>
  readonly interactive: boolean
  actions: readonly ElementAction[] | undefined
  label: string
  htmlId: string | undefined
  attrs: Record<string, AttributeValue>
  hints: readonly string[] | undefined
  /** Full options, items and rows; `attrs` gets its cut of them when a view is made. */
  options: readonly SomOption[] | undefined
  items: ModelItem<N>[] | undefined
  headers: Run<N>[] | undefined
  /** The element whose text already contains this one. */
  inside: ModelElement<N> | undefined
  /** The list item or row it stands in, and the heading before it: what tells equals apart. */
  item: ModelItem<N> | undefined
  heading: ModelElement<N> | undefined
  scope: Scope<N>
  ext: MutableExt
  /** Number of first sight on this page, over all elements. */
  order: number
  /** Number in outlines; 0 for what cannot be acted on. */
  alias: number
  /** Shared by elements that stand on one line without text of their own between them. */
  line: object | undefined
  /** Left out of the document: it turned out to hold nothing. */
  dead: boolean
}

/** Facts for `som_ext.elements`. */
export interface MutableExt {
  value_state?: 'empty' | 'filled'
  inferred?: 'listener' | 'onclick' | 'tabindex' | 'contenteditable'
  name_from?: 'href' | 'src'
  via_label?: true
  formRegion?: { readonly id: string }
  closed?: true
  raw?: Record<string, string>
}

/** A region with everything in it. */
export interface ModelRegion<N extends object> {
  id: string
  readonly role: RegionRole
  readonly node: N
  readonly label: string
  readonly form: Readonly<Record<string, string | boolean>> | undefined
  readonly elements: ModelElement<N>[]
  /** Dialogs: whether it is open, and whether it blocks the page. */
  readonly open: boolean
  readonly modal: boolean
}

/** One compiled document. */
export interface ModelDocument<N extends object> {
  readonly tree: DocumentTree<N>
  readonly scope: DocumentScope<N>
  readonly url: string
  readonly baseUrl: string
  readonly title: string
  readonly lang: string
  readonly htmlBytes: number
  readonly regions: readonly ModelRegion<N>[]
  readonly hidden: ReadonlyMap<string, number>
  readonly structuredData: StructuredData | undefined
  readonly frameId: string
  readonly parentFrameId: string | undefined
  readonly hostNode: N | undefined
}

/** Accessible name as far as it is known: the label, else the text. */
export function nameOf<N extends object>(element: ModelElement<N>): string {
  return element.label !== '' ? element.label : element.text
}
