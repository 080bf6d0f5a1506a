import { DomosError, type ErrorCode, type ErrorDetails } from '@domos/spec'
import type { ModelElement, ModelRegion } from './model.ts'
import { nameOf } from './model.ts'

/** What a query may ask for; every key given must hold. */
export interface TargetQuery {
  /** SOM role, ARIA role, or a word of the document: input, tab, dialog, form. */
  readonly role?: string
  /** Accessible name or visible text: exact, else ignoring case, else a part. */
  readonly text?: string
  /** Accessible name alone, matched like `text`. */
  readonly label?: string
  readonly css?: string
  /** RE2 pattern searched in name, text, cells and items. */
  readonly textRegex?: string
  /** Heading level. */
  readonly level?: number
}

/** How a caller points at something. With several, the first that resolves counts; see {@link resolveTarget}. */
export interface Target {
  /** Id from a snapshot, or alias from an outline. */
  readonly elementRef?: string
  readonly query?: TargetQuery
  readonly fallback?: readonly Target[]
  /** Look only in this frame; '' is the top document. @default all frames */
  readonly frameId?: string
}

/** One thing a target may mean, as it is offered to the caller. */
export interface Candidate {
  readonly id: string
  readonly role: string
  readonly name: string
  readonly region: string
  readonly confidence: number
}

/** A found target. */
export interface Resolved<N extends object> {
  readonly node: N
  /** Id of the element, or of the region for role dialog, form and the like. */
  readonly elementId: string
  /** Absent when the target is a region. */
  readonly element?: ModelElement<N>
  readonly region: ModelRegion<N>
  readonly frameId: string
  /** 0 to 1: 1 for an id or an exact, unique name. */
  readonly confidence: number
  readonly via: 'element_ref' | 'query'
  /** Which fallback was used, counted from 0; absent when none was needed. */
  readonly fallback?: number
  /** True when the id was moved to a replacement of the node it was made for. */
  readonly reanchored?: true
  /** Text that matched, when it is a part of the element: the inner node's, or the pattern's. */
  readonly matchedText?: string
}

/** A target that is missing or means several things; `candidates` are at most five, best first. */
export class TargetError extends DomosError {
  readonly candidates: readonly Candidate[]

  constructor(code: ErrorCode, message: string, candidates: readonly Candidate[], details: ErrorDetails = {}) {
    super(code, message, {
      details: { ...details, ...(candidates.length === 0 ? {} : { candidates: candidates.map(({ id }) => id) }) },
    })
    this.candidates = candidates
  }
}

const roleWords: Readonly<Record<string, readonly string[]>> = {
  input: ['text_input', 'textarea'],
  textbox: ['text_input', 'textarea'],
  searchbox: ['text_input'],
  textfield: ['text_input', 'textarea'],
  img: ['image'],
  checkbox: ['checkbox'],
  switch: ['checkbox'],
  combobox: ['select', 'text_input'],
  listbox: ['select', 'group'],
  dropdown: ['select'],
  file: ['button'],
  nav: ['navigation'],
  search: ['navigation', 'form'],
  banner: ['header'],
  contentinfo: ['footer'],
  complementary: ['aside'],
  text: ['paragraph'],
}

/** True when an element answers to a role word. */
export function hasRole<N extends object>(element: ModelElement<N>, role: string): boolean {
  const wanted = role.trim().toLowerCase()
  if (element.role === wanted) return true
  const source = element.attrs['source_role']
  if (typeof source === 'string' && source.toLowerCase().split(/\s+/).includes(wanted)) return true
  if (wanted === 'submit') return element.attrs['button_type'] === 'submit'
  if (wanted === 'searchbox') return element.attrs['input_type'] === 'search'
  if (wanted === 'combobox' && element.role === 'text_input') return element.attrs['list'] !== undefined
  return (Object.hasOwn(roleWords, wanted) ? roleWords[wanted] : undefined)?.includes(element.role) ?? false
}

/** True when a region answers to a role word. */
export function regionHasRole<N extends object>(region: ModelRegion<N>, role: string): boolean {
  const wanted = role.trim().toLowerCase()
  return (
    region.role === wanted ||
    (wanted === 'form' && region.form !== undefined) ||
    ((Object.hasOwn(roleWords, wanted) ? roleWords[wanted] : undefined)?.includes(region.role) ?? false)
  )
}

/** The candidate form of an element. */
export function candidateOf<N extends object>(element: ModelElement<N>, confidence: number): Candidate {
  return {
    id: element.id,
    role: element.role,
    name: nameOf(element).slice(0, 80),
    region: element.region.id,
    confidence,
  }
}
