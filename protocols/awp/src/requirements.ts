/** One thing a document demands. */
export interface Requirement {
  /** Cited by the tests that hold it. */
  readonly id: string
  /** Where it stands in the document. */
  readonly heading: string
  /** What is demanded. */
  readonly sentence: string
}

/** What "AWP - Agent Web Protocol (Draft Specification v0.1)" demands of the wire and of the door. */
export const requirements: readonly Requirement[] = [
  ...under('Handshake', {
    'AWP-HELLO-1': 'Upon WebSocket connection, the client must send awp.hello.',
    'AWP-HELLO-2': 'The response names the common version: awp {version}, of semantic versions MAJOR.MINOR.',
    'AWP-HELLO-3': 'The response names the selected encoding, by the order of wants.encoding.',
    'AWP-HELLO-4': 'The response names the selected compression, by the order of wants.compression.',
    'AWP-HELLO-5': 'The response tells features: som, skills, network and limits.',
    'AWP-HELLO-6': 'The response tells server {name, version, build}.',
  }),
  ...under('Capability Rules', {
    'AWP-CAP-1': 'The server must reject requests that require unsupported features with UNSUPPORTED.',
    'AWP-CAP-2': 'Clients should fall back to primitive actions when intent levels are unsupported.',
  }),
  ...under('Transport', {
    'AWP-TRANSPORT-1': 'One WebSocket connection may multiplex multiple sessions.',
    'AWP-TRANSPORT-2': 'Clients may open multiple connections for isolation.',
  }),
  ...under('Message Ordering', {
    'AWP-ORDER-1': 'Requests and responses are matched by id.',
    'AWP-ORDER-2': 'Events are out-of-band and do not require id.',
    'AWP-ORDER-3': 'Per-page action ordering is preserved unless the client opts into concurrency.',
  }),
  ...under('Heartbeats', {
    'AWP-BEAT-1': 'Either side may send ping frames.',
    'AWP-BEAT-2': 'The server should emit awp.pong events if application-level liveness is needed.',
  }),
  ...under('Encoding', {
    'AWP-ENC-1': 'The default encoding is MessagePack.',
    'AWP-ENC-2': 'JSON is optional, for debugging.',
    'AWP-ENC-3': 'The default compression is none.',
    'AWP-ENC-4': 'zstd is optional, per message.',
    'AWP-ENC-5': 'When JSON is used, keys must be lower_snake_case.',
  }),
  ...under('Envelope', {
    'AWP-ENV-1': 'Every message uses the envelope of id, type, method, params, result, error and meta.',
    'AWP-ENV-2': 'request must include id, method, and params.',
    'AWP-ENV-3': 'response must include id and either result or error.',
    'AWP-ENV-4': 'event must include method and params. It must not include id.',
  }),
  ...under('Idempotency', {
    'AWP-IDEM-1': 'Requests may include meta.idempotency_key; repeating the request should yield the same effect.',
  }),
  ...under('Tracing', {
    'AWP-TRACE-1': 'All responses and events should include meta.trace_id and meta.span_id.',
  }),
  ...under('Error Model', {
    'AWP-ERR-1': 'Errors carry one of the standard error codes.',
    'AWP-ERR-2': 'An error object is code, message and details; details of a timeout name timeout_ms and method.',
  }),
  ...under('Authentication and Authorization', {
    'AWP-AUTH-1': 'A local engine requires no auth (auth.none).',
    'AWP-AUTH-2': 'auth.bearer takes a token.',
    'AWP-AUTH-3': 'auth.hmac takes signed requests.',
    'AWP-SCOPE-1': 'Permissions are expressed as the six scopes, checked on every method.',
    'AWP-SCOPE-2': 'page.evaluate_js is high risk and has a scope of its own.',
    'AWP-SCOPE-3': 'A request outside the scopes of its caller is refused with PERMISSION_DENIED.',
  }),
  ...under('Resources and Identifiers', {
    'AWP-ID-1': 'session_id, page_id and element_id are stable strings.',
    'AWP-ID-2': 'A target is an element_ref, a query, or has a list of fallbacks.',
  }),
  ...under('Sessions', {
    'AWP-SES-1': 'session.create takes persist, ttl_ms, profile, network and limits, and returns session_id.',
    'AWP-SES-2': 'session.close closes and optionally persists state.',
    'AWP-SES-3': 'session.export and session.import carry a session as a portable snapshot.',
    'AWP-SES-4': 'Sessions survive reconnects.',
  }),
  ...under('Page Lifecycle', {
    'AWP-PAGE-1': 'page.create creates a page inside a session.',
    'AWP-PAGE-2': 'page.navigate takes url and wait {until, timeout_ms}.',
    'AWP-PAGE-3': 'The wait strategies are dom_content_loaded, load, network_idle and som_stable.',
    'AWP-PAGE-4': 'page.close closes a page.',
  }),
  ...under('Observation: SOM Snapshots and Mutations', {
    'AWP-OBS-1': 'page.observe returns a full SOM snapshot (mode, format, max_bytes).',
    'AWP-OBS-2': 'page.observe returns mutations since a cursor (cursor, max_events).',
    'AWP-OBS-3': 'A snapshot includes som_version, url, title and regions, as the engine compiled them.',
    'AWP-OBS-4': 'page.som_mutation carries session_id, page_id, cursor and a JSON Patch.',
  }),
  ...under('Actions: Intent-Based Interaction', {
    'AWP-ACT-1': 'page.act takes an intent of action, target, value and options, and wait.',
    'AWP-ACT-2': 'Servers that accept un-namespaced action strings must normalize them.',
    'AWP-ACT-3': 'The result is status, effects {navigation, som_changed}, target_resolved and artifacts.',
    'AWP-ACT-4': 'The namespaces are primitive, semantic, intent and skill.',
  }),
  ...under('Data Extraction', {
    'AWP-EXT-1': 'page.extract takes schema and queries; the response is JSON data and provenance.',
  }),
  ...under('Network Controls: Proxy, Profiles, Stealth', {
    'AWP-NET-1': 'session.set_network should require the scope network:configure.',
  }),
  ...under('State: Cookies, Storage, Downloads', {
    'AWP-STATE-1': 'session.cookies.get, .set and .clear.',
    'AWP-STATE-2': 'page.downloads.list and page.downloads.get (stream file).',
  }),
  ...under('Skills: WebAssembly Extensions', {
    'AWP-SKILL-1': 'skills.list and skills.invoke are privileged and permissioned.',
  }),
  ...under('Telemetry and Auditing', {
    'AWP-TEL-1': 'Servers should emit page.telemetry with latency, retries, proxy and errors.',
    'AWP-TEL-2': 'Telemetry must not include secrets.',
  }),
]

function under(heading: string, sentences: Readonly<Record<string, string>>): Requirement[] {
  return Object.entries(sentences).map(([id, sentence]) => ({ id, heading, sentence }))
}
