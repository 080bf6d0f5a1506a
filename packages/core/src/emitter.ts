/** A typed emitter whose listeners cannot harm each other or the one who emits. */
export class Emitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<(data: never) => void>>()
  readonly #any = new Set<(name: keyof Events, data: Events[keyof Events]) => void>()

  /** Adds a listener; the returned function takes it away. */
  on<Name extends keyof Events>(name: Name, listener: (data: Events[Name]) => void): () => void {
    const set = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, set)
    set.add(listener)
    return () => this.off(name, listener)
  }

  off<Name extends keyof Events>(name: Name, listener: (data: Events[Name]) => void): void {
    this.#listeners.get(name)?.delete(listener)
  }

  /** Adds a listener for every event; the returned function takes it away. */
  onAny(listener: (name: keyof Events, data: Events[keyof Events]) => void): () => void {
    this.#any.add(listener)
    return () => this.offAny(listener)
  }

  offAny(listener: (name: keyof Events, data: Events[keyof Events]) => void): void {
    this.#any.delete(listener)
  }

  emit<Name extends keyof Events>(name: Name, data: Events[Name]): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])])
      guard(() => (listener as (d: Events[Name]) => void)(data))
    for (const listener of [...this.#any]) guard(() => listener(name, data))
  }

  clear(): void {
    this.#listeners.clear()
    this.#any.clear()
  }
}

/** A listener's fault is the page's own: it is reported as such and stops nobody else. */
function guard(run: () => void): void {
  try {
    run()
  } catch (thrown) {
    const report = globalThis.reportError ?? console.error
    report(thrown)
  }
}
