import type { JsonObject, JsonValue } from '@domos/spec'
import { type Builder, each, foreignText } from './elements.ts'
import type { Catalogue } from './messages.ts'

/** Values shown one by one; what is beyond is shown too, as one text of JSON. */
const MAX_VALUES = 500

/** Shows arguments in full: every name, every value, every character. */
export function argumentView(build: Builder, messages: Catalogue, args: JsonObject): HTMLElement {
  let left = MAX_VALUES

  function value(of: JsonValue): HTMLElement {
    left -= 1
    if (left < 0) return build('span', { class: 'json' }, foreignText(build, JSON.stringify(of, undefined, 2)))
    if (typeof of === 'string') return of === '' ? said(messages.emptyText) : foreignText(build, of)
    if (typeof of === 'number') return build('span', { class: 'number' }, String(of))
    if (typeof of === 'boolean') return said(of ? messages.yes : messages.no)
    if (of === null) return said(messages.empty)
    if (Array.isArray(of)) return of.length === 0 ? said(messages.empty) : list(of)
    return fields(of as JsonObject)
  }

  /** Our own word for a value, told apart from a text that happens to say the same. */
  function said(word: string): HTMLElement {
    return build('span', { class: 'said' }, word)
  }

  function list(of: readonly JsonValue[]): HTMLElement {
    return build(
      'ol',
      {},
      each(of, (entry) => build('li', {}, value(entry))),
    )
  }

  function fields(of: JsonObject): HTMLElement {
    const names = Object.keys(of)
    if (names.length === 0) return said(messages.empty)
    const rows = each(names, (name) =>
      build('div', {}, build('dt', {}, foreignText(build, name)), build('dd', {}, value(of[name] as JsonValue))),
    )
    return build('dl', {}, rows)
  }

  return fields(args)
}
