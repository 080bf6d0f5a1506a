import { DomosError } from '@domos/spec'
import type { ModelDocument, ModelElement, ModelRegion } from './model.ts'
import { renderElement } from './render-element.ts'
import { utf8Length } from './text-cut.ts'
import type { Tokenizer } from './tokens.ts'
import { type Model, type Rendered, type RenderOptions, render } from './view.ts'

/** A ceiling for a snapshot. Both hold for the JSON text of `{som, som_ext}`. */
export interface SizeLimit {
  /** Bytes of UTF-8. */
  readonly maxBytes?: number | undefined
  /** Tokens as `tokenizer` counts them. */
  readonly maxTokens?: number | undefined
  readonly tokenizer: Tokenizer
  /** Other measure of bytes, for another encoding. @default bytes of the JSON text */
  readonly measureBytes?: ((document: unknown) => number) | undefined
}

/** JSON of a document never comes near this many bytes a token; beyond it nothing needs to be counted. */
const maxBytesPerToken = 16
const controlRoles = new Set(['text_input', 'textarea', 'select', 'checkbox', 'radio', 'button'])

/**
 * Renders within a size limit. What matters most stays: dialogs, form controls, headings and controls of the main part,
 * its text, then navigation and footer. Form controls are never left out.
 * @throws DomosError too_large with the needed size in `details` when not even they fit
 */
export function renderWithin<N extends object>(
  model: Model<N>,
  options: RenderOptions<N>,
  limit: SizeLimit,
): Rendered<N> {
  const whole = render(model, options)
  if (fits(whole, limit)) return whole
  const hasData = model.documents.some(({ structuredData }) => structuredData !== undefined)
  const ranked = rank(model)
  const needed = ranked.findIndex(({ needed: stays }) => !stays)
  const least = needed < 0 ? ranked.length : needed
  const attempt = (count: number, dropStructuredData: boolean): Rendered<N> =>
    render(model, {
      ...options,
      dropStructuredData,
      allowed: new Set(ranked.slice(0, count).map(({ element }) => element)),
    })
  let dropData = false
  let best = attempt(least, dropData)
  if (!fits(best, limit) && hasData) {
    dropData = true
    best = attempt(least, dropData)
  }
  if (!fits(best, limit)) {
    const text = JSON.stringify(best.document)
    throw new DomosError(
      'too_large',
      'Not even the form controls of this page fit the size limit; ask for more, or for one region with expand.',
      {
        details: {
          neededBytes: limit.measureBytes?.(best.document) ?? utf8Length(text),
          ...(limit.maxTokens === undefined
            ? {}
            : { neededTokens: limit.tokenizer.count(text), tokenizer: limit.tokenizer.name }),
        },
      },
    )
  }
  let low = least
  let high = mostThatCanFit(ranked, least, options, limit)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const candidate = attempt(middle, dropData)
    if (fits(candidate, limit)) {
      best = candidate
      low = middle
    } else high = middle - 1
  }
  return best
}

function fits<N extends object>({ document }: Rendered<N>, limit: SizeLimit): boolean {
  if (limit.maxBytes === undefined && limit.maxTokens === undefined) return true
  if (limit.measureBytes !== undefined && limit.maxBytes !== undefined) {
    if (limit.measureBytes(document) > limit.maxBytes) return false
    if (limit.maxTokens === undefined) return true
  }
  const text = JSON.stringify(document)
  if (limit.measureBytes === undefined && limit.maxBytes !== undefined && utf8Length(text) > limit.maxBytes)
    return false
  if (limit.maxTokens === undefined) return true
  return text.length <= limit.maxTokens * maxBytesPerToken && limit.tokenizer.count(text) <= limit.maxTokens
}

/** No more than this can fit, by the size of each element alone; saves rendering what is far too much. */
function mostThatCanFit<N extends object>(
  ranked: readonly Ranked<N>[],
  least: number,
  options: RenderOptions<N>,
  limit: SizeLimit,
): number {
  const bytes = Math.min(
    limit.measureBytes === undefined ? (limit.maxBytes ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY,
    (limit.maxTokens ?? Number.POSITIVE_INFINITY) * maxBytesPerToken,
  )
  let sum = 0
  for (let at = 0; at < ranked.length; at++) {
    const { element } = ranked[at] as Ranked<N>
    sum += JSON.stringify(renderElement(element, options.budgets, 0).element).length
    if (sum > bytes && at >= least) return at
  }
  return ranked.length
}

interface Ranked<N extends object> {
  readonly element: ModelElement<N>
  readonly needed: boolean
}

function rank<N extends object>(model: Model<N>): Ranked<N>[] {
  const buckets: Ranked<N>[][] = []
  const put = (rankOf: number, element: ModelElement<N>, needed: boolean): void => {
    buckets[rankOf] ??= []
    ;(buckets[rankOf] as Ranked<N>[]).push({ element, needed })
  }
  model.documents.forEach((document, index) => {
    for (const region of document.regions) {
      for (const element of region.elements) {
        const needed = controlRoles.has(element.role) && isFormControl(element)
        put(needed ? 0 : rankIn(region, element, document) + (index === 0 ? 0 : 20), element, needed)
      }
    }
  })
  return buckets.flat().filter((each) => each !== undefined)
}

/** Controls people fill in, and buttons of forms; a page's other buttons may be paged. */
function isFormControl<N extends object>(element: ModelElement<N>): boolean {
  return (
    element.role !== 'button' ||
    element.region.role === 'form' ||
    element.region.form !== undefined ||
    element.ext.formRegion !== undefined
  )
}

function rankIn<N extends object>(
  region: ModelRegion<N>,
  element: ModelElement<N>,
  _document: ModelDocument<N>,
): number {
  if (region.role === 'dialog' && region.open) return 1
  const base = { dialog: 12, form: 2, main: 3, content: 3, aside: 8, navigation: 7, header: 9, footer: 10 }[region.role]
  if (base !== 3) return base
  if (element.role === 'heading' || element.role === 'button') return 3
  if (element.role === 'paragraph' || element.role === 'table' || element.role === 'list') return 5
  return 6
}
