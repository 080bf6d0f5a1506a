import type { BrowsingEvent, JsonObject } from '@domos/spec'
import type { Dialect } from '../dialect.ts'
import { compact } from '../shapes.ts'
import { downloadInfo, wireCursor, wireSessionId } from './results.ts'
import { telemetryFacts } from './telemetry-facts.ts'

/** An event as the wire spells it. */
export interface WireEvent {
  readonly method: string
  readonly params: JsonObject
  readonly traceId?: string
}

/** Gives a house event its wire form. */
export function toWireEvent(sessionId: string, event: BrowsingEvent, dialect: Dialect): WireEvent {
  const base = { session_id: wireSessionId(sessionId) }
  switch (event.type) {
    case 'som-mutation':
      return {
        method: 'page.som_mutation',
        params: { ...base, page_id: event.pageId, cursor: wireCursor(event.cursor, dialect), patch: [...event.patch] },
      }
    case 'resync':
      return {
        method: 'page.som_mutation',
        params: {
          ...base,
          page_id: event.pageId,
          cursor: wireCursor(event.cursor, dialect),
          patch: [],
          reason: event.reason,
          resync: true,
        },
      }
    case 'telemetry':
      return {
        method: 'page.telemetry',
        params: { ...base, page_id: event.pageId, ...telemetryFacts(event.facts) },
        ...(event.traceId === undefined ? {} : { traceId: event.traceId }),
      }
    case 'page-opened':
      return {
        method: 'page.opened',
        params: compact({ ...base, page_id: event.pageId, opener: event.openerId, url: event.url }),
      }
    case 'page-closed':
      return { method: 'page.closed', params: { ...base, page_id: event.pageId, reason: event.reason } }
    case 'dialog':
      return {
        method: 'page.dialog',
        params: { ...base, page_id: event.pageId, type: event.dialogType, message: event.message },
      }
    case 'download':
      return { method: 'page.download', params: { ...base, page_id: event.pageId, ...downloadInfo(event.download) } }
    case 'session-recovered':
      return { method: 'session.recovered', params: { ...base, reason: event.reason } }
    case 'session-closed':
      return { method: 'session.closed', params: { ...base, reason: event.reason } }
  }
}

/** The events a page subscription may name. */
export const SUBSCRIBABLE = [
  'page.som_mutation',
  'page.telemetry',
  'page.opened',
  'page.closed',
  'page.dialog',
  'page.download',
] as const
