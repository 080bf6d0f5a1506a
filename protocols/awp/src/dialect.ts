/** `draft`: the document's own wire. `legacy`: the flat one of shipped peers, known by its hello. */
export type Dialect = 'draft' | 'legacy'

/** Reads the dialect from the parameters of awp.hello: `awp.versions` as a list is the draft's, anything else legacy. */
export function dialectOfHello(params: unknown): Dialect {
  if (typeof params !== 'object' || params === null) return 'legacy'
  const { awp, awp_version: flat } = params as { awp?: unknown; awp_version?: unknown }
  if (typeof flat === 'string') return 'legacy'
  const versions = typeof awp === 'object' && awp !== null ? (awp as { versions?: unknown }).versions : undefined
  return Array.isArray(versions) ? 'draft' : 'legacy'
}
