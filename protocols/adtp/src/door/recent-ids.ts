/** The newest ids of something, bounded. */
export class RecentIds {
  readonly #ids = new Set<string>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  has(id: string): boolean {
    return this.#ids.has(id)
  }

  note(id: string): void {
    this.#ids.delete(id)
    this.#ids.add(id)
    if (this.#ids.size <= this.#max) return
    for (const oldest of this.#ids) {
      this.#ids.delete(oldest)
      break
    }
  }
}
