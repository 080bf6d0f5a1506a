import type { Connection } from '@domos/spec'

/** Options of {@link createLinkedConnections}. */
export interface LinkedConnectionsOptions {
  /** Id of both ends, with `-a` and `-b` added. @default 'linked' */
  readonly id?: string
  /** Frames an end keeps until it has a receiver; the pair closes with 1009 beyond. @default 1024 */
  readonly maxQueuedFrames?: number
}

/**
 * Two connections in one process: what one sends, the other receives, in order, in a later microtask, as over a socket.
 * Closing either end closes both with the same code and reason.
 */
export function createLinkedConnections(options: LinkedConnectionsOptions = {}): readonly [Connection, Connection] {
  const { id = 'linked', maxQueuedFrames = 1024 } = options
  const ends: readonly [LinkedEnd, LinkedEnd] = [
    new LinkedEnd(`${id}-a`, maxQueuedFrames),
    new LinkedEnd(`${id}-b`, maxQueuedFrames),
  ]
  ends[0].far = ends[1]
  ends[1].far = ends[0]
  return ends
}

class LinkedEnd implements Connection {
  readonly id: string
  readonly #maxQueuedFrames: number
  readonly #waiting: (string | Uint8Array)[] = []
  #receive: ((frame: string | Uint8Array) => void) | undefined
  readonly #closedListeners: ((code: number, reason: string) => void)[] = []
  #closed: { readonly code: number; readonly reason: string } | undefined
  #draining = false
  #inFlightBytes = 0
  far: LinkedEnd | undefined

  constructor(id: string, maxQueuedFrames: number) {
    this.id = id
    this.#maxQueuedFrames = maxQueuedFrames
  }

  get bufferedBytes(): number {
    return this.#inFlightBytes
  }

  get isOpen(): boolean {
    return this.#closed === undefined
  }

  send(frame: string | Uint8Array): void {
    if (!this.isOpen) return
    this.#inFlightBytes += frame.length
    this.far?.take(frame)
  }

  close(code: number, reason: string): void {
    if (!this.isOpen) return
    this.#finish(code, reason)
    // Frames already sent arrive first, as over a socket.
    queueMicrotask(() => this.far?.closedByFar(code, reason))
  }

  onFrame(receive: (frame: string | Uint8Array) => void): void {
    this.#receive = receive
    this.#drainSoon()
  }

  onClose(closed: (code: number, reason: string) => void): void {
    if (this.#closed) closed(this.#closed.code, this.#closed.reason)
    else this.#closedListeners.push(closed)
  }

  take(frame: string | Uint8Array): void {
    if (!this.isOpen) return
    if (this.#waiting.length >= this.#maxQueuedFrames) {
      this.close(1009, 'Too many frames wait for a receiver')
      return
    }
    this.#waiting.push(frame)
    this.#drainSoon()
  }

  closedByFar(code: number, reason: string): void {
    this.#drain()
    this.#finish(code, reason)
  }

  #finish(code: number, reason: string): void {
    if (!this.isOpen) return
    this.#closed = { code, reason }
    for (const listener of this.#closedListeners) listener(code, reason)
  }

  #drainSoon(): void {
    if (this.#draining || this.#receive === undefined) return
    this.#draining = true
    queueMicrotask(() => {
      this.#draining = false
      this.#drain()
    })
  }

  #drain(): void {
    while (this.isOpen && this.#receive !== undefined) {
      const frame = this.#waiting.shift()
      if (frame === undefined) return
      if (this.far) this.far.#inFlightBytes -= frame.length
      this.#receive(frame)
    }
  }
}
