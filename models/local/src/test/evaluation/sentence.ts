import type { JsonObject, JsonValue, PageContext } from '@domos/spec'

/** One test: what is said (one or more turns), what the page shows, and the calls that are right, in order. */
export interface Sentence {
  readonly say: readonly string[]
  readonly context: PageContext
  readonly calls: readonly { readonly name: string; readonly args: JsonObject }[]
  /** What tools give back; `{ok: true}` where nothing is named. */
  readonly results?: Readonly<Record<string, JsonValue>>
  /** Whether the page context also holds the contacts of the mail example. */
  readonly contacts?: boolean
}
