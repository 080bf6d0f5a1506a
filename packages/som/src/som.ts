import type { JsonObject } from '@domos/spec'

/** Roles a region can have. */
export type RegionRole = 'navigation' | 'main' | 'aside' | 'header' | 'footer' | 'form' | 'dialog' | 'content'

/** Roles an element can have. */
export type ElementRole =
  | 'link'
  | 'button'
  | 'text_input'
  | 'textarea'
  | 'select'
  | 'checkbox'
  | 'radio'
  | 'heading'
  | 'image'
  | 'list'
  | 'table'
  | 'paragraph'
  | 'section'
  | 'group'
  | 'separator'
  | 'details'
  | 'iframe'

/** Actions an element can list. */
export type ElementAction = 'click' | 'type' | 'clear' | 'select' | 'toggle'

/** A value inside `attrs`. */
export type AttributeValue =
  | string
  | number
  | boolean
  | readonly string[]
  | readonly (readonly string[])[]
  | readonly SomOption[]
  | readonly SomListItem[]
  | Readonly<Record<string, string | boolean>>

/** An option of a select. */
export interface SomOption {
  readonly value: string
  readonly text: string
  readonly selected?: true
  readonly disabled?: true
  readonly group?: string
}

/** An item of a list. */
export interface SomListItem {
  readonly text: string
}

/** One element of the Semantic Object Model. */
export interface SomElement {
  readonly id: string
  readonly role: ElementRole
  readonly html_id?: string
  readonly text?: string
  readonly label?: string
  readonly actions?: readonly ElementAction[]
  readonly attrs?: Readonly<Record<string, AttributeValue>>
  readonly hints?: readonly string[]
}

/** One region of the Semantic Object Model. */
export interface SomRegion {
  readonly id: string
  readonly role: RegionRole
  readonly label?: string
  readonly action?: string
  readonly method?: string
  readonly target?: string
  readonly enctype?: string
  readonly novalidate?: boolean
  readonly accept_charset?: string
  readonly autocomplete?: string
  readonly elements: readonly SomElement[]
}

/** Sizes and counts of a document; `som_bytes` is exact, its own digits included. */
export interface SomMeta {
  readonly html_bytes: number
  readonly som_bytes: number
  readonly element_count: number
  readonly interactive_count: number
}

/** What the head of the page says about the page. */
export interface StructuredData {
  readonly json_ld?: readonly JsonObject[]
  readonly open_graph?: Readonly<Record<string, string>>
  readonly twitter_card?: Readonly<Record<string, string>>
  readonly meta?: Readonly<Record<string, string>>
  readonly links?: readonly StructuredLink[]
}

/** A `<link>` with a meaning. */
export interface StructuredLink {
  readonly rel: string
  readonly href: string
  readonly type?: string
  readonly hreflang?: string
}

/** The Semantic Object Model of one document (SOM 1.0, wire literal "0.1"). Valid under its schema in strict mode. */
export interface Som {
  readonly som_version: '0.1'
  readonly url: string
  readonly title: string
  readonly lang: string
  readonly regions: readonly SomRegion[]
  readonly meta: SomMeta
  readonly structured_data?: StructuredData
}

/** Extra facts about one element, keyed by its id in {@link SomExt.elements}. */
export interface ElementExt {
  /** Set on fields whose value is never shown: whether something is in them. */
  readonly value_state?: 'empty' | 'filled'
  /** The role is not stated by markup but inferred from this. */
  readonly inferred?: 'listener' | 'onclick' | 'tabindex' | 'contenteditable'
  /** The accessible name is not stated by the page but taken from this. */
  readonly name_from?: 'href' | 'src'
  /** The control itself is not visible and is used through its visible label. */
  readonly via_label?: true
  /** Id of the form region the element belongs to, when it stands in another region. */
  readonly form?: string
  /** The element is inside a closed details or dialog. */
  readonly closed?: true
  /** aria and other attribute values the SOM schema cannot express. */
  readonly raw?: Readonly<Record<string, string>>
  /** Ids of the elements inside each shown item of a list or row of a table. */
  readonly items?: readonly (readonly string[])[]
}

/**
 * One declared cut. With `cursor`: whole elements are missing, `expand({cursor})` gives them. With `part`: the listed
 * elements are shown in part, `expand({element})` gives all of that part.
 */
export interface Truncation {
  readonly region: string
  /** Number of missing elements, or of missing characters, items, rows or options of all listed elements. */
  readonly count: number
  /** Id of the last element before the first missing one. */
  readonly after?: string
  /** Number of missing elements by role. */
  readonly kinds?: Readonly<Record<string, number>>
  readonly cursor?: string
  readonly part?: 'text' | 'items' | 'rows' | 'options'
  readonly elements?: readonly string[]
}

/** The document inside a frame, compiled into the same id space. */
export interface FrameExt {
  readonly frame_id: string
  /** Id of the iframe element; absent when the frame element itself is not shown. */
  readonly host_element?: string
  /** The frame that holds it; absent for the top document. */
  readonly parent_frame?: string
  readonly url: string
  readonly origin: string
  readonly som: Som
  readonly truncated?: readonly Truncation[]
  readonly elements?: Readonly<Record<string, ElementExt>>
}

/** What travels beside `som`: everything the SOM schema has no place for. */
export interface SomExt {
  readonly version: 1
  /** Number of the document this view belongs to, counted from 1 in one identity. */
  readonly generation: number
  /** Where relative URLs start, when it is not the document's own URL. */
  readonly base_url?: string
  /** Hidden subtrees that were dropped, by reason. */
  readonly hidden?: Readonly<Record<string, number>>
  /** The page is so heavy to compute that some style rules no longer hid what they hide, and names took no more content. */
  readonly incomplete?: 'work'
  /** Ids of open dialog regions; the first is on top. */
  readonly blocking?: readonly string[]
  readonly elements?: Readonly<Record<string, ElementExt>>
  readonly frames?: readonly FrameExt[]
  /** Ids of shown elements that were given to a replacement node in this compile: old and new node look the same. */
  readonly reanchored?: readonly string[]
  readonly truncated?: readonly Truncation[]
  /** State of the page as the engine reports it, and the focused element. */
  readonly page?: JsonObject
}

/** A compiled observation. */
export interface SomDocument {
  readonly som: Som
  readonly som_ext: SomExt
}
