/** One thing a document demands. */
export interface Requirement {
  /** Cited by the tests that hold it. */
  readonly id: string
  /** Where it stands in the document. */
  readonly heading: string
  /** What is demanded. */
  readonly sentence: string
}

/** What "AWP - Agent Web Protocol (Draft Specification v0.1)" demands of pages and sessions, whatever the wire. */
export const requirements: readonly Requirement[] = [
  ...under('Goals', {
    'PAGES-GOAL-1': 'Element addressing is stable, and a reference never means something else in silence.',
    'PAGES-GOAL-2': 'Many sessions live side by side with strict resource limits.',
  }),
  ...under('Sessions', {
    'PAGES-SES-1': 'A session has cookies, storage and profile of its own, and ends with its ttl.',
    'PAGES-SES-2': 'profile.impersonation, locale and viewport are applied; what is not applied is told.',
    'PAGES-SES-3': 'persist keeps a session across restarts.',
    'PAGES-SES-4': 'export and import carry a session elsewhere.',
    'PAGES-SES-5': 'The server may enforce per-domain allowlists.',
  }),
  ...under('Page Lifecycle', {
    'PAGES-WAIT-1': 'dom_content_loaded and load are states of the document.',
    'PAGES-WAIT-2': 'network_idle is reached when no request is under way.',
    'PAGES-WAIT-3': 'som_stable is reached after a quiet period without mutations.',
    'PAGES-WAIT-4': 'A wait that is not reached in time is a TIMEOUT that names the time and the method.',
  }),
  ...under('Observation: SOM Snapshots and Mutations', {
    'PAGES-OBS-1': 'A snapshot includes som_version, url, title and elements with id, role, text and actions.',
    'PAGES-OBS-2': 'max_bytes bounds a snapshot.',
    'PAGES-OBS-3': 'Mutations since a cursor are JSON Patch operations that lead to the newest snapshot.',
  }),
  ...under('Actions: Intent-Based Interaction', {
    'PAGES-ACT-1': 'Click, type, select and submit act on the target they name.',
    'PAGES-ACT-2': 'Un-namespaced action strings are normalized.',
    'PAGES-ACT-3': 'semantic.* and intent.* actions are plans over primitives.',
    'PAGES-ACT-4': 'Fallbacks are tried in their order when a target misses.',
    'PAGES-ACT-5': 'The result tells the effects and the resolved target with its confidence.',
  }),
  ...under('Data Extraction', {
    'PAGES-EXT-1': 'Data is extracted by selectors or semantic queries, typed by a JSON Schema.',
    'PAGES-EXT-2': 'Provenance names the elements used.',
  }),
  ...under('State: Cookies, Storage, Downloads', {
    'PAGES-STATE-1': 'Cookies can be read, set and cleared.',
    'PAGES-STATE-2': 'Downloads are listed and read in pieces.',
  }),
  ...under('Telemetry and Auditing', {
    'PAGES-TEL-1': 'Telemetry tells latency and errors, and no secrets.',
  }),
]

function under(heading: string, sentences: Readonly<Record<string, string>>): Requirement[] {
  return Object.entries(sentences).map(([id, sentence]) => ({ id, heading, sentence }))
}
