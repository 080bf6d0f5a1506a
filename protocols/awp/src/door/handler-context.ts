import type { Browsing, BrowsingCall, BrowsingPage, BrowsingSession, Principal } from '@domos/spec'
import type { WireFormat } from '../codec.ts'
import type { Dialect } from '../dialect.ts'

/** What a handler may use: the peer's rights and seats, and the call it answers. */
export interface HandlerContext {
  readonly browsing: Browsing
  readonly principal: Principal
  readonly dialect: Dialect
  readonly format: WireFormat
  readonly call: BrowsingCall
  /** Whether the caller has a scope besides the one of the method; a miss is audited. @throws DomosError `forbidden` */
  needs(scope: string): void
  /** The session, if this connection created or attached it. @throws DomosError `not_found` */
  session(wireId: string): BrowsingSession
  page(params: { readonly session_id: string; readonly page_id?: string | undefined }): Promise<BrowsingPage>
  /** Takes a seat: events of the session reach this connection from now on. */
  adopt(session: BrowsingSession, closeWithConnection: boolean): void
  release(session: BrowsingSession): void
  /** Sends mutation events of a page to a peer that asked for them in its hello. */
  watch(session: BrowsingSession, page: BrowsingPage): void
  /** @throws DomosError `invalid_request` for an event that does not exist */
  subscribe(session: BrowsingSession, page: BrowsingPage, events: readonly string[]): void
}
