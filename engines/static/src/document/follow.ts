/** What an action asks the page to load: the document side decides it, the page side does it. */
export type Follow =
  | {
      readonly type: 'navigate'
      readonly url: string
      readonly method: 'GET' | 'POST'
      readonly body?: Uint8Array
      readonly contentType?: string
      /** Name of the browsing context: `_blank`, `_self`, … or a name. */
      readonly target?: string
      readonly isForm?: boolean
    }
  /** A link with `download`; `name` is what the page suggests. */
  | { readonly type: 'download'; readonly url: string; readonly name: string | undefined }
  /** Only the fragment changes. */
  | { readonly type: 'fragment'; readonly url: string }

/** What an action did to the document. */
export interface ActOutcome {
  readonly changed: boolean
  readonly follow?: Follow
  /** The frame that acted and asks to be loaded anew; absent in the top document. */
  readonly frame?: number
  readonly notes?: readonly string[]
}
