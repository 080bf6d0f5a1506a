/** One step of a page's history. */
export interface HistoryEntry {
  /** Changes when a redirect or a fragment changes it. */
  readonly url: string
  /** Entries of one document share it: going between them loads nothing. */
  readonly documentId: number
  /** The answer to a POST; asking for it again would send the form again. */
  readonly isPost: boolean
}

/** The session history of a page, bounded: the oldest steps go first. */
export class History {
  readonly #maxEntries: number
  #entries: HistoryEntry[] = []
  #index = -1

  constructor(maxEntries: number) {
    this.#maxEntries = Math.max(1, maxEntries)
  }

  get length(): number {
    return this.#entries.length
  }

  get index(): number {
    return this.#index
  }

  get current(): HistoryEntry | undefined {
    return this.#entries[this.#index]
  }

  /** The entry `delta` steps away. */
  at(delta: number): HistoryEntry | undefined {
    return this.#entries[this.#index + delta]
  }

  /** A new step; what lay ahead is gone. */
  push(entry: HistoryEntry): void {
    this.#entries = [...this.#entries.slice(0, this.#index + 1), entry].slice(-this.#maxEntries)
    this.#index = this.#entries.length - 1
  }

  /** The current step becomes this one. */
  replace(entry: HistoryEntry): void {
    if (this.#index < 0) this.push(entry)
    else this.#entries[this.#index] = entry
  }

  move(delta: number): void {
    this.#index = Math.min(this.#entries.length - 1, Math.max(0, this.#index + delta))
  }
}
