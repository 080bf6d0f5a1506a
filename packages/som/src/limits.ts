/** How much of each kind one region shows in `som`; what exceeds it is declared and returned by `expand`. SOM: Budgets. */
export interface SomBudgets {
  /** Characters of the first paragraph of a region. @default 200 */
  readonly firstParagraphChars: number
  /** Characters of every later paragraph. @default 80 */
  readonly laterParagraphChars: number
  /** Characters of any other text. @default 200 */
  readonly textChars: number
  /** Paragraphs a region. @default 10 */
  readonly paragraphs: number
  /** Items a list. @default 5 */
  readonly listItems: number
  /** Links a region. @default 200 */
  readonly links: number
  /** Links a navigation region. @default 80 */
  readonly navigationLinks: number
  /** Elements a region; form controls and headings do not count. @default 400 */
  readonly elements: number
  /** Characters a table cell. @default 80 */
  readonly cellChars: number
  /** Rows a table. @default 30 */
  readonly tableRows: number
  /** Columns a table. @default 12 */
  readonly tableColumns: number
  /** Options a select; selected ones are always shown. @default 250 */
  readonly options: number
  /** Drop a link whose document URL and text repeat an earlier one of its region. @default true */
  readonly dropDuplicateLinks: boolean
}

/** The budgets the SOM specification names. */
export const defaultBudgets: SomBudgets = {
  firstParagraphChars: 200,
  laterParagraphChars: 80,
  textChars: 200,
  paragraphs: 10,
  listItems: 5,
  links: 200,
  navigationLinks: 80,
  elements: 400,
  cellChars: 80,
  tableRows: 30,
  tableColumns: 12,
  options: 250,
  dropDuplicateLinks: true,
}

/** Nothing is cut: the whole page in one document. */
export const unlimitedBudgets: SomBudgets = {
  firstParagraphChars: Number.MAX_SAFE_INTEGER,
  laterParagraphChars: Number.MAX_SAFE_INTEGER,
  textChars: Number.MAX_SAFE_INTEGER,
  paragraphs: Number.MAX_SAFE_INTEGER,
  listItems: Number.MAX_SAFE_INTEGER,
  links: Number.MAX_SAFE_INTEGER,
  navigationLinks: Number.MAX_SAFE_INTEGER,
  elements: Number.MAX_SAFE_INTEGER,
  cellChars: Number.MAX_SAFE_INTEGER,
  tableRows: Number.MAX_SAFE_INTEGER,
  tableColumns: Number.MAX_SAFE_INTEGER,
  options: Number.MAX_SAFE_INTEGER,
  dropDuplicateLinks: false,
}

/** Bounds against hostile documents. What exceeds them is counted in `som_ext.hidden` under `limit`. */
export interface SomLimits {
  /** Nodes read of one document. @default 5_000_000 */
  readonly maxNodes: number
  /** Frames compiled, nested ones included. @default 64 */
  readonly maxFrames: number
  /** Depth of nested frames. @default 8 */
  readonly maxFrameDepth: number
  /** Characters of a path that enter an id; deeper nodes keep the tail. @default 2_048 */
  readonly maxPathChars: number
  /** CSS rules kept by the cascade. @default 50_000 */
  readonly maxCssRules: number
  /** Characters of one stylesheet that are read. @default 4_000_000 */
  readonly maxStylesheetChars: number
  /** Characters of one attribute value in `attrs`; longer ones are cut and the whole is in the page. @default 4_096 */
  readonly maxAttributeChars: number
  /** Ids of vanished elements remembered for re-anchoring. @default 5_000 */
  readonly maxLostIds: number
  /**
   * Steps of matching style rules and of reading names in one compile. Beyond it rules hide nothing more and names take no
   * more content. @default 5_000_000
   */
  readonly maxWork: number
}

/** Default bounds. */
export const defaultSomLimits: SomLimits = {
  maxNodes: 5_000_000,
  maxFrames: 64,
  maxFrameDepth: 8,
  maxPathChars: 2_048,
  maxCssRules: 50_000,
  maxStylesheetChars: 4_000_000,
  maxAttributeChars: 4_096,
  maxLostIds: 5_000,
  maxWork: 5_000_000,
}
