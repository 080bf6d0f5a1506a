import type {
  ActResult,
  BrowsingCookie,
  BrowsingSessionInfo,
  DownloadInfo,
  JsonObject,
  JsonValue,
  NavigateResult,
  PageMutations,
  PageSnapshot,
} from '@domos/spec'
import type { Dialect } from '../dialect.ts'
import { compact } from '../shapes.ts'

/** A session id as this door spells it. */
export function wireSessionId(id: string): string {
  return `s_${id}`
}

/** The house's id of a wire session id; other spellings are given on as they are, and will not be found. */
export function houseSessionId(wire: string): string {
  return wire.startsWith('s_') ? wire.slice(2) : wire
}

/** A cursor as the dialect spells it: `c:N` in the document's, a number in the legacy one. */
export function wireCursor(cursor: number, dialect: Dialect): JsonValue {
  return dialect === 'draft' ? `c:${cursor}` : cursor
}

/** Result of navigate, back, forward, reload: the superset of what shipped peers give. */
export function navigateResult(result: NavigateResult, dialect: Dialect): JsonObject {
  return compact({
    page_id: result.pageId,
    url: result.url,
    status: result.status,
    content_type: result.contentType,
    title: result.title,
    html_bytes: result.htmlBytes,
    som_bytes: result.somBytes,
    som_ready: true,
    load_ms: result.loadMs,
    fetch_ms: result.fetchMs,
    pipeline_ms: result.pipelineMs,
    redirects: [...result.redirects],
    som_cursor: wireCursor(result.cursor, dialect),
    engine: result.engine,
    engine_reason: result.engineReason,
    download: result.download === undefined ? undefined : downloadInfo(result.download),
  })
}

/** A snapshot; `som_ext` stands beside `som`, in the draft dialect or where it was asked for. */
export function snapshotResult(snapshot: PageSnapshot, dialect: Dialect, withSom = true): JsonObject {
  return compact({
    mode: 'snapshot',
    cursor: wireCursor(snapshot.cursor, dialect),
    reason: snapshot.reason,
    som: withSom ? snapshot.som : undefined,
    som_ext: snapshot.ext,
    outline: snapshot.outline,
    outline_cursor: snapshot.outlineCursor,
  })
}

/** Mutations since a cursor; the legacy dialect also gets the counts its peers read. */
export function mutationsResult(mutations: PageMutations, dialect: Dialect): JsonObject {
  const patches = mutations.patches.map(({ cursor, patch }) => ({
    cursor: wireCursor(cursor, dialect),
    patch: [...patch],
  }))
  const base: JsonObject = {
    mode: 'mutations',
    cursor: wireCursor(mutations.cursor, dialect),
    from_cursor: wireCursor(mutations.fromCursor, dialect),
    changed: mutations.isChanged,
    patches,
    has_more: mutations.hasMore,
  }
  if (dialect === 'draft') return base
  if (!mutations.isChanged) return { ...base, diff: null }
  const operations = mutations.patches.flatMap(({ patch }) => patch)
  const count = (name: string): number => operations.filter((operation) => operation['op'] === name).length
  const summary = {
    total_changes: operations.length,
    elements_added: count('add'),
    elements_removed: count('remove'),
    elements_modified: count('replace'),
  }
  return { ...base, diff: { summary, patch: operations }, summary }
}

/** The document's "Result Object", with the spellings of shipped peers beside it. */
export function actResult(result: ActResult, dialect: Dialect, pageId: string): JsonObject {
  const { navigation, somChanged, newPages, downloads, ...effects } = result.effects
  const target = result.target
  return compact({
    status: 'ok',
    action: result.action,
    effects: compact({
      navigation: navigation !== false,
      navigation_kind: navigation === false ? undefined : navigation,
      navigated: navigation !== false,
      som_changed: somChanged,
      new_pages: newPages?.map(({ pageId: id, url }) => ({ page_id: id, url, opener: pageId })),
      downloads: downloads?.map(downloadInfo),
      ...(snakeKeys(effects as JsonObject) as JsonObject),
    }) as JsonObject,
    target_resolved:
      target === undefined
        ? undefined
        : (compact({
            element_id: target.elementId,
            confidence: target.confidence,
            reanchored_from: target.reanchoredFrom,
            fallback: target.fallback,
          }) as JsonObject),
    resolved: target === undefined ? undefined : { element_id: target.elementId, role: target.role, text: target.text },
    steps: result.steps === undefined ? undefined : [...result.steps],
    artifacts: { som_cursor: wireCursor(result.cursor, dialect) },
    warnings: result.warnings === undefined || result.warnings.length === 0 ? undefined : [...result.warnings],
  })
}

/** A download as the wire shows it. */
export function downloadInfo(download: DownloadInfo): JsonObject {
  return compact({
    id: download.id,
    download_id: download.id,
    filename: download.filename,
    bytes: download.bytes,
    content_type: download.contentType,
    state: download.state,
    sha256: download.sha256,
    url: download.url,
  })
}

/** A cookie: snake_case, and camelCase beside it for legacy peers. */
export function cookieResult(cookie: BrowsingCookie, dialect: Dialect): JsonObject {
  const base = {
    name: cookie.name,
    value: cookie.value,
    domain: cookie.domain ?? '',
    path: cookie.path ?? '/',
    expires: cookie.expires ?? null,
    http_only: cookie.httpOnly ?? false,
    secure: cookie.secure ?? false,
    same_site: cookie.sameSite ?? null,
    size: cookie.name.length + cookie.value.length,
  }
  if (dialect === 'draft') return base
  return { ...base, httpOnly: base.http_only, sameSite: base.same_site }
}

/** One row of session.list. */
export function sessionInfo(info: BrowsingSessionInfo): JsonObject {
  return compact({
    session_id: wireSessionId(info.id),
    url: info.url ?? '',
    page_count: info.pageCount,
    uptime_ms: info.uptimeMs,
    expires_at: info.expiresAt,
    persist: info.persist,
  })
}

/** Spells the keys of a plain value in lower_snake_case, all the way down ("Canonical JSON"). */
export function snakeKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(snakeKeys)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return Object.fromEntries(
    Object.entries(value as JsonObject)
      .filter(([, inner]) => inner !== undefined)
      .map(([key, inner]) => [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), snakeKeys(inner)]),
  )
}
