import type { SomBudgets } from './limits.ts'
import type { ModelElement, ModelRegion } from './model.ts'

/** Which elements of a region are shown, and why others are not. */
export interface Selection<N extends object> {
  readonly shown: readonly ModelElement<N>[]
  readonly omitted: readonly ModelElement<N>[]
  readonly reasons: { duplicateLinks: number; links: number; paragraphs: number; elements: number; chars: number }
}

const exempt = new Set(['text_input', 'textarea', 'select', 'checkbox', 'radio', 'button', 'heading'])

/** Applies the budgets of one region, in the specification's order. `allowed` leaves out what does not fit a size limit. */
export function selectElements<N extends object>(
  region: ModelRegion<N>,
  budgets: SomBudgets,
  allowed?: ReadonlySet<ModelElement<N>>,
): Selection<N> {
  const shown: ModelElement<N>[] = []
  const omitted: ModelElement<N>[] = []
  const reasons = { duplicateLinks: 0, links: 0, paragraphs: 0, elements: 0, chars: 0 }
  const linkCap = region.role === 'navigation' ? budgets.navigationLinks : budgets.links
  const seen = new Map<string, ModelElement<N>[]>()
  let counted = 0
  let links = 0
  let paragraphs = 0
  const drop = (element: ModelElement<N>, reason: 'duplicateLinks' | 'links' | 'paragraphs' | 'elements'): void => {
    omitted.push(element)
    reasons[reason]++
    reasons.chars += element.text.length
  }
  for (const element of region.elements) {
    if (allowed !== undefined && !allowed.has(element)) {
      drop(element, element.role === 'link' ? 'links' : element.role === 'paragraph' ? 'paragraphs' : 'elements')
      continue
    }
    if (!exempt.has(element.role)) {
      if (counted >= budgets.elements) {
        drop(element, 'elements')
        continue
      }
      if (element.role === 'link') {
        const key = budgets.dropDuplicateLinks ? duplicateKey(element) : undefined
        const same = key === undefined ? undefined : seen.get(key)
        if (same?.some((other) => other.text === element.text && other.label === element.label)) {
          drop(element, 'duplicateLinks')
          continue
        }
        if (links >= linkCap) {
          drop(element, 'links')
          continue
        }
        if (same !== undefined) same.push(element)
        else if (key !== undefined) seen.set(key, [element])
        links++
      } else if (element.role === 'paragraph') {
        if (paragraphs >= budgets.paragraphs) {
          drop(element, 'paragraphs')
          continue
        }
        paragraphs++
      }
      counted++
    }
    shown.push(element)
  }
  return { shown, omitted, reasons }
}

/** Same document URL and same name; links that run script or change the route by hash are never the same. */
function duplicateKey<N extends object>(element: ModelElement<N>): string | undefined {
  const href = element.attrs['href']
  if (typeof href !== 'string' || href === '' || /^\s*javascript:/i.test(href) || /#[!/]/.test(href)) return undefined
  if (href.startsWith('#')) return undefined
  return href
}

/** The sentence that announces what a region leaves out; '' when nothing. SOM: Budgets, summary. */
export function summaryOf(reasons: Selection<object>['reasons']): string {
  const parts: string[] = []
  if (reasons.duplicateLinks > 0) parts.push(`${reasons.duplicateLinks} duplicate links`)
  if (reasons.links > 0) parts.push(`${reasons.links} more links`)
  if (reasons.paragraphs > 0) parts.push(`${reasons.paragraphs} more paragraphs`)
  if (reasons.elements > 0) parts.push(`${reasons.elements} more elements dropped`)
  if (parts.length === 0) return ''
  if (reasons.chars > 0) parts.push(`~${reasons.chars} chars`)
  return `[${parts.join(', ')}]`
}
