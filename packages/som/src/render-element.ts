import type { SomBudgets } from './limits.ts'
import type { ModelElement, Run } from './model.ts'
import type { AttributeValue, ElementExt, SomElement } from './som.ts'
import { cutText } from './text-cut.ts'

/** A cut inside one element: which part, how much is shown, how much there is. */
export interface PartCut {
  readonly part: 'text' | 'items' | 'rows' | 'options'
  readonly shown: number
  readonly total: number
}

/** An element as it travels, with what was left out of it. */
export interface RenderedElement {
  readonly element: SomElement
  readonly cuts: readonly PartCut[]
}

const silent = new Set(['list', 'table', 'group', 'section', 'details', 'separator', 'iframe', 'image'])
const none: readonly PartCut[] = []

/** Renders an element under the budgets. `textChars` is the budget its text gets. */
export function renderElement<N extends object>(
  element: ModelElement<N>,
  budgets: SomBudgets,
  textChars: number,
): RenderedElement {
  let cuts: PartCut[] | undefined
  const cut = (part: PartCut['part'], shown: number, total: number): void => {
    cuts ??= []
    cuts.push({ part, shown, total })
  }
  const out: { -readonly [K in keyof SomElement]: SomElement[K] } = { id: element.id, role: element.role }
  if (element.htmlId !== undefined) out.html_id = element.htmlId
  if (element.text !== '' && !silent.has(element.role)) {
    const { text, kept } = cutText(element.text, textChars)
    out.text = text
    if (kept < element.text.length) cut('text', kept, element.text.length)
  }
  if (element.label !== '')
    out.label = element.label.length > 2_000 ? cutText(element.label, 2_000).text : element.label
  if (element.actions !== undefined) out.actions = element.actions
  const attrs = renderAttributes(element, budgets, cut)
  if (attrs !== undefined) out.attrs = attrs
  if (element.hints !== undefined) out.hints = element.hints
  return { element: out, cuts: cuts ?? none }
}

function renderAttributes<N extends object>(
  element: ModelElement<N>,
  budgets: SomBudgets,
  cut: (part: PartCut['part'], shown: number, total: number) => void,
): Record<string, AttributeValue> | undefined {
  if (element.role === 'list') {
    const items = element.items ?? []
    const limit = shownItems(element, budgets)
    const shown = items.slice(0, limit).map((item) => ({ text: cutText(item.text, budgets.textChars).text }))
    const shortened = items.slice(0, limit).some((item) => item.text.length > budgets.textChars)
    if (items.length > limit) shown.push({ text: `[${items.length - limit} more items]` })
    if (items.length > limit || shortened) cut('items', shortened ? 0 : limit, items.length)
    return { ...element.attrs, items: shown }
  }
  if (element.role === 'table') {
    const rows = element.items ?? []
    const cells = (run: readonly Run<N>[]): string[] =>
      run.slice(0, budgets.tableColumns).map((cell) => cutText(cell.text, budgets.cellChars).text)
    const shortened = rows
      .slice(0, budgets.tableRows)
      .concat(element.headers === undefined ? [] : [{ cells: element.headers } as (typeof rows)[number]])
      .some(
        ({ cells: row }) =>
          row !== undefined &&
          (row.length > budgets.tableColumns || row.some((cell) => cell.text.length > budgets.cellChars)),
      )
    const shown = rows.slice(0, budgets.tableRows)
    if (shortened || shown.length < rows.length) cut('rows', shortened ? 0 : shown.length, rows.length)
    return {
      ...element.attrs,
      ...(element.headers === undefined ? {} : { headers: cells(element.headers) }),
      rows: shown.map((row) => cells(row.cells ?? [])),
    }
  }
  if (element.options !== undefined) {
    const { options } = element
    let shown = options
    if (options.length > budgets.options) {
      shown = options.filter((option, index) => index < budgets.options || option.selected)
      cut('options', budgets.options, options.length)
    }
    return { ...element.attrs, options: shown }
  }
  return Object.keys(element.attrs).length === 0 ? undefined : element.attrs
}

function shownItems<N extends object>(element: ModelElement<N>, budgets: SomBudgets): number {
  // One item beyond the budget costs no more than the line that would announce it.
  const count = element.items?.length ?? 0
  return count <= budgets.listItems + 1 ? count : budgets.listItems
}

/** The element's part of `som_ext.elements`; undefined when there is nothing to say. */
export function renderExt<N extends object>(element: ModelElement<N>, budgets: SomBudgets): ElementExt | undefined {
  const { ext } = element
  const shown = element.items?.slice(0, element.role === 'table' ? budgets.tableRows : shownItems(element, budgets))
  const items =
    shown?.some((item) => item.elements.some((inner) => !inner.dead)) &&
    shown.map((item) => item.elements.filter((inner) => !inner.dead).map((inner) => inner.id))
  const out: ElementExt = {
    ...(ext.value_state === undefined ? {} : { value_state: ext.value_state }),
    ...(ext.inferred === undefined ? {} : { inferred: ext.inferred }),
    ...(ext.name_from === undefined ? {} : { name_from: ext.name_from }),
    ...(ext.via_label === undefined ? {} : { via_label: true }),
    ...(ext.formRegion === undefined ? {} : { form: ext.formRegion.id }),
    ...(ext.raw === undefined ? {} : { raw: ext.raw }),
    ...(items ? { items } : {}),
  }
  return Object.keys(out).length === 0 ? undefined : out
}
