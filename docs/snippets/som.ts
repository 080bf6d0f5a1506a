import { hash } from 'node:crypto'
import { createSomCompiler, diff, re2Pattern, resolveTarget } from '@domos/som'
import { parseHtml } from '@domos/som/parse'

/** What an agent sees of a page, what a target is, and how the next state of the page differs. */
export function describe(url: string, html: string, laterHtml: string) {
  const compiler = createSomCompiler({ sha256: (text) => hash('sha256', text) }) // one for each page: it keeps the ids
  const snapshot = compiler.compile(parseHtml(html), { url })
  const { som } = snapshot.view({ maxBytes: 262_144 }) // schema-valid; som_ext holds what the schema has no place for
  const outline = snapshot.outline({ maxTokens: 4_000 }).text // lines for a model: "## Cart", "[7 button Pay]"
  const target = { query: { role: 'button', text: 'Pay' } }
  const { elementId } = resolveTarget(snapshot, target, { pattern: re2Pattern })

  const later = compiler.compile(parseHtml(laterHtml), { url }).view({ maxBytes: 262_144 })
  return { outline, elementId, patch: diff(som, later.som) } // RFC 6902; applying it gives the next bytes exactly
}
