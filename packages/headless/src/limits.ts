import { DomosError, type EngineLimits } from '@domos/spec'

/** Numbers of the headless organ an operator may change. */
export interface BrowsingLimits {
  /** Sessions on this server. @default 500 */
  readonly maxSessions: number
  /** Sessions of one principal. @default 500 */
  readonly maxSessionsPerPrincipal: number
  /** Pages of one session. @default 16 */
  readonly maxPagesPerSession: number
  /** Life of a session that names none. @default 3_600_000 */
  readonly defaultTtlMs: number
  /** Longest life a session may ask for. @default 86_400_000 */
  readonly maxTtlMs: number
  /** A session nobody used for this long is closed. @default 1_800_000 */
  readonly idleTimeoutMs: number
  /** Bytes of a snapshot that asks for no other ceiling. @default 1_048_576 */
  readonly maxSomBytes: number
  /** Time a page operation gets that names none. @default 30_000 */
  readonly operationTimeoutMs: number
  /** Longest time an operation may ask for. @default 300_000 */
  readonly maxTimeoutMs: number
  /** Operations that wait for one page. @default 64 */
  readonly maxQueuedPerPage: number
  /** Patches kept of one page; older cursors get a snapshot. @default 256 */
  readonly maxJournalEntries: number
  /** Bytes of patches kept of one page. @default 4_194_304 */
  readonly maxJournalBytes: number
  /** `network_idle`: no request for this long. @default 500 */
  readonly networkIdleMs: number
  /** `som_stable`: no change of the page for this long. @default 300 */
  readonly somStableMs: number
  /** How often a state that sends no event is looked at again. @default 50 */
  readonly pollMs: number
  /** Changes of a subscribed page are collected for this long before they are sent. @default 50 */
  readonly mutationDelayMs: number
  /** A dialog nobody answers is dismissed, never accepted. @default 60_000 */
  readonly dialogTimeoutMs: number
  /** Matches of one extraction query. @default 1_000 */
  readonly maxExtractMatches: number
  /** Bytes of an extraction schema. @default 16_384 */
  readonly maxSchemaBytes: number
  /** Depth of an extraction schema. @default 8 */
  readonly maxSchemaDepth: number
  /** Properties of an extraction schema, nested ones included. @default 100 */
  readonly maxSchemaProperties: number
  /** Fields one fill_form may fill. @default 100 */
  readonly maxFormFields: number
  /** Characters of one typed value. @default 262_144 */
  readonly maxTypedChars: number
  /** Pages one checkout plan may go through. @default 5 */
  readonly maxPlanPages: number
  /** Bytes of one response on the wire. @default 8_388_608 */
  readonly maxResponseBytes: number
  /** Bytes of one document after decompression. @default 16_777_216 */
  readonly maxDecodedBytes: number
  /** @default 10 */
  readonly maxRedirects: number
  /** Time one request gets. @default 30_000 */
  readonly requestTimeoutMs: number
  /** Bytes of one download; all of a session may have four times as many. @default 67_108_864 */
  readonly maxDownloadBytes: number
  /** Steps of a page's history. @default 50 */
  readonly maxHistoryEntries: number
}

/** Default bounds. */
export const BROWSING_LIMITS: BrowsingLimits = {
  maxSessions: 500,
  maxSessionsPerPrincipal: 500,
  maxPagesPerSession: 16,
  defaultTtlMs: 3_600_000,
  maxTtlMs: 86_400_000,
  idleTimeoutMs: 1_800_000,
  maxSomBytes: 1_048_576,
  operationTimeoutMs: 30_000,
  maxTimeoutMs: 300_000,
  maxQueuedPerPage: 64,
  maxJournalEntries: 256,
  maxJournalBytes: 4_194_304,
  networkIdleMs: 500,
  somStableMs: 300,
  pollMs: 50,
  mutationDelayMs: 50,
  dialogTimeoutMs: 60_000,
  maxExtractMatches: 1_000,
  maxSchemaBytes: 16_384,
  maxSchemaDepth: 8,
  maxSchemaProperties: 100,
  maxFormFields: 100,
  maxTypedChars: 262_144,
  maxPlanPages: 5,
  maxResponseBytes: 8_388_608,
  maxDecodedBytes: 16_777_216,
  maxRedirects: 10,
  requestTimeoutMs: 30_000,
  maxDownloadBytes: 67_108_864,
  maxHistoryEntries: 50,
}

/** The defaults with what an operator changed. @throws DomosError `invalid_request` naming the limit that is wrong */
export function resolveBrowsingLimits(changed: Partial<BrowsingLimits>): BrowsingLimits {
  for (const [name, value] of Object.entries(changed)) {
    if (Object.hasOwn(BROWSING_LIMITS, name) && typeof value === 'number' && Number.isFinite(value) && value >= 0)
      continue
    const known = Object.keys(BROWSING_LIMITS).join(', ')
    throw new DomosError(
      'invalid_request',
      `limits.browsing.${name.slice(0, 60)} is no limit, or no number of at least 0; there are ${known}.`,
      {
        details: { setting: `limits.browsing.${name.slice(0, 60)}` },
      },
    )
  }
  return { ...BROWSING_LIMITS, ...changed }
}

/** The part of the limits an engine keeps. */
export function engineLimits(limits: BrowsingLimits): EngineLimits {
  const { maxResponseBytes, maxDecodedBytes, maxRedirects, requestTimeoutMs, maxDownloadBytes, maxHistoryEntries } =
    limits
  return { maxResponseBytes, maxDecodedBytes, maxRedirects, requestTimeoutMs, maxDownloadBytes, maxHistoryEntries }
}
