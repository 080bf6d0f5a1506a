import type { ToClientPayload } from '@domos/adtp/client'
import { type Clock, DomosError } from '@domos/spec'

/** What lets a phone, a speaker or another page enter this page's session; good for one use. */
export interface JoinTicket {
  readonly token: string
  /** Six digits that mean the same; absent when the server has too many open ones. */
  readonly code?: string
  /** A page that joins with it, where the server has one that other devices reach. */
  readonly url?: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** Requests for join tokens that the server has not answered. */
export class JoinRequests {
  readonly #open = new Map<string, PromiseWithResolvers<JoinTicket>>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Waits for the answer to the frame of that id. */
  wait(id: string, timeoutMs: number): Promise<JoinTicket> {
    const request = Promise.withResolvers<JoinTicket>()
    this.#open.set(id, request)
    const stop = this.#clock.schedule(timeoutMs, () =>
      this.fail(id, new DomosError('timeout', 'The server gave no join token.')),
    )
    return request.promise.finally(stop)
  }

  take({ ref = '', ...ticket }: ToClientPayload<'JOIN_TOKEN'>): void {
    this.#open.get(ref)?.resolve(ticket)
    this.#open.delete(ref)
  }

  /** True when the id was one of a request. */
  fail(id: string, error: DomosError): boolean {
    this.#open.get(id)?.reject(error)
    return this.#open.delete(id)
  }

  failAll(error: DomosError): void {
    for (const id of [...this.#open.keys()]) this.fail(id, error)
  }
}
