import type { EnginePage, JsonObject, ObserveOptions, PageMutations, PageSnapshot } from '@domos/spec'
import { DomosError } from '@domos/spec'
import { Journal, type JournalEntry, smallest } from './journal.ts'

/** Bytes of the envelope around a snapshot: what a ceiling leaves for `{som, som_ext}`. */
const ENVELOPE_BYTES = 512

/** What a page looked like so far: its journal, and the views of it. The caller sees to it that calls do not overlap. */
export class Observation {
  readonly #page: EnginePage
  readonly #limits: {
    readonly maxSomBytes: number
    readonly maxJournalEntries: number
    readonly maxJournalBytes: number
  }
  readonly #journal: Journal
  /** Something happened that may have changed the page. */
  isStale = true
  ext: JsonObject = {}
  #elementFacts = ''

  constructor(
    page: EnginePage,
    limits: { readonly maxSomBytes: number; readonly maxJournalEntries: number; readonly maxJournalBytes: number },
  ) {
    this.#page = page
    this.#limits = limits
    this.#journal = new Journal(limits)
  }

  get cursor(): number {
    return this.#journal.cursor
  }

  /** The newest snapshot under the default ceiling. */
  get som(): JsonObject | undefined {
    return this.#journal.som
  }

  /** Compiles when something happened; says whether the page looks different now, and the step this made. */
  async sync(): Promise<{ readonly isChanged: boolean; readonly entry: JournalEntry | undefined }> {
    if (!this.isStale && this.#journal.cursor > 0) return { isChanged: false, entry: undefined }
    if (this.#page.state().ready === 'empty') throw noDocument()
    this.isStale = false
    const { som, ext } = await this.#page
      .compile({ maxBytes: this.#limits.maxSomBytes - ENVELOPE_BYTES })
      .catch((thrown: unknown) => {
        this.isStale = true
        throw thrown
      })
    const entry = this.#journal.record(som)
    const facts = JSON.stringify([ext['elements'] ?? null, ext['frames'] ?? null])
    const isChanged = entry !== undefined || facts !== this.#elementFacts
    this.#elementFacts = facts
    this.ext = ext
    return { isChanged, entry }
  }

  /** A snapshot under the ceilings asked for; one that they cut has a cursor of its own. */
  async snapshot(options: ObserveOptions, reason?: string): Promise<PageSnapshot> {
    const limits = this.#limits
    const isCut = options.maxBytes !== undefined || options.maxTokens !== undefined
    const maxBytes = Math.min(options.maxBytes ?? limits.maxSomBytes, limits.maxSomBytes)
    const ask = (bytes: number): ReturnType<EnginePage['compile']> =>
      this.#page.compile({ ...options, maxBytes: Math.max(1, bytes - ENVELOPE_BYTES) })
    let compiled = await ask(maxBytes)
    if (compiled.outline !== undefined && options.maxBytes !== undefined) {
      compiled = await ask(maxBytes - new TextEncoder().encode(JSON.stringify(compiled.outline)).length)
    }
    const som = this.#journal.som
    const isSame = !isCut || som === undefined || JSON.stringify(som) === JSON.stringify(compiled.som)
    const cursor = isSame ? this.#journal.cursor : this.#journal.recordCut(options, compiled.som)
    return {
      cursor,
      som: isSame && som !== undefined ? som : compiled.som,
      ...(options.ext === false ? {} : { ext: compiled.ext }),
      ...(compiled.outline === undefined ? {} : { outline: compiled.outline }),
      ...(compiled.outlineCursor === undefined ? {} : { outlineCursor: compiled.outlineCursor }),
      ...(reason === undefined ? {} : { reason }),
    }
  }

  /** Patches since a cursor, or a snapshot with the reason why there are none. */
  async mutations(cursor: number, maxEvents: number): Promise<PageMutations | PageSnapshot> {
    const cut = this.#journal.cut(cursor)
    if (cut !== undefined) return this.#cutMutations(cursor, cut)
    const entries = this.#journal.since(cursor)
    if (entries === undefined) {
      return this.snapshot(
        {},
        cursor === 0 ? 'no_previous_som' : this.#journal.isKnown(cursor) ? 'cursor_expired' : 'cursor_unknown',
      )
    }
    const given = entries.slice(0, Math.max(1, maxEvents))
    return {
      fromCursor: cursor,
      cursor: given.at(-1)?.cursor ?? cursor,
      isChanged: given.some(({ patch }) => patch.length > 0),
      patches: given.filter(({ patch }) => patch.length > 0).map(({ cursor: at, patch }) => ({ cursor: at, patch })),
      hasMore: given.length < entries.length,
    }
  }

  /** Whoever asked for a smaller snapshot gets patches between snapshots of that size. */
  async #cutMutations(
    cursor: number,
    cut: NonNullable<ReturnType<Journal['cut']>>,
  ): Promise<PageMutations | PageSnapshot> {
    const now = await this.snapshot(cut.options)
    const patch = smallest(cut.som, now.som)
    if (patch === undefined) return { fromCursor: cursor, cursor, isChanged: false, patches: [], hasMore: false }
    return {
      fromCursor: cursor,
      cursor: now.cursor,
      isChanged: true,
      patches: [{ cursor: now.cursor, patch: patch.patch }],
      hasMore: false,
    }
  }
}

/** What every operation on an empty page says. */
function noDocument(): DomosError {
  return new DomosError('not_found', 'No page is loaded yet; navigate first.', { details: { reason: 'NO_DOCUMENT' } })
}
