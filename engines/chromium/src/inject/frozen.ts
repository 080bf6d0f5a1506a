/**
 * A copy of a document that lives in another process than the page's own. It crosses once per change; the page's compiler
 * reads it as one more frame, so that all frames share one space of references. Keys are short because there are many.
 */
export interface FrozenDocument {
  /** Another document has another key. */
  readonly key: string
  readonly url: string
  readonly root?: FrozenNode
}

/** One node of a {@link FrozenDocument}. */
export interface FrozenNode {
  /** Number by which the frame's own world finds the node again. */
  readonly n: number
  /** Tag; absent for text. */
  readonly t?: string
  /** Text. */
  readonly d?: string
  /** Attributes. */
  readonly a?: Readonly<Record<string, string>>
  /** Children. */
  readonly c?: readonly FrozenNode[]
  /** Shadow root. */
  readonly s?: { readonly c: readonly FrozenNode[] }
  /** Value, checkedness and selectedness as they are now. */
  readonly v?: string
  readonly k?: boolean
  readonly o?: boolean
  /** A click does something. */
  readonly l?: true
  /** Visibility by computed style. */
  readonly h?: 'visible' | 'invisible' | 'none'
  /** Document of a frame that can be read from there. */
  readonly f?: FrozenDocument
  /** Key of a frame in yet another process. */
  readonly r?: string
}
