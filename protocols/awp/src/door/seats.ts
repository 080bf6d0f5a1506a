import type { BrowsingEvent, BrowsingPage, BrowsingSession, Clock } from '@domos/spec'
import type { AwpLimits } from '../limits.ts'
import { toWireEvent } from './events.ts'
import type { Negotiated } from './hello.ts'
import type { Outbox } from './outbox.ts'

/** One connection's seat in a session: which events it hears, and what to undo when it leaves. */
interface Seat {
  readonly session: BrowsingSession
  readonly closeWithConnection: boolean
  stopEvents: () => void
  /** Event names by page; a page that is absent hears the defaults. */
  readonly subscriptions: Map<
    string,
    { readonly events: ReadonlySet<string> | undefined; readonly stop: (() => void) | undefined }
  >
  /** Pages whose mutation events were dropped because the peer reads slowly, with the newest cursor; one resync is owed. */
  readonly owedResync: Map<string, number>
}

/** The sessions that a connection has created or attached, and their way to it. */
export class Seats {
  readonly #seats = new Map<string, Seat>()
  readonly #outbox: Outbox
  readonly #clock: Clock
  readonly #limits: AwpLimits
  #stopResyncTimer: (() => void) | undefined
  #isClosed = false
  negotiated: Negotiated | undefined

  constructor(outbox: Outbox, clock: Clock, limits: AwpLimits) {
    this.#outbox = outbox
    this.#clock = clock
    this.#limits = limits
  }

  find(sessionId: string): BrowsingSession | undefined {
    return this.#seats.get(sessionId)?.session
  }

  /** Takes a seat: events of the session reach this connection from now on. */
  adopt(session: BrowsingSession, closeWithConnection: boolean): void {
    if (this.#isClosed) {
      // The connection went away while the session was being made.
      if (closeWithConnection) void session.close().catch(() => {})
      return
    }
    if (this.#seats.has(session.id)) return
    const seat: Seat = {
      session,
      closeWithConnection,
      stopEvents: () => {},
      subscriptions: new Map(),
      owedResync: new Map(),
    }
    this.#seats.set(session.id, seat)
    seat.stopEvents = session.onEvent((event) => this.#forward(seat, event))
  }

  release(sessionId: string): void {
    const seat = this.#seats.get(sessionId)
    if (seat === undefined) return
    this.#seats.delete(sessionId)
    seat.stopEvents()
    for (const { stop } of seat.subscriptions.values()) stop?.()
  }

  /** Starts and stops mutation events of a page as its subscription says. */
  subscribe(session: BrowsingSession, page: BrowsingPage, events: readonly string[]): void {
    const seat = this.#seats.get(session.id)
    if (seat === undefined) return
    seat.subscriptions.get(page.id)?.stop?.()
    const wanted = new Set(events)
    seat.subscriptions.set(page.id, {
      events: wanted,
      stop: wanted.has('page.som_mutation') ? page.subscribe() : undefined,
    })
  }

  /** A peer that asked for mutations in its hello hears those of every page it uses. */
  watch(session: BrowsingSession, page: BrowsingPage): void {
    if (this.negotiated?.wantsMutations !== true) return
    const seat = this.#seats.get(session.id)
    if (seat === undefined || seat.subscriptions.has(page.id)) return
    seat.subscriptions.set(page.id, { events: undefined, stop: page.subscribe() })
  }

  /** Leaves every seat. Sessions that live as long as their connection are closed. */
  close(): void {
    this.#isClosed = true
    this.#stopResyncTimer?.()
    for (const seat of [...this.#seats.values()]) {
      this.release(seat.session.id)
      if (seat.closeWithConnection) void seat.session.close().catch(() => {})
    }
  }

  /** Sends an event the peer asked for. A peer that reads slowly loses mutations, and gets one resync for them. */
  #forward(seat: Seat, event: BrowsingEvent): void {
    const wire = toWireEvent(seat.session.id, event, this.#outbox.dialect)
    const isHeard = this.#hears(seat, event, wire.method)
    if (event.type === 'session-closed') this.release(seat.session.id)
    if (event.type === 'page-closed') {
      seat.subscriptions.get(event.pageId)?.stop?.()
      seat.subscriptions.delete(event.pageId)
      seat.owedResync.delete(event.pageId)
    }
    if (!isHeard) return
    const isMutation = event.type === 'som-mutation' || event.type === 'resync'
    if (isMutation && (this.#outbox.isBehind || seat.owedResync.has(event.pageId))) {
      this.#owe(seat, event.pageId, event.cursor)
      return
    }
    if (event.type === 'telemetry' && this.#outbox.isBehind) return
    const isSent = this.#outbox.event(wire.method, wire.params, wire.traceId)
    if (!isSent && isMutation) this.#resync(seat, event.pageId, event.cursor, 'too_large')
  }

  #owe(seat: Seat, pageId: string, cursor: number): void {
    seat.owedResync.set(pageId, cursor)
    this.#stopResyncTimer ??= this.#clock.schedule(this.#limits.resyncCheckMs, () => this.#payResyncs())
  }

  #payResyncs(): void {
    this.#stopResyncTimer = undefined
    if (this.#isClosed) return
    const owing = [...this.#seats.values()].filter(({ owedResync }) => owedResync.size > 0)
    if (owing.length === 0) return
    if (this.#outbox.isBehind) {
      this.#stopResyncTimer = this.#clock.schedule(this.#limits.resyncCheckMs, () => this.#payResyncs())
      return
    }
    for (const seat of owing) {
      for (const [pageId, cursor] of seat.owedResync) this.#resync(seat, pageId, cursor, 'overflow')
      seat.owedResync.clear()
    }
  }

  #resync(seat: Seat, pageId: string, cursor: number, reason: string): void {
    const { method, params } = toWireEvent(
      seat.session.id,
      { type: 'resync', pageId, cursor, reason },
      this.#outbox.dialect,
    )
    this.#outbox.event(method, params, undefined)
  }

  #hears(seat: Seat, event: BrowsingEvent, method: string): boolean {
    const pageId = 'pageId' in event ? event.pageId : undefined
    const events = pageId === undefined ? undefined : seat.subscriptions.get(pageId)?.events
    if (events !== undefined) return events.has(method)
    // Peers of the flat dialect never see an event they did not ask for.
    if (this.#outbox.dialect === 'legacy') return false
    if (event.type === 'som-mutation' || event.type === 'resync') return this.negotiated?.wantsMutations === true
    return true
  }
}
