import { diff } from '@domos/som'
import type { JsonObject, ObserveOptions } from '@domos/spec'

/** One recorded step: applying the patch to the document before gives the document at `cursor`. */
export interface JournalEntry {
  /** The cursor before; numbers in between belong to cut snapshots. */
  readonly from: number
  readonly cursor: number
  readonly patch: readonly JsonObject[]
  readonly bytes: number
}

/** A snapshot that was given under another ceiling, so that its holder gets patches that fit it. */
interface CutView {
  readonly options: ObserveOptions
  readonly som: JsonObject
}

/** How many cut views of a page are remembered. */
const MAX_CUT_VIEWS = 4

/** Bounds of a {@link Journal}. */
export interface JournalBounds {
  readonly maxJournalEntries: number
  readonly maxJournalBytes: number
}

/** The numbered, bounded journal of one page's snapshots ("page.observe": mutations since a cursor). */
export class Journal {
  readonly #bounds: JournalBounds
  readonly #cuts = new Map<number, CutView>()
  #entries: JournalEntry[] = []
  #bytes = 0
  #cursor = 0
  /** The highest number given, to cut snapshots as well. */
  #newest = 0
  #som: JsonObject | undefined

  constructor(bounds: JournalBounds) {
    this.#bounds = bounds
  }

  /** Number of the newest uncut snapshot; 0 before the first. */
  get cursor(): number {
    return this.#cursor
  }

  /** Whether a number was ever given. */
  isKnown(cursor: number): boolean {
    return cursor > 0 && cursor <= this.#newest
  }

  /** The newest snapshot. */
  get som(): JsonObject | undefined {
    return this.#som
  }

  /** Takes a snapshot in; gives the new entry, or undefined when nothing changed. */
  record(som: JsonObject): JournalEntry | undefined {
    const before = this.#som
    if (before === undefined) {
      this.#som = som
      this.#cursor = ++this.#newest
      return { from: 0, cursor: this.#cursor, patch: [], bytes: 0 }
    }
    const patch = smallest(before, som)
    if (patch === undefined) return undefined
    this.#som = som
    const entry = { from: this.#cursor, cursor: ++this.#newest, ...patch }
    this.#cursor = entry.cursor
    this.#entries.push(entry)
    this.#bytes += entry.bytes
    const { maxJournalEntries, maxJournalBytes } = this.#bounds
    while (this.#entries.length > maxJournalEntries || (this.#bytes > maxJournalBytes && this.#entries.length > 0)) {
      this.#bytes -= this.#entries.shift()?.bytes ?? 0
    }
    return entry
  }

  /** Entries after a cursor, or undefined when they are not all there any more. */
  since(cursor: number): readonly JournalEntry[] | undefined {
    if (cursor === this.#cursor) return []
    const at = this.#entries.findIndex(({ from }) => from === cursor)
    return at < 0 ? undefined : this.#entries.slice(at)
  }

  /** Remembers a snapshot that was cut by other limits and gives it a cursor of its own. */
  recordCut(options: ObserveOptions, som: JsonObject): number {
    const same = [...this.#cuts].find(([, cut]) => cut.som === som)
    if (same !== undefined) return same[0]
    const cursor = ++this.#newest
    this.#cuts.set(cursor, { options, som })
    for (const key of this.#cuts.keys()) {
      if (this.#cuts.size <= MAX_CUT_VIEWS) break
      this.#cuts.delete(key)
    }
    return cursor
  }

  /** What a cut cursor was given under, and what it showed. */
  cut(cursor: number): CutView | undefined {
    return this.#cuts.get(cursor)
  }
}

/** The patch between two snapshots, or the whole where that is shorter; undefined when they are equal. */
export function smallest(
  before: JsonObject,
  after: JsonObject,
): { readonly patch: readonly JsonObject[]; readonly bytes: number } | undefined {
  const patch = diff(before, after) as unknown as readonly JsonObject[]
  if (patch.length === 0) return undefined
  const bytes = JSON.stringify(patch).length
  const whole = JSON.stringify(after).length
  if (bytes <= whole) return { patch, bytes }
  return { patch: [{ op: 'replace', path: '', value: after }], bytes: whole + 40 }
}
